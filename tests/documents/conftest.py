"""LibreOffice and the renderer, one each for all tests of documents."""

import pytest

from tests.documents.support import Office


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    """An Office."""
    return Office(tmp_path_factory.mktemp("office"))
