"""`pipeline explain`."""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click
import psycopg

from pipeline.cli.accounts import administrator, open_session, seat_as
from pipeline.cli.failures import Failure, Misuse
from pipeline.cli.installation import LOGINS, Installation
from pipeline.database import Row, queries
from pipeline.database.queries import NamedQuery

FIRST_PAGE = {"sort_dir": "ASC", "limit": "25", "offset": "0"}
# The role before authentication.
NO_ROLE = "none"
# Seconds.
SESSION_SECONDS = 60
# A script of psql sets them again, in the name of the role.
SETTINGS = [
    "search_path",
    *("app.organization_id", "app.user_id", "app.key_id", "app.request_id"),
    *("app.invite_id", "app.invite_token", "app.template_id"),
]
CONTEXT = """
select format('select %%s, set_config(''role'', %%L, true);', string_agg(
    format('set_config(%%L, %%L, true)', name, current_setting(name, true)), ', '), current_user)
from unnest(cast(%s as text[])) as name where current_setting(name, true) <> ''"""


@click.command()
@click.argument("query")
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--organization", metavar="SLUG", help="The organization. Default: the first one with a seat of this role."
)
@click.option(
    "--role",
    type=click.Choice(["member", "admin", NO_ROLE]),
    help=f"The role. Default: member, or admin without a member. {NO_ROLE}: the state before authentication.",
)
@click.option(
    "--login",
    type=click.Choice(["app", "forms", "jobs"]),
    default="app",
    show_default=True,
    help="The database login: of the API, the public forms or the worker.",
)
@click.option("--sql", "as_sql", is_flag=True, help="Print a script for psql instead, with the values and the context.")
@click.option("--form", metavar="SLUG", help="With --login forms: the capture form. Default: the newest open invite.")
@click.pass_obj
def explain(
    installation: Installation,
    query: str,
    parameters: tuple[str, ...],
    organization: str | None,
    role: str,
    login: str,
    form: str | None,
    as_sql: bool,
) -> None:
    """Show a query of sql/ and its plan. It runs under row-level security and is rolled back.

    A missing parameter is null and leaves out its marked lines. Write an array as NAME=ONE,OTHER.
    """
    named = find_query(query)
    values = read_parameters(named, parameters)
    with installation.access() as access:
        with administrator(access):
            seat = seat_as(organization, *([role] if role in ("member", "admin") else ["member", "admin"]))
            enter = _context(login, seat, form) if role != NO_ROLE else lambda: NO_ROLE
        who = f"pipeline_{seat['role']}" if login == "app" and role != NO_ROLE else f"pipeline_{login}"
        click.echo(f"{query} as {who} of {seat['slug']}, with {values}", err=True)
        # The login's settings affect the plan.
        show = script if as_sql else plan
        for line in show(getattr(access.settings, LOGINS[f"pipeline_{login}"]), enter, named, values):
            click.echo(line)


def _context(login: str, seat: Row, form: str | None) -> Callable[[], object]:
    if login == "jobs":
        return partial(queries.organization_enter, organization_id=seat["organization_id"])
    if login == "app":
        session = open_session(seat, SESSION_SECONDS)
        who = {key: seat[key] for key in ("user_id", "organization_id")}
        return partial(queries.authenticate, **who, session_id=session)
    if form:
        return partial(queries.public_capture_open, slug=form)
    token = queries.invite_token_newest(organization_id=seat["organization_id"])
    if token is None:
        raise Failure(f"{seat['slug']} has no open invite; make one, or name a capture form with --form.")
    return partial(queries.public_invite_open, token=token)


def find_query(name: str) -> NamedQuery:
    """The Query of this name; raises Misuse."""
    named = {query.name: query for query in queries}
    if name in named:
        return named[name]
    similar = sorted(other for other in named if name.split("_")[0] in other) or sorted(named)
    raise Misuse(f"There is no query {name}; there are {', '.join(similar)}.")


def read_parameters(query: NamedQuery, given: Sequence[str]) -> dict[str, Any]:
    """All parameters from `name=value`; raises Misuse."""
    known: dict[str, Any] = dict.fromkeys(query.parameters)
    if "sort_by" in known:
        known["sort_by"] = query.words("sort_by")[0]
    known |= {name: value for name, value in FIRST_PAGE.items() if name in known}
    for word in given:
        name, equals, value = word.partition("=")
        if name not in known or not equals:
            takes = ", ".join(known) or "no parameters"
            raise Misuse(f"{word} is not name=value with a parameter of the query; {query.name} takes {takes}.")
        known[name] = _read(query, name, value)
    return known


def _read(query: NamedQuery, name: str, value: str) -> str:
    """A value in PostgreSQL's syntax: one,other is {"one","other"} for an array."""
    is_array = re.search(rf"cast\(\s*:{name} as \w+ ?\[\]\s*\)", query.statement.all_lines)
    if not is_array or value.startswith("{"):
        return value
    escaped = (part.replace("\\", "\\\\").replace('"', '\\"') for part in value.split(","))
    return "{" + ",".join(f'"{part}"' for part in escaped) + "}" if value else "{}"


def plan(url: str, enter: Callable[[], object], query: NamedQuery, values: dict[str, Any]) -> list[str]:
    """Statement and plan as lines, with the context of `enter()`; rolls back."""
    with _entered(url, enter, query):
        return [query.sent(dict(values)).text.decode(), "", *query.explained("analyze, buffers", **values)]


def script(url: str, enter: Callable[[], object], query: NamedQuery, values: dict[str, Any]) -> list[str]:
    """The statement as a script for psql, with the context of `enter()`; it rolls back."""
    with _entered(url, enter, query) as connection:
        settings = connection.execute(CONTEXT, [SETTINGS]).fetchone()
        assert settings is not None
        return ["begin;", *settings, query.merged(**values).decode(), ";", "rollback;"]


@contextlib.contextmanager
def _entered(url: str, enter: Callable[[], object], query: NamedQuery) -> Iterator[psycopg.Connection[Any]]:
    """A connection with the context of `enter()`; rolled back."""
    with psycopg.connect(url, connect_timeout=5) as connection, queries.on(connection):
        if enter() is None:
            raise Failure("The form does not exist, or its lead capture is off.")
        try:
            yield connection
        except ValueError as error:
            raise Misuse(str(error)) from None
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
            where = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
            raise Failure(f"{query.name} cannot run with these values: {error.diag.message_primary}{where}.") from None
        finally:
            connection.rollback()
