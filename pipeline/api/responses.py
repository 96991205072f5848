"""Responses for the results of views."""

import hashlib
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import orjson
from pyramid.response import Response
from webob.request import PATH_SAFE
from webob.response import iter_close

from pipeline.api.endpoint import Endpoint
from pipeline.api.entity_tags import names
from pipeline.api.input import accepted
from pipeline.api.pagination import ListPage
from pipeline.database import dumps
from pipeline.http.bodies import JSON, OCTETS
from pipeline.http.request import Request
from pipeline.validation.errors import Problem

T = TypeVar("T")
# The preference, as request and response name it.
ASYNC = "respond-async"


class ViewResult(NamedTuple):
    """A result with status 201 for a new record, 200 for an existing one.

    `beside` has members of the response that are none of the record's, so its entity tag leaves them out.
    """

    result: object
    status: int
    beside: dict[str, object] | None = None


class Later(NamedTuple):
    """The record of work that goes on after a response with status 202, and its path."""

    record: object
    path: str


def prefers_later(request: Request) -> bool:
    """Whether the client wants an answer before the work is done (RFC 7240)."""
    preferences = request.environ.get("HTTP_PREFER", "").lower().split(",")
    return ASYNC in (preference.partition(";")[0].strip() for preference in preferences)


def entity_tag(body: bytes) -> str:
    """The entity tag of a body, without quotes."""
    return hashlib.sha256(body).hexdigest()[:32]


def tag_of(result: object) -> str | None:
    """The entity tag of a view's result; raises 404 for None."""
    shown = or_404(result)
    if isinstance(shown, Response):
        iter_close(shown.app_iter)  # the file of a download
        return shown.etag
    return entity_tag(body_of(shown))


def unless_known(request: Request, response: Response) -> Response:
    """The response, or 304 if If-None-Match matches."""
    if "HTTP_IF_NONE_MATCH" not in request.environ or request.method not in ("GET", "HEAD"):
        return response
    if response.etag is None or not names(request.environ["HTTP_IF_NONE_MATCH"], response.etag, weakly=True):
        return response
    tag = response.etag
    iter_close(response.app_iter)  # the file of a download
    return Response(status=304, etag=tag)


def or_404(result: T | None) -> T:
    """The result; raises 404 for None."""
    if result is None:
        raise Problem("not_found")
    return result


def respond(request: Request, result: object, endpoint: Endpoint) -> Response:
    if endpoint.status == 204:
        return Response(status=204)
    if isinstance(result, Response):
        if OCTETS in endpoint.offers and accepted(request, (result.content_type, OCTETS)) == OCTETS:
            result.content_type = OCTETS
        return unless_known(request, result)
    if isinstance(result, Later):
        location = request.registry.pipeline.public_url + result.path
        headers = [("Content-Type", JSON), ("Location", location), ("Preference-Applied", ASYNC)]
        return Response(body=body_of(result.record), status=202, headerlist=headers)
    result, status, beside = result if isinstance(result, ViewResult) else ViewResult(result, endpoint.status)
    body = body_of(result)
    headers = [("Content-Type", JSON)]
    if endpoint.shows_record:
        headers.append(("ETag", f'"{entity_tag(body)}"'))
    if isinstance(result, ListPage):
        asked = request.GET if request.environ.get("QUERY_STRING") else {}
        headers.append(("Link", result.link(_url(request), asked)))
    if endpoint.creates:
        headers.append(("Location", f"{_url(request)}/{orjson.loads(body)['id']}"))
    if beside:
        body = body[:-1] + b"," + dumps(beside)[1:]
    return unless_known(request, Response(body=body, status=status, headerlist=headers))


def _url(request: Request) -> str:
    """The URL below `public_url`: the Host header is not trusted."""
    path = request.environ.get("SCRIPT_NAME", "") + request.environ["PATH_INFO"]
    return f"{request.registry.pipeline.public_url}{quote(path, PATH_SAFE, 'latin-1')}"


def body_of(result: object) -> bytes:
    made = result.body() if isinstance(result, ListPage) else result
    return made if isinstance(made, bytes) else dumps(made)


def data(rows: bytes) -> bytes:
    """The envelope of a JSON array."""
    return b'{"data": ' + rows + b"}"
