"""The command line as a person uses it, in a data folder and on a database of its own."""

import os
import uuid

import psycopg
import pytest
from click.testing import CliRunner

from pipeline.cli import cli, logs
from pipeline.process.settings.database_url import with_login

SECRET = "a secret of the tests, long enough for HS256"


class Terminal:
    """`run("token", "rep@acme.example")`: a click Result; the environment is `environ` and nothing of ours."""

    def __init__(self, environ):
        self.environ = environ

    def run(self, *words, exit_code=0, **options):
        prefixes = ("DATABASE_", "JWT_", "PIPELINE_", "PORT", "PUBLIC_URL", "REDIS_")
        ours = [name for name in os.environ if name.startswith(prefixes)]
        with pytest.MonkeyPatch.context() as patch:
            # The command runs in the process of the tests, whose logs stay as they are.
            patch.setattr(logs, "configure", lambda development: None)
            result = CliRunner().invoke(cli, words, env={**dict.fromkeys(ours), **self.environ}, **options)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == exit_code, result.output
        return result


def operator(url, redis_url):
    """An operator's Terminal on the database of a superuser's URL, with the application's logins."""
    return Terminal(
        {
            "PIPELINE_ENVIRONMENT": "production",
            "MAIL_TRANSPORT": "log",
            "DATABASE_URL": with_login(url, "pipeline_app"),
            "DATABASE_OWNER_URL": url,
            "JWT_SECRET": SECRET,
            "PUBLIC_URL": "https://pipeline.example",
            "REDIS_URL": redis_url,
        }
    )


@pytest.fixture(scope="session")
def new_database(server_url):
    """new_database(template): the superuser's URL of a new database; dropped at the end."""
    made = []
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as server:

        def create(template="template1"):
            made.append(f"cli_{uuid.uuid4().hex[:12]}")
            server.execute(f"create database {made[-1]} template {template}")
            return server_url("postgres", made[-1])

        yield create
        for name in made:
            server.execute(f"drop database {name} with (force)")


@pytest.fixture
def empty_database(new_database):
    return new_database()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="session")
def demo_url(new_database, demo_folder):
    """The superuser's URL of a database with the demo data, which no test changes in a way that others see."""
    url = new_database()
    terminal = Terminal({"DATABASE_URL": url, "DATA_DIR": str(demo_folder)})
    terminal.run("migrate")
    terminal.run("demo")
    with psycopg.connect(url) as connection:  # its contracts would take their time
        connection.execute("update app.outbox set done_at = now()")
    return url


@pytest.fixture
def terminal(demo_url, demo_folder):
    """A developer's Terminal on the demo database."""
    return Terminal({"DATABASE_URL": demo_url, "DATA_DIR": str(demo_folder)})


@pytest.fixture
def production(demo_url, redis_url):
    """An operator's Terminal on the same database, with the application's logins."""
    return operator(demo_url, redis_url)


@pytest.fixture
def demo(demo_url):
    with psycopg.connect(demo_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def migrated(new_database):
    """The superuser's URL of a database that was just migrated."""
    url = new_database()
    Terminal({"DATABASE_URL": url}).run("migrate")
    return url


@pytest.fixture
def copied(migrated, new_database, production):
    """(superuser's URL of a copy of the database, an operator's Terminal on it)."""
    url = new_database(psycopg.conninfo.conninfo_to_dict(migrated)["dbname"])
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"grant connect on database {name} to public")
        connection.execute(f"revoke temporary on database {name} from public")
        connection.execute(f"grant temporary on database {name} to pipeline_member")
    production.environ |= {"DATABASE_OWNER_URL": url, "DATABASE_URL": with_login(url, "pipeline_app")}
    return url, production
