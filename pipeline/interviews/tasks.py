"""Background jobs for invite emails and reminders."""

from typing import Any

import structlog

from pipeline import mail
from pipeline.database import Row, queries
from pipeline.database.effects import OutboxEvent, effect
from pipeline.mail import texts
from pipeline.mail.languages import language_of, moment
from pipeline.mail.rendering import branding_of, render

log = structlog.get_logger(__name__)


@effect("invite_email")
def send_invite(event: OutboxEvent) -> None:
    """Queues an invite's email, unless the invite takes no answers."""
    invite = queries.interview_invite_email(id=event.payload["invite_id"])
    if invite is None:
        return
    if not invite["answerable"]:
        queries.interview_invite_not_mailed(id=invite["id"], email_status="skipped", email_error=texts.STALE)
        return
    _queue(event, invite, invite_part="invite")


@send_invite.gives_up
def show_failure(event: OutboxEvent, error: str) -> None:
    """Stores the error on the invite."""
    queries.interview_invite_not_mailed(id=event.payload["invite_id"], email_status="failed", email_error=error)


@effect("invite_reminder")
def send_reminder(event: OutboxEvent) -> None:
    """Queues a reminder of an unanswered invite; above the quota, it waits until tomorrow."""
    invite = queries.interview_invite_email(id=event.payload["invite_id"])
    if invite is None or not invite["remindable"]:
        return
    mail.count_email(event.settings.mail_quota)
    language = language_of(invite["language"])
    stop_url = f"{form_url(invite, event.settings.public_url)}/reminders?lang={language}"
    _queue(event, {**invite, "personal_note": None}, stop_url, invite_part="reminder", unsubscribe_url=stop_url)


@send_reminder.gives_up
def note_failure(event: OutboxEvent, error: str) -> None:
    log.warning("reminder_given_up", **event.payload, error=error)


def _queue(event: OutboxEvent, invite: Row, stop_url: str | None = None, **options: Any) -> None:
    mail.queue(
        event.settings,
        invite_email(invite, event.settings.public_url, stop_url),
        to_email=invite["recipient_email"],
        to_name=invite["recipient_name"],
        effect_key=event.key,
        from_name=invite["organization"],
        reply_to_email=invite["rep_email"],
        lead_id=invite["lead_id"],
        invite_id=invite["id"],
        **options,
    )


def form_url(invite: Row, public_url: str) -> str:
    return f"{public_url}/forms/interview/{invite['token']}"


def invite_email(invite: Row, public_url: str, stop_url: str | None = None) -> mail.Letter:
    """Returns the Letter of an `interview_invite_email` row; with `stop_url`, a reminder."""
    language = language_of(invite["language"])
    instead = "continue" if invite["origin"] == "capture" else None
    words = texts.invite(
        language,
        invite["organization"],
        invite["interview"],
        invite["recipient_name"],
        invite["rep_name"],
        moment(invite["expires_local"], invite["time_zone"], invite["language"]),
        instead="reminder" if stop_url else instead,
    )
    return render(
        "invite",
        language,
        branding_of(invite, public_url),
        invite["organization"],
        words,
        note=invite["personal_note"],
        url=form_url(invite, public_url),
        stop_url=stop_url,
        preheader=words["preheader"],
    )
