"""A running service for the programs of the clients' READMEs, and the description that both are generated from."""

import re

import pytest

from tests.conftest import PASSWORD
from tests.forms.browsing import Site


@pytest.fixture(scope="session")
def description(anonymous, tmp_path_factory):
    """The OpenAPI document as a file."""
    file = tmp_path_factory.mktemp("description") / "openapi.json"
    file.write_bytes(anonymous.get("/openapi.json", status=200).body)
    return file


@pytest.fixture
def served(new_organization, login_url, tmp_path):
    """(address, email, password) of a service that runs, and of an admin there."""
    email = new_organization().admin.get("/api/auth/me", status=200).json["user"]["email"]
    environ = {
        "DATABASE_URL": login_url("pipeline_app"),
        "DATABASE_FORMS_URL": login_url("pipeline_forms"),
        "JWT_SECRET": "signs the tokens of one story, and of no other",
    }
    with Site(environ, tmp_path / "log") as site:
        yield site.url, email, PASSWORD


def story(readme, language):
    """The program of a README: its blocks of a language, one after the other."""
    return "\n".join(re.findall(f"```{language}\n(.*?)```", readme.read_text(), re.DOTALL))
