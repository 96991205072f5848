"""A signer's page, authenticated by the token in its link alone, in the forms' transaction."""

import re
import secrets
import unicodedata
from contextlib import AbstractContextManager
from itertools import groupby
from typing import NamedTuple

from pipeline.database import Row, not_none, queries
from pipeline.database.effects import emit
from pipeline.documents.reading import ID
from pipeline.files.images import is_small_png, redrawn
from pipeline.http.security import secret_hash
from pipeline.process.settings import Settings
from pipeline.signing import sealing
from pipeline.signing.access import (
    COPY_DAYS,
    Client,
    check,
    check_confirmable,
    check_opened,
    enter,
    note,
    note_view,
    refusal_of,
    state_of,
)
from pipeline.signing.consent import CONSENT, consent_text
from pipeline.validation import Invalid, Name, Text, Violation, Violations, invalid_field
from pipeline.validation.errors import Problem

CODE_LENGTH = 6
MAX_DRAWING, MAX_NAME, MAX_REASON = 200 * 1024, 255, 1000
# Combining marks on one letter; more would cover the lines around.
MAX_MARKS = 5
RIGHT, WRONG, SPENT = "right", "wrong", "spent"
ASKED, SOON = "asked", "soon"


class EnteredSignature(NamedTuple):
    """A typed or drawn (PNG) signature from the form; `consent` is CONSENT if the signer agreed to its text.

    `confirmed` is the name that the form asked about once more.
    """

    name: str
    consent: str | None
    drawing: bytes | None = None
    confirmed: str = ""


def open_signing(token: str, client: Client) -> Row | None:
    """The page's data, or None for an unknown token.

    Until a required code, `opened` is false, and the contract's values are None. `status` is the request's.
    """
    entered = enter(token, client)
    if entered is None:
        return None
    page = queries.public_signing_get(
        request_id=entered["request_id"], signer_id=entered["signer_id"], copy_days=COPY_DAYS
    )
    if page is None:
        return None
    language, text = consent_text(page["language"])
    return {**page, "consent": {"id": CONSENT, "language": language, "text": text}}


def view(token: str, client: Client) -> None:
    """Stores the first view; does nothing if viewed, or without a required code."""
    state = state_of(token, client)
    if refusal_of(state) is None:
        note_view(state, client)


def send_code(token: str, client: Client) -> tuple[str, str]:
    """(ASKED, SOON or SPENT; the browser's secret): emails a code for this browser.

    Raises 410, 409 `not_your_turn`.
    """
    state = state_of(token, client)
    check_confirmable(state)
    secret = client.secret or secrets.token_hex(32)
    asked = not_none(queries.public_signing_ask(browser_hash=secret_hash(secret)))
    if asked["result"] == ASKED:
        payload = {"signer_id": state["signer_id"], "code_id": asked["code_id"]}
        emit("signature_code", asked["code_id"], payload)
    return asked["result"], secret


def check_code(token: str, client: Client, code: str) -> tuple[str, str]:
    """(RIGHT, WRONG or SPENT; the browser's new secret). Commit a wrong code too: it counts.

    Raises 410, 409 `not_your_turn`.
    """
    check_confirmable(state_of(token, client, locked=True))
    code = re.sub(r"\s", "", code)
    if not (code.isdecimal() and len(code) == CODE_LENGTH):
        return WRONG, client.secret
    secret = secrets.token_hex(32)
    # Digits of any script.
    found = queries.public_signing_code(code=f"{int(code):0{CODE_LENGTH}}", browser_hash=secret_hash(secret))
    if found != RIGHT:
        return found, client.secret
    state = state_of(token, client._replace(secret=secret))
    note(state, "verified", client)
    note_view(state, client)
    return found, secret


