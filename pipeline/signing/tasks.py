"""Background jobs of signature requests."""

import io
from dataclasses import fields

import structlog

from pipeline import documents, files, mail
from pipeline.accounts.notifications.tasks import notify
from pipeline.database import Row, dumps, queries
from pipeline.database.effects import UNEXPECTED, Event, Refused, effect, emit
from pipeline.database.execution import chaos_point
from pipeline.files.content import PDF
from pipeline.mail import texts
from pipeline.mail.languages import language_of, moment
from pipeline.mail.quota import ASKED
from pipeline.mail.rendering import branding_of, render
from pipeline.signing import envelope, sealing
from pipeline.signing.access import COPY_DAYS
from pipeline.signing.requests import call_signers
from pipeline.signing.sealing import Unsealed, Unusable

# The error itself names settings and paths.
NO_SEAL = "The service cannot seal at the moment. It tries again by itself."

log = structlog.get_logger(__name__)


@effect("signature_email")
def send_link(event: Event) -> None:
    """Queues the email with the link of `signer_id`, unless the signer can no longer sign."""
    signer = _signer(event.payload["signer_id"])
    if signer and signer["status"] == "sent" and signer["signer_status"] in ("sent", "viewed"):
        _queue(event, signer, event.payload["part"], event.key)


@effect("signature_turn")
def send_to_next(event: Event) -> None:
    """Lets the next signers of `request_id` sign; above the quota, tomorrow."""
    for _signer in call_signers(event.payload["request_id"]):
        mail.count_email(event.settings.mail_quota)


@effect("signature_code")
def send_code(event: Event) -> None:
    """Queues the email with the code `code_id` of `signer_id`."""
    signer = _signer(event.payload["signer_id"])
    if signer and signer["status"] in ("sent", "completed") and signer["signer_status"] in ("sent", "viewed", "signed"):
        mail.count_email(event.settings.mail_quota, ASKED)
        queries.signature_event_insert(request_id=signer["request_id"], signer_id=signer["id"], event="code_sent")
        _queue(event, signer, "code", event.key, event.payload["code_id"])


@effect("seal_documents")
def seal(event: Event) -> None:
    """Executes the contract of `request_id`; renders and seals without locks."""
    id = event.payload["request_id"]
    try:
        with event.separate():
            request = _signed(id)
            if request is None:
                return
            unsealed = sealing.prepare(event.settings, _envelope(request), request["content"], request["layout"])
        content = unsealed.seal()
        chaos_point("document_sealed")
        with event.separate():
            _complete(id, unsealed, content)
    except documents.TooComplex as error:
        raise Refused(str(error)) from None
    except (Unusable, files.StorageFull) as error:
        with event.separate():
            _show_failure(event, NO_SEAL if isinstance(error, Unusable) else error.detail or error.title)
        raise


def _complete(id: int, unsealed: Unsealed, content: bytes) -> None:
    """Completes the request, unless it has ended."""
    request = _signed(id)
    if request is None:
        return
    file_id = files.store(io.BytesIO(content), f"{request['contract_number']}-signed.pdf", PDF)
    # First, because an open request locks its contract.
    queries.signature_complete(request_id=id, file_id=file_id, seal=dumps(unsealed.facts).decode())
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
    id = request["request_id"]
    return envelope.Envelope(
        **{field.name: request[field.name] for field in fields(envelope.Envelope) if field.name in request},
        direction=request["layout"].get("direction") or "ltr",
        signatures=tuple(envelope.Signature(**row) for row in queries.signature_signed(request_id=id)),
        events=tuple(envelope.Event(**row) for row in queries.signature_told(request_id=id)),
    )


@seal.gives_up
def retry_sealing(event: Event, error: str) -> None:
    """Retries, except after a permanent failure."""
    log.error("sealing_given_up", **event.payload, error=error)
    _show_failure(event, NO_SEAL if error == UNEXPECTED else error)
    if error == UNEXPECTED:
        emit("seal_documents", f"{event.payload['request_id']}:{event.id}", event.payload)


def _show_failure(event: Event, error: str) -> None:
    """Stores the error with the request, and notifies the rep and the administrators once."""
    id = event.payload["request_id"]
    if queries.signature_seal_failed(request_id=id, error=error):
        ending = queries.signature_ending(request_id=id)
        if ending:
            _notify(event, ending, "seal_failed")
            _notify(event, {**ending, "created_by": None, "contract_created_by": None}, "seal_failed")


@effect("signature_ended")
def notify_of_end(event: Event) -> None:
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
    if ending["status"] != "cancelled":
        _notify(event, ending, f"signing_{ending['status']}")


def _signer(id: int) -> Row | None:
    return queries.signature_email(signer_id=id, copy_days=COPY_DAYS)


def _notify(event: Event, ending: Row, kind: str) -> None:
    ids = {name: ending[name] for name in ("contract_id", "request_id")}
    url = f"{event.settings.people_url}/contracts/{ending['contract_id']}"
    people = {"assigned_to": ending["created_by"], "created_by": ending["contract_created_by"]}
    # No names of signers: an erasure does not search here.
    notify(event, kind, {"contract": ending["contract"]}, {**ids, "url": url}, **people)


def _queue(event: Event, signer: Row, part: str, effect_key: str, code_id: int | None = None) -> None:
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
        code_id=code_id,
    )


def letter(signer: Row, part: str, public_url: str) -> mail.Letter:
    """The Letter; mail.TOKEN stands for the token, or for the code."""
    language, asks = language_of(signer["language"]), part in ("sign", "reminder")
    local = signer["expires_local"] if asks else signer["copy_until_local"]
    expires = local and moment(local, signer["time_zone"], signer["language"])
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
