"""The webhook endpoints."""

from collections.abc import Callable

from pipeline.api.declared import Records
from pipeline.api.pagination import ListPage
from pipeline.api.resource import Resource
from pipeline.api.shapes import TEXT, TIMESTAMP, ListOf, Record, Shape, nullable
from pipeline.changes.webhooks import schemas, service
from pipeline.database import Row
from pipeline.http.fairness.slots import LOOK_UP
from pipeline.http.request import Request
from pipeline.http.security import ADMIN
from pipeline.validation import Values

SECRET = {
    **TEXT,
    "pattern": "^whsec_[0-9A-Za-z+/]{43}=$",
    "description": "The signing secret of messages. It is returned only once.",
}
WEBHOOK = Record("webhook", "A URL that receives messages about changes.")
SECRET_WEBHOOK = Record(
    "webhook", "A webhook with its new secret.", component="WebhookWithSecret", added={"secret": SECRET}
)
MESSAGE = Shape(
    "WebhookMessage",
    "A message to a webhook.",
    type=TEXT,
    timestamp={**TIMESTAMP, "description": "The time of the event."},
    data={"type": "object"},
)
DELIVERY = Record(
    "webhook_delivery",
    "A message to a webhook with its delivery status.",
    unlisted=("payload",),
    payload={
        **nullable(MESSAGE),
        "description": "The message as it was sent, or null if it is no longer kept or your key may not read its"
        " record.",
    },
)


webhooks = Records("/webhooks", "webhook", read=ADMIN, write=ADMIN, shows=WEBHOOK)
webhooks.list("list_webhooks")
webhooks.get("get_webhook")
webhooks.delete("delete_webhook")

secret = Resource("/webhooks/{id}/rotate", "Replace a webhook's secret")
test = Resource("/webhooks/{id}/test", "Send a webhook a test message")
deliveries = Resource("/webhooks/{id}/deliveries", "A webhook's deliveries")
delivery = Resource("/webhooks/{id}/deliveries/{deliveryId}", "A delivery")
again = Resource("/webhooks/{id}/deliveries/{deliveryId}/redeliver", "Redeliver a message")


def look_up(request: Request) -> Callable[[], None] | None:
    given = request.validated
    return service.question_of(request.registry.pipeline, given["body"]["url"], given.get("id"))


@webhooks.all.post(
    access=ADMIN,
    body=schemas.Webhook(),
    creates=True,
    replayable=False,
    heavy=LOOK_UP,
    asks=look_up,
    answer=SECRET_WEBHOOK,
    fails=("too_many_webhooks",),
)
def create_webhook(request: Request, body: Values) -> Row:
    return service.create_webhook(request.caller, body)


@webhooks.one.change(
    "patch_webhook", access=ADMIN, body=schemas.Webhook(), owned=True, heavy=LOOK_UP, asks=look_up, answer=WEBHOOK
)
def update_webhook(request: Request, id: int, body: Values) -> bytes | None:
    return service.update_webhook(request.caller, id, body)


@secret.post(access=ADMIN, replayable=False, answer=SECRET_WEBHOOK)
def rotate_webhook_secret(request: Request, id: int) -> Row | None:
    return service.rotate_secret(id)


@test.post(access=ADMIN, answer=DELIVERY, fails=("webhook_inactive",))
def test_webhook(request: Request, id: int) -> bytes | None:
    return service.send_test(request.caller, id)


@deliveries.get(access=ADMIN, query=schemas.DeliveryList(), answer=ListOf(DELIVERY))
def list_webhook_deliveries(request: Request, id: int, query: Values) -> ListPage | None:
    return service.deliveries(id, query)


@delivery.get(access=ADMIN, answer=DELIVERY)
def get_webhook_delivery(request: Request, id: int, deliveryId: int) -> bytes | None:
    return service.get_delivery(request.caller, id, deliveryId)


@again.post(access=ADMIN, answer=DELIVERY, fails=("webhook_inactive", "message_gone"))
def redeliver_webhook(request: Request, id: int, deliveryId: int) -> bytes | None:
    return service.redeliver(request.caller, id, deliveryId)
