"""A migrated database, connections as each role, a row in every table for two organizations."""

import re
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

LOGIN_OF = {
    "pipeline_member": "pipeline_app",
    "pipeline_admin": "pipeline_app",
    "pipeline_public": "pipeline_forms",
    "pipeline_jobs": "pipeline_jobs",
}
# Whether the role of the transaction may send a statement: it is planned as for its execution, which needs the rights.
MAY = """
create function pg_temp.may(statement text) returns boolean language plpgsql as $$
begin
    execute 'explain ' || statement;
    return true;
exception when insufficient_privilege then
    return false;
end $$"""
SEED = (Path(__file__).parent / "seed.sql").read_text().strip().rstrip(";").split(";\n")


@pytest.fixture(scope="session")
def catalog(owner_url):
    """A superuser's connection for reading the system catalog; rows come as dicts."""
    with psycopg.connect(owner_url, autocommit=True, row_factory=dict_row) as connection:
        yield connection


@pytest.fixture
def owner(owner_url, world):
    """A superuser's connection whose work is rolled back."""
    with psycopg.connect(owner_url) as connection:
        yield connection
        connection.rollback()


@pytest.fixture(scope="session")
def world(owner_url):
    """Two organizations with a row each in every table: {"acme": ids, "globex": ids}, ids by table name."""
    return {slug: seed(owner_url, slug) for slug in ("acme", "globex")}


def seed(url, slug):
    """Write one organization's rows; answer the ids by table, that of the first row of each."""
    with psycopg.connect(url, row_factory=dict_row) as connection:
        statement = "insert into app.organizations (name, slug) values (%s, %s) returning id"
        ids = {"organizations": connection.execute(statement, (slug, slug)).fetchone()["id"]}
        for name, value in (("app.organization_id", ids["organizations"]), ("test.slug", slug)):
            connection.execute("select set_config(%s, %s, true)", (name, str(value)))
        for statement in SEED:
            made = connection.execute(f"{statement} returning *", ids).fetchone()
            ids.setdefault(re.search(r"app\.(\w+)", statement)[1], made.get("id", made.get("user_id")))
        return ids


@pytest.fixture
def acting(login_url, owner_url, world):
    """acting(role, organization=None, **settings): a connection in one transaction, as requests have it.

    organization: "acme" or "globex"; settings: user_id, invite_id, template_id; an invite is opened by its token, too.
    Rolled back at the end.
    """
    token_of = "select token from app.interview_invites where id = %s"

    @contextmanager
    def act(role, organization=None, **settings):
        if organization:
            settings["organization_id"] = world[organization]["organizations"]
            settings.setdefault("user_id", world[organization]["users"])
        if settings.get("invite_id"):
            with psycopg.connect(owner_url) as owner:
                (settings["invite_token"],) = owner.execute(token_of, (settings["invite_id"],)).fetchone()
        with psycopg.connect(login_url(LOGIN_OF[role])) as connection:
            for name, value in settings.items():
                connection.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
            if role != LOGIN_OF[role]:
                connection.execute("select set_config('role', %s, true)", (role,))
            yield connection
            connection.rollback()

    return act


def here(owner, world, slug="acme"):
    """The superuser's connection in an organization; its id."""
    made = world[slug]["organizations"]
    owner.execute("select set_config('app.organization_id', %s, true)", (str(made),))
    return made


def named(world, text):
    """A text with ids in the place of their names: `acme.users` is that of acme's person."""
    return re.sub(r"\b(acme|globex)\.(\w+)", lambda found: str(world[found[1]].get(found[2], found[0])), text)


def told(owner, world, question, change=""):
    """What a question answers in acme after a change, as one text."""
    here(owner, world)
    owner.execute(named(world, change))
    return " ".join(str(value) for row in owner.execute(named(world, question)) for value in row)


def each(answers):
    """The rows of {question: {change: answer}}."""
    return [(question, *row) for question, rows in answers.items() for row in rows.items()]


def short(value):
    """A value in the name of a test."""
    text = " ".join(str(value).split())
    return text if len(text) <= 80 else f"{text[:40]} ... {text[-40:]}"


def delete(owner, table, made):
    """Delete an organization's rows of a table, whatever refers to them."""
    rows = "select tgname from pg_trigger where tgisinternal and tgrelid = %s::regclass"
    for (name,) in owner.execute(rows, (f"app.{table}",)).fetchall():
        owner.execute(f'alter table app.{table} disable trigger "{name}"')
    key = "id" if table == "organizations" else "organization_id"
    owner.execute(f"delete from app.{table} where {key} = %s", (made,))
