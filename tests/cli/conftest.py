"""The command line as a person uses it, in a data folder and on a database of its own."""

import os
import uuid

import psycopg
import pytest
from click.testing import CliRunner

from pipeline.cli import cli, logs
from pipeline.process.settings.database_url import with_database, with_login


@pytest.fixture(scope="session", autouse=True)
def logs_of_the_tests():
    """The commands run in the process of the tests, whose logs are not theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logs, "configure", lambda development: None)
        yield


SECRET = "a secret of the tests, long enough for HS256"


class Terminal:
    """`run("token", "rep@acme.example")`: a click Result; the environment is `environ` and nothing of ours."""

    def __init__(self, environ):
        self.environ = environ

    def run(self, *words, exit_code=0, **options):
        prefixes = ("DATABASE_", "JWT_", "PIPELINE_", "PORT", "PUBLIC_URL", "REDIS_")
        ours = [name for name in os.environ if name.startswith(prefixes)]
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


@pytest.fixture
def empty_database(server_url):
    """The superuser's URL of a database in which nothing is."""
    name = f"cli_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
        yield server_url("postgres", name)
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory):
    """The data folder of the demo installation."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="session")
def demo_url(server_url, worker_id, demo_folder):
    """The superuser's URL of a database with the demo data, which no test changes in a way that others see."""
    name = f"demo_{worker_id}"
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    terminal = Terminal({"DATABASE_URL": server_url("postgres", name), "DATA_DIR": str(demo_folder)})
    terminal.run("migrate")
    terminal.run("demo")
    with psycopg.connect(server_url("postgres", name)) as connection:  # its contracts would take their time
        connection.execute("update app.outbox set done_at = now()")
    return server_url("postgres", name)


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
    """A superuser's connection to the demo database."""
    with psycopg.connect(demo_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def migrated(server_url):
    """The superuser's URL of a database that was just migrated."""
    url = server_url("postgres", f"migrated_{uuid.uuid4().hex[:8]}")
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {psycopg.conninfo.conninfo_to_dict(url)['dbname']}")
    Terminal({"DATABASE_URL": url}).run("migrate")
    return url


@pytest.fixture
def copied(migrated, server_url, production):
    """(superuser's URL of a copy of the database, an operator's Terminal on it)."""
    name, source = f"copy_{uuid.uuid4().hex[:8]}", psycopg.conninfo.conninfo_to_dict(migrated)["dbname"]
    url = with_database(migrated, name)
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} template {source}")
        connection.execute(f"grant connect on database {name} to public")
        connection.execute(f"revoke temporary on database {name} from public")
        connection.execute(f"grant temporary on database {name} to pipeline_member")
        production.environ |= {"DATABASE_OWNER_URL": url, "DATABASE_URL": with_login(url, "pipeline_app")}
        yield url, production
        connection.execute(f"drop database {name} with (force)")
