"""Digests: beyond a number of captured leads in an hour a person gets one email for the rest of them, at its end.

A person's hour begins with an email that is sent when none runs. Its row is locked from counting to committing, and by
the digest before it looks, so that each notification is told by exactly one email: by its own, by this hour's digest,
or by one of the next hour.
"""

from datetime import datetime

from pipeline.database import dumps, queries, sure
from pipeline.database.effects import Event
from pipeline.mail import texts
from pipeline.mail.languages import language_of
from pipeline.notifications import message

EVENT = "lead_digest"
SINGLE_EMAILS = 20


def takes(notification_id: int, user_id: int) -> bool:
    """Whether a new notification of a user's goes into a digest; then it is noted, and the digest is due."""
    hour = sure(queries.mail_hour_spend(user_id=user_id))
    if hour["used"] <= SINGLE_EMAILS:
        return False
    ends_at = hour["ends_at"].isoformat()
    queries.notification_gather(id=notification_id, digest_at=hour["ends_at"])
    payload = {"user_id": user_id, "ends_at": ends_at}
    queries.notification_digest_insert(
        event=EVENT, key=f"{EVENT}:{user_id}:{ends_at}", payload=dumps(payload).decode(), due_at=hour["ends_at"]
    )
    return True


def send(event: Event, url: str | None) -> None:
    """Queue the email of a digest that leads to `url`, if any; none to somebody whose seat is no longer active."""
    person = {"user_id": event.payload["user_id"]}
    ends_at = datetime.fromisoformat(event.payload["ends_at"])
    # From here on no notification is added to this digest, even when it is sent before its hour ends.
    queries.mail_hour_end(**person, ends_at=ends_at)
    found = queries.notification_digest(**person, digest_at=ends_at)
    if not found:
        return
    letterhead = sure(queries.organization_letterhead())
    words = texts.lead_digest(language_of(letterhead["locale"]), [(row["interview"], row["leads"]) for row in found])
    message.send(event, letterhead, words, url, found[0], event.key)
