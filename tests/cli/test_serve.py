"""`pipeline serve` as a real process: it logs when it is ready, and stops cleanly."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest

from development.ports import free_port
from development.postgres import EmbeddedPostgres
from tests.http.processes import ROOT, ask
from tests.waiting import SECONDS, started, wait_until

LOGIN = {"email": "admin@acme.example", "password": "pipeline-demo"}


@pytest.fixture
def port():
    return free_port()


def serving(port, *options, **environ):
    """The process of `pipeline serve`; killed at the end if it still runs."""
    return running([sys.executable, "-m", "pipeline", "serve", *options], PORT=str(port), **environ)


@contextlib.contextmanager
def running(command, **environ):
    """A process with these variables and none of ours beside; killed at the end if it still runs."""
    ours = ("DATABASE_", "JWT_", "PIPELINE_", "PUBLIC_URL", "REDIS_")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    with started(
        command, cwd=ROOT, env={**inherited, **environ}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process


def wait_until_listening(port):
    """Return when the port answers; a server that does not come makes the test fail."""

    def listens():
        with contextlib.suppress(OSError):
            return ask(port, "GET", "/healthz")

    wait_until(listens)


def end(process, number):
    """Send a signal; the exit code and what was printed since."""
    process.send_signal(number)
    printed, errors = process.communicate(timeout=SECONDS)
    return process.returncode, printed, errors


def read_until_ready(process):
    """What the process prints up to the end of its ready message."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C stops everything" in line:
            break
    return "".join(lines)


def test_from_nothing_to_ready_where_the_suggested_command_works_and_back(port, tmp_path):
    with serving(port, DATA_DIR=str(tmp_path)) as process:
        printed = read_until_ready(process)
        assert f"http://127.0.0.1:{port}" in printed
        assert "pipeline-demo" in printed
        suggested = printed.split("Try")[1].split("And then")[0]
        answer = subprocess.run(["bash", "-c", suggested], capture_output=True, text=True, timeout=SECONDS, check=True)
        assert "access_token" in json.loads(answer.stdout)
        assert worker_of(process).is_running()
        # `pipeline queries` works in development too.
        with psycopg.connect(EmbeddedPostgres(tmp_path / "postgres").url("postgres", "pipeline")) as connection:
            assert connection.execute("select count(*) from pg_stat_statements").fetchone()[0] > 0
        code, _, errors = end(process, signal.SIGINT)
    assert code == 0
    assert "Traceback" not in errors
    assert errors.rstrip().endswith("Pipeline has stopped.")
    assert not (tmp_path / "postgres" / "data" / "postmaster.pid").exists()


@pytest.mark.long
def test_pserve_serves_from_one_process_and_logs_json_with_the_request_id_and_no_token(port, production, tmp_path):
    token = "f" * 64
    ini = tmp_path / "production.ini"
    ini.write_text((ROOT / "production.ini").read_text().replace("port = 6543", f"port = {port}"))
    with running([Path(sys.executable).with_name("pserve"), ini], **production.environ) as process:
        wait_until_listening(port)
        assert ask(port, "POST", "/api/auth/login", LOGIN)[0] == 200
        assert ask(port, "GET", f"/api/public/interview/{token}", **{"X-Request-Id": "asked-42"})[0] == 404
        code, _, errors = end(process, signal.SIGTERM)
    lines = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
    assert code == 0, errors
    assert [line["status"] for line in lines if line.get("request_id") == "asked-42"] == [404]
    (served,) = [line for line in lines if line.get("route") == "/api/auth/login"]
    assert (served["status"], 0 < served["sql_ms"] < served["ms"]) == (200, True)
    assert token not in errors


@pytest.mark.long
def test_the_processes_of_production_hold_none_of_what_migrates_and_examines():
    processes = "pipeline.cli.web, pipeline.cli.worker, pipeline.worker.process"
    held = f"import sys, {processes}; [*map(__import__, pipeline.PACKAGES)]; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", held], capture_output=True, text=True, check=True).stdout.split()
    assert {"alembic", "pipeline.cli.doctor"}.isdisjoint(modules)


@pytest.mark.long
def test_the_worker_comes_with_the_service_is_started_again_and_ends_with_it(port, demo_url, demo_folder):
    with serving(port, DATABASE_URL=demo_url, DATA_DIR=str(demo_folder)) as process:
        wait_until_listening(port)
        first = worker_of(process)
        first.kill()
        second = worker_of(process, other_than=first.pid)
        process.kill()
        second.wait(SECONDS)


def worker_of(process, other_than=None):
    """The psutil.Process of the worker beside a service."""

    def found():
        for child in psutil.Process(process.pid).children():
            with contextlib.suppress(psutil.Error):
                # "-I" instead of "-m": still the launcher. Nothing: it has ended and was not yet waited for.
                command = child.cmdline()
                if command[1:2] + command[-1:] == ["-m", "worker"] and child.pid != other_than:
                    return child
        return None

    return wait_until(found)
