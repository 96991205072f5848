"""The outermost tween (request ids, URL checks, log), and strict JSON."""

import functools
import json
import re
import secrets
import time
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any, NoReturn
from urllib.parse import parse_qsl, urlencode
from wsgiref.types import WSGIEnvironment

import structlog
from pyramid.response import Response

from pipeline.database import meter
from pipeline.errors import Problem
from pipeline.http import metrics
from pipeline.http.limits import headers as limit_headers
from pipeline.http.problems import answer
from pipeline.http.request import Handler, Registry, Request
from pipeline.telemetry.tracing import request_span, tell_answer
from pipeline.validation import MAX_VIOLATIONS, Invalid, Violation, Violations
from pipeline.validation.codes import sentence
from pipeline.validation.texts import UNSTORABLE
from pipeline.validation.violations import step

JSON, OCTETS = "application/json", "application/octet-stream"
JSON_LIMIT = 1024 * 1024
# The reader is recursive; real bodies are far less deep.
MAX_DEPTH = 100
TOO_DEEP = f"The body is nested too deep: at most {MAX_DEPTH} levels are allowed."
# Tools append query parameters in any encoding to shared links.
LINKS = ("/forms/", "/sign/", "/verify", "/api/public/interview/capture/")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)
_SUSPECT = re.compile(r"\\u(0000|[dD][89a-fA-F])|\x00")
_CHARSETS = ("utf-8", "utf8", "us-ascii", "ascii")

log = structlog.get_logger("pipeline.requests")


def tween_factory(handler: Handler, registry: Registry) -> Handler:
    """The outermost tween."""

    def tween(request: Request) -> Response:
        started = time.perf_counter()
        request.id = request_id(request.environ)
        # This header could move Pyramid's root to a path without views.
        request.environ.pop("HTTP_X_VHM_ROOT", None)
        structlog.contextvars.bind_contextvars(request_id=request.id)
        meter.reset()
        try:
            with request_span(request) as span:
                unreadable = check_url(request) or check_encoding(request)
                response = answer(request, unreadable) if unreadable else handler(request)
                finish(request, response)
                # The path may hold a token.
                route = request.matched_route.pattern if getattr(request, "matched_route", None) else None
                tell_answer(span, request, route, response.status_code)
            seconds = time.perf_counter() - started
            metrics.count(request, response.status_code, seconds)
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


def organization_of(request: Request) -> dict[str, int]:
    """{organization_id} of a form's request."""
    organization = request.transaction and request.transaction.organization
    return {"organization_id": int(organization)} if organization else {}


def request_id(environ: WSGIEnvironment) -> str:
    """The client's X-Request-Id if safe, else a new one."""
    given = environ.get("HTTP_X_REQUEST_ID")
    return given if given and _REQUEST_ID.fullmatch(given) else secrets.token_hex(16)


def check_url(request: Request) -> Problem | None:
    """The 400 for invalid UTF-8 or NUL, or None."""
    path = request.environ.get("PATH_INFO", "")
    if not request.environ.get("QUERY_STRING") and path.isascii() and "\x00" not in path:
        return None
    # WebOb splits at ";", unlike the URL standard.
    request.environ["QUERY_STRING"] = request.environ.get("QUERY_STRING", "").replace(";", "%3B")
    if path.startswith(LINKS):
        request.environ["QUERY_STRING"] = _readable(request.environ.get("QUERY_STRING", ""))
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
    pairs = parse_qsl(query, keep_blank_values=True, errors="replace")
    return urlencode(pairs).replace("%00", "%EF%BF%BD")


def finish(request: Request, response: Response) -> None:
    """Set the headers of all responses."""
    own = {"X-Request-Id": request.id, "X-Content-Type-Options": "nosniff", **limit_headers(request.environ)}
    if request.environ.get("PATH_INFO", "").startswith("/api"):
        own["Cache-Control"] = "no-store"
    # Setting a header searches the whole list.
    response.headerlist = [header for header in response.headerlist if header[0] not in own] + [*own.items()]


def check_json(request: Request, types: tuple[str, ...]) -> None:
    """Raise 415 unless type and charset are admitted."""
    if request.content_type.strip().lower() not in types:
        headers = {"Accept-Patch": ", ".join(types)} if request.method == "PATCH" else {}
        raise Problem("unsupported_media_type", f"Content-Type must be {' or '.join(types)}.", headers=headers)
    # webob's charset fails on unknown codecs.
    match = re.search(r"charset\s*=\s*\"?([^\s;\"]*)", request.environ.get("CONTENT_TYPE", ""), re.IGNORECASE)
    if match and match[1].lower() not in _CHARSETS:
        raise Problem("unsupported_media_type", "JSON must be encoded in UTF-8.")


def read_body(request: Request, limit: int) -> bytes:
    """The body; raises 413 beyond `limit` bytes."""
    length = request.content_length
    if length is not None and length < 0:
        raise Problem("malformed_request", "Content-Length must not be negative.")
    if length is not None and length > limit:
        raise Problem("body_too_large", f"The body may have at most {limit} bytes.")
    stream = request.environ["wsgi.input"]
    if length is None and "HTTP_TRANSFER_ENCODING" not in request.environ:
        return b""
    body = stream.read(limit + 1 if length is None else length)
    if len(body) > limit:
        raise Problem("body_too_large", f"The body may have at most {limit} bytes.")
    return body


def parse_json(body: bytes) -> Any:
    """JSON as Python data, numbers as int or Decimal.

    Raises 400 for invalid or too deep JSON; 422 for repeated keys, NUL, lone surrogates.
    """
    if body.startswith(BOM_UTF8):
        raise Problem("malformed_json", "The body begins with a byte order mark. Send UTF-8 without one.")
    violations = Violations()
    members = functools.partial(_members, violations)
    try:
        text = body.decode("utf-8")
        value = json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=members)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise Problem("malformed_json", _cause(error)) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise Problem("malformed_json", TOO_DEEP)
    if _SUSPECT.search(text):
        violations.extend(islice(_unstorable(value, ""), MAX_VIOLATIONS + 1))
    if violations:
        raise Invalid(violations)
    return value


def _cause(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"The body is not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}."
    if isinstance(error, UnicodeDecodeError):
        return f"The body is not valid JSON: its byte {error.start + 1} is not UTF-8."
    # Too many digits raise ValueError, too large an exponent ArithmeticError.
    return TOO_DEEP if isinstance(error, RecursionError) else "The body has a number that is too large."


def _refuse_constant(name: str) -> NoReturn:
    raise Problem("malformed_json", f"The body is not valid JSON: {name} is not a JSON value.")


def _members(violations: Violations, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        for name, count in Counter(name for name, _ in pairs).items():
            if count > 1:
                violations.add(_printable(name), "duplicate_key", "Occurs more than once in one object.")
    return members


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        containers = [item for item in level if isinstance(item, (dict, list))]
        level = [member for item in containers for member in (item.values() if isinstance(item, dict) else item)]
    return any(isinstance(item, (dict, list)) for item in level)


def _unstorable(value: Any, place: str) -> Iterator[Violation]:
    if isinstance(value, str) and UNSTORABLE.search(value):
        yield Violation(place, "invalid_characters", sentence("invalid_characters"))
    elif isinstance(value, dict):
        for name, member in value.items():
            inner = f"{place}.{_printable(name)}".lstrip(".")
            yield from _unstorable(name, inner)
            yield from _unstorable(member, inner)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _unstorable(member, f"{place}.{index}".lstrip("."))


def _printable(name: str) -> str:
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", step(name))
