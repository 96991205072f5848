"""Background jobs of signature requests."""

import io
from dataclasses import fields
from typing import Any

import structlog

from pipeline import documents, files, mail
from pipeline.accounts.notifications.tasks import notify
from pipeline.database import Row, dumps, queries
from pipeline.database.effects import UNEXPECTED, OutboxEvent, Refused, effect, emit
from pipeline.database.execution import chaos_point
from pipeline.documents import signatures
from pipeline.files.content import PDF
from pipeline.mail import texts
from pipeline.mail.languages import language_of, moment
from pipeline.mail.rendering import branding_of, render
from pipeline.signing import envelope, paper, sealing
from pipeline.signing.access import COPY_DAYS
from pipeline.signing.requests import call_signers
from pipeline.signing.sealing import Unsealed, Unusable

# The error itself names settings and paths.
NO_SEAL = "The service cannot seal at the moment. It tries again by itself."

log = structlog.get_logger(__name__)


@effect("signature_email")
def send_link(event: OutboxEvent) -> None:
    """Queues the email with the link of `signer_id`, unless the signer can no longer sign."""
    signer = _signer(event.payload["signer_id"])
    if signer and signer["status"] == "sent" and signer["signer_status"] in ("sent", "viewed"):
        _queue(event, signer, event.payload["part"], event.key)


@effect("signature_reminder")
def remind(event: OutboxEvent) -> None:
    """Reminds `signer_id` of the email of `sent_at`, unless the signer was corrected since or reminded today.

    Above the quota, tomorrow.
    """
    signer = _signer(event.payload["signer_id"])
    if signer is None or signer["status"] != "sent":
        return
    sent_at = event.payload["sent_at"]
    if list(queries.signature_remind(request_id=signer["request_id"], signer_id=signer["id"], sent_at=sent_at)):
        mail.count_email(event.settings.mail_quota)
        _queue(event, signer, "reminder", event.key)


@remind.gives_up
def note_failure(event: OutboxEvent, error: str) -> None:
    log.warning("reminder_given_up", **event.payload, error=error)


@effect("signature_turn")
def send_to_next(event: OutboxEvent) -> None:
    """Lets the next signers of `request_id` sign; above the quota, tomorrow."""
    for _signer in call_signers(event.payload["request_id"]):
        mail.count_email(event.settings.mail_quota)


@effect("signature_code")
def send_code(event: OutboxEvent) -> None:
    """Queues the email with the code `code_id` of `signer_id`. A link's own limit counts it, and no quota."""
    signer = _signer(event.payload["signer_id"])
    if signer and signer["status"] in ("sent", "completed") and signer["signer_status"] in ("sent", "viewed", "signed"):
        _queue(event, signer, "code", event.key, code_id=event.payload["code_id"])


@effect("seal_documents", outside=True)
def seal(event: OutboxEvent) -> None:
    """Seals `request_id`; leaves one of a Word file to the queue of conversions."""
    id = event.payload["request_id"]
    with event.separate():
        request = _signed(id)
        if request and request["layout"].get("word_file_ids"):
            emit("seal_conversions", f"{id}:{event.id}", event.payload, once=True)
            return
    seal_now(event)


@effect("seal_conversions", outside=True)
def seal_now(event: OutboxEvent) -> None:
    """Completes `request_id`, and executes its contract if no line is left; renders and seals without locks."""
    id = event.payload["request_id"]
    try:
        with event.separate():
            request = _signed(id)
            if request is None:
                return
            given = _envelope(request)
            unsealed = sealing.prepare(event.settings, given, request["content"], request["layout"])
        left = paper.lines(request["content"]) - {one.party for one in given.signatures}
        executes = left <= {*request["complete_without"]}
        content = unsealed.seal()
        chaos_point("document_sealed")
        with event.separate():
            _complete(id, unsealed, content, executes)
    except documents.TooComplex as error:
        raise Refused(str(error)) from None
    except (Unusable, files.StorageFull) as error:
        with event.separate():
            _show_failure(event, NO_SEAL if isinstance(error, Unusable) else error.detail or error.title)
        raise


def _complete(id: int, unsealed: Unsealed, content: bytes, executes: bool) -> None:
    """Completes the request, unless it has ended; `executes`: it is the last one that the contract needs."""
    request = _signed(id)
    if request is None:
        return
    file_id = files.store(io.BytesIO(content), f"{request['contract_number']}-signed.pdf", PDF)
    # First, because an open request locks its contract.
    queries.signature_complete(request_id=id, file_id=file_id, seal=dumps(unsealed.facts).decode())
    if executes:
        queries.contract_execute(id=request["contract_id"], file_id=file_id, warnings="[]")
    chaos_point("contract_executed")
    queries.signature_event_insert(request_id=id, signer_id=None, event="completed")
    emit("signature_ended", id, {"request_id": id})


def _signed(request_id: int) -> Row | None:
    """The locked request, or None unless it waits for its seal; raises Refused if the contract was changed."""
    request = queries.signature_seal_lock(request_id=request_id)
    if request is not None and not request["intact"]:
        raise Refused("The stored contract is not the one that was signed.")
    return request


def _envelope(request: Row) -> envelope.Envelope:
    id, printed = request["request_id"], signatures.printed(request["content"])
    return envelope.Envelope(
        **{field.name: request[field.name] for field in fields(envelope.Envelope) if field.name in request},
        contract_language=request["layout"].get("language") or "en",
        direction=request["layout"].get("direction") or "ltr",
        signatures=tuple(
            envelope.Signature(**row, is_printed=paper.prints(printed.get(f"{row['party']}-name", []), row["name"]))
            for row in queries.signature_signed(request_id=id)
        ),
        events=tuple(envelope.SignatureEvent(**row) for row in queries.signature_told(request_id=id)),
    )


@seal_now.gives_up
@seal.gives_up
def retry_sealing(event: OutboxEvent, error: str) -> None:
    """Retries, except after a permanent failure."""
    log.error("sealing_given_up", **event.payload, error=error)
    _show_failure(event, NO_SEAL if error == UNEXPECTED else error)
    if error == UNEXPECTED:
        emit("seal_documents", f"{event.payload['request_id']}:{event.id}", event.payload)


def _show_failure(event: OutboxEvent, error: str) -> None:
    """Stores the error with the request, and notifies the rep and the administrators once."""
    id = event.payload["request_id"]
    if queries.signature_seal_failed(request_id=id, error=error):
        ending = queries.signature_ending(request_id=id)
        if ending:
            _notify(event, ending, "seal_failed")
            _notify(event, {**ending, "created_by": None, "contract_created_by": None}, "seal_failed")


@effect("signature_ended")
def notify_of_end(event: OutboxEvent) -> None:
    """Notifies the signers of `request_id`, except of an expiry, and the rep, except of a cancellation."""
    ending = queries.signature_ending(request_id=event.payload["request_id"])
    if ending is None:
        return
    if ending["status"] != "expired":
        part = "completed" if ending["status"] == "completed" else "ended"
        for signer_id in ending["signers"]:
            signer = _signer(signer_id)
            if signer:
                _queue(event, signer, part, f"{event.key}:signer:{signer_id}")
    if ending["status"] == "completed":
        _send_copies(event, ending)
    if ending["status"] != "cancelled":
        partly = ending["status"] == "completed" and not ending["executed"]
        _notify(event, ending, "signing_partly" if partly else f"signing_{ending['status']}")


def _send_copies(event: OutboxEvent, ending: Row) -> None:
    """Queues emails with the sealed PDF, in the words of the first signer's, to the addresses of `cc`."""
    signer = ending["cc"] and _signer(ending["signers"][0])
    if not signer:
        return
    content = files.read(ending["sealed_file_id"])
    if len(content) > mail.MAX_ATTACHMENT:
        log.warning("copy_too_large", request_id=ending["request_id"], size=len(content))
        return
    for number, address in enumerate(ending["cc"]):
        key = f"{event.key}:copy:{number}"
        _queue(event, {**signer, "name": "", "email": address}, "copy", key, attachment=content)


@effect("signature_undelivered")
def notify_of_refusal(event: OutboxEvent) -> None:
    """Notifies the rep that an email to a signer of `request_id` was not delivered."""
    request = queries.signature_ending(request_id=event.payload["request_id"])
    if request:
        _notify(event, request, "signing_undelivered")


def _signer(id: int) -> Row | None:
    return queries.signature_email(signer_id=id, copy_days=COPY_DAYS)


def _notify(event: OutboxEvent, ending: Row, kind: str) -> None:
    ids = {name: ending[name] for name in ("contract_id", "request_id")}
    url = f"{event.settings.people_url}/contracts/{ending['contract_id']}"
    people = {"assigned_to": ending["created_by"], "created_by": ending["contract_created_by"]}
    # No names of signers: an erasure does not search here.
    notify(event, kind, {"contract": ending["contract"]}, {**ids, "url": url}, **people)


def _queue(event: OutboxEvent, signer: Row, part: str, effect_key: str, **options: Any) -> None:
    """Queues the email `part` (a `signer_part`) of a `signature_email` row."""
    mail.queue(
        event.settings,
        letter(signer, part, event.settings.public_url),
        to_email=signer["email"],
        to_name=texts.as_name(signer["name"]),
        effect_key=effect_key,
        from_name=signer["organization"],
        reply_to_email=signer["rep_email"],
        signer_id=signer["id"],
        signer_part=part,
        **options,
    )


def letter(signer: Row, part: str, public_url: str) -> mail.Letter:
    """The Letter; mail.TOKEN stands for the token, or for the code."""
    language, asks = language_of(signer["language"]), part in ("sign", "reminder")
    local = signer["expires_local"] if asks else signer["copy_until_local"]
    expires = local and moment(local, signer["time_zone"], signer["language"], signer["region"])
    kind = signer["status"] if part == "ended" else part
    words = texts.signing(language, kind, signer, expires)
    return render(
        "invite" if asks else "signing",
        language,
        branding_of(signer, public_url),
        signer["organization"],
        words,
        note=signer["message"] if asks else None,
        url=f"{public_url}/sign/{mail.TOKEN}" if asks or part == "completed" else None,
        stop_url=None,
        code=mail.TOKEN if part == "code" else None,
        preheader=words.get("preheader", words["opening"]),
    )
