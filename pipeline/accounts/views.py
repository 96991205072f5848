"""The account endpoints: tokens, and the caller."""

from pipeline.accounts import schemas, service, shapes
from pipeline.accounts.attempts import counted
from pipeline.http import limits
from pipeline.http.clients import peer_address
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER, PUBLIC

login = Resource("/auth/login", "Log in with email and password")
refresh = Resource("/auth/refresh", "Trade a refresh token for new tokens")
logout = Resource("/auth/logout", "End a session")
me = Resource("/auth/me", "The caller")
organization = Resource("/auth/organization", "Switch the current organization")


def issuer(request):
    """What makes the tokens of this installation."""
    settings = request.registry.pipeline
    return service.Issuer(request.registry.tokens, settings.refresh_token_days, settings.session_days)


def visitor(request):
    """Who starts a session."""
    return service.Visitor((request.user_agent or "").replace("\0", ""), peer_address(request))


# Answers that hold tokens are not kept anywhere, not even for a repeated request.


@login.post(
    access=PUBLIC,
    body=schemas.Login(),
    limit=limits.LOGIN_CLIENT,
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_credentials", "busy"),
)
def log_in(request, body):
    with counted(request, body["email"]):
        request.transaction.begin(request.registry.app)
        return service.login(issuer(request), visitor(request), **body)


@refresh.post(
    access=PUBLIC,
    body=schemas.RefreshToken(),
    limit=limits.REFRESH,
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_refresh_token",),
)
def refresh_tokens(request, body):
    request.transaction.begin(request.registry.app)
    return service.refresh(issuer(request), **body)


@logout.post(access=PUBLIC, body=schemas.RefreshToken(), limit=limits.LOGOUT, status=204, replayable=False)
def log_out(request, body):
    request.transaction.begin(request.registry.app)
    return service.logout(**body)


@me.get(access=MEMBER, answer=shapes.ME)
def get_me(request):
    return service.me(request.caller)


@me.change(within="user", access=MEMBER, body=schemas.Person(), answer=shapes.ME)
def update_me(request, body):
    return service.rename(request.caller, **body)


@organization.post(
    access=MEMBER,
    body=schemas.CurrentOrganization(),
    replayable=False,
    answer=shapes.TOKENS,
    fails=("invalid_refresh_token",),
)
def switch_organization(request, body):
    return service.switch_organization(issuer(request), request.caller, **body)
