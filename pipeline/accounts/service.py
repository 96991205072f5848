"""Login, sessions and refresh tokens.

A refresh token works once, and ten more seconds for parallel windows and lost responses. Later reuse ends the session
(RFC 9700, section 4.14.2).
"""

import contextlib
import datetime
import secrets
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pipeline.accounts.passwords import matches
from pipeline.api.pagination import ListPage, list_page
from pipeline.database import Row, cells, not_none, queries
from pipeline.http.security import Identity, Tokens, secret_hash
from pipeline.validation import Invalid, Values, invalid_field
from pipeline.validation.errors import Problem


class SessionClient(NamedTuple):
    """A session's user agent and network address."""

    client: str
    address: str


def login(tokens: Tokens, visitor: SessionClient, email: str, password: str) -> dict[str, Any]:
    """Tokens, user and organization; raises 401."""
    account = queries.login_account(email=email)
    password_hash = account["password_hash"] if account else None
    if not matches(password, password_hash) or account is None:
        cells.everywhere(lambda: _record_failure(email, visitor))
        raise _wrong_credentials(commit=True)
    return start(tokens, visitor, account["user_id"], password_hash)


@contextlib.contextmanager
def by_settled_seats() -> Iterator[None]:
    """Raise 503 for the block's 401 or 422 if a seat may be missing because a cell is away or a move switches."""
    begun = time.monotonic()
    try:
        yield
    except (Problem, Invalid):
        cells.check_settled(begun)
        raise


@by_settled_seats()
def start(
    tokens: Tokens, visitor: SessionClient, user_id: int, password_hash: str | None, organization_id: int | None = None
) -> dict[str, Any]:
    """Starts a session, by default in the last organization; raises 401 without an active seat or for an old hash."""
    if cells.several() and organization_id is None:
        seat = last_chosen(user_id)
        organization_id = seat["id"] if seat else None
    if organization_id is not None and cells.is_elsewhere(organization_id):
        return _start_elsewhere(tokens, visitor, user_id, password_hash, organization_id)
    session, refresh_token = _session(tokens, visitor, user_id, password_hash, organization_id)
    queries.login_recorded(session_id=session["session_id"])
    return _tokens(tokens, user_id, session, refresh_token)


def _start_elsewhere(
    tokens: Tokens, visitor: SessionClient, user_id: int, password_hash: str | None, organization_id: int
) -> dict[str, Any]:
    """As `start`, in another cell: home has the session, which then comes to the cell that has the seat."""
    with cells.in_cell_of(organization_id):
        if not queries.seat_choose(user_id=user_id, organization_id=organization_id):
            raise _wrong_credentials()
    with cells.home().transaction():
        session, refresh_token = _session(tokens, visitor, user_id, password_hash, organization_id)
    with cells.in_cell_of(organization_id):
        cells.arrived(lambda: queries.session_arrived(session_id=session["session_id"]))
        queries.login_recorded(session_id=session["session_id"])
    return _tokens(tokens, user_id, session, refresh_token)


def last_chosen(user_id: int) -> Row | None:
    """The user's organization, of all cells, in which the next login starts; None without a seat."""
    seats = cells.everywhere(lambda: queries.membership_list(user_id=user_id))
    never = datetime.datetime.min.replace(tzinfo=datetime.UTC)
    return max(seats, key=lambda seat: (seat["chosen_at"] or never, -seat["id"]), default=None)


def _session(
    tokens: Tokens, visitor: SessionClient, user_id: int, password_hash: str | None, organization_id: int | None
) -> tuple[Row, str]:
    """(a new session, its refresh token); raises 401."""
    refresh_token = _token(secrets.token_urlsafe(16))
    session = queries.session_start(
        user_id=user_id,
        password_hash=password_hash,
        organization_id=organization_id,
        client=visitor.client,
        address=visitor.address,
        expires_at=_in_days(tokens.session_days),
        token_hash=secret_hash(refresh_token),
        token_expires_at=_in_days(tokens.refresh_days),
        family_hash=secret_hash(_family(refresh_token)),
    )
    if session is None:
        raise _wrong_credentials()
    return session, refresh_token


def _record_failure(email: str, visitor: SessionClient) -> list[Row]:
    queries.login_failed(email=email, client=visitor.client, address=visitor.address)
    return []


def refresh(tokens: Tokens, refresh_token: str) -> dict[str, Any]:
    """New tokens; raises 401."""
    return _rotate(tokens, refresh_token, Problem("invalid_refresh_token"))


def switch_organization(tokens: Tokens, caller: Identity, organization_id: int, refresh_token: str) -> dict[str, Any]:
    """New tokens; raises 401 for another session's token, 422 without a seat."""
    queries.role_enter(role="none")
    not_theirs = invalid_field("organization_id", "unknown_reference", "There is no such record.")
    with cells.at_home():
        return _rotate(tokens, refresh_token, not_theirs, caller.session_id, organization_id)


