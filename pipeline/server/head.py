"""The head of a request, read by the grammar of RFC 9112: what is not exactly that is a 400 and ends the connection.

Nothing is guessed: a server that reads a doubtful length otherwise than a proxy before it takes one request for two.
"""

import re
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIEnvironment

from pipeline.errors import Problem

LONGEST_HEAD = 32 * 1024
MOST_FIELDS = 100
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]"
_LINE = re.compile(rb"(" + _TOKEN + rb"{1,40}) ([!-~\x80-\xff]+) HTTP/1\.([01])\r\n")
_FIELD = re.compile(rb"^(" + _TOKEN + rb"{1,200}):[ \t]*([\t -~\x80-\xff]*)\r$", re.MULTILINE)
_ABSOLUTE = re.compile(rb"https?://(\[[0-9a-f:.]+\](:[0-9]*)?|[^/?#@\[\]]+)(?=[/?#]|$)", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,15}", re.ASCII)
# What means something else when it stands there twice.
_ONCE = (
    "HTTP_HOST",
    "CONTENT_LENGTH",
    "CONTENT_TYPE",
    "HTTP_TRANSFER_ENCODING",
    "HTTP_AUTHORIZATION",
    "HTTP_IDEMPOTENCY_KEY",
)


class Head(NamedTuple):
    """A request without its body: WSGI environ, body's length (None when chunked), and how the connection goes on."""

    environ: WSGIEnvironment
    length: int | None
    keep_alive: bool
    expects_continue: bool


def parse(head: bytes) -> Head:
    """The Head of bytes that end with the empty line; raises the 400."""
    line = _LINE.match(head)
    if not line:
        raise _malformed("The request line cannot be read.")
    environ = _fields(head[line.end() : -2])
    method, target, version = line.groups()
    path, _, query = _origin(target).partition(b"?")
    environ["REQUEST_METHOD"] = method.decode("ascii")
    environ["PATH_INFO"] = (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1")
    environ["QUERY_STRING"] = query.decode("latin-1")
    environ["SERVER_PROTOCOL"] = "HTTP/1.1" if version == b"1" else "HTTP/1.0"
    if version == b"1" and "HTTP_HOST" not in environ:
        raise _malformed("The field Host is missing.")
    length = _length(environ, version)
    connection = environ.get("HTTP_CONNECTION", "").lower()
    keep_alive = "close" not in connection if version == b"1" else "keep-alive" in connection
    expects = version == b"1" and environ.get("HTTP_EXPECT", "").lower() == "100-continue"
    return Head(environ, length, keep_alive, expects)


def _fields(lines: bytes) -> dict[str, Any]:
    """The WSGI environ of the field lines."""
    found = _FIELD.findall(lines)
    if len(found) != lines.count(b"\n"):
        raise _malformed("A header field cannot be read.")
    if len(found) > MOST_FIELDS:
        raise Problem("headers_too_large", f"A request may have at most {MOST_FIELDS} header fields.")
    environ: WSGIEnvironment = {}
    for name, value in found:
        key, value = _key(name), value.rstrip(b" \t").decode("latin-1")
        # X_Forwarded_For is not X-Forwarded-For, but WSGI has one name for both: it is nobody's.
        if key is None:
            continue
        if key in environ:
            if key in _ONCE:
                raise _malformed(f"The field {name.decode()} stands there twice.")
            value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ', '}{value}"
        environ[key] = value
    return environ


@lru_cache(maxsize=1000)
def _key(name: bytes) -> str | None:
    """The WSGI name of a field, or None for one with an underscore."""
    if b"_" in name:
        return None
    key = name.decode("ascii").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def _origin(target: bytes) -> bytes:
    """The path and query of a request's target."""
    if target[:1] == b"/":
        return target
    absolute = _ABSOLUTE.match(target)
    if not absolute:
        raise _malformed("The URL cannot be read.")
    rest = target[absolute.end() :]
    return rest if rest[:1] == b"/" else b"/" + rest


def _length(environ: WSGIEnvironment, version: bytes) -> int | None:
    """The body's length; None when it comes in chunks, whose field is then removed: it tells of the way here only."""
    length, coding = environ.get("CONTENT_LENGTH"), environ.pop("HTTP_TRANSFER_ENCODING", None)
    if coding is not None:
        if version == b"0" or length is not None or coding.lower() != "chunked":
            raise _malformed("The body must come with a Content-Length, or in chunks over HTTP/1.1.")
        return None
    if length is None:
        return 0
    if not _LENGTH.fullmatch(length):
        raise _malformed("Content-Length is not a number.")
    return int(length)


def _malformed(detail: str) -> Problem:
    return Problem("malformed_request", detail)
