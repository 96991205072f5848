"""`pipeline explain`: a query's plan as the application gets it."""

import re

import click
import psycopg
from psycopg.rows import dict_row, scalar_row

from pipeline.cli.accounts import administrator, find_seat, open_session
from pipeline.cli.failures import Failure
from pipeline.database import Queries

# As long as the plan may take to be made.
SESSION_SECONDS = 60


@click.command()
@click.argument("query")
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--organization", metavar="SLUG", help="Whose rows; else the first one with such a seat.")
@click.option("--role", type=click.Choice(["member", "admin"]), default="member", show_default=True)
@click.pass_obj
def explain(installation, query, parameters, organization, role):
    """Show the plan of a query of sql/: executed, under row-level security, and rolled back.

    A parameter that is not given is null. The public forms' queries need an invite: not for this command.
    """
    statement = find_query(query)
    values = read_parameters(statement, parameters)
    with installation.access() as access:
        with administrator(access) as connection:
            seat = find_seat(connection, "m.role = %(role)s", slug=organization, role=role)
            if seat is None:
                raise Failure(f"Nobody has an active seat as {role} there; see pipeline create-user.")
            seat["session_id"] = open_session(connection, seat, SESSION_SECONDS)
        click.echo(f"{query} as pipeline_{role} of {seat['slug']}, with {values}", err=True)
        # The login's own settings decide on the plan, so the owner's connection would not do.
        for line in plan(access.settings.database_url, seat, statement, values):
            click.echo(line)


def find_query(name):
    """The Query of this name; raises Failure, with those of a similar name."""
    named = {query.name: query for query in Queries()}
    if name in named:
        return named[name]
    similar = sorted(other for other in named if name.split("_")[0] in other) or sorted(named)
    raise Failure(f"There is no query {name}; there are {', '.join(similar)}.", 2)


def read_parameters(statement, given):
    """{name: text or None} of all parameters of a Query from `name=value` words; raises Failure."""
    known = dict.fromkeys(re.findall(r"%\((\w+)\)s", statement.sql))
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or name not in known:
            takes = ", ".join(known) or "no parameters"
            raise Failure(f"{word} is no parameter as name=value; {statement.name} takes {takes}.", 2)
        known[name] = value
    return known


def plan(url, seat, statement, values):
    """The plan's lines (list of str) of a Query in the context of a seat; nothing that it does stays."""
    authenticate = find_query("authenticate").sql
    with psycopg.connect(url, connect_timeout=5, row_factory=dict_row) as connection:
        connection.execute(authenticate, {key: seat[key] for key in ("user_id", "organization_id", "session_id")})
        cursor = connection.cursor(row_factory=scalar_row)
        try:
            return cursor.execute(f"explain (analyze, buffers)\n{statement.sql}", values).fetchall()
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
            why = error.diag.message_primary
            raise Failure(f"{statement.name} cannot run with these values: {why}.") from None
        finally:
            connection.rollback()
