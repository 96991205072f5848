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
from tests.waiting import SECONDS, Program, is_listening, wait_until

LOGIN = {"email": "admin@acme.example", "password": "pipeline-demo"}
SERVE = [sys.executable, "-m", "pipeline", "serve"]


@pytest.fixture
def port():
    return free_port()


@contextlib.contextmanager
def running(command, **environ):
    """A Program with these variables and none of ours beside; killed at the end if it still runs."""
    ours = ("DATABASE_", "JWT_", "PIPELINE_", "PUBLIC_URL", "REDIS_")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    with contextlib.closing(Program(command, cwd=ROOT, env={**inherited, **environ})) as program:
        yield program


@pytest.mark.long
def test_from_nothing_to_ready_where_the_suggested_command_works_and_back(port, tmp_path):
    with running(SERVE, PORT=str(port), DATA_DIR=str(tmp_path)) as program:
        program.wait_for("Ctrl-C stops everything")
        printed = "".join(program.lines)
        assert f"http://127.0.0.1:{port}" in printed
        assert "pipeline-demo" in printed
        suggested = printed.split("Try")[1].split("And then")[0]
        answer = subprocess.run(["bash", "-c", suggested], capture_output=True, text=True, timeout=SECONDS, check=True)
        assert "access_token" in json.loads(answer.stdout)
        assert worker_of(program.process).is_running()
        # The costs of statements are counted in development too.
        with psycopg.connect(EmbeddedPostgres(tmp_path / "postgres").url("postgres", "pipeline")) as connection:
            assert connection.execute("select count(*) from pg_stat_statements").fetchone()[0] > 0
        assert program.end(signal.SIGINT) == 0
    assert "Traceback" not in "".join(program.lines)
    assert program.lines[-1].rstrip().endswith("Pipeline has stopped.")
    assert not (tmp_path / "postgres" / "data" / "postmaster.pid").exists()


@pytest.mark.long
def test_pserve_serves_from_one_process_and_logs_json_with_the_request_id_and_no_token(port, production, tmp_path):
    token = "f" * 64
    ini = tmp_path / "production.ini"
    ini.write_text((ROOT / "production.ini").read_text().replace("port = 6543", f"port = {port}"))
    with running([Path(sys.executable).with_name("pserve"), ini], **production.environ) as program:
        wait_until(lambda: is_listening(port), lambda: "".join(program.lines))
        assert ask(port, "POST", "/api/auth/login", LOGIN)[0] == 200
        assert ask(port, "GET", f"/api/public/interview/{token}", **{"X-Request-Id": "asked-42"})[0] == 404
        assert program.end(signal.SIGTERM) == 0
    lines = [json.loads(line) for line in program.lines if line.startswith("{")]
    assert [line["status"] for line in lines if line.get("request_id") == "asked-42"] == [404]
    (served,) = [line for line in lines if line.get("route") == "/api/auth/login"]
    assert (served["status"], 0 < served["sql_ms"] < served["ms"]) == (200, True)
    assert token not in "".join(program.lines)


@pytest.mark.long
def test_the_worker_comes_with_the_service_is_started_again_and_ends_with_it(port, demo_url, demo_folder):
    with running(SERVE, PORT=str(port), DATABASE_URL=demo_url, DATA_DIR=str(demo_folder)) as program:
        wait_until(lambda: is_listening(port), lambda: "".join(program.lines))
        first = worker_of(program.process)
        first.kill()
        second = worker_of(program.process, other_than=first.pid)
        program.process.kill()
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
