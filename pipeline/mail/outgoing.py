"""Queues emails."""

import uuid
from typing import TypedDict, Unpack

from pipeline.database import queries
from pipeline.database.effects import emit
from pipeline.mail.addresses import MAX_NAME, MAX_SUBJECT, address, mailbox, one_line
from pipeline.mail.rendering import Letter
from pipeline.mail.smtp import server_of
from pipeline.mail.texts import unlinked
from pipeline.process.settings import Settings, SettingsError
from pipeline.validation import Values

# For development without MAIL_FROM.
NOBODY = "Pipeline <no-reply@pipeline.example>"
# Bytes.
MAX_ATTACHMENT = 16 * 1024 * 1024
# Placeholder for a link's token or a signer's code.
TOKEN = "0" * 64


class About(TypedDict, total=False):
    """The rows that an email belongs to, and further parts.

    `invite_part`: the invite's fields to update, `invite` or `reminder`. A new token of `link_id` or `signer_id`,
    or the code of `code_id`, replaces TOKEN.
    `attachment`: a PDF of at most MAX_ATTACHMENT. A POST to `unsubscribe_url` stops such emails.
    """

    lead_id: int | None
    invite_id: int | None
    invite_part: str | None
    link_id: int | None
    signer_id: int | None
    signer_part: str | None
    code_id: int | None
    unsubscribe_url: str | None
    attachment: bytes | None


def check(settings: Settings) -> None:
    """Raises SettingsError for invalid mail settings."""
    sender(settings)
    if settings.mail_transport == "smtp":
        server_of(settings.smtp_url)


def sender(settings: Settings) -> tuple[str, str]:
    """(name, address) of the sender; raises SettingsError."""
    given = settings.mail_from or (NOBODY if settings.mail_transport == "log" else "")
    if not given:
        raise SettingsError("Missing setting: set MAIL_FROM, the sender's address")
    try:
        return mailbox(given)
    except ValueError as error:
        raise SettingsError(f"Setting MAIL_FROM: {error}") from None


def queue(
    settings: Settings,
    letter: Letter,
    *,
    to_email: str,
    to_name: str | None,
    effect_key: str,
    from_name: str | None = None,
    reply_to_email: str | None = None,
    **about: Unpack[About],
) -> int | None:
    """Writes a Letter and its event in the current transaction (jobs login).

    reply_to_email: with `from_name`, the organization's email by default.
    Returns the email's id, None for a known `effect_key` (240 characters); raises SettingsError without a sender.
    """
    own_name, from_email = sender(settings)
    given: Values = {**dict.fromkeys(About.__annotations__), **about}
    id = queries.email_insert(
        effect_key=effect_key,
        # The organization precedes it, so that a bounce finds its email.
        random_id=f"{uuid.uuid4().hex}@{address(from_email).spec.rpartition('@')[2]}",
        from_email=from_email,
        from_name=one_line(unlinked(from_name), MAX_NAME) or own_name,
        to_email=to_email,
        to_name=one_line(to_name, MAX_NAME),
        # Users' own emails, without from_name, need no answer.
        reply_to_email=reply_to_email or (queries.organization_email() if from_name else None),
        subject=one_line(letter.subject, MAX_SUBJECT),
        body_text=letter.text,
        body_html=letter.html,
        **given,
    )
    if id is not None:
        emit("email", effect_key, {"email_id": id})
    return id
