"""An organization with a template and an invite that bad requests are aimed at, shared by a module's tests."""

import pytest
from webtest import TestApp

from tests.http.target import Target
from tests.support import Organization


@pytest.fixture(scope="module")
def target(wsgi, owner, password_hash):
    """The Target of this module."""
    name = f"target-{id(wsgi):x}-{owner.execute('select count(*) from app.organizations').fetchone()[0]}"
    return Target(Organization(TestApp(wsgi), owner, name, password_hash, wsgi.registry.tokens))
