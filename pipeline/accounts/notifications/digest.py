"""Beyond SINGLE_EMAILS in an hour, one digest lists the other leads.

The hour starts with an email; its locked row ensures one email for each notification.
"""

from datetime import datetime

from pipeline.accounts.notifications import message
from pipeline.database import not_none, queries
from pipeline.database.effects import OutboxEvent, emit
from pipeline.http.signed_links import notice_url
from pipeline.mail import texts
from pipeline.mail.languages import language_of

EVENT = "lead_digest"
SINGLE_EMAILS = 20


def add_to_digest(notification_id: int, user_id: int) -> bool:
    """Adds a notification to the digest, if it belongs there."""
    hour = not_none(queries.mail_hour_spend(user_id=user_id))
    if hour["used"] <= SINGLE_EMAILS:
        return False
    ends_at = hour["ends_at"].isoformat()
    queries.notification_gather(id=notification_id, digest_at=hour["ends_at"])
    payload = {"user_id": user_id, "ends_at": ends_at}
    emit(EVENT, f"{user_id}:{ends_at}", payload, once=True, due_at=hour["ends_at"])
    return True


def send(event: OutboxEvent) -> None:
    """Queues a digest, unless the seat is inactive or takes no such emails."""
    person = {"user_id": event.payload["user_id"]}
    ends_at = datetime.fromisoformat(event.payload["ends_at"])
    # Closes this digest, even early.
    queries.mail_hour_end(**person, ends_at=ends_at)
    found = queries.notification_digest(**person, digest_at=ends_at)
    if not found:
        return
    letterhead = not_none(queries.organization_letterhead())
    words = texts.lead_digest(language_of(letterhead["locale"]), [(row["interview"], row["leads"]) for row in found])
    url = _url(event, found[0]["notification_id"], person["user_id"])
    message.send(event, letterhead, words, url, {**found[0], **person}, event.key, "leads")


def _url(event: OutboxEvent, notification_id: int, user_id: int) -> str | None:
    """The application's leads, else the digest's page."""
    settings = event.settings
    if settings.app_url:
        return f"{settings.people_url}/leads"
    return notice_url(settings, event.organization_id, notification_id, user_id)