def sign(
    settings: Settings, token: str, client: Client, given: EnteredSignature, turn: AbstractContextManager[None]
) -> None:
    """Signs, once; the last signature raises the event that seals the contract.

    A drawing is read in its `turn`, before any lock. Raises 410 `signing_ended`, 409 `not_your_turn` and
    `contract_changed`, 403 `code_required`, 422, 429, 503.
    """
    # PostgreSQL stores no text with NUL.
    state = state_of(token, client, typed=given.name[:MAX_NAME].replace("\0", ""))
    if state["signer_status"] == "signed":
        return
    check(state)
    if not sealing.offered(settings):
        raise Problem("unavailable")
    by_own_name = bool(state["by_own_name"])
    columns = _signature(given, turn, by_own_name)
    state = state_of(token, client, locked=True)
    if state["signer_status"] == "signed":
        return
    check(state)
    if not state["intact"]:
        raise Problem("contract_changed")
    language, text = consent_text(state["language"])
    queries.public_signing_sign(
        signer_id=state["signer_id"], **columns, **client.row(), consent=text, consent_language=language
    )
    if not by_own_name:
        note(state, "name_confirmed", client)
    note(state, "signed", client)
    if state["others_left"]:
        emit("signature_turn", state["signer_id"], {"request_id": state["request_id"]})
    else:
        queries.public_signing_complete(request_id=state["request_id"])
        emit("seal_documents", state["request_id"], {"request_id": state["request_id"]})


def decline(token: str, client: Client, reason: str) -> None:
    """Declines, once, which ends the request; raises as `sign`."""
    state = state_of(token, client, locked=True)
    if state["signer_status"] == "declined":
        return
    check(state)
    violations = Violations()
    text = violations.check("reason", Text(max_length=MAX_REASON, lines=True).load, reason)
    if violations or not text:
        raise Invalid(violations or [Violation("reason", "required", "Is required.")])
    queries.public_signing_decline(signer_id=state["signer_id"], reason=text, **client.row())
    queries.signature_request_end(id=state["request_id"], status="declined")
    note(state, "declined", client)
    emit("signature_ended", state["request_id"], {"request_id": state["request_id"]})


def document(token: str, client: Client) -> int:
    """The file id of the PDF to sign; raises as `sign`."""
    state = state_of(token, client)
    if state["signer_status"] != "signed":
        check(state)
    elif state["status"] != "sent":
        raise Problem("signing_ended")
    check_opened(state)
    return state["document_file_id"]


def picture(token: str, client: Client, id: str) -> int:
    """The file id of a picture in the contract; raises 404, 403 `code_required`."""
    check_opened(state_of(token, client))
    found = queries.public_signing_picture(id=int(id)) if ID.fullmatch(id) else None
    if found is None:
        raise Problem("not_found")
    return found


def signed_copy(token: str, client: Client) -> int:
    """The file id of the sealed PDF; raises 410 after some days, 403 `code_required`."""
    state = state_of(token, client)
    if state["sealed_file_id"] is None:
        raise Problem("signing_ended")
    check_opened(state)
    return state["sealed_file_id"]


def _signature(given: EnteredSignature, turn: AbstractContextManager[None], by_own_name: bool) -> Row:
    """The columns of a signature; raises 422, 429."""
    violations = Violations()
    if given.consent != CONSENT:
        violations.add("consent", "invalid_choice" if given.consent else "required", "Agree to the text to sign.")
    name = violations.check("name", Name(max_length=MAX_NAME).load, given.name)
    if not name and all(violation.name != "name" for violation in violations):
        violations.add("name", "required")
    elif name and _most_marks(name) > MAX_MARKS:
        violations.add("name", "invalid_characters")
    elif name and not by_own_name and given.confirmed != given.name:
        violations.add("name", "other_name")
    if violations:
        raise Invalid(violations)
    drawing = None if given.drawing is None else _drawing(given.drawing, turn)
    return {"kind": "typed" if drawing is None else "drawn", "text": name, "drawing": drawing}


def _most_marks(text: str) -> int:
    """The length of the longest run of combining marks."""
    runs = groupby(text, lambda sign: unicodedata.category(sign) in ("Mn", "Me"))
    return max((sum(1 for _sign in run) for marks, run in runs if marks), default=0)


def _drawing(png: bytes, turn: AbstractContextManager[None]) -> bytes:
    """The PNG with nothing but pixels; raises 422."""
    pixels = None
    if len(png) <= MAX_DRAWING and is_small_png(png):
        with turn:
            pixels = redrawn(png)
    if pixels is None or len(pixels) > MAX_DRAWING:
        raise invalid_field("drawing", "unsupported_file", "Must be a PNG image of at most 200 kB.")
    if not pixels:
        raise invalid_field("drawing", "required", "The drawing is empty.")
    return pixels
