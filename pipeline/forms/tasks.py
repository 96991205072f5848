"""Emails the prospect's copy of the answers."""

import structlog

from pipeline import documents, mail
from pipeline.database import Row, queries
from pipeline.database.effects import OutboxEvent, Refused, effect
from pipeline.forms.answers import paper
from pipeline.mail import texts
from pipeline.mail.languages import language_of
from pipeline.mail.rendering import branding_of, render

log = structlog.get_logger(__name__)


@effect("copy_documents")
def send_copy(event: OutboxEvent) -> None:
    """Queues the PDF of invite `invite_id` in `language`. It renders before the quota takes a lock."""
    copy = paper.copy(event.payload["invite_id"], event.payload["language"])
    if copy is None:
        return
    if copy.to_email is None:
        _refuse(event, "The answers and the invite have no email address.")
        return
    mail.check_asked(event.settings.mail_quota, copy.to_email)
    try:
        attachment = documents.render(documents.PDF, copy.document)
    except documents.TooComplex as error:
        raise Refused(str(error)) from None
    mail.spend_asked(event.settings.mail_quota, copy.to_email)
    mail.queue(
        event.settings,
        copy_email(copy.about, event.settings.public_url),
        to_email=copy.to_email,
        to_name=None,
        effect_key=event.key,
        from_name=copy.about["organization_name"],
        lead_id=copy.about["lead_id"],
        invite_id=event.payload["invite_id"],
        invite_part="copy",
        attachment=attachment,
    )


def copy_email(about: Row, public_url: str) -> mail.Letter:
    """The Letter of a printed `form_answers_about` row."""
    language = language_of(about["locale"])
    words = texts.copy(language, about["organization_name"], about["interview"])
    return render(
        "copy", language, branding_of(about, public_url), about["organization_name"], words, preheader=words["opening"]
    )


@send_copy.gives_up
def note_failure(event: OutboxEvent, error: str) -> None:
    _refuse(event, error)
    log.warning("copy_given_up", **event.payload, error=error)


def _refuse(event: OutboxEvent, reason: str) -> None:
    """Stores the reason for the rep: the address may be a stranger's."""
    queries.interview_copy_refused(id=event.payload["invite_id"], error=reason)
