"""The buttons of the signer's page."""

import base64
import binascii
from collections.abc import Callable

from pipeline.database import Row
from pipeline.forms.questions.reading import Fields
from pipeline.http.fairness import limits
from pipeline.http.fairness.lines import DRAWING, lines_of
from pipeline.signing import service
from pipeline.signing.access import Client
from pipeline.signing.pages.visit import SigningVisit
from pipeline.validation import Invalid, Violation
from pipeline.validation.errors import Problem
from pipeline.validation.types import isolate_direction

# The URL's further parameters, and sentences by field.
Done = tuple[dict[str, str], dict[str, str]]
Action = Callable[[SigningVisit, Row, Client], Done]
# The fields in the order of the page.
ORDER = ("signature", "drawing", "consent", "reason")


def sign(visit: SigningVisit, row: Row, client: Client) -> Done:
    fields, drawing = visit.fields, None
    if fields.get("kind") == "drawn":
        drawing = drawn(fields)
        if not drawing:
            return {}, {"drawing": visit.texts("sign.error.drawing")}
    name = fields.get("signature") if drawing is None else row["signer_name"]
    given = service.EnteredSignature(name, fields.get("consent"), drawing, fields.get("confirmed"))
    turn = lines_of(visit.request).turn(DRAWING, row["organization_id"])
    names = {"typed": isolate_direction(name), "signer": isolate_direction(row["signer_name"])}
    return _attempt(
        visit, names, lambda: service.sign(visit.request.registry.pipeline, visit.token, client, given, turn)
    )


def decline(visit: SigningVisit, row: Row, client: Client) -> Done:
    reason = visit.fields.get("reason").replace("\r\n", "\n")
    return _attempt(visit, {}, lambda: service.decline(visit.token, client, reason))


def send_code(visit: SigningVisit, row: Row, client: Client) -> Done:
    try:
        limits.count_request(visit.request, limits.SIGNING_CODES, visit.holder)
        result, secret = service.send_code(visit.token, client)
    except Problem as problem:
        if problem.code != "rate_limited":
            raise
        result, secret = service.SPENT, ""
    if result == service.SPENT:
        return {}, {
            "code": visit.texts("sign.error.code_limit", organization=isolate_direction(row["organization_name"]))
        }
    if result == service.SOON:
        return {}, {"code": visit.texts("sign.error.code_soon")}
    visit.keep(secret)
    return {"asked": "1"}, {}


def check_code(visit: SigningVisit, row: Row, client: Client) -> Done:
    """Tries a code."""
    found, secret = service.check_code(visit.token, client, visit.fields.get("code"))
    if found == service.RIGHT:
        visit.keep(secret)
    wrong = {service.WRONG: "sign.error.code", service.SPENT: "sign.error.code_spent"}.get(found)
    return {}, {"code": visit.texts(wrong)} if wrong else {}


def drawn(fields: Fields) -> bytes:
    """The drawing, perhaps empty."""
    try:
        return base64.b64decode(fields.get("drawing"), validate=True)
    except (binascii.Error, ValueError):
        return b"unreadable"


def _attempt(visit: SigningVisit, names: dict[str, str], act: Callable[[], None]) -> Done:
    try:
        act()
    except Invalid as invalid:
        found = dict(map(_sentence, invalid.violations))
        return {}, {field: visit.texts(f"sign.error.{found[field]}", **names) for field in ORDER if field in found}
    return {}, {}


def _sentence(violation: Violation) -> tuple[str, str]:
    """(field, text) of a violation."""
    if violation.name == "drawing":
        return "drawing", "drawing" if violation.code == "required" else "drawing_unread"
    field = "signature" if violation.name == "name" else violation.name
    ending = {"too_long": "_long", "other_name": "_other", "invalid_choice": "_changed"}.get(violation.code, "")
    return field, f"{field}{ending}"


ACTIONS: dict[str, Action] = {"sign": sign, "decline": decline, "code": send_code, "check": check_code}
