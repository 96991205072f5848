"""A running service for the programs of the clients' READMEs, and the description that both are generated from."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from tests.conftest import PASSWORD
from tests.waiting import SECONDS, wait_for_writers

COMPILE = ["typescript/bin/tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "esnext"]
COMPILE += ["--moduleResolution", "bundler"]
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture(scope="session")
def description(anonymous, tmp_path_factory):
    file = tmp_path_factory.mktemp("description") / "openapi.json"
    file.write_bytes(anonymous.get("/openapi.json", status=200).body)
    return file


@pytest.fixture
def served(new_organization, site):
    """(URL, email, password) of a service that runs, and of an admin there."""
    email = new_organization().admin.get("/api/auth/me", status=200).json["user"]["email"]
    return site.url, email, PASSWORD


@pytest.fixture
def key(organization):
    """An API key of a program that keeps in step."""
    scopes = ("leads:read", "leads:write", "changes:read")
    return organization.key(*scopes).headers["Authorization"].removeprefix("Bearer ")


@pytest.fixture
def place(organization, owner):
    """A place in the feed, after which there is one lead, Pat."""
    wait_for_writers(owner)
    found = organization.member.get("/api/changes", status=200).json["next"]
    organization.member.post("/api/leads", {"first_name": "Pat"}, status=201)
    wait_for_writers(owner)
    return found


@pytest.fixture
def message():
    """(body, headers) of a signed message of a webhook."""
    now = datetime.now(UTC)
    body = json.dumps({"type": "lead.created", "timestamp": now.isoformat(), "data": {"id": 7}})
    signature = Webhook(SECRET).sign("msg_1", now, body)
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}
    return body, headers


def run(folder, *arguments, given="", **environ):
    environ["PATH"] = str(Path(sys.executable).parent)
    options = {"cwd": folder, "env": environ, "input": given, "capture_output": True, "text": True, "timeout": SECONDS}
    done = subprocess.run([sys.executable, *arguments], **options, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def programs(readme, language):
    """(the first program of a README, the other blocks of the language as one program)."""
    example, *blocks = re.findall(f"```{language}\n(.*?)```", readme.read_text(), re.DOTALL)
    return example, "\n".join(blocks)