def logout(refresh_token: str) -> bool:
    """Ends a refresh token's session, if known."""
    queries.session_logout(token_hash=secret_hash(refresh_token), family_hash=secret_hash(_family(refresh_token)))
    return True


def me(caller: Identity) -> dict[str, Any]:
    """The caller's account, organizations and open invitations."""
    with by_settled_seats():
        organizations = cells.everywhere(lambda: queries.membership_list(user_id=caller.user_id))
        organization = _organization(organizations, caller.organization_id)
    return {
        "user": queries.account_get(user_id=caller.user_id),
        "organization": organization,
        "role": caller.role,
        "organizations": [{key: item[key] for key in ("id", "name", "role")} for item in organizations],
        "invitations": cells.everywhere(lambda: queries.invitations_of(user_id=caller.user_id)),
    }


def rename(caller: Identity, name: str) -> dict[str, Any]:
    """Renames the caller; returns `me`."""
    with cells.at_home():
        queries.account_rename(user_id=caller.user_id, name=name)
        account = queries.account_get(user_id=caller.user_id)
    return {**me(caller), "user": account}


def _token(family: str) -> str:
    return f"{family}.{secrets.token_urlsafe(32)}"


def _family(refresh_token: str) -> str:
    """The part shared by a session's refresh tokens."""
    return refresh_token.partition(".")[0]


def _rotate(
    tokens: Tokens,
    refresh_token: str,
    no_seat: Exception,
    session_id: int | None = None,
    organization_id: int | None = None,
) -> dict[str, Any]:
    """New tokens; raises 401, or `no_seat` if only the seat is missing."""
    successor = _token(_family(refresh_token))
    rotation = not_none(
        queries.refresh_token_rotate(
            token_hash=secret_hash(refresh_token),
            new_token_hash=secret_hash(successor),
            expires_at=_in_days(tokens.refresh_days),
            session_id=session_id,
            organization_id=organization_id,
            family_hash=secret_hash(_family(refresh_token)),
        )
    )
    if rotation["outcome"] == "no_seat":
        raise no_seat
    if rotation["outcome"] != "rotated":
        # The session's end must survive this error.
        raise Problem("invalid_refresh_token", commit=rotation["outcome"] == "reused")
    with by_settled_seats():
        with cells.in_cell_of(rotation["organization_id"]):
            if cells.several():
                cells.arrived(lambda: queries.session_arrived(session_id=rotation["session_id"]))
            if organization_id and cells.several():
                queries.seat_choose(user_id=rotation["user_id"], organization_id=organization_id)
            seats = queries.membership_list(user_id=rotation["user_id"])
        if all(seat["id"] != rotation["organization_id"] for seat in seats):
            # Only the other cell knows.
            raise no_seat
        return _tokens(tokens, rotation["user_id"], rotation, successor, seats)


def _tokens(
    tokens: Tokens, user_id: int, session: Row, refresh_token: str, seats: Iterable[Row] | None = None
) -> dict[str, Any]:
    organization_id = session["organization_id"]
    if seats is None:
        with cells.in_cell_of(organization_id):
            seats = queries.membership_list(user_id=user_id)
    return {
        "access_token": tokens.create_token(user_id, organization_id, session["session_id"]),
        "token_type": "Bearer",
        "expires_in": tokens.expires_in,
        "refresh_token": refresh_token,
        "user": queries.account_get(user_id=user_id),
        "organization": _organization(seats, organization_id),
    }


def _organization(memberships: Iterable[Row], organization_id: int) -> dict[str, Any]:
    organization = next((item for item in memberships if item["id"] == organization_id), None)
    if organization is None:  # the seat ended after authentication
        raise Problem("unauthenticated")
    return {key: organization[key] for key in ("id", "name", "slug", "time_zone", "currency", "locale")}


def _wrong_credentials(commit: bool = False) -> Problem:
    return Problem("invalid_credentials", "The email address or the password is wrong.", commit=commit)


def _in_days(days: int) -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)


def list_sessions(caller: Identity, query: Values) -> ListPage | None:
    """The caller's sessions, last used first."""
    return list_page(query, queries.session_list, user_id=caller.user_id, session_id=caller.session_id)


def end_session(caller: Identity, id: int) -> bool:
    """Ends a session of the caller; False if unknown."""
    with cells.at_home():
        return queries.session_end(user_id=caller.user_id, session_id=id)


def end_others(caller: Identity) -> bool:
    with cells.at_home():
        queries.sessions_end(user_id=caller.user_id, kept_id=caller.session_id)
    return True
