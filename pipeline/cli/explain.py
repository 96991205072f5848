"""`pipeline explain`: a query's plan as the application gets it."""

from collections.abc import Callable, Sequence
from functools import partial

import click
import psycopg

from pipeline.cli.accounts import administrator, open_session, seat_as
from pipeline.cli.failures import Failure, Misuse
from pipeline.cli.installation import LOGINS, Installation
from pipeline.cli.servers import check_alone
from pipeline.database import Row, dumps, queries
from pipeline.database.queries import Query

FIRST_PAGE = {"sort_dir": "ASC", "limit": "25", "offset": "0"}
# How long the session of an explained query lasts: the plan must be there by then.
SESSION_SECONDS = 60
# A login that no other node lets in gets no plan, and one that is let in the plan of a session without the context.
NO_PLANS = (
    "Citus sends what is explained to a session of its own, whose plan is not that of a request; "
    "explain on one PostgreSQL with such rows, and see pipeline queries for what statements cost here"
)


@click.command()
@click.argument("query")
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--organization", metavar="SLUG", help="Whose rows; else the first one with such a seat.")
@click.option("--role", type=click.Choice(["member", "admin"]), help="Else a member, and where there is none an admin.")
@click.option(
    "--login",
    type=click.Choice(["app", "forms", "jobs"]),
    default="app",
    show_default=True,
    help="Who sends it: the web, the public forms, the worker.",
)
@click.option("--form", metavar="SLUG", help="With --login forms: the capture form; else the newest open invite is it.")
@click.option("--json", "as_json", is_flag=True, help="The plan alone, as JSON.")
@click.pass_obj
def explain(
    installation: Installation,
    query: str,
    parameters: tuple[str, ...],
    organization: str | None,
    role: str,
    login: str,
    form: str | None,
    as_json: bool,
) -> None:
    """Show what a query of sql/ sends and its plan: executed, under row-level security, and rolled back.

    A parameter that is not given is null, and the lines that are marked with it are left out; a list is in its first
    order, and shows the first 25.
    """
    named = find_query(query)
    values = read_parameters(named, parameters)
    with installation.access() as access:
        check_alone(access, NO_PLANS)
        with administrator(access):
            seat = seat_as(organization, *([role] if role else ["member", "admin"]))
            enter = _context(login, seat, form)
        who = f"pipeline_{seat['role']}" if login == "app" else f"pipeline_{login}"
        click.echo(f"{query} as {who} of {seat['slug']}, with {values}", err=True)
        # The login's own settings decide on the plan, so the owner's connection would not do.
        for line in plan(getattr(access.settings, LOGINS[f"pipeline_{login}"]), enter, named, values, as_json):
            click.echo(line)


def _context(login: str, seat: Row, form: str | None) -> Callable[[], object]:
    """What gives a login's transaction its context, a function; raises Failure."""
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


def find_query(name: str) -> Query:
    """The Query of this name; raises Failure, with those of a similar name."""
    named = {query.name: query for query in queries}
    if name in named:
        return named[name]
    similar = sorted(other for other in named if name.split("_")[0] in other) or sorted(named)
    raise Misuse(f"There is no query {name}; there are {', '.join(similar)}.")


def read_parameters(query: Query, given: Sequence[str]) -> dict[str, str | None]:
    """The values of all parameters of a Query from `name=value` words; raises Failure.

    A list needs an order: without `sort_by` the first of its words is taken, without `sort_dir` it ascends.
    """
    known = dict.fromkeys(query.parameters)
    if "sort_by" in known:
        known["sort_by"] = query.words("sort_by")[0]
    known |= {name: value for name, value in FIRST_PAGE.items() if name in known}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or name not in known:
            takes = ", ".join(known) or "no parameters"
            raise Misuse(f"{word} is no parameter as name=value; {query.name} takes {takes}.")
        known[name] = value
    return known


def plan(
    url: str, enter: Callable[[], object], query: Query, values: dict[str, str | None], as_json: bool = False
) -> list[str]:
    """What a Query sends in the context that `enter()` gives, and its plan, as lines; nothing it does stays."""
    with psycopg.connect(url, connect_timeout=5) as connection, queries.on(connection):
        if enter() is None:
            raise Failure("There is no such form, or its lead capture is off.")
        try:
            if as_json:
                return [dumps(found).decode() for found in query.explained("analyze, buffers, format json", **values)]
            return [query.sent(values).text.decode(), "", *query.explained("analyze, buffers", **values)]
        except ValueError as error:
            raise Misuse(str(error)) from None
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
            why = error.diag.message_primary
            raise Failure(f"{query.name} cannot run with these values: {why}.") from None
        finally:
            connection.rollback()
