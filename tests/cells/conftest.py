"""Two servers, home and north, with the service in one process."""

import os
import uuid

import psycopg
import pytest
from click.testing import CliRunner
from webtest import TestApp

from development.postgres import EmbeddedPostgres
from pipeline.cli import cli, logs
from pipeline.database import migrations, open_cells
from pipeline.http.server.application import make_app
from pipeline.process.settings import load
from tests.mail.mailserver import MailServer
from tests.mail.post import Post
from tests.support import Api, Organization

LEAD = {"first_name": "Pat", "last_name": "Doe", "email": "pat@prospect.example"}
LOGICAL = {
    "wal_level": "logical",
    "max_wal_senders": "20",
    "max_replication_slots": "40",
    "max_logical_replication_workers": "20",
    "max_sync_workers_per_subscription": "4",
    "max_worker_processes": "40",
}


def command(*words, environ):
    """The click Result of `pipeline …`, which runs in the process of the tests; their logs stay as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logs, "configure", lambda development: None)
        return CliRunner().invoke(cli, words, env={**os.environ, **environ})


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    """{cell: EmbeddedPostgres} of two servers, that of home migrated."""
    folder = tmp_path_factory.mktemp("cells")
    with (
        EmbeddedPostgres(folder / "h", durable=False, settings=LOGICAL) as home,
        EmbeddedPostgres(folder / "n", durable=False, settings=LOGICAL) as north,
    ):
        migrations.upgrade(home.url())
        yield {"home": home, "north": north}


@pytest.fixture(scope="session")
def environ(servers, tmp_path_factory, settings):
    """The environment of the service, with CELLS_FILE."""
    north = servers["north"]
    file = tmp_path_factory.mktemp("settings") / "cells.ini"
    file.write_text(f"[north]\ndatabase_url = {north.url('pipeline_app')}\ndatabase_owner_url = {north.url()}\n")
    home = servers["home"]
    return {
        "DATABASE_URL": home.url("pipeline_app"),
        "DATABASE_OWNER_URL": home.url(),
        "CELLS_FILE": str(file),
        "JWT_SECRET": settings.jwt_secret,
        "PUBLIC_URL": settings.public_url,
        "SIGNING_CERTIFICATE": settings.signing_certificate,
        "RATE_LIMIT_FACTOR": "1000",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "PIPELINE_ENVIRONMENT": "production",
    }


@pytest.fixture(scope="session")
def cells(environ):
    """cells(*words): the output of `pipeline cells …`."""

    def call(*words, exit_code=0):
        done = command("cells", *words, environ=environ)
        assert done.exit_code == exit_code, (done.output, done.exception)
        return done.output

    return call


@pytest.fixture(scope="session")
def app(environ, cells):
    """The application with the cells home and north."""
    cells("add", "north")
    app = make_app(load({}, environ))
    yield app
    for database in (app.registry.app, app.registry.forms):
        database.close()
    app.registry.limits.close()


@pytest.fixture(scope="session")
def owners(servers, app):
    """{cell: a superuser's connection}."""
    with (
        psycopg.connect(servers["home"].url(), autocommit=True) as home,
        psycopg.connect(servers["north"].url(), autocommit=True) as north,
    ):
        yield {"home": home, "north": north}


@pytest.fixture(scope="session")
def new_company(app, owners, password_hash):
    """new_company(): an Organization of home."""

    def make():
        name = f"company-{uuid.uuid4().hex[:8]}"
        return Organization(TestApp(app), owners["home"], name, password_hash, app.registry.tokens)

    return make


@pytest.fixture(scope="session")
def here(new_company):
    return new_company()


@pytest.fixture(scope="session")
def there(new_company, here, cells):
    """An organization that has moved to north; its admin has a seat in `here`, too."""
    made = new_company()
    here.seat(made.users["admin"])
    made.lead = made.member.post("/api/leads", LEAD, 201).json["id"]
    made.program, made.public = made.key(), made.public_form()
    made.cursor = made.admin.get("/api/changes", status=200).json["next"]
    made.member.post("/api/leads", LEAD, 201)
    cells("move", made.name, "--to", "north")
    return made


@pytest.fixture(scope="session")
def stranger(app):
    """A client without a token."""
    return Api(TestApp(app))


@pytest.fixture(scope="session")
def cell_jobs(app, environ):
    """The worker's pools."""
    settings = load({}, environ)
    database = open_cells(settings, settings.database_jobs_url, 4, "jobs")
    yield database
    database.close()


@pytest.fixture
def cell_post(cell_jobs, environ):
    """Delivers an organization's emails from its cell, and reads them."""
    with MailServer() as server:
        yield Post(cell_jobs, load({}, environ), server)
