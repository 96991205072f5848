"""The guide of docs/install/container.md, followed as it stands: the image is built, compose runs it with its servers.

`make image`; no part of `make tests`, because it needs root and a container engine.
"""

import json
import os
import re
import subprocess
import urllib.request

import pytest
import yaml

from development.ports import free_port
from tests.install.conftest import ROOT
from tests.install.engine import PROCESSES, Engine
from tests.install.test_deploy import blocks
from tests.install.test_guide import SECRET, Web
from tests.mail.mailserver import MailServer
from tests.support import TEMPLATE
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(os.geteuid() != 0, reason="the engine of the test needs root"),
]
SETTING, STARTING, BACKUP, RESTORE = blocks("container.md")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
PROJECT = "guide"


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """An Engine with the images of compose.yaml."""
    with Engine(tmp_path_factory.mktemp("engine")) as engine:
        services = COMPOSE["services"]
        engine.have_bases(services["postgres"]["image"], services["redis"]["image"])
        engine.build_ours(services["web"]["image"])
        yield engine


@pytest.fixture(scope="module")
def mail():
    """A server that containers reach, who are on a network of their own."""
    with MailServer(hostname="0.0.0.0") as server:
        yield server


class Host:
    """The machine of an operator who follows the guide; `port` is that of the service."""

    def __init__(self, engine, folder, mail):
        self.engine, self.folder, self.port = engine, folder, free_port()
        self.environ = engine.environ | {"COMPOSE_PROJECT_NAME": PROJECT}
        self.follow(SETTING)
        (folder / "secrets" / "smtp_url").write_text(
            f"smtp://host.containers.internal:{mail.options['port']}?starttls=never"
        )
        file = (ROOT / "compose.yaml").read_text()
        # A port of the test's; and with a limit of its own a container gets none of the engine's.
        limits = "nofile: 16384"
        for text, ours in (
            ("127.0.0.1:6543:6543", f"127.0.0.1:{self.port}:6543"),
            (limits, f"{limits}\n      nproc: {PROCESSES}"),
        ):
            assert text in file
            file = file.replace(text, ours)
        (folder / "compose.yaml").write_text(file)

    def follow(self, script, typed=""):
        """What commands of the guide print, with our folder for backups."""
        script = script.replace("/backup", str(self.folder / "backup"))
        options = {"capture_output": True, "text": True, "cwd": self.folder, "env": self.environ, "input": typed}
        done = subprocess.run(["bash", "-euc", script], check=False, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def container(self, service):
        return self.engine.inspect(f"{PROJECT}_{service}_1")

    def logs(self, service):
        return self.follow(f"docker compose logs --tail 50 {service}")


@pytest.fixture(scope="module")
def host(engine, mail, tmp_path_factory):
    """A Host that has followed the guide to its doctor; `said` is what that printed."""
    host = Host(engine, tmp_path_factory.mktemp("host"), mail)
    # One after the other: each reads what is typed, whether it asks for it or not.
    host.said = "".join(host.follow(command, f"{SECRET}\n{SECRET}\n") for command in STARTING.splitlines())
    return host


@pytest.fixture(scope="module")
def web(host):
    return Web(host.port)


def test_the_commands_do_what_they_say(host):
    assert "ada@acme.com (new, id 1) is admin of acme." in host.said
    assert re.findall(r"^TO DO.*", host.said, re.M) == []


def test_the_service_is_healthy_and_can_write_nothing(host, web):
    assert web.send("/healthz")[0] == web.send("/readyz")[0] == 200
    wait_until(lambda: host.container("web")["State"]["Health"]["Status"] == "healthy")
    inside = "id; grep -E 'CapEff|NoNewPrivs' /proc/self/status; ulimit -n; touch /opt/pipeline/x"
    said = host.follow(f"docker compose exec -T web sh -c {json.dumps(inside)} || true")
    assert "uid=10001(pipeline) gid=10001(pipeline)" in said
    assert re.findall(r"\s(\d+)$", said, re.M) == ["0" * 16, "1", "16384"]
    assert "Read-only file system" in said


def test_no_process_reads_all_fonts_anew(host, web):
    said = host.follow("docker compose exec -T web fc-cache --system-only --verbose || true")
    assert "fc-cache: succeeded" in said
    assert "existing cache is valid: 16 fonts" in said
    assert "caching" not in said


def test_a_prospect_is_invited_by_mail_and_a_contract_becomes_a_document(host, web, mail):
    assert web.create_lead("first@prospect.example") == 201
    template = made(web, "/api/interview-templates", TEMPLATE)
    made(
        web,
        "/api/interview-invites",
        {"template_id": template["id"], "recipient_email": "pat@prospect.example", "send_email": True},
    )
    wait_until(lambda: "pat@prospect.example" in [to for _, to, _ in mail.accepted], lambda: host.logs("worker"))
    terms = made(web, "/api/contract-templates", {"name": "Order", "content": "<p>契約 Договор Contract</p>"})
    contract = made(web, "/api/contracts", {"template_id": terms["id"], "effective_date": "2026-01-01"})
    address = f"{web.url}/api/contracts/{contract['id']}/pdf"
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {web.token}"})
    with urllib.request.urlopen(request) as answer:
        assert answer.read(5) == b"%PDF-"
    delivered = r'"event":"delivered".*"key":"contract_documents:'
    wait_until(lambda: re.search(delivered, host.logs("worker")), lambda: host.logs("worker"))


def made(web, path, body):
    status, text = web.send(path, body)
    assert status == 201, text
    return json.loads(text)


def test_web_and_worker_end_in_order(host, web):
    host.follow("docker compose stop web worker")
    assert [host.container(service)["State"]["ExitCode"] for service in ("web", "worker")] == [0, 0]
    host.follow("docker compose up --detach")
    wait_until(lambda: web.send("/readyz")[0] == 200)


def test_a_backup_comes_back_on_a_machine_where_nothing_has_been_started(host, web):
    assert "TO DO" not in host.follow(BACKUP)
    host.follow("docker compose down --volumes")
    (backup,) = (host.folder / "backup").iterdir()
    host.follow(re.sub(r"\d{4}-\d\d-\d\d", backup.name, RESTORE))
    wait_until(lambda: web.send("/readyz")[0] == 200)
    leads = json.loads(Web(host.port).send("/api/leads")[1])["data"]
    assert [lead["email"] for lead in leads] == ["first@prospect.example"]
