"""The Python client: all of the API is in it, its README is true, and its types hold."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from development.client import CLIENT, PACKAGE, generate
from tests.conftest import PASSWORD
from tests.forms.browsing import Site

SHOWN = ["submitted {'seats': 250, 'timeline': 'immediately'} ['fast_timeline']", "insufficient_scope leads:write"]


@pytest.fixture(scope="module")
def description(anonymous):
    return anonymous.get("/openapi.json", status=200)


@pytest.fixture(scope="module")
def folder(description, tmp_path_factory):
    """A folder with the client as `make client` makes it, and the README's story as a program."""
    folder = tmp_path_factory.mktemp("client")
    assert generate(description.body, folder) == ""
    story = re.findall("```python\n(.*?)```", (CLIENT / "README.md").read_text(), re.DOTALL)
    (folder / "story.py").write_text("\n".join(story))
    return folder


def run(folder, *arguments, **environ):
    """What Python prints in the folder."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environ, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_every_operation_is_in_the_client(folder, description):
    modules = {path.stem for path in (folder / PACKAGE / "api").glob("*/*.py")} - {"__init__"}
    operations = [operation for methods in description.json["paths"].values() for operation in methods.values()]
    assert modules == {operation["operationId"] for operation in operations}


def test_the_story_of_its_readme_runs_as_it_stands(folder, new_organization, login_url, tmp_path):
    organization = new_organization()
    email = organization.admin.get("/api/auth/me", status=200).json["user"]["email"]
    environ = {
        "DATABASE_URL": login_url("pipeline_app"),
        "DATABASE_FORMS_URL": login_url("pipeline_forms"),
        "JWT_SECRET": "signs the tokens of one story, and of no other",
    }
    with Site(environ, tmp_path / "log") as site:
        shown = run(folder, "story.py", PIPELINE_URL=site.url, PIPELINE_EMAIL=email, PIPELINE_PASSWORD=PASSWORD)
    assert [line for line in SHOWN if line not in shown.splitlines()] == []
    assert (folder / "agreement.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "agreement.docx").read_bytes().startswith(b"PK")


@pytest.mark.long
def test_the_client_and_its_story_are_typed(folder):
    run(folder, "-m", "mypy", "--strict", "--cache-dir", "types", "story.py", PACKAGE)
