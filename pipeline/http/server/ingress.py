"""The outermost tween: request ids, URL checks, CORS, counts and log.

CORS (Fetch standard) is for the origins of `CORS_ORIGINS`, without credentials.
"""

import re
import secrets
import time
from urllib.parse import parse_qsl, urlencode
from wsgiref.types import WSGIEnvironment

import structlog
from pyramid.response import Response

from pipeline.database import meter
from pipeline.http.fairness.limits import headers as limit_headers
from pipeline.http.problems import allowed, answer
from pipeline.http.request import Handler, Registry, Request
from pipeline.process.metrics import durations, in_sql, requests, series
from pipeline.process.tracing import describe_response, request_span
from pipeline.validation.errors import Problem

# Tools append query parameters in any encoding to shared links.
LINKS = ("/forms/", "/sign/", "/verify", "/api/public/interview/capture/")
API = "/api/"
# Beyond the headers that the Fetch standard allows.
SENT = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id"
READ = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, "
    "RateLimit-Policy, Retry-After, X-Request-Id"
)
PREFLIGHT_SECONDS = "7200"
# Other methods share a label, since clients could invent many.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_UNREADABLE = re.compile("[\x00\ufffd]")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)

log = structlog.get_logger("pipeline.requests")


def tween_factory(handler: Handler, registry: Registry) -> Handler:
    origins = frozenset(registry.pipeline.cors_origins.split())

    def tween(request: Request) -> Response:
        started = time.perf_counter()
        request.id = request_id(request.environ)
        # This header could move Pyramid's root to a path without views.
        request.environ.pop("HTTP_X_VHM_ROOT", None)
        structlog.contextvars.bind_contextvars(request_id=request.id)
        meter.reset()
        try:
            with request_span(request) as span:
                response = refused(request) or (options if request.method == "OPTIONS" else handler)(request)
                finish(request, response)
                if origins:
                    admit(request, response, origins)
                # The path may hold a token.
                route = request.matched_route.pattern if getattr(request, "matched_route", None) else None
                describe_response(span, request, route, response.status_code)
            seconds = time.perf_counter() - started
            count(request, route, response.status_code, seconds)
            spent = {"ms": round(seconds * 1000, 2), "sql_ms": round(meter.seconds * 1000, 2), "queries": meter.number}
            log.info(
                "request",
                method=request.method,
                route=route,
                status=response.status_code,
                **organization_of(request),
                **spent,
            )
            return response
        finally:
            structlog.contextvars.clear_contextvars()

    return tween


def refused(request: Request) -> Response | None:
    """The response to an unreadable URL or body, or None."""
    problem = check_url(request) or check_encoding(request)
    return answer(request, problem) if problem else None


def options(request: Request) -> Response:
    """204 with the path's methods in `Allow`; an unknown path has this one."""
    return Response(status=204, headers=allowed(request) or {"Allow": "OPTIONS"})


def count(request: Request, route: str | None, status: int, seconds: float) -> None:
    """Count a request, its `seconds` and SQL time."""
    method = request.method if route and request.method in METHODS else "any"
    pattern = route or "none"
    series(requests, method, pattern, status).inc()
    series(durations, method, pattern).observe(seconds)
    series(in_sql, method, pattern).inc(meter.seconds)


def organization_of(request: Request) -> dict[str, int]:
    """{organization_id} of a form's request."""
    transaction = getattr(request, "transaction", None)
    organization = transaction and transaction.organization
    return {"organization_id": int(organization)} if organization else {}


def request_id(environ: WSGIEnvironment) -> str:
    """The client's X-Request-Id if safe, else a new one."""
    given = environ.get("HTTP_X_REQUEST_ID")
    return given if given and _REQUEST_ID.fullmatch(given) else secrets.token_hex(16)


def check_url(request: Request) -> Problem | None:
    """The 400 for invalid UTF-8 or NUL, or None."""
    path, query = request.environ.get("PATH_INFO", ""), request.environ.get("QUERY_STRING", "")
    if not query and path.isascii() and "\x00" not in path:
        return None
    # WebOb splits at ";", unlike the URL standard.
    query = query.replace(";", "%3B")
    request.environ["QUERY_STRING"] = _readable(query) if path.startswith(LINKS) else query
    try:
        text = request.path_info + request.query_string
        pairs = request.GET.items() if request.query_string else ()
        if "\x00" in text or any("\x00" in name + value for name, value in pairs):
            raise ValueError
    except ValueError:
        return Problem("malformed_request", "The URL is not valid UTF-8, or holds a NUL character.")
    return None


def check_encoding(request: Request) -> Problem | None:
    """The 415 for a compressed body, or None."""
    coding = request.environ.get("HTTP_CONTENT_ENCODING", "").lower()
    if coding in ("", "identity") or request.content_length == 0 or request.method in ("GET", "HEAD"):
        return None
    headers = {"Accept-Encoding": "identity"}
    return Problem("unsupported_media_type", "Send the body without a Content-Encoding.", headers=headers)


def _readable(query: str) -> str:
    """The query without parameters that hold a NUL or invalid UTF-8."""
    pairs = parse_qsl(query, keep_blank_values=True, errors="replace")
    return urlencode([pair for pair in pairs if not _UNREADABLE.search("".join(pair))])


def finish(request: Request, response: Response) -> None:
    """Set the headers of all responses."""
    own = {"X-Request-Id": request.id, "X-Content-Type-Options": "nosniff", **limit_headers(request.environ)}
    if request.environ.get("PATH_INFO", "").startswith("/api"):
        own["Cache-Control"] = "no-store"
    # Setting a header searches the whole list.
    response.headerlist = [header for header in response.headerlist if header[0] not in own] + [*own.items()]


def admit(request: Request, response: Response, origins: frozenset[str]) -> None:
    """Add the CORS headers of a path below /api."""
    if not request.environ.get("PATH_INFO", "").startswith(API):
        return
    response.vary = (*(response.vary or ()), "Origin")
    if request.environ.get("HTTP_ORIGIN") not in origins:
        return
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = request.environ["HTTP_ORIGIN"]
    headers["Access-Control-Expose-Headers"] = READ
    if "Allow" in headers and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.environ:
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = SENT
        headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS
