"""The webhook endpoints."""

from pipeline.http.declared import record
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.shapes import ListOf
from pipeline.http.slots import LOOK_UP
from pipeline.webhooks import schemas, service, shapes

webhooks, webhook = record(
    "/webhooks", "webhook", "webhooks", read=ADMIN, write=ADMIN, offers=("list", "get", "delete"), shows=shapes.WEBHOOK
)
secret = Resource("/webhooks/{id}/rotate", "Give a webhook another secret")
test = Resource("/webhooks/{id}/test", "Send a webhook a test message")
deliveries = Resource("/webhooks/{id}/deliveries", "A webhook's deliveries")
again = Resource("/webhooks/{id}/deliveries/{deliveryId}/redeliver", "Send a delivery once more")


@webhooks.post(
    access=ADMIN,
    body=schemas.Webhook(),
    creates=True,
    replayable=False,
    heavy=LOOK_UP,
    answer=shapes.SECRET_WEBHOOK,
    fails=("too_many_webhooks",),
)
def create_webhook(request, body):
    return service.create_webhook(request.caller, request.registry.pipeline, body)


@webhook.change(access=ADMIN, body=schemas.Webhook(), heavy=LOOK_UP, answer=shapes.WEBHOOK)
def update_webhook(request, id, body):
    return service.update_webhook(request.registry.pipeline, id, body)


@secret.post(access=ADMIN, replayable=False, answer=shapes.SECRET_WEBHOOK)
def rotate_webhook_secret(request, id):
    return service.rotate_secret(id)


@test.post(access=ADMIN, answer=shapes.DELIVERY, fails=("webhook_inactive",))
def test_webhook(request, id):
    return service.send_test(id)


@deliveries.get(access=ADMIN, query=schemas.DeliveryList(), answer=ListOf(shapes.DELIVERY))
def list_webhook_deliveries(request, id, query):
    return service.deliveries(id, query)


@again.post(access=ADMIN, answer=shapes.DELIVERY, fails=("webhook_inactive", "message_gone"))
def redeliver_webhook(request, id, deliveryId):
    return service.redeliver(id, deliveryId)
