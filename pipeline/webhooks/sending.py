"""Send one delivery: claim it, send it while no transaction is open, and note what became of it."""

import base64
import secrets
import time
from datetime import UTC, datetime

import structlog
from standardwebhooks import Webhook

from pipeline.database import queries
from pipeline.database.chaos import chaos_point
from pipeline.database.effects import emit, organization
from pipeline.telemetry.metrics import series, webhooks
from pipeline.webhooks import transport
from pipeline.webhooks.events import TEST

# After each failure but the last, so many seconds until the next attempt.
PAUSES = (5, 60, 300, 1800, 7200, 28800, 86400)
# So long without a success, and a webhook is paused.
PAUSED_AFTER_DAYS = 5
SHOWN = 1024

log = structlog.get_logger("pipeline.webhooks")


def new_secret():
    """What a webhook's messages are signed with: 256 random bits, as the specification writes them."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def signed(message_id, body, signing, now):
    """The headers of a message (str) that is sent now, signed with each of the secrets."""
    signatures = (Webhook(secret).sign(message_id, now, body) for secret in signing)
    return {
        "content-type": "application/json",
        "user-agent": "Pipeline-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def send(database, settings, organization_id, delivery_id):
    """Send a delivery that is due; False when it is not, or somebody else does. A repeated call does nothing."""
    with organization(database, organization_id):
        delivery = queries.webhook_delivery_claim(id=delivery_id)
        if delivery is None:
            return False
        signing = [row["secret"] for row in queries.webhook_secrets_signing(webhook_id=delivery["webhook_id"])]
    chaos_point("webhook_claimed")
    outcome = _attempt(delivery, signing, settings)
    chaos_point("webhook_sent")
    with organization(database, organization_id):
        became = _note(delivery, **outcome)
    series(webhooks, became).observe(outcome["duration_ms"] / 1000)
    chaos_point("webhook_noted")
    return True


def _attempt(delivery, signing, settings):
    """{code, error, answer, duration_ms} of one attempt."""
    headers = signed(delivery["message_id"], delivery["body"], signing, datetime.now(UTC))
    code, error, answer, started = None, None, None, time.monotonic()
    try:
        code, body = transport.post(delivery["url"], headers, delivery["body"].encode(), settings)
        answer = body[:SHOWN].decode(errors="replace").replace("\x00", "")
        if not 200 <= code < 300:
            error = f"The receiver answered {code}."
    except transport.NoAnswer as failure:
        error = str(failure)
    duration_ms = round((time.monotonic() - started) * 1000)
    return {"code": code, "error": error, "answer": answer, "duration_ms": duration_ms}


def _note(delivery, error, **found):
    """Write down what became of an attempt; answers a word for it, as the metrics have it."""
    context = {"delivery_id": delivery["id"], "webhook_id": delivery["webhook_id"], "code": found["code"]}
    claim = {name: delivery[name] for name in ("id", "started_at")}
    if error is None:
        queries.webhook_delivery_done(**claim, **found)
        queries.webhook_delivery_advance(id=delivery["id"])
        queries.webhook_succeeds(webhook_id=delivery["webhook_id"])
        log.info("webhook delivered", **context, ms=found["duration_ms"])
        return "delivered"
    seconds = pause(delivery["attempts"] + 1, delivery["event"])
    queries.webhook_delivery_failed(**claim, error=error, seconds=seconds, **found)
    if seconds is None:
        queries.webhook_delivery_advance(id=delivery["id"])
    log.warning("webhook failed", **context, error=error, retry_in=seconds)
    if delivery["event"] != TEST and queries.webhook_fails(webhook_id=delivery["webhook_id"], days=PAUSED_AFTER_DAYS):
        _pause_webhook(delivery["webhook_id"])
    return "given_up" if seconds is None else "postponed"


def pause(attempts, event):
    """Seconds until the next attempt after so many failed ones; None when there is none. A test has one attempt."""
    return PAUSES[attempts - 1] if attempts <= len(PAUSES) and event != TEST else None


def _pause_webhook(id):
    if queries.webhook_pause(id=id):
        emit("webhook_paused", f"{id}:{datetime.now(UTC).isoformat()}", {"webhook_id": id})
        log.warning("webhook paused", webhook_id=id)
