"""Webhooks for administrators."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlsplit

from pipeline.api.pagination import ListPage, list_page
from pipeline.changes.webhooks import addresses
from pipeline.changes.webhooks.events import EVENTS, TEST, message, scope_of_event
from pipeline.changes.webhooks.sending import new_secret
from pipeline.database import Row, dumps, not_none, queries
from pipeline.http.scopes import lacking
from pipeline.http.security import Identity
from pipeline.process.settings import Settings
from pipeline.validation import Invalid, Values, Violations, invalid_field
from pipeline.validation.errors import Problem

# The most webhooks that an organization may have.
MOST = 20
# A replaced secret still signs this long.
OLD_SECRET_HOURS = 24


def create_webhook(caller: Identity, body: Values) -> Row:
    """A new webhook with its `secret`."""
    if queries.webhook_count() >= MOST:
        raise Problem("too_many_webhooks", f"An organization can have at most {MOST} webhooks.")
    check_scopes(caller, body["events"])
    id = queries.webhook_insert(**body, saved_by=caller.user_id)
    queries.webhook_state_begin(webhook_id=id)
    return _with_secret(id)


def update_webhook(caller: Identity, id: int, body: Values) -> bytes | None:
    """Replace a webhook's fields and owner: JSON bytes, or None. An activated one follows changes from now on."""
    before = queries.webhook_get(id=id)
    if before is None:
        return None
    check_scopes(caller, body["events"])
    queries.webhook_update(id=id, saved_by=caller.user_id, **body)
    if body["active"] and not before["active"]:
        queries.webhook_state_begin(webhook_id=id)
    return queries.webhook_get.json(id=id)


def check_scopes(caller: Identity, events: list[str]) -> None:
    """Raise the 422 for events that a key may not read."""
    violations = Violations()
    for index, event in enumerate(events):
        if missing := lacking(caller.scopes, [scope_of_event(event)]):
            violations.add(f"events.{index}", "insufficient_scope", event=event, scope=missing[0])
    if violations:
        raise Invalid(violations)


def question_of(settings: Settings, url: str, id: int | None) -> Callable[[], None] | None:
    """The check of a new webhook's URL, or of another URL for a webhook; None if it is the same."""
    before = None if id is None else queries.webhook_get(id=id)
    if id is not None and (before is None or before["url"] == url):
        return None
    return partial(check_url, url, settings)


def check_url(url: str, settings: Settings) -> None:
    """Raise the 422 for a forbidden URL or unknown host."""
    if fault := addresses.why_refused(url, settings):
        raise invalid_field("url", "invalid_url", fault)
    try:
        addresses.reachable(urlsplit(url).hostname, settings, addresses.SAVE_SECONDS)
    except addresses.AddressRefused as error:
        raise invalid_field("url", "unreachable_host", str(error)) from None


def rotate_secret(id: int) -> Row | None:
    """Replace the secret; the record with `secret`, or None. The old one signs for a day."""
    if queries.webhook_lock(id=id) is None:
        return None
    queries.webhook_secret_retire(webhook_id=id, hours=OLD_SECRET_HOURS)
    return _with_secret(id)


def _with_secret(id: int) -> Row:
    secret = new_secret()
    queries.webhook_secret_insert(webhook_id=id, secret=secret)
    return {**not_none(queries.webhook_get(id=id)), "secret": secret}


def get_delivery(caller: Identity, id: int, delivery_id: int) -> bytes | None:
    """A delivery as JSON bytes, or None. Its payload is null if the caller may not read the record."""
    events = [TEST, *(event for event in EVENTS if not lacking(caller.scopes, [scope_of_event(event)]))]
    return queries.webhook_delivery_get.json(webhook_id=id, id=delivery_id, events=events)


def send_test(caller: Identity, id: int) -> bytes | None:
    """Create a test delivery, or None; 409 if inactive."""
    webhook = _active(id)
    if webhook is None:
        return None
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    body = message(TEST, at, dumps({"webhook_id": id}))
    made = queries.webhook_delivery_insert(webhook_id=id, event=TEST, record_type="webhooks", record_id=id, body=body)
    return get_delivery(caller, id, made)


def redeliver(caller: Identity, id: int, delivery_id: int) -> bytes | None:
    """Send a delivery again, or None; 409 for an inactive webhook or a discarded message."""
    found = _active(id) and queries.webhook_delivery_kept(webhook_id=id, id=delivery_id)
    if found is None:
        return None
    if not found["kept"]:
        raise Problem("message_gone", "The message was too large to store. Read the record instead.")
    queries.webhook_delivery_reopen(webhook_id=id, id=delivery_id)
    return get_delivery(caller, id, delivery_id)


def deliveries(id: int, query: Values) -> ListPage | None:
    """A Page, newest first; None without the webhook."""
    return list_page(query, queries.webhook_delivery_list, webhook_id=id)


def _active(id: int) -> Row | None:
    webhook = queries.webhook_get(id=id)
    if webhook and not webhook["active"]:
        raise Problem("webhook_inactive", "The webhook is not active, so it gets no messages.")
    return webhook
