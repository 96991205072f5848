"""JSON bodies: media type, size, and strict JSON."""

import functools
import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any, NoReturn

from pipeline.http.request import Request
from pipeline.validation import MAX_VIOLATIONS, Invalid, Violation
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem
from pipeline.validation.violations import UNSTORABLE, step

JSON, OCTETS = "application/json", "application/octet-stream"
JSON_LIMIT = 1024 * 1024
# The reader is recursive; real bodies are far less deep.
MAX_DEPTH = 100
TOO_DEEP = f"The body is nested too deep: at most {MAX_DEPTH} levels are allowed."
_SUSPECT = re.compile(r"\\u(0000|[dD][89a-fA-F])|\x00")
_CHARSETS = ("utf-8", "utf8", "us-ascii", "ascii")


def check_json(request: Request, types: tuple[str, ...]) -> None:
    """Raise 415 unless type and charset are admitted."""
    if request.content_type.strip().lower() not in types:
        headers = {"Accept-Patch": ", ".join(types)} if request.method == "PATCH" else {}
        raise Problem("unsupported_media_type", f"Content-Type must be {' or '.join(types)}.", headers=headers)
    # webob's charset fails on unknown codecs.
    match = re.search(r"charset\s*=\s*\"?([^\s;\"]*)", request.environ.get("CONTENT_TYPE", ""), re.IGNORECASE)
    if match and match[1].lower() not in _CHARSETS:
        raise Problem("unsupported_media_type", "JSON must be encoded in UTF-8.")


def read_body(request: Request) -> bytes:
    """The body; raises 413 beyond JSON_LIMIT bytes."""
    length = request.content_length
    if length is not None and length < 0:
        raise Problem("malformed_request", "Content-Length must not be negative.")
    if length is not None and length > JSON_LIMIT:
        raise Problem("body_too_large", f"The body may have at most {JSON_LIMIT} bytes.")
    stream = request.environ["wsgi.input"]
    if length is None and "HTTP_TRANSFER_ENCODING" not in request.environ:
        return b""
    body = stream.read(JSON_LIMIT + 1 if length is None else length)
    if len(body) > JSON_LIMIT:
        raise Problem("body_too_large", f"The body may have at most {JSON_LIMIT} bytes.")
    return body


def parse_json(body: bytes) -> Any:
    """JSON as Python data, numbers as int or Decimal.

    Raises 400 for invalid or too deep JSON; 422 for repeated keys, NUL, lone surrogates.
    """
    if body.startswith(BOM_UTF8):
        raise Problem("malformed_json", "The body begins with a byte order mark. Send UTF-8 without one.")
    repeating: list[_Repeating] = []
    members = functools.partial(_members, repeating)
    try:
        text = body.decode("utf-8")
        value = json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=members)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise Problem("malformed_json", _cause(error)) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise Problem("malformed_json", TOO_DEEP)
    if repeating or _SUSPECT.search(text):
        violations = list(islice(_mistakes(value, ""), MAX_VIOLATIONS + 1))
        if violations:
            raise Invalid(violations, value)
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


class _Repeating(dict[str, Any]):
    """An object with the keys that it repeats."""

    repeated: list[str]


def _members(repeating: list[_Repeating], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeating.append(_Repeating(members))
    repeating[-1].repeated = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    return repeating[-1]


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        containers = [item for item in level if isinstance(item, (dict, list))]
        level = [member for item in containers for member in (item.values() if isinstance(item, dict) else item)]
    return any(isinstance(item, (dict, list)) for item in level)


def _mistakes(value: Any, place: str) -> Iterator[Violation]:
    if isinstance(value, _Repeating):
        for name in value.repeated:
            yield Violation(_below(place, name), "duplicate_key", "Occurs more than once in one object.")
    if isinstance(value, str) and UNSTORABLE.search(value):
        yield Violation(place, "invalid_characters", sentence("invalid_characters"))
    elif isinstance(value, dict):
        for name, member in value.items():
            inner = _below(place, name)
            yield from _mistakes(name, inner)
            yield from _mistakes(member, inner)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _mistakes(member, _below(place, index))


def _below(place: str, name: str | int) -> str:
    return f"{place}.{step(name)}" if place else step(name)
