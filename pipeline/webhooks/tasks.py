"""What the worker does about webhooks beside their deliveries: it tells the administrators of a pause."""

from urllib.parse import urlsplit

from pipeline.database import queries
from pipeline.effects import Event, effect
from pipeline.mail import texts
from pipeline.mail.languages import language_of
from pipeline.notifications.tasks import app_url, tell


@effect("webhook_paused")
def tell_of_pause(event: Event) -> None:
    """Tell every active administrator that the webhook `webhook_id` of the payload is paused, while it is."""
    webhook = queries.webhook_paused(id=event.payload["webhook_id"])
    if webhook is None:
        return
    host = urlsplit(webhook["url"]).hostname or ""
    words = texts.webhook_paused(language_of(webhook["locale"]), host)
    data = {"webhook_id": webhook["id"], "host": host, "url": f"{app_url(event.settings)}/webhooks/{webhook['id']}"}
    tell(event, webhook, words, data)
