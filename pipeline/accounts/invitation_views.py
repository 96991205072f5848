"""The endpoints for those who are invited."""

import contextlib

from pipeline.accounts import invitations, schemas, service, shapes
from pipeline.accounts.attempts import counted
from pipeline.accounts.views import issuer, visitor
from pipeline.http import limits
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER, PUBLIC

activation = Resource("/auth/activate", "Accept an invitation by its link")
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
def activate_account(request, body):
    request.transaction.begin(request.registry.app)
    accepted = accept(request, **body)
    return service.start(issuer(request), visitor(request), **accepted)


def accept(request, token, name, password):
    """Take the seat that a link offers; the wrong passwords of somebody known count like those of a login."""
    link = invitations.open_link(token)
    known = link["password_hash"] is not None
    with counted(request, link["email"]) if known else contextlib.nullcontext():
        return invitations.accept(token, link, name, password)


@acceptance.post(access=MEMBER, answer=shapes.ME)
def accept_invitation(request, id):
    if invitations.answer(request.caller, id, "accepted") is None:
        return None
    return service.me(request.caller)


@invitation.delete(access=MEMBER)
def decline_invitation(request, id):
    return invitations.answer(request.caller, id, "declined")
