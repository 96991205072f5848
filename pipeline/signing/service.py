"""A signer's page, authenticated by the token in its link alone, in the forms' transaction."""

import hashlib
import io
import re
from typing import NamedTuple

from pipeline.database import Row, queries, sure
from pipeline.database.connections import Database
from pipeline.database.effects import emit
from pipeline.errors import Problem
from pipeline.files.images import reencoded
from pipeline.signing.consent import CONSENT, consent_text
from pipeline.validation import Invalid, Text, Violation, Violations, invalid_field

# Days after the end in which the signed copy can be read.
COPY_DAYS = 30
# How long a confirmed email address opens the page.
VERIFIED_MINUTES = 120
MOST_CODES, CODE_PAUSE_SECONDS = 20, 60
MAX_DRAWING, MAX_NAME, MAX_REASON, MAX_AGENT = 200 * 1024, 255, 1000, 500
# A kind for `Database.holding`.
SIGNING = "signing"
_TOKEN = re.compile("[0-9a-f]{64}", re.ASCII)
_CODE = re.compile("[0-9]{6}", re.ASCII)
RIGHT, WRONG, SPENT = "right", "wrong", "spent"


class Client(NamedTuple):
    """The network address and user agent of a request."""

    address: str
    user_agent: str

    def row(self) -> Row:
        """Its columns."""
        agent = "".join(sign for sign in self.user_agent if sign.isprintable())
        return {"address": self.address[:64], "user_agent": agent[:MAX_AGENT]}


class Given(NamedTuple):
    """A typed or drawn (PNG) signature; `consent` is CONSENT if the signer agreed to its text."""

    name: str
    consent: str | None
    drawing: bytes | None = None


def database(forms: Database, token: str) -> Database:
    """The pool of a token's organization."""
    return forms.holding(SIGNING, _digest(token))


def open_signing(token: str) -> Row | None:
    """The page's data, or None for an unknown token.

    `content` is None unless the request is open and a required code was entered; `status` is the request's.
    """
    entered = _enter(token)
    if entered is None:
        return None
    page = sure(
        queries.public_signing_get(
            request_id=entered["request_id"],
            signer_id=entered["signer_id"],
            copy_days=COPY_DAYS,
            verified_minutes=VERIFIED_MINUTES,
        )
    )
    language, text = consent_text(page["language"])
    return {**page, "consent": {"id": CONSENT, "language": language, "text": text}}


def view(token: str, client: Client) -> None:
    """Stores the first view; does nothing if viewed, or without a required code."""
    state = _state(token)
    if _refusal(state) is None and queries.public_signing_viewed(signer_id=state["signer_id"]):
        _note(state, "viewed", client)


def send_code(token: str) -> None:
    """Emails a new code; raises 410, 409 `not_your_turn`, 429 `code_quota`."""
    state = _state(token, locked=True)
    _check(state, verified=False)
    if state["asked_now"] or state["codes"] >= MOST_CODES:
        raise Problem("code_quota", headers={"Retry-After": str(CODE_PAUSE_SECONDS)})
    queries.public_signing_asked(signer_id=state["signer_id"])
    emit("signature_code", f"{state['signer_id']}:{state['codes'] + 1}", {"signer_id": state["signer_id"]})


def check_code(token: str, code: str, client: Client) -> str:
    """Tries an emailed code: RIGHT, WRONG, or SPENT for a new one. Commit a wrong code too: it counts.

    Raises 410, 409 `not_your_turn`.
    """
    state = _state(token, locked=True)
    _check(state, verified=False)
    code = re.sub(r"\s", "", code)
    found = queries.public_signing_code(code=code if _CODE.fullmatch(code) else "")
    if found == RIGHT:
        _note(state, "verified", client)
    return found


