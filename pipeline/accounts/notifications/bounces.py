"""Emails that came back, told by the operator's mail provider."""

import hmac
import re
from base64 import b64decode

from pipeline.api.resource import Resource
from pipeline.database import FORMS, cells, queries
from pipeline.database.effects import emit
from pipeline.http.fairness import limits
from pipeline.http.request import Request
from pipeline.http.security import PUBLIC
from pipeline.validation import MAX_ID, Body, Text, Values, required
from pipeline.validation.errors import Problem

# The id that mail.queue gives an email.
_OWN = re.compile(r"<?(([1-9][0-9]{0,18})\.[0-9a-f]{32})(@[^<>\s]+?)>?", re.ASCII)


class Bounce(Body):
    """An email that was accepted and came back for good."""

    message_id = required(Text(max_length=500))
    reason = required(Text(max_length=1000, lines=True))


bounces = Resource("/mail/bounces", "Emails that came back")


@bounces.post(
    access=PUBLIC,
    transaction=FORMS,
    body=Bounce(),
    limit=limits.BOUNCES,
    status=204,
    replayable=False,
    fails=("unauthenticated", "not_found"),
)
def report_bounce(request: Request, body: Values) -> bool:
    """Needs the secret `MAIL_BOUNCE_SECRET`, as a bearer token or as the password of Basic authentication."""
    check_secret(request.environ.get("HTTP_AUTHORIZATION", ""), request.registry.pipeline.mail_bounce_secret)
    own = _OWN.fullmatch(body["message_id"])
    if own and int(own[2]) <= MAX_ID:
        raise_bounce(int(own[2]), f"<{own[1]}{own[3]}>", body["reason"])
    # The response tells nothing of whether there is such an email.
    return True


def check_secret(authorization: str, secret: str) -> None:
    """Raises 404 if the installation takes no bounces, 401 without its secret."""
    if not secret:
        raise Problem("not_found")
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() == "basic":
        try:
            given = b64decode(given, validate=True).decode().partition(":")[2]
        except ValueError:
            given = ""
    if not hmac.compare_digest(given.encode(errors="replace"), secret.encode()):
        raise Problem("unauthenticated", "The secret of the installation is needed.")


def raise_bounce(organization_id: int, message_id: str, reason: str) -> None:
    """Raises the event once, if there is such an organization; the worker looks for the email."""
    with cells.in_cell_of(organization_id):
        _raise_there(organization_id, message_id, reason)


def _raise_there(organization_id: int, message_id: str, reason: str) -> None:
    queries.bounce_enter(organization_id=organization_id)
    if queries.bounce_has_organization(organization_id=organization_id):
        emit("email_bounced", message_id[:200], {"message_id": message_id, "reason": reason}, once=True)
