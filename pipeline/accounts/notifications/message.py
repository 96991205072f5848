"""The email of a notification or digest."""

from collections.abc import Mapping
from typing import Any

from pipeline import mail
from pipeline.database import Row
from pipeline.database.effects import Event
from pipeline.mail.languages import WORDS, language_of
from pipeline.mail.rendering import branding_of, render


def send(
    event: Event,
    letterhead: Row,
    words: Mapping[str, Any],
    url: str | None,
    person: Row,
    effect_key: str,
    invite_id: int | None = None,
) -> None:
    """Queues an email of `words` (subject, body, lines, button) to `person` (email, name).

    invite_id: the invite that it names; an erasure of the prospect deletes the email.
    """
    language = language_of(letterhead["locale"])
    letter = render(
        "notification",
        language,
        branding_of(letterhead, event.settings.public_url),
        letterhead["organization"],
        words,
        url=url,
        preheader=words["body"],
        footer=WORDS[language]["seat"]["footer"].format(organization=letterhead["organization"]),
    )
    mail.queue(
        event.settings,
        letter,
        to_email=person["email"],
        to_name=person["name"],
        effect_key=effect_key,
        invite_id=invite_id,
        invite_part="notification" if invite_id else None,
    )
