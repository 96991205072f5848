"""Response bodies of notifications."""

from pipeline.api.shapes import BOOLEAN, COUNT, ID, TEXT, TIMESTAMP, URI, Record, Shape, nullable

URL = {**URI, "description": "The record in the application (`APP_URL`), or in the API."}
INVITE = {**ID, "description": "The invite with the answers."}
TEMPLATE = {**ID, "description": "The interview template."}
TEMPLATE_NAME = {**TEXT, "description": "The name of the template."}

INTERVIEW = Shape(
    "NotificationOfInterview",
    "The data of `interview_submitted`, `interview_link_asked` and `invite_undelivered`.",
    invite_id=INVITE,
    lead_id=nullable(ID),
    template_id=TEMPLATE,
    template_name=TEMPLATE_NAME,
    name={**TEXT, "description": "The prospect's name, else the email address."},
    url=URL,
)
LEAD = Shape(
    "NotificationOfLead",
    "The data of `lead_captured`.",
    lead_id=ID,
    template_id=TEMPLATE,
    template_name=TEMPLATE_NAME,
    name=TEXT,
    company=nullable(TEXT),
    invite_id={**nullable(INVITE), "description": INVITE["description"]},
    url=URL,
)
CONTRACT = Shape(
    "NotificationOfContract",
    "The data of the events about signatures.",
    contract_id={**ID, "description": "The contract."},
    request_id={**ID, "description": "The signature request."},
    url=URL,
)
WEBHOOK = Shape(
    "NotificationOfWebhook",
    "The data of `webhook_paused`.",
    # Absent in notifications of the first release.
    optional=("place", "reason"),
    webhook_id={**ID, "description": "The paused webhook."},
    host={**TEXT, "description": "The host of its URL."},
    place={**TEXT, "description": "The host and the shortened path of its URL."},
    reason={**TEXT, "description": "Why it was paused, as in `paused_reason` of the webhook."},
    url=URL,
)
NOTIFICATION = Record(
    "notification",
    "A message to a user, for example about a submitted interview or a captured lead.",
    data={"anyOf": [INTERVIEW, LEAD, CONTRACT, WEBHOOK], "description": "Ids and names of the event's records."},
    updated_at=TIMESTAMP,
)
NOTIFICATION_EMAILS = Shape(
    "NotificationEmails",
    "The kinds of notifications that the caller gets by email too.",
    interviews={**BOOLEAN, "description": "Submitted interviews, requests for a link, undelivered invites."},
    leads={**BOOLEAN, "description": "Captured leads, also as a digest."},
    signatures={**BOOLEAN, "description": "Signature requests that end, or whose emails or seal fail."},
    webhooks={**BOOLEAN, "description": "Paused webhooks."},
)
ALL_READ = Shape(
    "AllRead",
    "The number of notifications that were unread.",
    read={**COUNT, "description": "The number of notifications marked as read."},
)
