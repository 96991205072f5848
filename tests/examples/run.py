"""Runs the story with the application on a new database, so that ids are the same in every run."""

import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from webtest import TestApp

from pipeline.accounts.passwords import hash_password
from pipeline.api.openapi.document import document
from pipeline.database import Database, migrations
from pipeline.http.server.application import make_app
from pipeline.process.settings import load
from pipeline.signing.sealing.certificates import made_in
from tests.conftest import BOUNCE_SECRET, PASSWORD
from tests.examples.recorder import Recorder
from tests.examples.story import Story
from tests.mail.mailserver import MailServer
from tests.mail.post import Post
from tests.support import Organization

SECRET = "a secret of the tests, long enough for HS256"
FILE = Path(__file__).resolve().parents[2] / "pipeline" / "api" / "openapi" / "examples.json"


def run(url, name):
    """The text of the file. url(user, database) is that of a server, which has no such database yet."""
    with told(url, name) as (recorder, _):
        return recorder.text()


@contextmanager
def told(url, name):
    """(the Recorder that has heard the story, the Organization that it is about), while the database can be asked."""
    with psycopg.connect(url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    migrations.upgrade(url("postgres", name))
    environ = {
        "DATABASE_URL": url("pipeline_app", name),
        "DATABASE_FORMS_URL": url("pipeline_forms", name),
        "JWT_SECRET": SECRET,
        "PUBLIC_URL": "https://pipeline.example",
        "MAIL_BOUNCE_SECRET": BOUNCE_SECRET,
        # No name server is asked for the host of the story's webhook.
        "WEBHOOK_ALLOW_PRIVATE": "true",
    }
    with tempfile.TemporaryDirectory() as folder:
        certificate, _ = made_in(Path(folder))
        environ["SIGNING_CERTIFICATE"] = str(certificate)
        settings = load({}, environ)
        app = make_app(settings)
    with (
        closing(app.registry.app),
        closing(app.registry.forms),
        closing(app.registry.limits),
        closing(Database(url("pipeline_jobs", name), 2)) as jobs,
        psycopg.connect(url("postgres", name), autocommit=True) as owner,
        MailServer() as server,
    ):
        password_hash, tokens = hash_password(PASSWORD), app.registry.tokens
        acme, globex = (Organization(TestApp(app), owner, name, password_hash, tokens) for name in ("acme", "globex"))
        recorder = Recorder(document(app.registry))
        Story(recorder.call, acme, globex, Post(jobs, settings, server)).tell()
        yield recorder, acme
