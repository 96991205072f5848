"""Container, units and monitoring: their files exist, they have the least rights, and ask for what there is."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import yaml
from prometheus_client.metrics import MetricWrapperBase

import pipeline.http.server.metrics
import pipeline.process.metrics
from development import system
from pipeline.process.settings import load, with_secrets
from tests.install.conftest import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
UNITS = sorted((ROOT / "deploy").glob("pipeline-*"))
OURS = ("migrate", "web", "worker")
MONITORING = ROOT / "deploy" / "monitoring"


def labels():
    """{metric: its labels} of the processes' metrics, and of those that /metrics asks the servers for."""
    counted = [one for one in vars(pipeline.process.metrics).values() if isinstance(one, MetricWrapperBase)]
    source = Path(pipeline.http.server.metrics.__file__).read_text()
    asked = re.findall(r'"(pipeline_[a-z_]+)"(?:,\s*"[^"]*",\s*labels=\["(\w+)"\])?', source)
    return {one._name: {*one._labelnames} for one in counted} | {name: {label} - {""} for name, label in asked}


def test_alerts_and_dashboard_ask_for_metrics_and_labels_that_there_are():
    known = labels()
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    for text in [rule["expr"] for rule in rules] + [one["expr"] for panel in panels for one in panel["targets"]]:
        own = set()
        for name, selector in re.findall(r"(pipeline_[a-z_]+)(?:\{([^}]*)\})?", text):
            metric = re.sub("_(total|bucket|count|sum)$", "", name)
            assert set(re.findall("([a-z_]+)[=!]", selector)) <= known[metric], text
            own |= known[metric]
        grouped = {label for words in re.findall(r"\bby \(([^)]*)\)", text) for label in words.split(", ")}
        assert grouped - {"le"} <= own, text


def blocks(page):
    """The shell blocks of a page in docs/install."""
    return re.findall("```sh\n(.*?)```", (ROOT / "docs" / "install" / page).read_text(), re.S)


def test_the_image_and_the_guide_have_the_packages_of_the_set_up_and_can_back_up_the_server_of_compose():
    (install,) = re.findall(r"--no-install-recommends \\\n(.*?)&&", DOCKERFILE, re.S)
    (server,) = re.fullmatch(r"postgres:(\d+)-bookworm", COMPOSE["services"]["postgres"]["image"]).groups()
    wanted = [package for package, *_ in system.SERVE]
    assert sorted(install.replace("\\", "").split()) == sorted([f"postgresql-client-{server}", *wanted])
    guide = (ROOT / "docs" / "operations.md").read_text()
    assert [package for package in wanted if package not in guide] == []


def test_the_services_can_write_nothing_and_have_no_capability_and_only_the_migration_has_the_owners_url():
    for name in OURS:
        service = COMPOSE["services"][name]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    having = [name for name in OURS if "database_owner_url" in COMPOSE["services"][name]["secrets"]]
    assert having == ["migrate"]
    assert [name for name in OURS if "DATABASE_OWNER_URL_FILE" in COMPOSE["services"][name]["environment"]] == having


def test_the_secrets_of_the_guide_are_those_of_compose_and_the_service_takes_them(tmp_path):
    subprocess.run(["bash", "-euc", blocks("container.md")[0]], cwd=tmp_path, check=True)
    made = {f"secrets/{file.name}" for file in (tmp_path / "secrets").iterdir()}
    assert made == {secret["file"] for secret in COMPOSE["secrets"].values()}
    environment = COMPOSE["services"]["web"]["environment"]
    given = {name: value.replace("/run/secrets", str(tmp_path / "secrets")) for name, value in environment.items()}
    given |= dict(line.split("=", 1) for line in (tmp_path / ".env").read_text().splitlines())
    settings = load({}, with_secrets(given | {"TRUSTED_PROXIES": "1"}))
    assert settings.database_jobs_url.startswith("postgresql://pipeline_jobs:")
    assert len(settings.jwt_secret) == 64


def test_systemd_accepts_the_units(tmp_path):
    names = ["drill.service", "drill.timer", "migrate.service", "web.service", "worker.service"]
    assert [unit.name.removeprefix("pipeline-") for unit in UNITS] == names
    (tmp_path / "pipeline").touch(mode=0o755)
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/pipeline/bin", str(tmp_path)))
    if analyze := shutil.which("systemd-analyze"):
        command = [analyze, "verify", *(str(tmp_path / unit.name) for unit in UNITS)]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        assert [line for line in said.splitlines() if "pipeline-" in line] == []


def test_a_drill_has_its_copy_on_disk_and_nothing_else_to_write():
    unit = (ROOT / "deploy" / "pipeline-drill.service").read_text()
    (folder,) = re.findall(r"^CacheDirectory=(.+)$", unit, re.M)
    assert f"Environment=TMPDIR=/var/cache/{folder}" in unit.splitlines()
    assert "ProtectSystem=strict" in unit.splitlines()


def test_the_settings_of_the_systemd_guide_are_whole(tmp_path):
    script = blocks("systemd.md")[0].replace("/etc/pipeline", str(tmp_path / "pipeline"))
    subprocess.run(["bash", "-euc", script], check=True)
    lines = (tmp_path / "pipeline" / "pipeline.env").read_text().splitlines()
    assert load({}, dict(line.split("=", 1) for line in lines)).database_forms_url.startswith(
        "postgresql://pipeline_forms:"
    )
    for unit in UNITS:
        files = re.findall(r"EnvironmentFile=/etc/pipeline/(\S+)", unit.read_text())
        assert [name for name in files if not (tmp_path / "pipeline" / name).is_file()] == []
