"""Signature requests for members; None means an unknown contract or request."""

import uuid
from collections.abc import Callable

from pipeline import mail
from pipeline.contracts import renditions
from pipeline.contracts.statuses import check_unlocked
from pipeline.database import Row, queries
from pipeline.database.effects import emit
from pipeline.http.core.security import Identity
from pipeline.http.quotas.slots import busy
from pipeline.process.settings import Settings
from pipeline.signing import sealing
from pipeline.validation import Values
from pipeline.validation.errors import Problem

FROZEN = ("revision", "document_file_id", "document_sha256", "content_sha256")


def create_request(
    caller: Identity, contract_id: int, body: Values, settings: Settings, slot: Callable[[], None]
) -> bytes | None:
    """Freezes the contract's revision and emails the first signers; returns JSON.

    Calls `slot()` (429) before rendering. Raises 409 `contract_locked`, `out_for_signature`, 422 `certificate_missing`,
    429 `mail_quota`.
    """
    if not sealing.offered(settings):
        raise Problem("certificate_missing")
    # Before the contract is locked, as in the worker.
    made = renditions.document(contract_id, "pdf", slot)
    if made is None:
        return None
    if made.file_id is None and not made.changed:
        raise Problem("storage_full")
    source = queries.signature_source(contract_id=contract_id)
    if source is None:
        return None
    check_unlocked(source["status"])
    queries.signatures_expire(contract_id=contract_id)
    if queries.signature_request_open(contract_id=contract_id):
        raise Problem("out_for_signature")
    if source["document_file_id"] is None:
        raise busy("The contract is being changed. Try again in a moment.")
    # A change on an earlier snapshot fails.
    queries.contract_move(id=contract_id, status=source["status"])
    id = _insert(caller, contract_id, body, source)
    for _signer in call_signers(id):
        mail.count_email(settings.mail_quota)
    return _shown(contract_id, id)


def _insert(caller: Identity, contract_id: int, body: Values, source: Row) -> int:
    id = queries.signature_request_insert(
        contract_id=contract_id,
        **{name: source[name] for name in FROZEN},
        message=body["message"],
        language=body["language"] or source["language"],
        verify_email=body["verify_email"],
        expires_in_days=body["expires_in_days"],
        created_by=caller.user_id,
    )
    for signer in body["signers"]:
        queries.signature_signer_insert(
            request_id=id, turn=signer["order"], **{name: signer[name] for name in ("name", "email", "party")}
        )
    return id


def call_signers(id: int) -> list[int]:
    """Lets the next signers sign, and raises the events that email them; returns their ids."""
    signers = [row["id"] for row in queries.signature_turn(request_id=id)]
    for signer_id in signers:
        queries.signature_event_insert(request_id=id, signer_id=signer_id, event="sent")
        emit("signature_email", signer_id, {"signer_id": signer_id, "part": "sign"})
    return signers


def remind(contract_id: int, id: int, quota: int) -> bytes | None:
    """Reminds the signers in turn by email, each once a day; retries a failed sealing.

    Raises 410 `signing_ended`, 409 `already_reminded`, 429 `mail_quota`.
    """
    request = queries.signature_request_lock(contract_id=contract_id, id=id)
    if request is None:
        return None
    _check_open(request)
    if request["all_signed"]:
        queries.signature_seal_again(id=id)
        emit("seal_documents", f"{id}:{uuid.uuid4().hex}", {"request_id": id})
        return _shown(contract_id, id)
    reminded = list(queries.signature_remind(request_id=id))
    # Signers without an email: their event was given up.
    called = call_signers(id)
    if not reminded and not called:
        raise Problem("already_reminded")
    for _signer in called:
        mail.count_email(quota)
    for signer in reminded:
        mail.count_email(quota)
        queries.signature_event_insert(request_id=id, signer_id=signer["id"], event="reminded")
        payload = {"signer_id": signer["id"], "part": "reminder"}
        emit("signature_email", f"{signer['id']}:{signer['reminded_at']}", payload)
    return _shown(contract_id, id)


def cancel(contract_id: int, id: int) -> bytes | None:
    """Cancels an open request; raises 410 if it has ended, or if all have signed and it can be sealed."""
    request = queries.signature_request_lock(contract_id=contract_id, id=id)
    if request is None:
        return None
    _check_open(request)
    queries.signature_request_end(id=id, status="cancelled")
    queries.signature_event_insert(request_id=id, signer_id=None, event="cancelled")
    emit("signature_ended", id, {"request_id": id})
    return _shown(contract_id, id)


def _check_open(request: Row) -> None:
    if request["status"] != "sent":
        raise Problem("signing_ended")
    if request["all_signed"] and request["error"] is None:
        raise Problem("signing_ended", "All have signed, and the contract is being sealed.")


def signature(contract_id: int) -> Row | None:
    """The evidence of the contract's completed, else newest request."""
    return queries.signature_record(contract_id=contract_id)


def document(contract_id: int) -> int | None:
    """The file id of the PDF that its signers saw."""
    return queries.signature_document(contract_id=contract_id)


def _shown(contract_id: int, id: int) -> bytes | None:
    return queries.signature_request_get.json(contract_id=contract_id, id=id)
