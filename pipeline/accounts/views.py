"""Account endpoints."""

import contextlib
from typing import Any

from pipeline.accounts import invitations, recovery, schemas, service, shapes
from pipeline.accounts.attempts import count_failures
from pipeline.accounts.links import find_good
from pipeline.api.pagination import ListPage, Paged
from pipeline.api.resource import Resource
from pipeline.api.shapes import ListOf
from pipeline.http.clients import peer_address
from pipeline.http.fairness import limits
from pipeline.http.request import Request
from pipeline.http.security import MEMBER, PUBLIC
from pipeline.validation import Values

login = Resource("/auth/login", "Log in with email and password")
refresh = Resource("/auth/refresh", "Exchange a refresh token for new tokens")
logout = Resource("/auth/logout", "End a session")
me = Resource("/auth/me", "The caller")
organization = Resource("/auth/organization", "Switch the current organization")


def visitor(request: Request) -> service.SessionClient:
    return service.SessionClient((request.user_agent or "").replace("\0", ""), peer_address(request))


# Responses with tokens are never stored for replay.


@login.post(
    access=PUBLIC,
    body=schemas.Login(),
    limit=limits.LOGIN_CLIENT,
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_credentials", "busy"),
)
def log_in(request: Request, body: Values) -> dict[str, Any]:
    with count_failures(request, body["email"]):
        return service.login(request.registry.tokens, visitor(request), **body)


@refresh.post(
    access=PUBLIC,
    body=schemas.RefreshToken(),
    limit=limits.REFRESH,
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_refresh_token",),
)
def refresh_tokens(request: Request, body: Values) -> dict[str, Any]:
    return service.refresh(request.registry.tokens, **body)


@logout.post(access=PUBLIC, body=schemas.RefreshToken(), limit=limits.LOGOUT, status=204, replayable=False)
def log_out(request: Request, body: Values) -> bool:
    return service.logout(**body)


@me.get(access=MEMBER, answer=shapes.ME)
def get_me(request: Request) -> dict[str, Any]:
    return service.me(request.caller)


@me.change("patch_me", within="user", access=MEMBER, body=schemas.Person(), answer=shapes.ME)
def update_me(request: Request, body: Values) -> dict[str, Any]:
    return service.rename(request.caller, **body)


@organization.post(
    access=MEMBER,
    body=schemas.CurrentOrganization(),
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_refresh_token",),
)
def switch_organization(request: Request, body: Values) -> dict[str, Any]:
    return service.switch_organization(request.registry.tokens, request.caller, **body)


all_sessions = Resource("/auth/sessions", "The caller's sessions")
session = Resource("/auth/sessions/{id}", "A session of the caller")


@all_sessions.get(access=MEMBER, query=Paged(), answer=ListOf(shapes.SESSION))
def list_sessions(request: Request, query: Values) -> ListPage | None:
    return service.list_sessions(request.caller, query)


@all_sessions.delete(access=MEMBER)
def end_other_sessions(request: Request) -> bool:
    return service.end_others(request.caller)


@session.delete(access=MEMBER)
def end_session(request: Request, id: int) -> bool:
    return service.end_session(request.caller, id)


forgot = Resource("/auth/password/forgot", "Request a password reset link")
reset = Resource("/auth/password/reset", "Set a new password with a reset link")
password = Resource("/auth/password", "Change the password")


@forgot.post(
    access=PUBLIC,
    body=schemas.ForgotPassword(),
    limit=limits.FORGOT,
    status=202,
    replayable=False,
    answer=shapes.FORGOTTEN,
)
def request_password_reset(request: Request, body: Values) -> dict[str, Any]:
    return recovery.forgot(**body)


@reset.post(
    access=PUBLIC,
    body=schemas.Reset(),
    limit=limits.RESET,
    status=204,
    replayable=False,
    fails=("not_found", "link_expired", "link_used", "weak_password", "busy"),
)
def reset_password(request: Request, body: Values) -> bool:
    return recovery.reset(**body)


@password.put(access=MEMBER, body=schemas.Change(), status=204, fails=("weak_password",))
def change_password(request: Request, body: Values) -> bool:
    limits.count_request(request, limits.PASSWORD, str(request.caller.user_id))
    return recovery.change(request.caller, **body)


activation = Resource("/auth/activate", "Accept an invitation with its link")
acceptance = Resource("/auth/invitations/{id}/accept", "Accept an invitation")
invitation = Resource("/auth/invitations/{id}", "An invitation to the caller")


@activation.post(
    access=PUBLIC,
    body=schemas.Activation(),
    limit=limits.ACTIVATION,
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_credentials", "not_found", "link_expired", "link_used", "weak_password", "busy"),
)
def activate_account(request: Request, body: Values) -> dict[str, Any]:
    accepted = accept(request, **body)
    return service.start(request.registry.tokens, visitor(request), **accepted)


def accept(request: Request, token: str, name: str | None, password: str) -> dict[str, Any]:
    """Accepts a link's seat; counts wrong passwords."""
    link = find_good(token, "activate")
    known = link["password_hash"] is not None
    with count_failures(request, link["email"]) if known else contextlib.nullcontext():
        return invitations.accept(token, link, name, password)


@acceptance.post(access=MEMBER, answer=shapes.ME)
def accept_invitation(request: Request, id: int) -> dict[str, Any] | None:
    if invitations.answer(request.caller, id, "accepted") is None:
        return None
    return service.me(request.caller)


@invitation.delete(access=MEMBER)
def decline_invitation(request: Request, id: int) -> int | None:
    return invitations.answer(request.caller, id, "declined")
