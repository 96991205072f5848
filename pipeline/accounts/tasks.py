"""Emails account links."""

from pipeline import mail
from pipeline.database import not_none, queries
from pipeline.database.effects import OutboxEvent, effect
from pipeline.mail.languages import language_of
from pipeline.mail.rendering import branding_of, render
from pipeline.mail.texts import account_link, as_name

# Pages by kind of link.
PAGES = {"activate": "/forms/activate/", "reset": "/forms/reset/"}


@effect("account_link")
def send_link(event: OutboxEvent) -> None:
    """Queues the email of link `link_id`, if still valid."""
    link = queries.account_link_mail(id=event.payload["link_id"])
    if link is None or not link["good"]:
        return
    link |= not_none(queries.organization_letterhead())
    language, public_url = language_of(link["locale"]), event.settings.public_url
    words = account_link(link, language)
    letter = render(
        "account",
        language,
        branding_of(link, public_url),
        link["organization"],
        words,
        url=f"{public_url}{PAGES[link['kind']]}{mail.TOKEN}?lang={language}",
        preheader=words["opening"],
    )
    mail.queue(
        event.settings,
        letter,
        to_email=link["email"],
        to_name=as_name(link["name"]),
        effect_key=event.key,
        from_name=link["organization"],
        reply_to_email=link["inviter_email"],
        link_id=link["id"],
    )
