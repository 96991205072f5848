"""Real web processes, and requests to them."""

import contextlib
import http.client
import json
import os
import sys
from pathlib import Path

from development.ports import free_port
from tests.waiting import SECONDS, started, wait_until

ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def web_process(login_url, log, *words, **environ):
    """A process that starts one that serves, or with the word `alone` serves itself, and settings: (process, port)."""
    port = free_port()
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
        "DATABASE_URL": login_url("pipeline_app"),
        "DATABASE_FORMS_URL": login_url("pipeline_forms"),
        "WEB_THREADS": "4",
        "JWT_SECRET": "a secret of the tests, long enough for HS256",
        **environ,
    }
    command = [sys.executable, "-m", "tests.http.servers", str(port), *words]
    with log.open("w") as output, started(command, env=environ, stdout=output, stderr=output, cwd=ROOT) as process:
        try:
            wait_until_alive(process, port, log)
            yield process, port
        finally:
            process.terminate()
            process.wait(SECONDS)


def wait_until_alive(process, port, log):
    def answers():
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(OSError, http.client.HTTPException):
            return ask(port, "GET", "/healthz")[0] == 200

    wait_until(answers, log.read_text)


def ask(port, method, path, body=None, address="127.0.0.1", **headers):
    """(status, text) of the answer to a request from an address."""
    options = {"timeout": SECONDS, "source_address": (address, 0)}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, **options)) as connection:
        connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
