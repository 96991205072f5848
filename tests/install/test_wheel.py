"""The wheel is whole: what the service reads is inside, what only a checkout needs is not."""

import subprocess
import zipfile

import pytest

from tests.install.conftest import ROOT
from tests.test_release import version


def test_it_holds_every_file_of_the_service(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "-co",
            "--exclude-standard",
            "pipeline",
            "sql",
            "alembic",
            "docs",
            "clients",
            "production.ini",
            "CHANGELOG.md",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    wanted = {file if file.startswith("pipeline/") else f"pipeline/_shipped/{file}" for file in listed}
    assert len(wanted) > 250
    assert wanted - names == set()


def test_it_holds_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"pipeline", f"pipeline-{version()}.dist-info"}
    assert [name for name in names if "development" in name or "__pycache__" in name] == []


@pytest.mark.long
def test_the_same_files_give_the_same_wheel(wheel, build):
    assert build(umask=0o077).read_bytes() == wheel.read_bytes()
