"""`pipeline explain`: a query's plan as the application gets it."""

import click
import psycopg

from pipeline.cli.accounts import administrator, find_seat, open_session
from pipeline.cli.failures import Failure
from pipeline.database import queries

# As long as the plan may take to be made.
SESSION_SECONDS = 60


@click.command()
@click.argument("query")
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--organization", metavar="SLUG", help="Whose rows; else the first one with such a seat.")
@click.option("--role", type=click.Choice(["member", "admin"]), default="member", show_default=True)
@click.pass_obj
def explain(installation, query, parameters, organization, role):
    """Show what a query of sql/ sends and its plan: executed, under row-level security, and rolled back.

    A parameter that is not given is null, and the lines that are marked with it are left out.
    The public forms' queries need an invite: not for this command.
    """
    named = find_query(query)
    values = read_parameters(named, parameters)
    with installation.access() as access:
        with administrator(access):
            seat = find_seat(slug=organization, role=role)
            if seat is None:
                raise Failure(f"Nobody has an active seat as {role} there; see pipeline create-user.")
            seat["session_id"] = open_session(seat, SESSION_SECONDS)
        click.echo(f"{query} as pipeline_{role} of {seat['slug']}, with {values}", err=True)
        # The login's own settings decide on the plan, so the owner's connection would not do.
        for line in plan(access.settings.database_url, seat, named, values):
            click.echo(line)


def find_query(name):
    """The Query of this name; raises Failure, with those of a similar name."""
    named = {query.name: query for query in queries}
    if name in named:
        return named[name]
    similar = sorted(other for other in named if name.split("_")[0] in other) or sorted(named)
    raise Failure(f"There is no query {name}; there are {', '.join(similar)}.", 2)


def read_parameters(query, given):
    """{name: text or None} of all parameters of a Query from `name=value` words; raises Failure.

    A list needs an order: without `sort_by` or `sort_dir` the first of its words is taken.
    """
    known = dict.fromkeys(query.parameters)
    known |= {name: query.words(name)[0] for name in ("sort_by", "sort_dir") if name in known}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or name not in known:
            takes = ", ".join(known) or "no parameters"
            raise Failure(f"{word} is no parameter as name=value; {query.name} takes {takes}.", 2)
        known[name] = value
    return known


def plan(url, seat, query, values):
    """What a Query sends in the context of a seat, and its plan, as lines (str); nothing that it does stays."""
    with psycopg.connect(url, connect_timeout=5) as connection, queries.on(connection):
        queries.authenticate(**{key: seat[key] for key in ("user_id", "organization_id", "session_id")})
        try:
            return [query.sent(values).text.decode(), "", *query.explained("analyze, buffers", **values)]
        except ValueError as error:
            raise Failure(str(error), 2) from None
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
            why = error.diag.message_primary
            raise Failure(f"{query.name} cannot run with these values: {why}.") from None
        finally:
            connection.rollback()
