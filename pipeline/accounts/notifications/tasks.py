"""Notifications and their emails. They hold links, never answers."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from pipeline.accounts.notifications import digest, message
from pipeline.database import Row, dumps, not_none, queries
from pipeline.database.effects import Event, effect
from pipeline.http.callers.signed_links import answers_url
from pipeline.mail import texts
from pipeline.mail.languages import language_of


@effect("interview_submitted")
def notify_of_interview(event: Event) -> None:
    """Notifies the rep of the submitted invite `invite_id`."""
    _notify_of_invite(event, "submitted")


@effect("interview_link_asked")
def notify_of_link_request(event: Event) -> None:
    """Notifies the rep that invite `invite_id` needs a new link."""
    _notify_of_invite(event, "link_asked")


def _notify_of_invite(event: Event, kind: str) -> None:
    interview = queries.notification_interview(invite_id=event.payload["invite_id"])
    if interview is None:
        return
    people = {name: interview.pop(name) for name in ("assigned_to", "created_by")}
    url = f"{event.settings.people_url}/interview-invites/{interview['invite_id']}/responses"
    names = {"prospect": interview["name"], "interview": interview["template_name"]}
    about = {"prospect": interview["name"], "lead": interview.pop("lead"), "flags": interview.pop("flags")}
    notify(event, kind, names, {**interview, "url": url}, about=about, **people)


@effect("lead_captured")
def notify_of_lead(event: Event) -> None:
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
def notify_of_digest(event: Event) -> None:
    """Sends user `user_id` the digest for `ends_at`."""
    digest.send(event, event.settings.app_url and f"{event.settings.people_url}/leads")


@effect("webhook_paused")
def notify_of_paused_webhook(event: Event) -> None:
    """Notifies administrators of the paused webhook `webhook_id`."""
    webhook = queries.webhook_paused(id=event.payload["webhook_id"])
    if webhook is None:
        return
    host = urlsplit(webhook["url"]).hostname or ""
    data = {"webhook_id": webhook["id"], "host": host, "url": f"{event.settings.people_url}/webhooks/{webhook['id']}"}
    notify(event, "paused", {"host": host}, data)


def notify(
    event: Event,
    kind: str,
    names: Mapping[str, str | None],
    data: Row,
    about: Mapping[str, str | None] | None = None,
    assigned_to: int | None = None,
    created_by: int | None = None,
    gathering: bool = False,
) -> None:
    """Notifies the person responsible, else all active administrators, once for each event.

    names: for the texts of `kind`; about: extra email lines; gathering: allows the digest.
    """
    letterhead = not_none(queries.organization_letterhead())
    language = language_of(letterhead["locale"])
    words = texts.notification(kind, language, **names) | {"lines": texts.about(language, **(about or {}))}
    for person in queries.notification_recipients(assigned_to=assigned_to, created_by=created_by):
        id = queries.notification_insert(
            user_id=person["user_id"],
            event=event.event,
            effect_key=event.key,
            title=words["title"],
            body=words["body"],
            data=dumps(data).decode(),
        )
        if id is None or (gathering and digest.add_to_digest(id, person["user_id"])):
            continue
        url = _link(event, data["url"], data.get("invite_id"), person)
        effect_key = f"{event.key}:{person['user_id']}"
        message.send(event, letterhead, words, url, person, effect_key, invite_id=data.get("invite_id"))


def _link(event: Event, url: str, invite_id: int | None, person: Row) -> str | None:
    """The application's URL, the signed page of answers, or None."""
    if event.settings.app_url:
        return url
    if invite_id is None:
        return None
    return answers_url(event.settings, event.organization_id, invite_id, person["user_id"])
