"""Fixtures: real servers, a migrated database for each test process, the application with its logins, organizations.

Tests share the database without cleaning it: each creates its own organizations, and row-level security separates them.
"""

import gc
import uuid
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import sync_playwright
from webtest import TestApp

from development.postgres import EmbeddedPostgres
from development.redis import EmbeddedRedis
from pipeline.accounts.passwords import hash_password
from pipeline.database import migrations, open_database
from pipeline.documents.processes import client, pool
from pipeline.http.server.application import make_app
from pipeline.process.settings import load
from pipeline.signing.sealing.certificates import made_in
from tests.mail.mailserver import MailServer
from tests.mail.post import Post
from tests.operations.pooler import Pooler
from tests.support import Api, Organization
from tests.waiting import SECONDS, without_timeouts

# No test measures time, neither do those that are given many inputs: the first call may load what the others have.
# What such a test takes of fixtures its inputs share.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]}
# The inputs are the same in every run: one that fails tells of a change, not of luck. `make fuzz` looks for others.
hypothesis_settings.register_profile("the same", **UNTIMED, derandomize=True, database=None)
hypothesis_settings.register_profile("others", **UNTIMED, print_blob=True)
hypothesis_settings.load_profile("the same")

EARLY = ("test_worker_log.py", "test_told.py")
# The suites of several folders use a browser; in each conftest.py of theirs it would be another one.
pytest_plugins = ["tests.forms.sites"]

PASSWORD = "correct horse battery"
BOUNCE_SECRET = "a secret of the mail provider, 0123456789"
# Every statement with its text, which leads back to its file.
STATISTICS = {
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track_utility": "off",
    "pg_stat_statements.max": "20000",
    "track_activity_query_size": "32768",
    # Every test process keeps pools for each login, as do the servers and workers that it starts.
    "max_connections": "300",
}


def pytest_addoption(parser):
    """Options, such as a database of its own for each run of experiments/mutate."""
    parser.addoption(
        "--prepared", metavar="FOLDER:DATABASE", help="use this database as it is, of that folder's server"
    )
    parser.addoption("--browser", choices=("chromium", "firefox"), default="chromium", help="what people use")
    parser.addoption("--record-plans", action="store_true", help="take over the shapes of plans as they are now")
    parser.addoption("--record-mails", action="store_true", help="take over the texts of emails as they are now")
    parser.addoption("--mail-pictures", metavar="FOLDER", help="keep the pictures of emails there")
    parser.addoption("--pooler", action="store_true", help="let the service's logins go through PgBouncer")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Freezes the collected objects, most of the process's, so that the garbage collector skips them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    """Orders the tests: those of the worker and its jobs first.

    Jobs visit all organizations, which are few at the start. Their files take long; at the end one process would run
    them alone.
    """
    items.sort(key=lambda item: item.path.parent.name != "worker" and item.path.name not in EARLY)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def prepared(request):
    """The folder and the database of --prepared; empty texts without it."""
    folder, _, database = (request.config.getoption("prepared") or "").rpartition(":")
    return folder, database


@pytest.fixture(scope="session")
def server_url(tmp_path_factory, worker_id, prepared):
    """url(user, database) of the server that the test processes share."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder = Path(prepared[0] or shared / "postgres")
    with EmbeddedPostgres(folder, durable=False, settings=STATISTICS) as server:
        yield server.url


@pytest.fixture(scope="session")
def own_server(tmp_path_factory):
    """A further migrated PostgreSQL, which tests may stop, start again or make read-only."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("postgres"), durable=False) as server:
        migrations.upgrade(server.url())
        yield server


@pytest.fixture(scope="session")
def database_name(prepared, worker_id):
    return prepared[1] or f"pipeline_{worker_id}"


@pytest.fixture(scope="session")
def owner_url(server_url, database_name, prepared):
    """The superuser's URL of this process's freshly migrated database."""
    url = server_url("postgres", database_name)
    if not prepared[1]:
        with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as connection:
            connection.execute(f"create database {database_name}")
        migrations.upgrade(url)
    return url


@pytest.fixture(scope="session")
def login_url(server_url, database_name, owner_url, tmp_path_factory, request):
    """login_url(role): the URL of this database for a login; with --pooler through PgBouncer."""
    if not request.config.getoption("pooler"):
        yield lambda role: server_url(role, database_name)
        return
    pooler = Pooler(tmp_path_factory.mktemp("pooler"), owner_url, size=48)
    pooler.start_and_wait()
    yield pooler.url
    pooler.kill()


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory, worker_id):
    """The URL of this process's Redis database, on a server that the test processes share."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    with EmbeddedRedis(shared / "redis", durable=False) as server:
        yield server.url(0 if worker_id == "master" else 1 + int(worker_id.removeprefix("gw")))


