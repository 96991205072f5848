"""Logins, and the worker and mail server of tests/mail."""

import pytest

from pipeline.accounts import passwords
from tests.conftest import PASSWORD
from tests.mail.conftest import mail_settings as mail_settings
from tests.mail.conftest import server as server
from tests.mail.conftest import worker as worker
from tests.support import Api


@pytest.fixture(autouse=True)
def turns(settings):
    """The passwords checked at once are bounded for a process: by its settings, not by those of another test."""
    passwords.configure(settings.web_threads)


@pytest.fixture
def enter(organization, anonymous):
    """enter(person, password, client): the answer to a login of one of the organization's people."""

    def login(person="member", password=PASSWORD, client="Tests", status=200):
        body = {"email": f"{person}@{organization.name}.example", "password": password}
        return anonymous.post("/api/auth/login", body, headers={"User-Agent": client}, status=status).json

    return login


@pytest.fixture
def signed_in(anonymous):
    """signed_in(tokens): a client with the access token of an answer."""
    return lambda tokens: Api(anonymous.app, Authorization=f"Bearer {tokens['access_token']}")
