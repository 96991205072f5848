"""What the worker does about invites."""

from pipeline import mail
from pipeline.database import queries
from pipeline.effects import effect
from pipeline.mail import texts
from pipeline.mail.languages import language_of, moment
from pipeline.mail.rendering import branding_of, render


@effect("invite_email")
def send_invite(event):
    """Queue the email of the invite `invite_id` of the payload, unless nobody could answer it any more."""
    invite = queries.interview_invite_email(id=event.payload["invite_id"])
    if invite is None:
        return
    if not invite["answerable"]:
        not_mailed(invite["id"], "skipped", texts.STALE)
        return
    subject, text, html = invite_email(invite, event.settings.public_url)
    mail.queue(
        event.settings,
        to_email=invite["recipient_email"],
        to_name=invite["recipient_name"],
        subject=subject,
        text=text,
        html=html,
        effect_key=event.key,
        from_name=invite["organization"],
        reply_to_email=invite["rep_email"],
        lead_id=invite["lead_id"],
        invite_id=invite["id"],
    )


@send_invite.gives_up
def show_failure(event, error):
    """Show on the invite that its email could not even be written."""
    not_mailed(event.payload["invite_id"], "failed", error)


def not_mailed(id, status, reason):
    """Keep on the invite why it has no email."""
    queries.interview_invite_not_mailed(id=id, email_status=status, email_error=reason)


def invite_email(invite, public_url):
    """(subject, text, html) of the email for an `interview_invite_email` row, in the language of the invite, else in
    that of its template.
    """
    language = language_of(invite["language"])
    words = texts.invite(
        language,
        invite["organization"],
        invite["interview"],
        invite["recipient_name"],
        invite["rep_name"],
        moment(invite["expires_local"], invite["time_zone"], invite["language"]),
    )
    text, html = render(
        "invite",
        language,
        branding_of(invite, public_url),
        organization=invite["organization"],
        note=invite["personal_note"],
        url=f"{public_url}/forms/interview/{invite['token']}",
        texts=words,
        title=words["subject"],
        preheader=words["preheader"],
        footer=words["footer"],
    )
    return words["subject"], text, html
