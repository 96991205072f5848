"""If-Match: the entity tag of the record as the client last read it."""

import re

from pipeline.http.request import Request
from pipeline.http.server.compression import TAG_SUFFIX
from pipeline.validation.errors import Problem

# webob requires a space after commas.
_TAG = re.compile(r'(W/)?"([^"]*)"')
_TAGS = re.compile(rf"{_TAG.pattern}(\s*,\s*{_TAG.pattern})*")


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
