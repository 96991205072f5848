"""Sends emails. A transaction commits each state before the next step, none is open beside (docs/mail.md)."""

import contextlib
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg
import structlog

from pipeline.database import Row, queries
from pipeline.database.effects import OutboxEvent, Refused, UnderWay, effect, emit
from pipeline.database.execution import chaos_point
from pipeline.mail.addresses import one_line
from pipeline.mail.message import compose
from pipeline.mail.outgoing import TOKEN
from pipeline.mail.sealing import opened, sealed
from pipeline.mail.smtp import NotSent, OwnFault, Unanswered, connection, own_name, server_of
from pipeline.mail.texts import BOUNCED, MAYBE_SENT, NEEDLESS, STALE
from pipeline.process.metrics import mails, series
from pipeline.process.tracing import CLIENT, span

MAX_REASON = 1000
# The event that an email to a signer is, once the mail server has taken it.
SIGNER_EVENTS = {"sign": "sent", "reminder": "reminded", "code": "code_sent", "completed": None}

log = structlog.get_logger(__name__)


@effect("email", outside=True)
def send_email(event: OutboxEvent) -> None:
    """Sends the email `email_id`. Raises NotSent, Unanswered or UnderWay for a retry, Refused for none."""
    try:
        process_email(event)
    except Stale:
        with event.separate():
            settle(event.payload["email_id"], "skipped", STALE)
    except (NotSent, Unanswered, UnderWay) as error:
        # Users read this text, without the class name.
        raise Refused(str(error)) if event.last_try else error from None


def process_email(event: OutboxEvent) -> None:
    """Acts on the email's state."""
    # A sender that takes longer has died.
    patience = 2 * event.settings.mail_timeout
    with event.separate():
        email = queries.email_get(id=event.payload["email_id"], patience=patience)
    if email is None or email["status"] not in ("queued", "sending"):
        return
    if email["transmitting"]:
        raise Refused(MAYBE_SENT) if email["abandoned"] else UnderWay("The mail server has not answered yet.")
    if email["stale"] and email["unanswered"]:
        raise Refused(MAYBE_SENT)
    if email["stale"]:
        with event.separate():
            settle(email["id"], "skipped", NEEDLESS if email["invite_part"] == "reminder" else STALE)
    elif event.settings.mail_transport == "log":
        log.info("email kept, not sent", email_id=email["id"], to=email["to_email"], subject=email["subject"])
        if has_secret(email):
            # In development only this line shows the link.
            log.info("secret link", email_id=email["id"], text=with_secret(event, email)["body_text"])
        with event.separate():
            settle(email["id"], "skipped")
    else:
        deliver(event, email)


@send_email.gives_up
def give_up(event: OutboxEvent, error: str) -> None:
    """Stores the error on email and invite."""
    email = queries.email_get(id=event.payload["email_id"], patience=0)
    if email and (email["transmitting"] or email["unanswered"]) and error != MAYBE_SENT:
        error = f"{MAYBE_SENT} Last error: {error}"
    settle(event.payload["email_id"], "failed", error)


def settle(id: int, status: str, error: str | None = None, sent_at: datetime | None = None) -> None:
    """Stores the result of an email with its invite or signer."""
    email = queries.email_settle(id=id, status=status, error=error, sent_at=sent_at)
    if email:
        settle_recipient(id, email, status, error, sent_at)
    series(mails, status).inc()


def settle_recipient(id: int, email: Row, status: str, error: str | None, sent_at: datetime | None = None) -> None:
    """Stores the result with the invite or signer; a failure notifies the rep."""
    if email["invite_id"]:
        given = {name: email[name] for name in ("invite_id", "invite_part")}
        queries.email_settle_invite(**given, status=status, error=error, sent_at=sent_at)
    if email["invite_part"] == "invite" and status == "failed":
        emit("invite_undelivered", id, {"invite_id": email["invite_id"]})
    if email["signer_part"] in SIGNER_EVENTS:
        settle_signer(id, email, status, error)


@effect("email_bounced")
def note_bounce(event: OutboxEvent) -> None:
    """Stores that the accepted email `message_id` came back with a `reason`."""
    error = BOUNCED.format(one_line(event.payload["reason"], MAX_REASON))
    email = queries.email_bounce(message_id=event.payload["message_id"], error=error)
    if email:
        # A reminder has the address of the invite.
        part = "invite" if email["invite_part"] == "reminder" else email["invite_part"]
        settle_recipient(email["id"], {**email, "invite_part": part}, "failed", error)
        series(mails, "bounced").inc()