@pytest.fixture(scope="session")
def settings(login_url, request, tmp_path_factory):
    """The settings of the application under test, with long statement timeouts for a busy machine.

    A pooler does not pass these timeouts on; behind a pooler no slow test runs beside others.
    """
    certificate, public = made_in(tmp_path_factory.mktemp("signing"))
    patient = login_url if request.config.getoption("pooler") else lambda role: without_timeouts(login_url(role))
    environ = {
        "DATABASE_URL": patient("pipeline_app"),
        "DATABASE_FORMS_URL": patient("pipeline_forms"),
        "DATABASE_POOL": "24",
        # As many at once as a test may start threads of its own.
        "WEB_THREADS": "24",
        "JWT_SECRET": "a secret of the tests, long enough for HS256",
        "PUBLIC_URL": "https://pipeline.example",
        "MAIL_BOUNCE_SECRET": BOUNCE_SECRET,
        # All tests call from one address; tests/http/test_limits.py counts for real.
        "RATE_LIMIT_FACTOR": "1000",
        # Receivers of webhooks are on loopback; tests/webhooks/test_addresses.py refuses them.
        "WEBHOOK_ALLOW_PRIVATE": "true",
        "SIGNING_CERTIFICATE": str(certificate),
        "SIGNING_KNOWN_CERTIFICATES": str(public),
    }
    return load({}, environ)


@pytest.fixture(scope="session")
def wsgi(settings):
    app = make_app(settings)
    for database in (app.registry.app, app.registry.forms):
        database.pool.timeout = SECONDS
    yield app
    app.registry.app.close()
    app.registry.forms.close()
    app.registry.limits.close()


@pytest.fixture(scope="session")
def anonymous(wsgi):
    return Api(TestApp(wsgi))


@pytest.fixture(scope="session")
def superuser(owner_url):
    """A superuser's autocommit connection to the database; it prepares nothing, because tests change tables."""
    with psycopg.connect(owner_url, autocommit=True, prepare_threshold=None) as connection:
        yield connection


@pytest.fixture(scope="session")
def password_hash():
    """The hash of PASSWORD, computed once because hashing is slow."""
    return hash_password(PASSWORD)


@pytest.fixture(scope="session")
def new_organization(wsgi, superuser, password_hash):
    """new_organization(app): an Organization with admin, member, other member and an inactive seat."""

    def make(app=wsgi):
        name = f"org-{uuid.uuid4().hex[:12]}"
        return Organization(TestApp(app), superuser, name, password_hash, app.registry.tokens)

    return make


@pytest.fixture
def organization(new_organization):
    return new_organization()


@pytest.fixture
def owner(superuser):
    """The superuser's connection, to prepare data and to check it without the API."""
    return superuser


@pytest.fixture
def admin(organization):
    return organization.admin


@pytest.fixture
def member(organization):
    return organization.member


@pytest.fixture
def limits(monkeypatch):
    """limits(seconds=1, …): other limits of documents for this test; the renderer may start slowly."""
    pools = []
    monkeypatch.setattr(client, "START_SECONDS", SECONDS)

    def change(**changed):
        pools.append(pool._Pool(pool.RenderLimits(**changed)))
        monkeypatch.setattr(pool, "_pool", pools[-1])

    yield change
    for made in pools:
        made.close()


@pytest.fixture(scope="session")
def jobs(login_url):
    database = open_database(login_url("pipeline_jobs"), 8, patience=SECONDS)
    yield database
    database.close()


@pytest.fixture
def post(jobs, settings):
    """Delivers an organization's emails, and reads them."""
    with MailServer() as server:
        yield Post(jobs, settings, server)
