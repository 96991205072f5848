"""An organization for bad requests, and an application with views that fail on purpose."""

import contextlib
from dataclasses import replace

import pytest
from pyramid.config import Configurator
from webtest import TestApp

from development.redis import EmbeddedRedis
from pipeline.http.fairness import counts
from tests.http import failing
from tests.http.applications import application
from tests.http.target import Target
from tests.support import Api
from tests.waiting import SECONDS


@pytest.fixture(scope="module")
def target(new_organization):
    return Target(new_organization())


@pytest.fixture
def lead(member):
    """The path of a lead."""
    body = {"first_name": "Pat", "last_name": "Lee", "phone": "1", "tags": "a, b"}
    return f"/api/leads/{member.post('/api/leads', body, status=201).json['id']}"


@pytest.fixture(scope="module")
def failing_app(settings):
    """A client of the application with the views of `failing.py` below /failing."""
    config = Configurator(settings={"handle_exceptions": False})
    config.registry.pipeline = replace(settings, database_pool=2)
    config.include("pipeline")
    config.include(failing)
    app = config.make_wsgi_app()
    yield Api(TestApp(app))
    app.registry.app.close()
    app.registry.forms.close()


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory):
    """An EmbeddedRedis of this module's own, so that it may be stopped."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis"), durable=False) as server:
        yield server


@pytest.fixture(scope="module")
def patience():
    """Seconds that a Redis is waited for, which has the cores to share with other tests, before it counts as away."""
    return SECONDS


@pytest.fixture(scope="module")
def make_counting(settings, redis_server, patience):
    """make_counting(**changes): an application that really counts, in the module's Redis."""
    options = {"rate_limit_factor": 1, "redis_url": redis_server.url(), "database_pool": 4}
    with contextlib.ExitStack() as made, pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "PATIENCE", patience)
        yield lambda **changes: made.enter_context(application(settings, **{**options, **changes}))


@pytest.fixture(scope="module")
def counting(make_counting):
    return make_counting()
