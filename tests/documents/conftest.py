"""LibreOffice and the renderer, one each for all tests of documents."""

import pytest

from pipeline.documents import process
from tests.documents.support import Office


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    """An Office."""
    return Office(tmp_path_factory.mktemp("office"))


@pytest.fixture
def limits(monkeypatch):
    """limits(seconds=1, …): render within other limits for the time of the test."""
    pools = []

    def change(**changed):
        pools.append(process._Pool(process.Limits(**changed)))
        monkeypatch.setattr(process, "_pool", pools[-1])

    yield change
    for pool in pools:
        pool.close()
