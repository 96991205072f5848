"""Gzip for textual responses of 1 KiB and more.

Responses with secrets stay uncompressed, since their length could leak them (BREACH).
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from pyramid.response import Response
from webob.response import iter_close

from pipeline.http.request import Handler, Registry, Request

SMALLEST = 1024
LEVEL = 4
GZIP = 31  # window of 32 KiB, gzip format
TEXTS = ("application/json", "application/problem+json", "text/html", "text/csv", "text/plain")
PRIVATE = ("/forms/", "/sign/", "/api/public/", "/api/auth/")
# Compressed bytes need their own tag.
TAG_SUFFIX = "-gzip"


def tween_factory(handler: Handler, registry: Registry) -> Handler:
    def tween(request: Request) -> Response:
        response = handler(request)
        if _admits(request, response):
            _compress(response)
        return response

    return tween


def _admits(request: Request, response: Response) -> bool:
    """Whether to compress; adds Accept-Encoding to `Vary`."""
    # Each property would search the headers anew.
    headers = {name.lower(): value for name, value in response.headerlist}
    content_type = headers.get("content-type", "").partition(";")[0].strip()
    if content_type not in TEXTS or request.environ.get("PATH_INFO", "").startswith(PRIVATE):
        return False
    if int(headers.get("content-length", SMALLEST)) < SMALLEST or "content-encoding" in headers:
        return False
    if "vary" in headers:
        response.vary = (*response.vary, "Accept-Encoding")
    else:
        response.headerlist.append(("Vary", "Accept-Encoding"))
    return accepts_gzip(request)


def accepts_gzip(request: Request) -> bool:
    """Whether the client names gzip; without the header, few decompress."""
    named = "gzip" in request.environ.get("HTTP_ACCEPT_ENCODING", "").lower()
    return bool(named and request.accept_encoding.acceptable_offers(["gzip"]))


def _compress(response: Response) -> None:
    if response.content_length is None:
        response.app_iter = Compressed(response.app_iter)
    else:
        response.body = gzip.compress(response.body, LEVEL, mtime=0)
    response.headers["Content-Encoding"] = "gzip"
    if response.etag:
        response.etag += TAG_SUFFIX


class Compressed:
    """A streamed body, compressed by piece."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        packer = zlib.compressobj(LEVEL, wbits=GZIP)
        for piece in self.pieces:
            if packed := packer.compress(piece):
                yield packed
        yield packer.flush()

    def close(self) -> None:
        iter_close(self.pieces)
