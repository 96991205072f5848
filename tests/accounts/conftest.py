import uuid

import pytest

from pipeline.accounts import passwords
from tests.conftest import PASSWORD
from tests.support import Api

STRONG = "violet harbour 7 lanterns"


@pytest.fixture(autouse=True)
def turns(settings):
    """The passwords checked at once are bounded for a process: by its settings, not by those of another test."""
    passwords.configure(settings.web_threads)


@pytest.fixture
def other(new_organization):
    return new_organization()


@pytest.fixture
def email():
    """An address that nobody has yet."""
    return f"Kim.{uuid.uuid4().hex[:12]}@new.example"


@pytest.fixture
def address(organization):
    return f"member@{organization.name}.example"


@pytest.fixture
def log_in(anonymous):
    """log_in(email, password, client): the answer to a login."""

    def enter(email, password=PASSWORD, client="Tests", status=200):
        body = {"email": email, "password": password}
        return anonymous.post("/api/auth/login", body, headers={"User-Agent": client}, status=status)

    return enter


@pytest.fixture
def enter(log_in, address):
    """enter(password=…, client=…): the tokens of the member's login."""
    return lambda **options: log_in(address, **options).json


@pytest.fixture
def signed_in(anonymous):
    """signed_in(tokens): a client with the access token of an answer."""
    return lambda tokens: Api(anonymous.app, Authorization=f"Bearer {tokens['access_token']}")


def refresh(anonymous, tokens, **options):
    """The answer to a refresh by the tokens of an answer."""
    return anonymous.post("/api/auth/refresh", {"refresh_token": tokens["refresh_token"]}, **options)