def settle_signer(id: int, email: Row, status: str, error: str | None) -> None:
    """Stores the result with the signer; the event if the mail server took the email, a notification if not."""
    given = {name: email[name] for name in ("signer_id", "to_email")}
    signer = queries.email_settle_signer(**given, status=status, error=error)
    event = SIGNER_EVENTS[email["signer_part"]]
    if signer and status == "sent" and event:
        queries.signature_event_insert(request_id=signer["request_id"], signer_id=email["signer_id"], event=event)
    if signer and status == "failed":
        emit("signature_undelivered", id, {"request_id": signer["request_id"]})


def settle_sent(email: Row, sent_at: datetime) -> None:
    """Stores the acceptance; the reminders of the invite or the signer start here."""
    settle(email["id"], "sent", sent_at=sent_at)
    if email["reminders"]:
        queries.email_remind(id=email["id"], days=email["reminders"])


def has_secret(email: Row) -> bool:
    """Whether a new token or code replaces TOKEN."""
    return email["link_id"] is not None or email["signer_part"] not in (None, "copy", "ended")


class Stale(Exception):
    """The email's link or code became invalid while it was offered."""


def with_secret(event: OutboxEvent, email: Row) -> Row:
    """The email with its token or code, committed; raises Stale, or Refused for one that cannot be repeated.

    A mailbox shows one of two emails with the same Message-ID, so a repeated one has the same secret.
    """
    secret = opened(event.settings, email["sealed_secret"]) if email["unanswered"] else _issued(event, email)
    if secret is None:
        raise Refused(MAYBE_SENT)
    return {**email, **{part: email[part].replace(TOKEN, secret) for part in ("body_text", "body_html")}}


def _issued(event: OutboxEvent, email: Row) -> str:
    """A new secret; raises Stale."""
    with event.separate():
        # A correction of the signer ends the links before it; the next statement sees it.
        queries.email_signer_lock(id=email["signer_id"])
        secret = queries.email_secret_issue(id=email["id"])
        if secret is None:
            raise Stale
        queries.email_secret_keep(id=email["id"], sealed_secret=sealed(event.settings, secret))
    return str(secret)


def deliver(event: OutboxEvent, email: Row) -> None:
    """Claims and sends the email, stores the reply."""
    try:
        message = compose(email)
    except ValueError as error:
        raise Refused(str(error)) from None
    server = server_of(event.settings.smtp_url)
    helo = own_name(event.settings.mail_helo, event.settings.public_url)
    with event.separate():
        claim = queries.email_claim(id=email["id"])
    if claim is None:
        raise UnderWay("The email was taken by another process.")
    chaos_point("claimed")
    with span("smtp", CLIENT), contextlib.ExitStack() as closing:
        try:
            dialogue = closing.enter_context(connection(server, event.settings.mail_timeout, helo))
            dialogue.offer(message)
            if has_secret(email):
                message = compose(with_secret(event, email))
            note_transmission(event, email, claim)
            dialogue.transmit(message)
        except Unanswered as error:
            release(event, email, claim, error, unanswered=True)
            # A second resend is not worth a duplicate.
            raise Refused(MAYBE_SENT) if email["unanswered"] else error from None
        except (NotSent, Refused, UnderWay, psycopg.Error) as error:
            if isinstance(error, OwnFault):
                # Operators are alerted (docs/monitoring.md).
                series(mails, "own_fault").inc()
                log.error("mail server refuses this installation", email_id=email["id"], error=str(error))
            release(event, email, claim, error)
            raise
        sent_at = datetime.now(UTC)
        chaos_point("after_250")
        # The email stays sent even if closing the event fails.
        persist(event, lambda: settle_sent(email, sent_at))
        chaos_point("sent")


def note_transmission(event: OutboxEvent, email: Row, claim: int) -> None:
    """Commits the start of the transmission."""
    with event.separate():
        if not queries.email_transmitting(id=email["id"], claim=claim):
            raise UnderWay("The email was taken over by another process.")
    chaos_point("before_content")


def release(event: OutboxEvent, email: Row, claim: int, error: Exception, unanswered: bool = False) -> None:
    """Returns the email for a retry."""
    persist(event, lambda: queries.email_release(id=email["id"], claim=claim, error=str(error), unanswered=unanswered))


def persist(event: OutboxEvent, write: Callable[[], object]) -> None:
    """Runs `write()` in a separate transaction; retries until the database is available."""
    pause = 0.1
    while True:
        try:
            with event.separate():
                write()
                return
        except (psycopg.OperationalError, psycopg.InternalError) as error:  # down, or read-only after a failover
            log.warning("email state not recorded yet", outbox_id=event.id, error=str(error))
        time.sleep(pause * (1 + random.random()) / 2)
        pause = min(2 * pause, 2.0)
