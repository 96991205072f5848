"""Sends a delivery outside of transactions."""

import base64
import secrets
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import structlog
from standardwebhooks import Webhook

from pipeline.changes.webhooks import transport
from pipeline.changes.webhooks.events import TEST
from pipeline.database import Database, Row, queries
from pipeline.database.effects import emit, organization
from pipeline.database.execution import chaos_point
from pipeline.process.metrics import series, webhooks
from pipeline.process.settings import Settings

# Seconds until the next attempt, after each failure.
PAUSES = (5, 60, 300, 1800, 7200, 28800, 86400)
# A webhook pauses after this time without a success.
PAUSED_AFTER_DAYS = 5
# A receiver that returns 410 wants no more messages (Standard Webhooks).
GONE = 410
# Whose Retry-After is heeded, up to these seconds.
BUSY, MOST_REST = (429, 503), 3600
SHOWN = 1024

log = structlog.get_logger("pipeline.webhooks")


class Outcome(NamedTuple):
    """The result of an attempt: code, start and Retry-After (seconds) of the response, or an error."""

    code: int | None
    error: str | None
    answer: str | None
    duration_ms: int
    rest: float = 0


def new_secret() -> str:
    """A signing secret: 256 random bits, as in Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def signed(message_id: str, body: str, signing: list[str], now: datetime) -> dict[str, str]:
    """The headers of a message, signed with each secret."""
    signatures = (Webhook(secret).sign(message_id, now, body) for secret in signing)
    return {
        "content-type": "application/json",
        "user-agent": "Pipeline-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def send(database: Database, settings: Settings, organization_id: int, delivery_id: int) -> bool:
    """Send a due delivery; False if it is not due or taken."""
    with organization(database, organization_id):
        delivery = queries.webhook_delivery_claim(id=delivery_id)
        if delivery is None:
            return False
        signing = [row["secret"] for row in queries.webhook_secrets_signing(webhook_id=delivery["webhook_id"])]
    chaos_point("webhook_claimed")
    outcome = _attempt(delivery, signing, settings)
    chaos_point("webhook_sent")
    with organization(database, organization_id):
        became = _note(delivery, outcome)
    series(webhooks, became).observe(outcome.duration_ms / 1000)
    chaos_point("webhook_noted")
    return True


def _attempt(delivery: Row, signing: list[str], settings: Settings) -> Outcome:
    headers = signed(delivery["message_id"], delivery["body"], signing, datetime.now(UTC))
    code: int | None = None
    error: str | None = None
    answer: str | None = None
    rest, started = 0.0, time.monotonic()
    try:
        code, body, retry_after = transport.post(delivery["url"], headers, delivery["body"].encode(), settings)
        rest = rest_of(code, retry_after)
        answer = body[:SHOWN].decode(errors="replace").replace("\x00", "")
        if not 200 <= code < 300:
            error = f"The receiver answered {code}."
    except transport.NoAnswer as failure:
        error = str(failure)
    return Outcome(code, error, answer, round((time.monotonic() - started) * 1000), rest)


def rest_of(code: int, retry_after: str | None) -> float:
    """The seconds of a Retry-After (a number or a date), at most MOST_REST; 0 for other codes and texts."""
    if code not in BUSY or retry_after is None:
        return 0
    try:
        if retry_after.strip().isdecimal():
            seconds = float(retry_after)
        else:
            seconds = (parsedate_to_datetime(retry_after).astimezone(UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return 0
    return min(max(seconds, 0), MOST_REST)


def _note(delivery: Row, outcome: Outcome) -> str:
    context = {"delivery_id": delivery["id"], "webhook_id": delivery["webhook_id"], "code": outcome.code}
    failed = outcome.error is not None
    seconds = pause(delivery["attempts"] + 1, delivery["event"]) if failed else None
    if outcome.rest:
        queries.webhook_rests(webhook_id=delivery["webhook_id"], seconds=outcome.rest)
    queries.webhook_delivery_noted(
        id=delivery["id"],
        started_at=delivery["started_at"],
        seconds=seconds and max(seconds, outcome.rest),
        code=outcome.code,
        error=outcome.error,
        answer=outcome.answer,
        duration_ms=outcome.duration_ms,
    )
    if seconds is None:
        queries.webhook_delivery_advance(id=delivery["id"])
    if not failed:
        queries.webhook_succeeds(webhook_id=delivery["webhook_id"])
        log.info("webhook delivered", **context, ms=outcome.duration_ms)
        return "delivered"
    log.warning("webhook failed", **context, error=outcome.error, retry_in=seconds)
    is_late = delivery["event"] != TEST and queries.webhook_fails(
        webhook_id=delivery["webhook_id"], days=PAUSED_AFTER_DAYS
    )
    if is_late or outcome.code == GONE:
        reason = "receiver_gone" if outcome.code == GONE else "no_success"
        pause_webhook(delivery["webhook_id"], reason, delivery["url"])
    return "given_up" if seconds is None else "postponed"


def pause(attempts: int, event: str) -> int | None:
    """Seconds until the next attempt, or None after the last."""
    return PAUSES[attempts - 1] if attempts <= len(PAUSES) and event != TEST else None


def pause_webhook(id: int, reason: str, url: str | None = None) -> None:
    """Pause a webhook for a `paused_reason` and notify administrators; with `url`, only while it is the webhook's."""
    if queries.webhook_pause(id=id, reason=reason, url=url):
        emit("webhook_paused", f"{id}:{datetime.now(UTC).isoformat()}", {"webhook_id": id})
        log.warning("webhook paused", webhook_id=id, reason=reason)
