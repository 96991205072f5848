"""Traces: one for a request and its effects; without a collector the library is not needed."""

import subprocess
import sys

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pipeline.process import tracing
from pipeline.worker.delivery import deliver
from tests.support import interview

WITHOUT = """
import sys
sys.modules["opentelemetry"] = None
import pipeline.cli.serving.web, pipeline.cli.serving.worker, pipeline.http.server.ingress, pipeline.worker.process
from pipeline.process import tracing
with tracing.span("nothing") as span:
    assert span is tracing.traceparent() is None
"""


@pytest.fixture
def spans(monkeypatch):
    """spans(): those that have ended, the earliest first."""
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(tracing, "_tracer", None)  # there are none again after the test
    tracing.start(SimpleSpanProcessor(exporter), "tests")
    return exporter.get_finished_spans


def named(spans, name):
    return next(span for span in spans if span.name == name)


def test_a_request_and_its_statements_are_spans_of_one_trace(spans, organization, member):
    member.get("/api/leads", status=200, headers={"X-Request-Id": "seen-1"})
    request, statement = named(spans(), "GET /api/leads"), named(spans(), "authenticate")
    assert statement.parent.span_id == request.context.span_id
    assert dict(request.attributes) == {
        "pipeline.request_id": "seen-1",
        "pipeline.organization_id": organization.id,
        "http.request.method": "GET",
        "http.route": "/api/leads",
        "http.response.status_code": 200,
    }


def test_the_delivery_of_an_event_belongs_to_the_request_that_raised_it(spans, organization, jobs, settings, owner):
    organization.invite(send_email=True)
    (id,) = owner.execute("select id from app.outbox where organization_id = %s", [organization.id]).fetchone()
    deliver(jobs, settings, organization.id, id)
    request, delivery = named(spans(), "POST /api/interview-invites"), named(spans(), "deliver invite_email")
    assert delivery.parent.span_id == request.context.span_id
    assert delivery.context.trace_id == request.context.trace_id


def test_no_span_holds_a_token_or_an_unknown_path(spans, organization, anonymous):
    invite = organization.invite()
    anonymous.get(interview(invite), status=200)
    anonymous.get("/api/no-such-thing", status=404)
    text = "".join(span.to_json() for span in spans())
    assert invite["token"] not in text
    assert "no-such-thing" not in text
    assert "any none" in text


def test_a_stranger_does_not_choose_the_trace_of_a_request(spans, anonymous):
    anonymous.get("/healthz", headers={"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"})
    assert named(spans(), "GET /healthz").parent is None


def test_without_a_collector_the_library_need_not_be_there():
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)
