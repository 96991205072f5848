"""The endpoints for passwords."""

from typing import Any

from pipeline.accounts import recovery, schemas, shapes
from pipeline.http import limits
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER, PUBLIC
from pipeline.validation import Values

forgot = Resource("/auth/password/forgot", "Ask for a link to set a new password")
reset = Resource("/auth/password/reset", "Set a new password by a link")
password = Resource("/auth/password", "Change the password")


@forgot.post(
    access=PUBLIC, body=schemas.Forgotten(), limit=limits.FORGOT, status=202, replayable=False, answer=shapes.FORGOTTEN
)
def request_password_reset(request: Request, body: Values) -> dict[str, Any]:
    request.transaction.begin(request.registry.app)
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
    request.transaction.begin(request.registry.app)
    return recovery.reset(**body)


@password.put(access=MEMBER, body=schemas.Change(), status=204, fails=("weak_password",))
def change_password(request: Request, body: Values) -> bool:
    limits.spend(request, limits.PASSWORD, str(request.caller.user_id))
    return recovery.change(request.caller, **body)
