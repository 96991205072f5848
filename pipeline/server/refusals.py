"""Answers that no application was asked for: what cannot be read, is too large, too slow or too much."""

import structlog

from pipeline.errors import Problem
from pipeline.http.ingress import request_id
from pipeline.http.problems import problem_response
from pipeline.server.head import Head
from pipeline.telemetry import metrics

log = structlog.get_logger(__name__)


def answer(problem: Problem, head: Head | None, client: str) -> bytes:
    """The whole answer to a request whose head may be unknown; logged and counted."""
    id = request_id(head.environ if head else {})
    response = problem_response(problem, id)
    response.headers["X-Request-Id"] = id
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    response.headers["Connection"] = "close"
    if problem.status == 429:
        response.headers["Retry-After"] = "5"
    metrics.refusals.labels(problem.code).inc()
    log.info("refused", code=problem.code, status=problem.status, client=client, request_id=id)
    lines = [f"HTTP/1.1 {response.status}", *(f"{name}: {value}" for name, value in response.headerlist), "", ""]
    body = b"" if head and head.environ["REQUEST_METHOD"] == "HEAD" else response.body
    return "\r\n".join(lines).encode("latin-1") + body
