"""What the worker does for prospects: it sends them the copy of their answers that they have asked for."""

import structlog

from pipeline import documents, mail
from pipeline.database import queries
from pipeline.database.effects import Refused, effect
from pipeline.forms import paper
from pipeline.mail import texts
from pipeline.mail.languages import language_of
from pipeline.mail.rendering import branding_of, render

log = structlog.get_logger(__name__)


@effect("copy_documents")
def send_copy(event):
    """Queue the email with a PDF of the answers of the invite `invite_id` of the payload, to its prospect, in the
    `language` of the payload.

    It is counted after it is printed: until then the transaction locks nothing, and holds back nobody's changes.
    """
    copy = paper.copy(event.payload["invite_id"], event.payload["language"])
    if copy is None:
        return
    if copy.to_email is None:
        _refuse(event, "No address is known to which it could be sent.")
        return
    mail.check_asked(event.settings.mail_quota, copy.to_email)
    try:
        attachment = documents.render(documents.PDF, copy.document)
    except documents.TooComplex as error:
        raise Refused(str(error)) from None
    mail.spend_asked(event.settings.mail_quota, copy.to_email)
    about = copy.about
    language = language_of(about["locale"])
    words = texts.copy(language, about["organization_name"], about["interview"])
    text, html = render(
        "copy",
        language,
        branding_of(about, event.settings.public_url),
        organization=about["organization_name"],
        texts=words,
        title=words["subject"],
        preheader=words["opening"],
        footer=words["footer"],
    )
    mail.queue(
        event.settings,
        to_email=copy.to_email,
        to_name=None,
        subject=words["subject"],
        text=text,
        html=html,
        effect_key=event.key,
        from_name=about["organization_name"],
        lead_id=about["lead_id"],
        invite_id=event.payload["invite_id"],
        invite_part="copy",
        attachment=attachment,
    )


@send_copy.gives_up
def note_failure(event, error):
    """Tell the rep and the log."""
    _refuse(event, error)
    log.warning("copy_given_up", **event.payload, error=error)


def _refuse(event, reason):
    """Show the rep, beside the answers, why there is no copy. No page tells it: the address may be a stranger's."""
    queries.interview_copy_refused(id=event.payload["invite_id"], error=reason)
