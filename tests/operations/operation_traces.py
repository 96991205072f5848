"""`pipeline serve` and `pipeline worker` send their spans to a collector: an invite and its email are one trace."""

import gzip

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from experiments.chaos.processes import wait_until
from tests.operations.service import ask
from tests.webhooks.receiver import Receiver, respond

pytestmark = pytest.mark.timeout(300)


class Collector(Receiver):
    """A collector of OpenTelemetry, by OTLP in protobuf messages: `spans` are {(service, name): the last span}."""

    def __init__(self):
        super().__init__()
        self.spans, self.answer = {}, self.keep

    def keep(self, handler, number):
        path, headers, body = self.received[number - 1]
        assert (path, headers["content-type"]) == ("/v1/traces", "application/x-protobuf")
        packed = headers.get("content-encoding") == "gzip"
        for resource in ExportTraceServiceRequest.FromString(gzip.decompress(body) if packed else body).resource_spans:
            told = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
            spans = [span for scope in resource.scope_spans for span in scope.spans]
            self.spans |= {(told["service.name"], span.name): span for span in spans}
        answer = ExportTraceServiceResponse().SerializeToString()
        respond(handler, 200, answer, **{"Content-Type": "application/x-protobuf"})


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.stop()


def test_the_trace_of_a_request_reaches_the_collector_from_web_relay_and_worker(service, collector):
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}", "OTEL_BSP_SCHEDULE_DELAY": "200"}
    web = service.serve(service.environ() | endpoint)
    service.work(service.environ() | endpoint)
    (customer,) = service.organizations(web.port, 1)
    body = {"template_id": customer.template_id, "recipient_email": "ada@one.example", "send_email": True}
    ask(customer, "/api/interview-invites", body)
    request = ("pipeline-web", "POST /api/interview-invites")
    others = [("pipeline-worker", name) for name in ("relay mail", "deliver invite_email")]
    wait_until(lambda: collector.spans.keys() >= {request, *others}, 60, "all spans have arrived")
    assert {collector.spans[name].trace_id for name in others} == {collector.spans[request].trace_id}
