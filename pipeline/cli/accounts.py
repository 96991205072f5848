"""Organizations, users and access tokens from the command line: the first ones, and those of tests."""

import sys
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import jwt
import psycopg
from psycopg.rows import dict_row

from pipeline.accounts.passwords import hash_password
from pipeline.accounts.strength import SHORTEST_PASSWORD, check_strength
from pipeline.cli.failures import Failure
from pipeline.problems import Problem
from pipeline.security import Tokens


def time_zone(context, parameter, value):
    """Check that a time zone is known."""
    try:
        return ZoneInfo(value).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise click.BadParameter(f"there is no time zone {value!r}") from None


@click.command("create-organization")
@click.argument("name")
@click.option("--slug", required=True, help="Lower-case words joined by hyphens; unique.")
@click.option("--time-zone", default="UTC", show_default=True, callback=time_zone)
@click.option("--currency", default="USD", show_default=True, help="ISO 4217.")
@click.option("--locale", default="en", show_default=True)
@click.pass_obj
def create_organization(installation, name, slug, time_zone, currency, locale):
    """Create an organization."""
    with installation.access() as access, administrator(access) as connection:
        try:
            row = connection.execute(
                "insert into app.organizations (name, slug, time_zone, currency, locale)"
                " values (%s, %s, %s, %s, %s) returning id",
                (name, slug, time_zone, currency, locale),
            ).fetchone()
        except psycopg.errors.UniqueViolation:
            raise Failure(f"There is an organization {slug} already.") from None
        except psycopg.errors.CheckViolation as error:
            raise Failure(f"Not valid: {error.diag.constraint_name}.") from None
    click.echo(f"Organization {slug} has the id {row['id']}.")


@click.command("create-user")
@click.argument("email")
@click.option("--organization", required=True, metavar="SLUG", help="Where the user gets a seat.")
@click.option("--name", help="The user's name; needed for a new user.")
@click.option("--role", type=click.Choice(["member", "admin"]), default="member", show_default=True)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.pass_obj
def create_user(installation, email, organization, name, role, password_stdin):
    """Create a user with a seat in an organization; who has a password gets the seat and keeps name and password."""
    with installation.access() as access, administrator(access) as connection:
        organization_id = find_organization(connection, organization)
        user = find_user(connection, email)
        known = user is not None and user["password_hash"] is not None
        if not known:
            user = _make_user(connection, user, email, name, password_stdin)
        connection.execute(
            "insert into app.organization_users (organization_id, user_id, role) values (%s, %s, %s)"
            " on conflict (organization_id, user_id) do update set role = excluded.role, seat_active = true",
            (organization_id, user["id"], role),
        )
        # With the seat an open invitation to it is over.
        connection.execute(
            "delete from app.invitations where organization_id = %s and email_key = lower(%s) and ended_at is null",
            (organization_id, email),
        )
    kind = "known before" if known else "new"
    click.echo(f"{email} ({kind}, id {user['id']}) is {role} of {organization}.")


@click.command("set-password")
@click.argument("email")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.pass_obj
def set_password(installation, email, password_stdin):
    """Set a user's password and end all their sessions; the operator vouches that the address is theirs."""
    with installation.access() as access, administrator(access) as connection:
        user = find_user(connection, email)
        if user is None:
            raise Failure(f"There is no user {email}.")
        _set_password(connection, user["id"], _password(password_stdin, email, user["name"]))
    click.echo(f"{email} (id {user['id']}) has a new password, and no session.")


@click.command()
@click.argument("email")
@click.option("--organization", metavar="SLUG", help="Else the first in which the user has an active seat.")
@click.pass_obj
def token(installation, email, organization):
    """Print an access token of a user, of a session that lasts as long as the token."""
    with installation.access() as access, administrator(access) as connection:
        seat = find_seat(connection, "u.email_key = lower(%(email)s)", email=email, slug=organization)
        if seat is None:
            where = f"in {organization}" if organization else "in any organization"
            raise Failure(f"{email} has no active seat {where}.")
        tokens = Tokens(access.settings)
        session_id = open_session(connection, seat, tokens.expires_in)
        try:
            made = tokens.create_token(seat["user_id"], seat["organization_id"], session_id)
        except (jwt.PyJWTError, ValueError):
            raise Failure("JWT_SECRET is not the private key that JWT_ALGORITHM needs.", 2) from None
    click.echo(made)


def administrator(access):
    """A transaction that sees all organizations; raises Failure for a login that row-level security binds."""
    connection = access.connect(row_factory=dict_row)
    free = "select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user"
    if not connection.execute(free).fetchone()["free"]:
        login = connection.info.user
        connection.close()
        raise Failure(
            f"Row-level security binds the login {login}; set DATABASE_OWNER_URL to a superuser or a BYPASSRLS login."
        )
    return connection


def find_organization(connection, slug):
    """The id of the organization with this slug; raises Failure."""
    row = connection.execute("select id from app.organizations where slug = %s", (slug,)).fetchone()
    if row is None:
        raise Failure(f"There is no organization {slug}.")
    return row["id"]


def find_seat(connection, condition, slug=None, **parameters):
    """The first active seat (user_id, organization_id, slug) that fulfils an SQL condition, or None."""
    if slug:
        find_organization(connection, slug)
    return connection.execute(
        f"""select m.user_id, m.organization_id, o.slug
            from app.organization_users m
            join app.users u on u.id = m.user_id
            join app.organizations o on o.id = m.organization_id
            where m.seat_active and (%(slug)s::text is null or o.slug = %(slug)s) and {condition}
            order by m.organization_id, m.user_id limit 1""",
        {"slug": slug, **parameters},
    ).fetchone()


def open_session(connection, seat, seconds):
    """The id of a new session of a seat that lasts so long, and cannot be refreshed."""
    return connection.execute(
        "insert into app.sessions (user_id, organization_id, client, expires_at)"
        " values (%s, %s, 'pipeline', now() + make_interval(secs => %s)) returning id",
        (seat["user_id"], seat["organization_id"], seconds),
    ).fetchone()["id"]


def find_user(connection, email):
    """The user (id, name, password_hash) with this address, or None."""
    return connection.execute(
        "select id, name, password_hash from app.users where email_key = lower(%s)", (email,)
    ).fetchone()


def _make_user(connection, invited, email, name, password_stdin):
    """A user with name and password; `invited` is the one who has neither yet, or None."""
    if not name:
        raise Failure("A new user needs a name: --name.", 2)
    password = _password(password_stdin, email, name)
    try:
        user = connection.execute(
            "update app.users set name = %s where id = %s returning id"
            if invited
            else "insert into app.users (name, email) values (%s, %s) returning id",
            (name, invited["id"] if invited else email),
        ).fetchone()
    except psycopg.errors.CheckViolation as error:
        raise Failure(f"Not valid: {error.diag.constraint_name}.") from None
    _set_password(connection, user["id"], password)
    return user


def _set_password(connection, user_id, password):
    connection.execute("select app.password_set(%s, %s, null)", (user_id, hash_password(password)))


def _password(from_stdin, *known_words):
    """The password that is typed or piped in; Failure for a short or weak one."""
    if from_stdin:
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    if len(password) < SHORTEST_PASSWORD:
        raise Failure(f"A password has at least {SHORTEST_PASSWORD} characters.", 2)
    try:
        check_strength(password, known_words)
    except Problem as problem:
        raise Failure(f"The password is easy to guess: {problem.detail}", 2) from None
    return password
