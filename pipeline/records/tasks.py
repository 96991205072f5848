"""What the worker does about seats that are offered."""

from pipeline import mail
from pipeline.accounts.links import new_token, token_hash
from pipeline.database import queries
from pipeline.effects import effect
from pipeline.mail.rendering import branding_of, render
from pipeline.mail.words import as_name, invitation, words_for


@effect("seat_invitation")
def send_invitation(event):
    """Queue the email `number` of the invitation of `user_id` of the payload, unless it is withdrawn, answered, or
    sent again meanwhile.

    The link's token is made here, so that no row of the outbox holds it, and the link lives from now on.
    """
    token = new_token()
    row = queries.invitation_link(**event.payload, token_hash=token_hash(token))
    if row is None:
        return
    subject, text, html = invitation_email(row, token, event.settings.public_url)
    mail.queue(
        event.settings,
        to_email=row["email"],
        to_name=as_name(row["name"]),
        subject=subject,
        text=text,
        html=html,
        effect_key=event.key,
        from_name=row["organization"],
        reply_to_email=row["inviter_email"],
    )


def invitation_email(row, token, public_url):
    """(subject, text, html) of the email for an `invitation_link` row."""
    words = words_for(row["locale"])
    texts = invitation(words, row["organization"], row["name"], row["inviter_name"], row["inviter_email"])
    text, html = render(
        "link",
        branding_of(row, public_url),
        language=words.language,
        direction=words.direction,
        organization=row["organization"],
        url=f"{public_url}/forms/activate/{token}?lang={words.language}",
        texts=texts,
        title=texts["heading"],
        preheader=texts["request"],
        footer=texts["footer"],
    )
    return texts["subject"], text, html
