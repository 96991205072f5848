"""A signer's link, browser and rights, in the forms' transaction."""

import re
from typing import NamedTuple

from pipeline.database import Row, leave_role, queries
from pipeline.database.connections import Database
from pipeline.http.security import secret_hash
from pipeline.validation.errors import Problem

# Days after the end in which the signed copy can be read.
COPY_DAYS = 30
MAX_AGENT = 500
# A kind for `Database.holding`.
SIGNING = "signing"
TOKEN = re.compile("[0-9a-f]{64}", re.ASCII)


class Client(NamedTuple):
    """A browser; `secret`: the value of its cookie for the link."""

    address: str
    user_agent: str
    secret: str = ""

    def row(self) -> Row:
        """Its columns."""
        agent = "".join(sign for sign in self.user_agent if sign.isprintable())
        return {"address": self.address[:64], "user_agent": agent[:MAX_AGENT]}


def database(forms: Database, token: str) -> Database:
    return forms.holding(SIGNING, secret_hash(token))


def enter(token: str, client: Client) -> Row | None:
    """Opens a link for the transaction's statements."""
    if not TOKEN.fullmatch(token):
        return None
    leave_role()
    return queries.public_signing_enter(token_hash=secret_hash(token), secret=client.secret)


def state_of(token: str, client: Client, locked: bool = False, typed: str | None = None) -> Row:
    """The `public_signing_state` row; `locked`: with `intact`; `typed`: a name, with `by_own_name`. Raises 404."""
    entered = enter(token, client)
    if entered is None:
        raise Problem("not_found")
    ids = {"request_id": entered["request_id"], "signer_id": entered["signer_id"]}
    if locked:
        # The next statement sees what a concurrent request stored.
        queries.public_signing_lock(request_id=ids["request_id"])
    state = queries.public_signing_state(**ids, copy_days=COPY_DAYS, intact=True if locked else None, typed=typed)
    if state is None:
        raise Problem("not_found")
    return state


def refusal_of(state: Row) -> Problem | None:
    """Why the signer may neither sign nor decline."""
    if state["status"] != "sent" or state["signer_status"] not in ("waiting", "sent", "viewed"):
        return Problem("signing_ended")
    if state["signer_status"] == "waiting":
        return Problem("not_your_turn")
    return None if state["opened"] else Problem("code_required")


def check(state: Row) -> None:
    """Raises the refusal."""
    refusal = refusal_of(state)
    if refusal is not None:
        raise refusal


def check_opened(state: Row) -> None:
    """Raises 403 `code_required`."""
    if not state["opened"]:
        raise Problem("code_required")


def check_confirmable(state: Row) -> None:
    """Raises unless a code opens anything."""
    if not state["verify_email"]:
        raise Problem("malformed_request")
    signed = state["signer_status"] == "signed" and (state["status"] == "sent" or state["sealed_file_id"])
    refusal = None if signed else refusal_of(state)
    if refusal is not None and refusal.code != "code_required":
        raise refusal


def note_view(state: Row, client: Client) -> None:
    if queries.public_signing_viewed(signer_id=state["signer_id"]):
        note(state, "viewed", client)


def note(state: Row, event: str, client: Client) -> None:
    queries.signature_event_insert(
        request_id=state["request_id"], signer_id=state["signer_id"], event=event, **client.row()
    )
