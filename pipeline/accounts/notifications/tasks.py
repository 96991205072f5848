"""Notifications and their emails. They hold links, never answers."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from pipeline.accounts.notifications import digest, message
from pipeline.database import Row, dumps, not_none, queries
from pipeline.database.effects import OutboxEvent, effect
from pipeline.http.signed_links import answers_url, notice_url
from pipeline.mail import texts
from pipeline.mail.addresses import MAX_NAME, one_line
from pipeline.mail.languages import language_of

# {first word of an event: what a person can turn off}.
KINDS = {
    "interview": "interviews",
    "invite": "interviews",
    "lead": "leads",
    "signature": "signatures",
    "seal": "signatures",
    "webhook": "webhooks",
}


@effect("interview_submitted")
def notify_of_interview(event: OutboxEvent) -> None:
    """Notifies the rep of the submitted invite `invite_id`."""
    _notify_of_invite(event, "submitted")


@effect("interview_link_asked")
def notify_of_link_request(event: OutboxEvent) -> None:
    """Notifies the rep that invite `invite_id` needs a new link."""
    _notify_of_invite(event, "link_asked")


@effect("invite_undelivered")
def notify_of_failed_invite(event: OutboxEvent) -> None:
    """Notifies the rep that the email of invite `invite_id` was refused or came back."""
    _notify_of_invite(event, "undelivered")


def _notify_of_invite(event: OutboxEvent, kind: str) -> None:
    interview = queries.notification_interview(invite_id=event.payload["invite_id"])
    if interview is None:
        return
    people = {name: interview.pop(name) for name in ("assigned_to", "created_by")}
    url = f"{event.settings.people_url}/interview-invites/{interview['invite_id']}/responses"
    names = {"prospect": interview["name"], "interview": interview["template_name"]}
    about = {"prospect": interview["name"], "lead": interview.pop("lead"), "flags": interview.pop("flags")}
    notify(event, kind, names, {**interview, "url": url}, about=about, **people)


@effect("lead_captured")
def notify_of_lead(event: OutboxEvent) -> None:
    """Notifies the rep of the captured lead `lead_id`."""
    lead = queries.notification_lead(lead_id=event.payload["lead_id"], template_id=event.payload["template_id"])
    if lead is None:
        return
    assigned_to = lead.pop("assigned_to")
    data = {
        **lead,
        "invite_id": event.payload.get("invite_id"),  # where the answers are read
        "url": f"{event.settings.people_url}/leads/{lead['lead_id']}",
    }
    names = {"lead": lead["name"], "company": lead["company"], "interview": lead["template_name"]}
    notify(event, "captured", names, data, assigned_to=assigned_to, gathering=True)


@effect(digest.EVENT)
def notify_of_digest(event: OutboxEvent) -> None:
    """Sends user `user_id` the digest for `ends_at`."""
    digest.send(event)


@effect("webhook_paused")
def notify_of_paused_webhook(event: OutboxEvent) -> None:
    """Notifies administrators of the paused webhook `webhook_id`."""
    webhook = queries.webhook_paused(id=event.payload["webhook_id"])
    if webhook is None:
        return
    place, reason = place_of(webhook["url"]), webhook["paused_reason"]
    data = {
        "webhook_id": webhook["id"],
        "host": urlsplit(webhook["url"]).hostname or "",
        "place": place,
        "reason": reason,
        "url": f"{event.settings.people_url}/webhooks/{webhook['id']}",
    }
    about = {"webhook": ", ".join(filter(None, (str(webhook["id"]), webhook["description"])))}
    notify(event, "paused", {"place": place}, data, about=about, cause=reason)


def place_of(url: str) -> str:
    """A URL's host and path, without query. Parts of the path above 12 characters are shortened: they may be secret."""
    parts = urlsplit(url)
    path = "/".join(part if len(part) <= 12 else f"{part[:4]}…{part[-2:]}" for part in parts.path.split("/"))
    return one_line(f"{parts.hostname or ''}{path.rstrip('/')}", MAX_NAME)


def notify(
    event: OutboxEvent,
    kind: str,
    names: Mapping[str, str | None],
    data: Row,
    about: Mapping[str, str | None] | None = None,
    assigned_to: int | None = None,
    created_by: int | None = None,
    gathering: bool = False,
    cause: str | None = None,
) -> None:
    """Notifies the person responsible, else all active administrators, once for each event.

    names: for the texts of `kind`; about: extra email lines; gathering: allows the digest; cause: selects the body.
    """
    letterhead = not_none(queries.organization_letterhead())
    language = language_of(letterhead["locale"])
    words = texts.notification(kind, language, cause, **names) | {"lines": texts.about(language, **(about or {}))}
    topic = KINDS[event.event.partition("_")[0]]
    for person in queries.notification_recipients(assigned_to=assigned_to, created_by=created_by, kind=topic):
        id = queries.notification_insert(
            user_id=person["user_id"],
            event=event.event,
            effect_key=event.key,
            title=texts.bare(words["title"]),
            body=texts.bare(words["body"]),
            data=dumps(data).decode(),
        )
        if id is None or not person["takes_emails"] or (gathering and digest.add_to_digest(id, person["user_id"])):
            continue
        url = _link(event, data["url"], data.get("invite_id"), id, person["user_id"])
        effect_key = f"{event.key}:{person['user_id']}"
        message.send(event, letterhead, words, url, person, effect_key, topic, invite_id=data.get("invite_id"))


def _link(event: OutboxEvent, url: str, invite_id: int | None, notification_id: int, user_id: int) -> str | None:
    """The application's URL, else a signed page."""
    settings, organization_id = event.settings, event.organization_id
    if settings.app_url:
        return url
    if invite_id:
        return answers_url(settings, organization_id, invite_id, user_id)
    return notice_url(settings, organization_id, notification_id, user_id)
