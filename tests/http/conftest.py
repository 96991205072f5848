"""An organization that bad requests are aimed at, and an application with views that fail on purpose."""

import uuid
from dataclasses import replace

import pytest
from pyramid.config import Configurator
from webtest import TestApp

from pipeline import PACKAGES
from tests.http import failing
from tests.http.redis_server import RedisServer
from tests.http.target import Target
from tests.support import Api, Organization


@pytest.fixture(scope="module")
def target(wsgi, owner, password_hash):
    """The Target of this module."""
    name = f"target-{uuid.uuid4().hex[:12]}"
    return Target(Organization(TestApp(wsgi), owner, name, password_hash, wsgi.registry.tokens))


@pytest.fixture(scope="module")
def failing_app(settings):
    """A client of the application with the views of `failing.py` below /failing."""
    config = Configurator(settings={"handle_exceptions": False})
    config.registry.pipeline = replace(settings, database_pool=2)
    for package in PACKAGES:
        config.include(package)
    config.include(failing)
    app = config.make_wsgi_app()
    yield Api(TestApp(app))
    app.registry.app.close()
    app.registry.forms.close()


@pytest.fixture(scope="module")
def redis_server():
    """A RedisServer of this module's own, so that it may be stopped."""
    server = RedisServer()
    server.start()
    yield server
    server.stop()
