"""A running service for the programs of the clients' READMEs, and the description that both are generated from."""

import json
import re
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from tests.conftest import PASSWORD
from tests.forms.browsing import Site
from tests.waiting import wait_for_writers

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture(scope="session")
def description(anonymous, tmp_path_factory):
    """The OpenAPI document as a file."""
    file = tmp_path_factory.mktemp("description") / "openapi.json"
    file.write_bytes(anonymous.get("/openapi.json", status=200).body)
    return file


@pytest.fixture(scope="session")
def address(login_url, tmp_path_factory):
    """The URL of a service that runs."""
    environ = {
        "DATABASE_URL": login_url("pipeline_app"),
        "DATABASE_FORMS_URL": login_url("pipeline_forms"),
        "JWT_SECRET": "signs the tokens of one story, and of no other",
    }
    with Site(environ, tmp_path_factory.mktemp("service") / "log") as site:
        yield site.url


@pytest.fixture
def served(new_organization, address):
    """(URL, email, password) of a service that runs, and of an admin there."""
    email = new_organization().admin.get("/api/auth/me", status=200).json["user"]["email"]
    return address, email, PASSWORD


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


def programs(readme, language):
    """(the first program of a README, the other blocks of the language as one program)."""
    example, *blocks = re.findall(f"```{language}\n(.*?)```", readme.read_text(), re.DOTALL)
    return example, "\n".join(blocks)
