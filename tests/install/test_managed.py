"""docs/install/managed-postgresql.md: the commands that work without a superuser, and the messages of others."""

import re

import psycopg
import pytest

from tests.cli.conftest import operator as terminal
from tests.install.conftest import PASSWORD, ROOT

PAGE = (ROOT / "docs" / "install" / "managed-postgresql.md").read_text()
GRANTS = re.search("```sql\n(.*?)```", PAGE, re.S)[1].replace("…", PASSWORD)
# The last one has granted the others to each other.
ROLES = ("lookup", "watch", "app", "forms", "jobs", "admin", "member", "public", "owner", "operator")


@pytest.fixture
def superuser(postgres):
    """The provider's connection to a cluster without a trace of Pipeline."""
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("drop database if exists pipeline with (force)")
        for role in ROLES:
            connection.execute(f"drop role if exists pipeline_{role}")
        yield connection


@pytest.fixture
def operator(postgres, redis):
    """A Terminal with what the provider has given."""
    return terminal(postgres.url("pipeline_operator", "pipeline"), redis.url())


def grant(connection, script):
    for statement in script.strip().split(";\n"):
        connection.execute(statement.rstrip(";"))


def test_with_the_grants_of_the_page_everything_works(superuser, operator):
    grant(superuser, GRANTS)
    operator.run("migrate")
    operator.run("create-organization", "Acme Licensing", "--slug", "acme")
    made = ("create-user", "ada@acme.com", "--organization", "acme", "--name", "Ada", "--password-stdin")
    operator.run(*made, input="rather violet umbrella 7\n")
    assert operator.run("token", "ada@acme.com").stdout.count(".") == 2
    assert "TO DO" not in operator.run("doctor").stdout


def test_without_bypassrls_the_migration_works_and_administration_says_what_it_lacks(superuser, operator):
    grant(superuser, GRANTS.replace("createrole bypassrls", "createrole"))
    operator.run("migrate")
    said = operator.run("create-organization", "Acme Licensing", "--slug", "acme", exit_code=1).stderr
    assert "Row-level security binds the login pipeline_operator" in said


def test_without_any_help_the_migration_ends_with_one_line(superuser, operator):
    grant(superuser, "\n".join(line for line in GRANTS.splitlines() if "lookup" not in line).replace(" bypassrls", ""))
    error = operator.run("migrate", exit_code=1).stderr.splitlines()[-1]
    assert "The database login lacks a right" in error