def sign(token: str, client: Client, given: Given) -> None:
    """Signs, once; the last signature raises the event that seals the contract.

    Raises 410 `signing_ended`, 409 `not_your_turn` and `contract_changed`, 403 `code_required`, 422.
    """
    state = _state(token, locked=True)
    if state["signer_status"] == "signed":
        return
    _check(state)
    columns = _signature(given)
    if not state["intact"]:
        raise Problem("contract_changed")
    language, text = consent_text(state["language"])
    queries.public_signing_sign(
        signer_id=state["signer_id"], **columns, **client.row(), consent=text, consent_language=language
    )
    _note(state, "signed", client)
    if state["others_left"]:
        emit("signature_turn", state["signer_id"], {"request_id": state["request_id"]})
    else:
        queries.public_signing_complete(request_id=state["request_id"])
        emit("seal_documents", state["request_id"], {"request_id": state["request_id"]})


def decline(token: str, client: Client, reason: str) -> None:
    """Declines, once, which ends the request; raises as `sign`."""
    state = _state(token, locked=True)
    if state["signer_status"] == "declined":
        return
    _check(state)
    violations = Violations()
    text = violations.check("reason", Text(max_length=MAX_REASON, lines=True).load, reason)
    if violations or not text:
        raise Invalid(violations or [Violation("reason", "required", "Is required.")])
    queries.public_signing_decline(signer_id=state["signer_id"], reason=text, **client.row())
    queries.signature_request_end(id=state["request_id"], status="declined")
    _note(state, "declined", client)
    emit("signature_ended", state["request_id"], {"request_id": state["request_id"]})


def document(token: str) -> int:
    """The file id of the PDF to sign; raises as `sign`."""
    state = _state(token)
    if state["signer_status"] != "signed":
        _check(state)
    elif state["status"] != "sent":
        raise Problem("signing_ended")
    return state["document_file_id"]


def signed_copy(token: str) -> int:
    """The file id of the sealed PDF, some days after completion; raises 410."""
    state = _state(token)
    if state["sealed_file_id"] is None:
        raise Problem("signing_ended")
    return state["sealed_file_id"]


def _enter(token: str) -> Row | None:
    if not _TOKEN.fullmatch(token):
        return None
    return queries.public_signing_enter(token_hash=_digest(token))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _state(token: str, locked: bool = False) -> Row:
    entered = _enter(token)
    if entered is None:
        raise Problem("not_found")
    ids = {"request_id": entered["request_id"], "signer_id": entered["signer_id"]}
    if locked:
        # The next statement sees what a concurrent request stored.
        queries.public_signing_lock(request_id=ids["request_id"])
    return sure(
        queries.public_signing_state(
            **ids, copy_days=COPY_DAYS, verified_minutes=VERIFIED_MINUTES, intact=True if locked else None
        )
    )


def _refusal(state: Row, verified: bool = True) -> Problem | None:
    if state["status"] != "sent" or state["signer_status"] not in ("waiting", "sent", "viewed"):
        return Problem("signing_ended")
    if state["signer_status"] == "waiting":
        return Problem("not_your_turn")
    if verified and state["verify_email"] and not state["verified"]:
        return Problem("code_required")
    return None


def _check(state: Row, verified: bool = True) -> None:
    refusal = _refusal(state, verified)
    if refusal is not None:
        raise refusal


def _note(state: Row, event: str, client: Client) -> None:
    queries.public_signing_event(
        request_id=state["request_id"], signer_id=state["signer_id"], event=event, **client.row()
    )


def _signature(given: Given) -> Row:
    """The columns of a signature; raises 422."""
    violations = Violations()
    if given.consent != CONSENT:
        violations.add("consent", "required", "Agree to the text to sign.")
    name = violations.check("name", Text(max_length=MAX_NAME).load, given.name)
    if not name and all(violation.name != "name" for violation in violations):
        violations.add("name", "required")
    if violations:
        raise Invalid(violations)
    drawing = None if given.drawing is None else _drawing(given.drawing)
    return {"kind": "typed" if drawing is None else "drawn", "text": name, "drawing": drawing}


def _drawing(png: bytes) -> bytes:
    """The PNG with nothing but pixels; raises 422."""
    try:
        made = reencoded(io.BytesIO(png)) if len(png) <= MAX_DRAWING else None
    except Problem:
        made = None
    pixels = made.file.read() if made is not None and made.extension == "png" else b""
    if not 0 < len(pixels) <= MAX_DRAWING:
        raise invalid_field("drawing", "unsupported_file", "Must be a PNG image of at most 200 kB.")
    return pixels
