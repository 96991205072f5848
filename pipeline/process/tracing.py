"""OpenTelemetry traces, imported only with OTEL_EXPORTER_OTLP_ENDPOINT.

Spans hold no values, paths or tokens.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

# Imported only if traces are on, or by a web process.
if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span, Tracer
    from pyramid.config import Configurator
    from pyramid.request import Request

SERVER, CLIENT, PRODUCER, CONSUMER, INTERNAL = "SERVER", "CLIENT", "PRODUCER", "CONSUMER", "INTERNAL"
EXPORT_SECONDS = 5

_off = contextlib.nullcontext()
_tracer: "Tracer | None" = None


def configure(url: str, service: str) -> None:
    """Send this process's spans to the collector, if any."""
    if url:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        exporter = OTLPSpanExporter(f"{url.rstrip('/')}/v1/traces", timeout=EXPORT_SECONDS)
        start(BatchSpanProcessor(exporter), service)


def start(processor: "SpanProcessor", service: str) -> None:
    """Create spans for a SpanProcessor from now on."""
    global _tracer
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    name = os.environ.get("OTEL_SERVICE_NAME", service)
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("pipeline")


def span(
    name: str, kind: str = INTERNAL, parent: str | None = None, **attributes: str | int | None
) -> "AbstractContextManager[Span | None]":
    """A context with a span (None if off); `parent` is a W3C traceparent."""
    return _span(_tracer, name, kind, parent, attributes) if _tracer else _off


@contextlib.contextmanager
def _span(
    tracer: "Tracer", name: str, kind: str, parent: str | None, attributes: Mapping[str, str | int | None]
) -> "Iterator[Span]":
    from opentelemetry.trace import SpanKind, Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    given = {key: value for key, value in attributes.items() if value is not None}
    with tracer.start_as_current_span(
        name,
        context=TraceContextTextMapPropagator().extract({"traceparent": parent}) if parent else None,
        kind=SpanKind[kind],
        attributes=given,
        record_exception=False,
        set_status_on_exception=False,
    ) as made:
        try:
            yield made
        except BaseException as error:
            made.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def traceparent() -> str | None:
    """The current span as a W3C traceparent, or None."""
    if _tracer is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent")


def request_span(request: "Request") -> "AbstractContextManager[Span | None]":
    """A request's span; only trusted proxies may set its parent."""
    if _tracer is None:
        return _off
    trusted = request.registry.pipeline.trusted_proxies
    parent = request.environ.get("HTTP_TRACEPARENT") if trusted else None
    return span("request", SERVER, parent, **{"pipeline.request_id": request.id})


def describe_response(made: "Span | None", request: "Request", route: str | None, status: int) -> None:
    """Add route, status and organization to a request's span."""
    if made is None:
        return
    method = request.method if route else "any"
    made.update_name(f"{method} {route or 'none'}")
    organization_id = getattr(getattr(request, "caller", None), "organization_id", None)
    given = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    given["pipeline.organization_id"] = organization_id
    made.set_attributes({key: value for key, value in given.items() if value is not None})
    if status >= 500:
        from opentelemetry.trace import Status, StatusCode

        made.set_status(Status(StatusCode.ERROR))


def includeme(config: "Configurator") -> None:
    configure(config.registry.pipeline.traces_url, "pipeline-web")
