"""`pipeline serve` and `pipeline worker` send their spans to a collector: an invite and its email are one trace."""

import pytest

from tests.chaos.processes import wait_until
from tests.operations.collector import Collector
from tests.operations.service import ask

pytestmark = pytest.mark.timeout(300)
WEB, WORKER = "pipeline-web", "pipeline-worker"


@pytest.fixture
def collector():
    with Collector() as collector:
        yield collector


def test_the_trace_of_a_request_reaches_the_collector_from_web_relay_and_worker(service, collector, capsys):
    environ = service.environ() | {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "200"}
    web = service.serve(environ)
    service.work(environ)
    (customer,) = service.organizations(web.port, 1)
    body = {"template_id": customer.template_id, "recipient_email": "ada@one.example", "send_email": True}
    invite = ask(web.port, "POST", "/api/interview-invites", customer.authorization, body)
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
    with capsys.disabled():
        print(
            f"\n{len(collector.spans)} spans have arrived, {len(same)} of the trace: {sorted({s.name for s in same})}"
        )
    assert {found[word].trace_id for word in ("request", "relay", "delivery")} == {request.trace_id}
    assert found["delivery"].parent_span_id == request.span_id
    assert any(span.name == "authenticate" and span.parent_span_id == request.span_id for span in same)
    assert request.end_time_unix_nano > request.start_time_unix_nano
    assert collector.refused == []
    assert invite["token"] not in "".join(str(span) for _, span in collector.spans)
