"""The Python client: all of the API is in it, its README is true, and its types hold."""

import subprocess
import sys

import orjson
import pytest

from development.client import PACKAGE, PYTHON, package
from tests.clients.conftest import story

SHOWN = ["submitted {'seats': 250, 'timeline': 'immediately'} ['fast_timeline']", "insufficient_scope leads:write"]


@pytest.fixture(scope="module")
def folder(description, tmp_path_factory):
    """A folder with the client as `make client` makes it, and the README's story as a program."""
    folder = tmp_path_factory.mktemp("python")
    assert package(description, folder) == ""
    (folder / "story.py").write_text(story(PYTHON / "README.md", "python"))
    return folder


def run(folder, *arguments, **environ):
    """What Python prints in the folder."""
    options = {"cwd": folder, "env": environ, "capture_output": True, "text": True, "timeout": 100, "check": False}
    done = subprocess.run([sys.executable, *arguments], **options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_every_operation_is_in_the_client(folder, description):
    modules = {path.stem for path in (folder / PACKAGE / "api").glob("*/*.py")} - {"__init__"}
    paths = orjson.loads(description.read_bytes())["paths"]
    assert modules == {operation["operationId"] for methods in paths.values() for operation in methods.values()}


def test_the_story_of_its_readme_runs_as_it_stands(folder, served):
    address, email, password = served
    shown = run(folder, "story.py", PIPELINE_URL=address, PIPELINE_EMAIL=email, PIPELINE_PASSWORD=password)
    assert [line for line in SHOWN if line not in shown.splitlines()] == []
    assert (folder / "agreement.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "agreement.docx").read_bytes().startswith(b"PK")


@pytest.mark.long
def test_the_client_and_its_story_are_typed(folder):
    run(folder, "-m", "mypy", "--strict", "--cache-dir", "types", "story.py", PACKAGE)
