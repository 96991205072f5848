"""Real web processes, and raw sockets to speak to them."""

import contextlib
import os
import socket
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
        with contextlib.suppress(OSError):
            return status(speak(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")) == 200

    wait_until(answers, log.read_text)


def speak(port, *pieces, address="127.0.0.1", seconds=SECONDS):
    """Everything that the server answers to these bytes from an address until it closes, or is silent for so long."""
    answer = b""
    options = {"timeout": seconds, "source_address": (address, 0)}
    with socket.create_connection(("127.0.0.1", port), **options) as connection, contextlib.suppress(OSError):
        with contextlib.suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)
        while piece := connection.recv(65536):
            answer += piece
            if complete(answer):
                break
    return answer


def complete(answer):
    """Whether one whole response with a Content-Length has arrived."""
    head, separator, body = answer.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return bool(separator and lengths and len(body) >= int(lengths[0]))


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer else None
