"""The receiver of docs/webhooks.md, which runs as the page shows it."""

import base64
import contextlib
import http.client
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from development.ports import free_port
from tests.waiting import is_listening, started, wait_until

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "webhooks.md").read_text()
PROGRAM = re.search(r"```python\n(from http\.server.*?)```", GUIDE, re.DOTALL)[1]
SECRET = f"whsec_{base64.b64encode(bytes(32)).decode()}"
BODY = '{"type": "webhook.test", "data": {"webhook_id": 3}}'


@pytest.fixture
def receiver(tmp_path):
    port = free_port()
    (tmp_path / "receiver.py").write_text(PROGRAM.replace("9000", str(port)))
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with started([sys.executable, "receiver.py"], cwd=tmp_path, **options) as process:
        wait_until(lambda: is_listening(port))
        yield process, port


def send(port, now, **headers):
    """The status of the response to a message with these headers, without their prefix."""
    headers |= {"id": "msg_1", "timestamp": str(int(now.timestamp()))}
    named = {f"webhook-{name}": value for name, value in headers.items()}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", "/hook", BODY, named)
        return connection.getresponse().status


def test_the_receiver_of_the_guide_prints_a_genuine_message(receiver):
    (process, port), now = receiver, datetime.now(UTC)
    assert send(port, now, signature=Webhook(SECRET).sign("msg_1", now, BODY)) == 204
    assert process.stdout.readline() == "msg_1 webhook.test {'webhook_id': 3}\n"


@pytest.mark.parametrize("headers", [{"signature": "v1,Zm9yZ2Vk"}, {"signature": "v1,not base64"}, {}])
def test_the_receiver_of_the_guide_answers_a_forged_message_with_400(receiver, headers):
    assert send(receiver[1], datetime.now(UTC), **headers) == 400
