"""Entity tags: hashes of response bodies."""

import hashlib
import re

from pyramid.response import Response
from webob.response import iter_close

from pipeline.errors import Problem
from pipeline.http.compression import TAG_SUFFIX
from pipeline.http.request import Request

# webob requires a space after commas.
_TAG = re.compile(r'(W/)?"([^"]*)"')
_TAGS = re.compile(rf"{_TAG.pattern}(\s*,\s*{_TAG.pattern})*")


def tag_of(body: bytes) -> str:
    """The body's entity tag, without quotes."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def unless_known(request: Request, response: Response) -> Response:
    """The response, or 304 if If-None-Match matches."""
    if "HTTP_IF_NONE_MATCH" not in request.environ or request.method not in ("GET", "HEAD"):
        return response
    if response.etag is None or not names(request.environ["HTTP_IF_NONE_MATCH"], response.etag, weakly=True):
        return response
    tag = response.etag
    iter_close(response.app_iter)  # the file of a download
    return Response(status=304, etag=tag)


def check(request: Request, tag: str | None) -> None:
    """Raise 412 unless If-Match admits the tag; None needs `*`."""
    header = request.environ["HTTP_IF_MATCH"].strip()
    if names(header, tag):
        return
    detail = None
    if header != "*" and not _TAGS.fullmatch(header):
        detail = 'If-Match must be a tag in quotes as ETag gives it, such as "5f3a", a list of them, or *.'
    elif names(header, tag, weakly=True):
        detail = "If-Match compares exactly: it never matches a tag that is marked as weak (W/)."
    raise Problem("precondition_failed", detail, headers={"ETag": f'"{tag}"'} if tag else None)


def names(header: str, tag: str | None, weakly: bool = False) -> bool:
    """Whether a list of tags, or `*`, holds a tag; weak ones only if `weakly`."""
    listed = _TAG.findall(header)
    return header.strip() == "*" or any(
        value.removesuffix(TAG_SUFFIX) == tag and (weakly or not weak) for weak, value in listed
    )
