"""The email of a notification or digest."""

from collections.abc import Mapping
from typing import Any

from pipeline import mail
from pipeline.database import Row
from pipeline.database.effects import OutboxEvent
from pipeline.http.signed_links import emails_url
from pipeline.mail.languages import WORDS, language_of
from pipeline.mail.rendering import branding_of, render
from pipeline.mail.texts import filled


def send(
    event: OutboxEvent,
    letterhead: Row,
    words: Mapping[str, Any],
    url: str | None,
    person: Row,
    effect_key: str,
    kind: str,
    invite_id: int | None = None,
) -> None:
    """Queues an email of `words` (subject, body, lines, button) to `person` (user_id, email, name).

    kind: one of KINDS, which the person can turn off.
    invite_id: the invite that it names; an erasure of the prospect deletes the email.
    """
    language = language_of(letterhead["locale"])
    seat = filled(language, WORDS[language]["seat"], {"organization": letterhead["organization"]})
    stop_url = emails_url(event.settings, event.organization_id, person["user_id"], kind)
    letter = render(
        "notification",
        language,
        branding_of(letterhead, event.settings.public_url),
        letterhead["organization"],
        {**words, "stop": seat["stop"], "fallback": WORDS[language]["every"]["fallback"]},
        url=url,
        stop_url=stop_url,
        preheader=words["body"],
        footer=seat["footer"],
    )
    mail.queue(
        event.settings,
        letter,
        to_email=person["email"],
        to_name=person["name"],
        effect_key=effect_key,
        invite_id=invite_id,
        invite_part="notification" if invite_id else None,
        unsubscribe_url=stop_url,
    )
