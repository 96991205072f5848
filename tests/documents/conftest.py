import pytest

from tests.documents.support import Office


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    return Office(tmp_path_factory.mktemp("office"))
