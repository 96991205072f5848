"""Commands for organizations, users and access tokens."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import jwt
import psycopg

from pipeline.accounts.passwords import hash_password
from pipeline.accounts.strength import SHORTEST_PASSWORD, weakness
from pipeline.cli.failures import Failure, Misuse
from pipeline.cli.installation import Access, Installation
from pipeline.database import Row, not_none, queries
from pipeline.database.cells import arrived
from pipeline.http.security import Tokens
from pipeline.validation import AccountEmail, Invalid, Name, Text
from pipeline.validation.emails import usual_form


def time_zone(context: click.Context, parameter: click.Parameter, value: str) -> str:
    try:
        return ZoneInfo(value).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise click.BadParameter(f"there is no time zone {value!r}") from None


def read_as(kind: Text) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """A callback that reads what was typed as a request's body is read."""

    def read(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        try:
            text = kind.load(value)
        except Invalid as error:
            raise click.BadParameter(error.violations[0].message) from None
        if text is None and value is not None:
            raise click.BadParameter("Must not be empty.")
        return text

    return read


@click.command("create-organization")
@click.argument("name", callback=read_as(Name()))
@click.option("--slug", required=True, help="The unique name in URLs: lower-case words joined by hyphens.")
@click.option("--time-zone", default="UTC", show_default=True, callback=time_zone)
@click.option("--currency", default="USD", show_default=True, help="The default currency (ISO 4217).")
@click.option("--locale", default="en", show_default=True)
@click.pass_obj
def create_organization(
    installation: Installation, name: str, slug: str, time_zone: str, currency: str, locale: str
) -> None:
    """Create an organization."""
    with installation.access() as access, administrator(access):
        if any(_has(cell, slug) for cell in access.cells()):
            raise Failure(f"There is an organization {slug} already.")
        try:
            id = queries.organization_insert(
                name=name, slug=slug, time_zone=time_zone, currency=currency, locale=locale
            )
        except psycopg.errors.UniqueViolation:
            raise Failure(f"There is an organization {slug} already.") from None
        except psycopg.errors.CheckViolation as error:
            raise Failure(f"Not valid: {error.diag.constraint_name}.") from None
    click.echo(f"Organization {slug} has the id {id}.")


@click.command("create-user")
@click.argument("email", callback=read_as(AccountEmail()))
@click.option("--organization", required=True, metavar="SLUG", help="The organization of the seat.")
@click.option("--name", callback=read_as(Name()), help="The user's name. Required for a new user.")
@click.option("--role", type=click.Choice(["member", "admin"]), default="member", show_default=True)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.pass_obj
def create_user(
    installation: Installation, email: str, organization: str, name: str | None, role: str, password_stdin: bool
) -> None:
    """Create a user with a seat in an organization. An existing user with a password keeps name and password."""
    with installation.access() as access:
        there = next((cell for cell in access.cells() if _has(cell, organization)), access)
        with administrator(there):
            organization_id = find_organization(organization)
        with administrator(access):
            user = queries.user_find(email=email)
        known = user is not None and user["password_hash"] is not None
        id = not_none(user)["id"] if known else _make_user(access, email, name, password_stdin)
        with administrator(there):
            arrived(lambda: queries.user_find(email=email))
            queries.seat_put(organization_id=organization_id, user_id=id, role=role)
            queries.invitation_withdraw(organization_id=organization_id, email=email)
    kind = "known before" if known else "new"
    click.echo(f"{email} ({kind}, id {id}) is {role} of {organization}.")


@click.command("set-password")
@click.argument("email", type=usual_form)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.pass_obj
def set_password(installation: Installation, email: str, password_stdin: bool) -> None:
    """Set a user's password and end all their sessions. First make sure that the address is theirs."""
    with installation.access() as access, administrator(access):
        user = queries.user_find(email=email)
        if user is None:
            raise Failure(f"There is no user {email}.")
        _set_password(user["id"], _password(password_stdin, email, user["name"]))
    click.echo(f"{email} (id {user['id']}) has a new password, and no session.")


@click.command()
@click.argument("email", type=usual_form)
@click.option(
    "--organization", metavar="SLUG", help="The organization. Default: the user's first one with an active seat."
)
@click.pass_obj
def token(installation: Installation, email: str, organization: str | None) -> None:
    """Print a user's access token. Its session lasts as long as the token."""
    with installation.access() as access, administrator(access):
        if organization and not any(_has(cell, organization) for cell in access.cells()):
            find_organization(organization)
        seat = queries.seat_find(slug=organization, email=email, role=None)
        seat = seat or next(filter(None, (_seat_in(cell, organization, email) for cell in access.cells())), None)
        if seat is None:
            where = f"in {organization}" if organization else "in any organization"
            raise Failure(f"{email} has no active seat {where}.")
        tokens = Tokens(access.settings)
        session_id = open_session(seat, tokens.expires_in)
        try:
            made = tokens.create_token(seat["user_id"], seat["organization_id"], session_id)
        except (jwt.PyJWTError, ValueError):
            raise Misuse("JWT_SECRET is not the private key that JWT_ALGORITHM needs.") from None
    click.echo(made)


@contextlib.contextmanager
def administrator(access: Access) -> Iterator[None]:
    """A transaction across organizations; raises Failure if RLS applies."""
    with access.connect() as connection, queries.on(connection):
        check_administrator()
        yield


def _has(cell: Access, slug: str) -> bool:
    with administrator(cell):
        return queries.organization_find(slug=slug) is not None


def _seat_in(cell: Access, slug: str | None, email: str) -> Row | None:
    with administrator(cell):
        return queries.seat_find(slug=slug, email=email, role=None)


def check_administrator() -> None:
    """Raise Failure if RLS binds the login."""
    rights = not_none(queries.login_rights())
    if not rights["unbound"]:
        raise Failure(
            f"Row-level security binds the login {rights['login']}; "
            "set DATABASE_OWNER_URL to a superuser or a BYPASSRLS login."
        )


def find_organization(slug: str) -> int:
    """The id of an organization; raises Failure."""
    id = queries.organization_find(slug=slug)
    if id is None:
        raise Failure(f"There is no organization {slug}.")
    return id


def seat_as(slug: str | None, *roles: str) -> Row:
    """The first active seat (user_id, organization_id, slug, role) with one of these roles; raises Failure."""
    if slug:
        find_organization(slug)
    seat = next(filter(None, (queries.seat_find(slug=slug, email=None, role=role) for role in roles)), None)
    if seat is None:
        wanted = f" as {roles[0]}" if len(roles) == 1 else ""
        raise Failure(f"No user has an active seat{wanted} there; run pipeline create-user.")
    return seat


def open_session(seat: Row, seconds: int) -> int:
    """The id of a new session without refresh."""
    return queries.session_open(user_id=seat["user_id"], organization_id=seat["organization_id"], seconds=seconds)


def _make_user(access: Access, email: str, name: str | None, password_stdin: bool) -> int:
    """The id of the user. Each step commits: on a cluster, another connection sets the password."""
    if not name:
        raise Misuse("A new user needs a name: --name.")
    password = _password(password_stdin, email, name)
    try:
        with administrator(access):
            id = queries.user_put(name=name, email=email)
    except psycopg.errors.CheckViolation as error:
        raise Failure(f"Not valid: {error.diag.constraint_name}.") from None
    with administrator(access):
        _set_password(id, password)
    return id


def _set_password(id: int, password: str) -> None:
    queries.user_set_password(id=id, password_hash=hash_password(password))


def _password(from_stdin: bool, *known_words: str) -> str:
    if from_stdin:
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    if len(password) < SHORTEST_PASSWORD:
        raise Misuse(f"A password has at least {SHORTEST_PASSWORD} characters.")
    if advice := weakness(password, known_words):
        raise Misuse(f"The password is easy to guess: {' '.join(advice)}")
    return password
