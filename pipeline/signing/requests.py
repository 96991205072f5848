"""Signature requests for members; None means an unknown contract or request."""

import uuid
from collections.abc import Callable

from pipeline import mail
from pipeline.contracts import renditions
from pipeline.contracts.statuses import check_unlocked
from pipeline.database import Row, dumps, not_none, queries
from pipeline.database.effects import emit
from pipeline.http.fairness.slots import busy
from pipeline.http.security import Identity
from pipeline.process.settings import Settings
from pipeline.signing import paper, sealing
from pipeline.validation import Values
from pipeline.validation.errors import Problem

FROZEN = (
    *("revision", "document_file_id", "document_sha256", "content_sha256", "reading_copy"),
    *("organization_name", "organization_slug", "legal_name", "time_zone", "region"),
)

CORRECTED = ("name", "title", "email")


def create_request(
    caller: Identity, contract_id: int, body: Values, settings: Settings, slot: Callable[[str], None]
) -> bytes | None:
    """Freezes the contract's revision and the organization, and emails the first signers; returns JSON.

    Calls `slot(kind)` (429) before rendering. Raises 409 `contract_locked`, `out_for_signature`, `unresolved_tags`, 422
    `certificate_missing`, `signer_mismatch`, 429 `mail_quota`.
    """
    if not sealing.offered(settings):
        raise Problem("certificate_missing")
    # Before the contract is locked, as in the worker.
    made = renditions.document(contract_id, "pdf", slot)
    if made is None:
        return None
    if made.file_id is None and not made.changed:
        raise Problem("storage_full")
    revision, reading_copy = renditions.reading_copy(contract_id, slot) or (None, None)
    source = queries.signature_source(contract_id=contract_id)
    if source is None:
        return None
    check_unlocked(source["status"])
    queries.signatures_expire(contract_id=contract_id)
    if queries.signature_request_open(contract_id=contract_id):
        raise Problem("out_for_signature")
    paper.check_blanks(source, body["confirm"])
    named = ((f"signers.{place}.name", signer) for place, signer in enumerate(body["signers"]))
    paper.check_signers(source["content"], named, body["confirm"])
    if source["document_file_id"] is None or revision not in (None, source["revision"]):
        raise busy("The contract is being changed. Try again in a moment.")
    # A change on an earlier snapshot fails.
    queries.contract_move(id=contract_id, status=source["status"])
    id = _insert(caller, contract_id, body, {**source, "reading_copy": reading_copy})
    for _signer in call_signers(id):
        mail.count_email(settings.mail_quota)
    return _shown(contract_id, id)


def _insert(caller: Identity, contract_id: int, body: Values, source: Row) -> int:
    text = {name: source[name] for name in ("revision", "content_sha256")}
    signed = {row["party"] for row in queries.signature_parties(contract_id=contract_id, **text)}
    missing = paper.lines(source["content"]) - signed - {signer["party"] for signer in body["signers"]}
    id = queries.signature_request_insert(
        contract_id=contract_id,
        **{name: source[name] for name in FROZEN},
        message=body["message"],
        language=body["language"] or source["language"],
        verify_email=body["verify_email"],
        complete_without=body["complete_without"],
        cc=body["cc"],
        reminders=sorted(body["reminders"]),
        warnings=dumps(paper.warnings(missing.difference(body["complete_without"]))).decode(),
        expires_in_days=body["expires_in_days"],
        created_by=caller.user_id,
    )
    for signer in body["signers"]:
        queries.signature_signer_insert(
            request_id=id, turn=signer["order"], **{name: signer[name] for name in ("name", "title", "email", "party")}
        )
    return id


def call_signers(id: int) -> list[int]:
    """Lets the next signers sign, and raises the events that email them; returns their ids."""
    signers = [row["id"] for row in queries.signature_turn(request_id=id)]
    for signer_id in signers:
        emit("signature_email", signer_id, {"signer_id": signer_id, "part": "sign"})
    return signers


def call_again(signer_id: int) -> None:
    """Raises the event of another first email."""
    emit("signature_email", f"{signer_id}:{uuid.uuid4().hex}", {"signer_id": signer_id, "part": "sign"})


def remind(contract_id: int, id: int, quota: int) -> bytes | None:
    """Reminds the signers in turn by email, each once a day; repeats a failed email and a failed sealing.

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
    again = [row["id"] for row in queries.signature_call_again(request_id=id)]
    # Signers without an email: their event was given up.
    called = call_signers(id)
    for _email in (*reminded, *again, *called):
        mail.count_email(quota)
    if not (reminded or again or called):
        raise Problem("already_reminded")
    for signer_id in again:
        call_again(signer_id)
    for signer in reminded:
        payload = {"signer_id": signer["id"], "part": "reminder"}
        emit("signature_email", f"{signer['id']}:{signer['reminded_at']}", payload)
    return _shown(contract_id, id)


def signer(contract_id: int, request_id: int, id: int) -> Values | None:
    """What a correction merges into."""
    row = queries.signature_signer_get(contract_id=contract_id, request_id=request_id, id=id)
    return row and {name: row[name] for name in ("id", "party", "status", *CORRECTED)}


def correct(contract_id: int, request_id: int, id: int, body: Values, quota: int) -> bytes | None:
    """Corrects a signer who has not signed: ends the links, and emails a new one if it is their turn.

    Raises 410 `signing_ended`, 409 `already_signed`, 422 `signer_mismatch`, 429 `mail_quota`.
    """
    request = queries.signature_request_lock(contract_id=contract_id, id=request_id)
    signer = queries.signature_signer_get(contract_id=contract_id, request_id=request_id, id=id)
    if request is None or signer is None:
        return None
    if signer["status"] == "signed":
        raise Problem("already_signed")
    _check_open(request)
    fields = {name: body[name] for name in CORRECTED}
    corrections = {name: {"old": signer[name], "new": new} for name, new in fields.items() if new != signer[name]}
    if "name" in corrections:
        paper.check_signers(signer["content"], [("name", {**signer, **fields})], body["confirm"])
    if corrections:
        _correct(request_id, id, fields, corrections, quota)
    return _shown(contract_id, request_id)


def _correct(request_id: int, id: int, fields: Values, corrections: Row, quota: int) -> None:
    corrected = not_none(queries.signature_signer_correct(id=id, **fields))
    told = dumps(corrections).decode()
    queries.signature_correction_insert(request_id=request_id, signer_id=id, corrections=told)
    if corrected["status"] != "waiting":
        mail.count_email(quota)
        call_again(id)


def cancel(contract_id: int, id: int) -> bytes | None:
    """Cancels an open request; raises 410 if it has ended, or if all have signed and it can be sealed."""
    request = queries.signature_request_lock(contract_id=contract_id, id=id)
    if request is None:
        return None
    _check_open(request)
    queries.signature_request_end(id=id, status="cancelled")
    queries.signature_event_by_member(request_id=id, event="cancelled")
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
