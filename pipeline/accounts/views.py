"""The account endpoints."""

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


@login.post(access=PUBLIC, body=schemas.Login())
def post_login(request, body):
    request.transaction.begin(request.registry.app)
    return service.login(*_issuing(request), **body)


@refresh.post(access=PUBLIC, body=schemas.RefreshToken())
def post_refresh(request, body):
    request.transaction.begin(request.registry.app)
    return service.refresh(*_issuing(request), **body)


@logout.post(access=PUBLIC, body=schemas.RefreshToken(), status=204)
def post_logout(request, body):
    request.transaction.begin(request.registry.app)
    return service.logout(**body)


@me.get(access=MEMBER)
def get_me(request):
    return service.me(request.caller)


@organization.post(access=MEMBER, body=schemas.CurrentOrganization())
def post_organization(request, body):
    return service.switch_organization(*_issuing(request), request.caller, **body)
