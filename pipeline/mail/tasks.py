"""Sends emails. Separate transactions commit each state before the next step (docs/mail.md)."""

import contextlib
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg
import structlog

from pipeline.database import Row, queries
from pipeline.database.effects import Event, Refused, UnderWay, effect
from pipeline.database.execution import chaos_point
from pipeline.mail.message import compose
from pipeline.mail.outgoing import TOKEN
from pipeline.mail.smtp import NotSent, Unanswered, connection, server_of
from pipeline.mail.texts import MAYBE_SENT, NEEDLESS, STALE
from pipeline.process.metrics import mails, series
from pipeline.process.tracing import CLIENT, span

log = structlog.get_logger(__name__)


@effect("email")
def send_email(event: Event) -> None:
    """Sends the email `email_id`. Raises NotSent, Unanswered or UnderWay for a retry, Refused for none."""
    try:
        process_email(event)
    except Stale:
        settle(event.payload["email_id"], "skipped", STALE)
    except (NotSent, Unanswered, UnderWay) as error:
        # Users read this text, without the class name.
        raise Refused(str(error)) if event.last_try else error from None


def process_email(event: Event) -> None:
    """Acts on the email's state."""
    # A sender that takes longer has died.
    patience = 2 * event.settings.mail_timeout
    email = queries.email_get(id=event.payload["email_id"], patience=patience)
    if email is None or email["status"] not in ("queued", "sending"):
        return
    if email["transmitting"]:
        raise Refused(MAYBE_SENT) if email["abandoned"] else UnderWay("The mail server has not answered yet.")
    if email["stale"] and email["unanswered"]:
        raise Refused(MAYBE_SENT)
    if email["stale"]:
        settle(email["id"], "skipped", NEEDLESS if email["invite_part"] == "reminder" else STALE)
    elif event.settings.mail_transport == "log":
        log.info("email kept, not sent", email_id=email["id"], to=email["to_email"], subject=email["subject"])
        if has_secret(email):
            # In development only this line shows the link.
            log.info("secret link", email_id=email["id"], text=with_secret(event, email)["body_text"])
        settle(email["id"], "skipped")
    else:
        deliver(event, email)


@send_email.gives_up
def give_up(event: Event, error: str) -> None:
    """Stores the error on email and invite."""
    email = queries.email_get(id=event.payload["email_id"], patience=0)
    if email and (email["transmitting"] or email["unanswered"]) and error != MAYBE_SENT:
        error = f"{MAYBE_SENT} Last error: {error}"
    settle(event.payload["email_id"], "failed", error)


def settle(id: int, status: str, error: str | None = None, sent_at: datetime | None = None) -> None:
    queries.email_settle(id=id, status=status, error=error, sent_at=sent_at)
    series(mails, status).inc()


def settle_sent(email: Row, sent_at: datetime) -> None:
    """Stores the acceptance; the invite's reminders start here."""
    settle(email["id"], "sent", sent_at=sent_at)
    if email["reminders"]:
        queries.email_remind(id=email["id"])


def has_secret(email: Row) -> bool:
    """Whether a new token or code replaces TOKEN."""
    return email["link_id"] is not None or email["signer_part"] not in (None, "ended")


class Stale(Exception):
    """The email's link or code became invalid while it was offered."""


def with_secret(event: Event, email: Row) -> Row:
    """The email with a new token or code, committed; raises Stale."""
    with event.separate():
        secret = queries.email_secret_issue(id=email["id"])
    if secret is None:
        raise Stale
    changed = {part: email[part].replace(TOKEN, secret) for part in ("body_text", "body_html")}
    if email["unanswered"]:
        # Mailboxes show one of two emails with the same Message-ID, and the first one's secret is invalid now.
        changed["message_id"] = email["message_id"].replace("@", ".again@")
    return {**email, **changed}


def deliver(event: Event, email: Row) -> None:
    """Claims and sends the email, stores the reply."""
    try:
        message = compose(email)
    except ValueError as error:
        raise Refused(str(error)) from None
    server = server_of(event.settings.smtp_url)
    with event.separate():
        claim = queries.email_claim(id=email["id"])
    if claim is None:
        raise UnderWay("The email was taken by another process.")
    chaos_point("claimed")
    with span("smtp", CLIENT), contextlib.ExitStack() as closing:
        try:
            dialogue = closing.enter_context(connection(server, event.settings.mail_timeout))
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
            release(event, email, claim, error)
            raise
        sent_at = datetime.now(UTC)
        chaos_point("after_250")
        # The email stays sent even if closing the event fails.
        persist(event, lambda: settle_sent(email, sent_at))
        chaos_point("sent")


def note_transmission(event: Event, email: Row, claim: int) -> None:
    """Commits the start of the transmission."""
    with event.separate():
        if not queries.email_transmitting(id=email["id"], claim=claim):
            raise UnderWay("The email was taken over by another process.")
    chaos_point("before_content")


def release(event: Event, email: Row, claim: int, error: Exception, unanswered: bool = False) -> None:
    """Returns the email for a retry."""
    persist(event, lambda: queries.email_release(id=email["id"], claim=claim, error=str(error), unanswered=unanswered))


def persist(event: Event, write: Callable[[], object]) -> None:
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
