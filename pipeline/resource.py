"""Endpoints: the only module that knows cornice.

    invites = Resource("/interview-invites", "Interview invites")

    @invites.post(access=MEMBER, body=schemas.Invite(), creates=True)
    def create(request, body):
        return service.create(request.caller, **body)

A view gets the validated path ids, `body`, `query` and `upload` as keywords and returns what the client gets: bytes
of JSON made by PostgreSQL, data, or a response of another media type (`gives=`). None means that there is no such
record: 404. Access, media types, body and query are checked here, in this order, before the view runs.
"""

import functools
from collections import Counter
from typing import NamedTuple

import orjson
from cornice import Service
from cornice.pyramidhook import register_service_views
from pyramid.decorator import reify
from pyramid.request import Request
from pyramid.response import Response
from webob.acceptparse import create_accept_header

from pipeline.database import dumps
from pipeline.ingress import read_json
from pipeline.pages import Page
from pipeline.problems import Problem, Violation, invalid
from pipeline.schema import MAX_ID, Body, deserialize
from pipeline.uploads import UploadField, read_upload

JSON = "application/json"


class ApiRequest(Request):
    """A request with the attributes that cornice's views expect; its errors stay empty: ours are problems."""

    errors = ()

    @reify
    def validated(self):
        """What the endpoint's contract made of path, query and body."""
        return {}

    @reify
    def info(self):
        """Cornice's notes about the request."""
        return {}


class Contract(NamedTuple):
    """What an endpoint takes and gives; the documentation is generated from it."""

    view: object
    access: str
    body: Body | None
    query: Body | None
    status: int
    creates: bool
    upload: UploadField | None
    gives: str


class Resource(Service):
    """A path below /api and its methods; registered when its module is scanned."""

    def __init__(self, path, description):
        super().__init__(name=path, path=f"/api{path}", description=description, depth=2)

    def get(self, **options):
        """Answers 200 with the record or list."""
        return self._method("GET", 200, **options)

    def post(self, **options):
        """Answers 201 with Location for `creates=True`, else 200 (an action)."""
        status = 201 if options.get("creates") else options.pop("status", 200)
        return self._method("POST", status, **options)

    def put(self, **options):
        """Answers 200 with the full record."""
        return self._method("PUT", 200, **options)

    def patch(self, **options):
        """Answers 200."""
        return self._method("PATCH", 200, **options)

    def delete(self, **options):
        """Answers 204; a view that deleted nothing returns None or 0."""
        return self._method("DELETE", 204, **options)

    def _method(self, method, status, *, access, body=None, query=None, creates=False, upload=None, gives=JSON):
        def decorate(view):
            contract = Contract(view, access, body, query, status, creates, upload, gives)
            self.add_view(
                method, _endpoint(contract), permission=access, validators=(_validate,), schema=contract
            )
            return view

        return decorate


def _endpoint(contract):
    def endpoint(request):
        result = contract.view(request, **request.validated)
        if result is None or (contract.status == 204 and not result):
            raise Problem("not_found")
        return respond(request, result, contract)

    return endpoint


def _validate(request, schema, **_options):
    """Cornice's validator: fills `request.validated` by the endpoint's contract."""
    check_accept(request, schema.gives)
    validated = request.validated
    for name, value in request.matchdict.items():
        validated[name] = record_id(value) if name == "id" or name.endswith("Id") else value
    query = read_query(request, schema.query)
    if schema.query is not None:
        validated["query"] = query
    if schema.body is not None:
        validated["body"] = deserialize(schema.body, read_document(request, schema.body))
    if schema.upload is not None:
        validated["upload"] = receive(request, schema)


def receive(request, contract):
    """The Upload of a request; its transaction is ended before and begun anew after, in the caller's context.

    A slow client must not hold a connection of the pool while it sends.
    """
    request.transaction.end(commit=True)
    upload = read_upload(request, contract.upload)
    request.has_permission(contract.access)
    return upload


def read_document(request, schema):
    """The body's JSON; no body at all is an empty object where every field may be left out."""
    bare = not request.content_length and "HTTP_TRANSFER_ENCODING" not in request.environ
    if bare and not request.content_type and not any(node.required for node in schema.children):
        return {}
    return read_json(request)


def check_accept(request, gives=JSON):
    """406 when the client takes neither what the endpoint gives nor problem+json."""
    if not _acceptable(request.environ.get("HTTP_ACCEPT", "*/*"), gives):
        raise Problem("not_acceptable", f"Available: {gives}.")


@functools.lru_cache(maxsize=1024)
def _acceptable(accept, gives):
    return bool(create_accept_header(accept).acceptable_offers([*gives.split(", "), "application/problem+json"]))


def record_id(text):
    """The id in a path; what cannot be an id names no record."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= MAX_ID:
        return int(text)
    raise Problem("not_found")


def read_query(request, schema):
    """The query parameters as a dict; unknown and repeated ones are refused."""
    if schema is None and not request.environ.get("QUERY_STRING"):
        return {}
    repeated = sorted(name for name, count in Counter(request.GET.keys()).items() if count > 1)
    if repeated:
        raise invalid([Violation(name, "repeated", "Occurs more than once.", "query") for name in repeated])
    # not dict(request.GET): that looks each name up by going through all of them
    return deserialize(schema or _NO_QUERY, dict(request.GET.items()), "query")


_NO_QUERY = Body()


def respond(request, result, contract):
    """The response of a view's result. Entity tags and idempotency keys belong here and in `_endpoint`."""
    if contract.status == 204:
        return Response(status=204)
    if isinstance(result, Response):
        return result
    paged = isinstance(result, Page)
    made = result.body() if paged else result
    body = made if isinstance(made, bytes) else dumps(made)
    response = Response(body=body, status=contract.status, content_type=JSON)
    # Absolute by our own setting: webob would complete a path from the client's Host header.
    url = f"{request.registry.pipeline.public_url}{request.path}"
    if paged:
        response.headers["Link"] = result.link(url, request.GET)
    if contract.creates:
        response.headers["Location"] = f"{url}/{orjson.loads(body)['id']}"
    return response


def data(rows):
    """The envelope of a list that is not paginated, from a JSON array's bytes."""
    return b'{"data": ' + rows + b"}"


def endpoints(registry):
    """Every (method, path pattern, contract) that is registered; for documentation and the isolation tests."""
    for service in registry.cornice_services.values():
        for method, _view, options in service.definitions:
            if method != "HEAD" and "schema" in options:
                yield method, service.path, options["schema"]


def includeme(config):
    """Bring in of cornice what registers services.

    Its includeme does more for every request than all of the checks here: a class for each (Pyramid's way to add
    properties), four events, and response filters that would find nothing to do.
    """
    config.registry.cornice_services = {}
    config.add_directive("add_cornice_service", register_service_views)
    config.set_request_factory(ApiRequest)
