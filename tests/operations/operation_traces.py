"""`pipeline serve` and `pipeline worker` send their spans to a collector: an invite and its email are one trace."""

import gzip

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.chaos.processes import wait_until
from tests.operations.service import ask
from tests.webhooks.receiver import Receiver, respond

pytestmark = pytest.mark.timeout(300)
WEB, WORKER = "pipeline-web", "pipeline-worker"


class Collector(Receiver):
    """A collector of OpenTelemetry, by OTLP in protobuf messages: `spans` are (service, span) as they have arrived."""

    def __init__(self):
        super().__init__()
        self.spans, self.refused, self.answer = [], [], self.keep

    def keep(self, handler, number):
        """Keep the spans of a message."""
        path, headers, body = self.received[number - 1]
        if (path, headers["content-type"]) != ("/v1/traces", "application/x-protobuf"):
            self.refused.append(path)
        packed = headers.get("content-encoding") == "gzip"
        for resource in ExportTraceServiceRequest.FromString(gzip.decompress(body) if packed else body).resource_spans:
            told = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
            self.spans += [(told["service.name"], span) for scope in resource.scope_spans for span in scope.spans]
        answer = ExportTraceServiceResponse().SerializeToString()
        respond(handler, 200, answer, **{"Content-Type": "application/x-protobuf"})

    def named(self, service, name):
        """The last span of a service with this name, or None."""
        return next((span for told, span in reversed(self.spans) if (told, span.name) == (service, name)), None)


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.stop()


def test_the_trace_of_a_request_reaches_the_collector_from_web_relay_and_worker(service, collector):
    environ = service.environ() | {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}",
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }
    web = service.serve(environ)
    service.work(environ)
    (customer,) = service.organizations(web.port, 1)
    body = {"template_id": customer.template_id, "recipient_email": "ada@one.example", "send_email": True}
    invite = ask(customer, "/api/interview-invites", body)
    wanted = {
        "request": (WEB, "POST /api/interview-invites"),
        "statement": (WEB, "authenticate"),
        "relay": (WORKER, "relay mail"),
        "delivery": (WORKER, "deliver invite_email"),
    }
    wait_until(lambda: all(collector.named(*who) for who in wanted.values()), 60, "all spans have arrived")
    found = {word: collector.named(*who) for word, who in wanted.items()}
    request = found["request"]
    same = [span for _, span in collector.spans if span.trace_id == request.trace_id]
    assert {found[word].trace_id for word in ("request", "relay", "delivery")} == {request.trace_id}
    assert found["delivery"].parent_span_id == request.span_id
    assert any(span.name == "authenticate" and span.parent_span_id == request.span_id for span in same)
    assert request.end_time_unix_nano > request.start_time_unix_nano
    assert collector.refused == []
    assert invite["token"] not in "".join(str(span) for _, span in collector.spans)
