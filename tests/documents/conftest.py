import pytest

from pipeline.documents.processes import converter
from tests.documents.support import Office


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    return Office(tmp_path_factory.mktemp("office"))


@pytest.fixture
def program(monkeypatch, tmp_path):
    """program(text): a shell script in place of LibreOffice."""

    def use(text):
        script = tmp_path / "soffice"
        script.write_text(f"#!/bin/sh\n{text}\n")
        script.chmod(0o755)
        monkeypatch.setattr(converter, "PROGRAM", str(script))

    return use
