"""The account endpoints."""

from pipeline import limits
from pipeline.accounts import schemas, service
from pipeline.resource import Resource
from pipeline.security import MEMBER, PUBLIC

login = Resource("/auth/login", "Log in with email and password")
refresh = Resource("/auth/refresh", "Trade a refresh token for new tokens")
logout = Resource("/auth/logout", "End a login")
me = Resource("/auth/me", "The caller")
organization = Resource("/auth/organization", "Switch the current organization")


def _issuing(request):
    registry = request.registry
    return registry.tokens, registry.pipeline.refresh_token_days


# Answers that hold tokens are not kept anywhere, not even for a repeated request.


@login.post(access=PUBLIC, body=schemas.Login(), limit=limits.LOGIN_CLIENT, replayable=False)
def post_login(request, body):
    limits.spend(request, limits.LOGIN_ADDRESS, limits.digest(body["email"]))
    request.transaction.begin(request.registry.app)
    return service.login(*_issuing(request), **body)


@refresh.post(access=PUBLIC, body=schemas.RefreshToken(), replayable=False)
def post_refresh(request, body):
    request.transaction.begin(request.registry.app)
    return service.refresh(*_issuing(request), **body)


@logout.post(access=PUBLIC, body=schemas.RefreshToken(), status=204, replayable=False)
def post_logout(request, body):
    request.transaction.begin(request.registry.app)
    return service.logout(**body)


@me.get(access=MEMBER)
def get_me(request):
    return service.me(request.caller)


@organization.post(access=MEMBER, body=schemas.CurrentOrganization(), replayable=False)
def post_organization(request, body):
    return service.switch_organization(*_issuing(request), request.caller, **body)
