"""What the webhook endpoints answer."""

from pipeline.http.shapes import TEXT, Record

SECRET = {
    **TEXT,
    "pattern": "^whsec_[0-9A-Za-z+/]{43}=$",
    "description": "What messages are signed with, shown this once.",
}
WEBHOOK = Record("webhook", "Where a program is told what has changed.")
SECRET_WEBHOOK = Record(
    "webhook", "A webhook with its new secret.", component="WebhookWithSecret", added={"secret": SECRET}
)
DELIVERY = Record("webhook_delivery", "A message to a webhook, and what became of it.")
