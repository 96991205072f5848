"""Endpoints: the only module that knows cornice.

    invites = Resource("/interview-invites", "Interview invites")

    @invites.post(access=MEMBER, body=schemas.Invite(), creates=True)
    def create(request, body):
        return service.create(request.caller, **body)

A view gets the validated path ids, `body`, `query` and `upload` as keywords and returns what the client gets: bytes
of JSON made by PostgreSQL, data, or a response of another media type (`gives=`). None means that there is no such
record: 404. Access, rate limit, media types, query and body are checked here, in this order, before the view runs.
`answer=` is the Shape of what JSON it gives, `fails=` are the codes of the failures that are its own, and `found=`
is the status of an Answer that made nothing; the tests hold every answer to all three. `stale=True` is a read that a
replica may answer, with what was so a moment ago.
An upload, a search and what is declared `heavy=` hold a slot of the caller's organization (see slots.py).
Entity tags, If-Match and Idempotency-Key are kept here too; no view knows of them, but a view that answers with a
response of its own may give it an `etag`.
"""

import functools
from typing import NamedTuple

import orjson
from cornice import Service
from cornice.pyramidhook import register_service_views
from psycopg import IntegrityError
from pyramid.decorator import reify
from pyramid.request import Request
from pyramid.response import Response
from webob.response import iter_close

from pipeline.database import dumps, loads, queries
from pipeline.errors import Problem
from pipeline.files.uploads import UploadField
from pipeline.http import changes, entity_tags, idempotency, limits, replica, slots
from pipeline.http.authentication import again
from pipeline.http.inputs import (
    JSON,
    check_accept,
    read_document,
    read_query,
    read_values,
    receive,
    record_id,
    refuse_document,
)
from pipeline.http.pagination import Page
from pipeline.http.references import completed
from pipeline.http.shapes import Shape
from pipeline.scopes import scope_of
from pipeline.security import PUBLIC, Needed
from pipeline.validation import Body, Invalid, Violations

# The answers to these hold the record as it now is.
SHOWING = ("GET", "HEAD", "PUT")


class ApiRequest(Request):
    """A request with the attributes that cornice's views expect; its errors stay empty: ours are problems."""

    errors = ()
    # What slots.py knows of it: the ExitStack that gives its slot back, and whether it counts to a share.
    slot, shared = None, False
    # The JSON that was sent, and whether it is a PATCH that leaves its record as it is.
    document, idle = None, False

    @reify
    def validated(self):
        """What the endpoint's contract made of path, query and body."""
        return {}

    @reify
    def info(self):
        """Cornice's notes about the request."""
        return {}


class Contract(NamedTuple):
    """What an endpoint takes and gives; the documentation is generated from it.

    `changed(request)` gives the record, as a dict, of which PUT or PATCH takes the writable fields; None for actions.
    """

    view: object
    access: str
    body: Body | None
    query: Body | None
    status: int
    creates: bool
    upload: UploadField | None
    gives: str
    limit: limits.Bucket | None
    opens: object
    replayable: bool
    heavy: str | None
    permission: str | Needed
    changed: object
    answer: Shape | None
    fails: tuple[str, ...]
    found: int | None
    stale: bool

    def shows_record(self, method):
        """Whether the answer holds the record as it now is, and so comes with its entity tag.

        A new record whose answer must not be kept holds a secret beside it, which is shown this once.
        """
        shown = (self.creates and self.replayable) or method in SHOWING or self.changed is not None
        return shown or (self.upload is not None and self.status == 201)


class Answer(NamedTuple):
    """A view's result whose status only the view knows: 201 when it made something, 200 when that was there."""

    result: object
    status: int


class Resource(Service):
    """A path below /api and its methods; registered when its module is scanned."""

    def __init__(self, path, description, depth=2):
        """`depth`: how many calls below the module that is scanned for it."""
        super().__init__(name=path, path=f"/api{path}", description=description, depth=depth)
        self.shown = self.own = None

    def get(self, **options):
        """Answers 200 with the record or list."""
        return self._method("GET", 200, **options)

    def post(self, **options):
        """Answers 201 with Location for `creates=True`, else 200 (an action).

        Repeated under an Idempotency-Key it is not done again. In a public POST `opens(**path values)` finds whose key
        it is: it gives the transaction its context. `replayable=False` is for answers that must not be kept.
        """
        status = 201 if options.get("creates") else options.pop("status", 200)
        return self._method("POST", status, **options)

    def put(self, **options):
        """Answers 200 with the full record, or 204 where there is none to show."""
        return self._method("PUT", options.pop("status", 200), **options)

    def patch(self, **options):
        """Answers 200."""
        return self._method("PATCH", 200, **options)

    def change(self, within=None, **options):
        """PUT and PATCH of the record: the view gets the whole body of either, answers 200 with the full record.

        `within` names the member of the record that holds the writable fields, when it is not the record itself.
        """

        def changed(request):
            shown = loads(_body(_found(self.record(request))))
            return shown | shown[within] if within else shown

        def decorate(view):
            def patch(request, **values):
                return self.record(request) if request.idle else view(request, **values)

            name = f"patch_{view.__name__.partition('_')[2]}"
            self._method("PATCH", 200, changed=changed, **options)(named(patch, name))
            return self._method("PUT", 200, changed=changed, **options)(view)

        return decorate

    def delete(self, **options):
        """Answers 204; a view that deleted nothing returns None or 0."""
        return self._method("DELETE", 204, **options)

    def current(self, view):
        """What If-Match compares by: the view of a record that has no GET, or whose GET reads more than its tag."""
        self.shown = view
        return view

    def record(self, request):
        """What shows the record of a request's path: as the view of its GET gives it."""
        return (self.shown or self.own)(request, **_path_values(request))

    def _method(
        self,
        method,
        status,
        *,
        access,
        body=None,
        query=None,
        creates=False,
        upload=None,
        gives=JSON,
        limit=None,
        opens=None,
        replayable=True,
        heavy=None,
        changed=None,
        answer=None,
        fails=(),
        found=None,
        stale=False,
    ):
        def decorate(view):
            if method == "GET" and query is None:
                self.own = view
            keyed = replayable and method == "POST" and (access != PUBLIC or opens is not None)
            # Whose slot an upload by token holds is known to its view.
            kind = heavy or (upload and access != PUBLIC and slots.UPLOAD)
            permission = PUBLIC if access == PUBLIC else Needed(access, scope_of(method, self.path))
            contract = Contract(
                view,
                access,
                body,
                query,
                status,
                creates,
                upload,
                gives,
                limit,
                opens,
                keyed,
                kind,
                permission,
                changed,
                answer,
                fails,
                found,
                stale,
            )
            endpoint = _endpoint(self, method, contract)
            self.add_view(method, endpoint, permission=permission, validators=(_validate,), schema=contract)
            return view

        return decorate


def _endpoint(resource, method, contract):
    def perform(request):
        try:
            result = contract.view(request, **request.validated)
        except (Invalid, IntegrityError) as error:
            raise completed(request, error, contract) from None
        if result is None or (contract.status == 204 and not result):
            raise Problem("not_found")
        return respond(request, result, contract)

    def perform_again(request):
        if contract.access == PUBLIC:
            queries.role_leave()  # a public view takes on the role of prospects itself, which can do so only once
        return perform(request)

    def endpoint(request):
        if contract.replayable and "HTTP_IDEMPOTENCY_KEY" in request.environ:
            if contract.opens:
                request.transaction.begin(request.registry.forms)
                contract.opens(**_path_values(request))
            return idempotency.once(request, perform_again)
        if request.transaction.on_snapshot:
            current = functools.partial(_current_tag, request, resource)
            return entity_tags.guarded(request, current, perform_again, functools.partial(_renew, contract=contract))
        return perform(request)

    return endpoint


def _renew(request, contract):
    """Begin a request's transaction anew, and make the view's body of what is there now."""
    request.transaction.end(commit=False)
    again(request, contract.permission)
    if contract.changed is not None:
        _take_body(request, contract)


def _path_values(request):
    return {name: request.validated[name] for name in request.matchdict}


def _current_tag(request, resource):
    """The entity tag of the record that a request wants to change; None when it has no representation."""
    view = resource.shown or shown_by(request.registry, resource.path)
    if view is None:
        return None
    result = _found(view(request, **_path_values(request)))
    if isinstance(result, Response):
        iter_close(result.app_iter)  # the file of a download
        return result.etag
    return entity_tags.tag_of(_body(result))


def _found(result):
    if result is None:
        raise Problem("not_found")
    return result


def shown_by(registry, path):
    """The view that GETs the record of a path: the path's own, or for an action (`…/{id}/expire`) its record's."""
    views = {
        known: contract.view
        for method, known, contract in endpoints(registry)
        if method == "GET" and contract.query is None
    }
    while path not in views and not path.endswith("}") and path:
        path = path.rpartition("/")[0]
    return views.get(path)


def _validate(request, schema, **_options):
    """Cornice's validator: fills `request.validated` by the endpoint's contract."""
    if schema.limit is not None:
        limits.spend(request, schema.limit)
    check_accept(request, schema.gives)
    validated = request.validated
    for name, value in request.matchdict.items():
        validated[name] = record_id(value) if name == "id" or name.endswith("Id") else value
    violations = Violations()
    query = violations.check("", functools.partial(read_query, request), schema.query) or {}
    if schema.query is not None:
        validated["query"] = query
    heavy = schema.heavy or (query.get("search") and slots.SEARCH)
    if heavy:
        slots.hold(request, heavy)
    if schema.body is not None:
        merges = schema.changed is not None and request.method == "PATCH"
        request.document = read_document(request, schema.body, (JSON, changes.MERGE_PATCH) if merges else (JSON,))
        violations.check("", functools.partial(_take_body, request), schema)
    if violations:
        raise Invalid(violations)
    _begin_reading(request, schema)
    if schema.upload is not None:
        validated["upload"] = receive(request, schema)
    elif schema.body is None:
        refuse_document(request)


def _begin_reading(request, contract):
    """Tell of an export, and go where it is read from."""
    if contract.heavy == slots.EXPORT and request.method == "GET":
        _tell_audit(request, contract)
    if contract.stale:
        replica.read_there(request, contract.permission)


def _tell_audit(request, contract):
    """Tell the audit of an export, in a transaction of its own: what is cut off was read, too, up to there."""
    kind = request.path.split("/")[2]
    queries.export_recorded(type=kind, filter=dumps({**request.matchdict, **request.GET}).decode())
    request.transaction.end(commit=True)
    again(request, contract.permission)


def _take_body(request, contract):
    """Make the view's `body` of the JSON that was sent; a PATCH is merged into the record as it is now."""
    document = request.document
    if contract.changed is not None:
        read = functools.partial(contract.changed, request)
        document, request.idle = changes.settled(request.method, contract.body.fields, document, read)
    request.validated["body"] = read_values(contract.body, document)


def respond(request, result, contract):
    """The response of a view's result."""
    if contract.status == 204:
        return Response(status=204)
    if isinstance(result, Response):
        return entity_tags.unless_known(request, result)
    result, status = result if isinstance(result, Answer) else (result, contract.status)
    body = _body(result)
    headers = [("Content-Type", JSON)]
    if contract.shows_record(request.method):
        headers.append(("ETag", f'"{entity_tags.tag_of(body)}"'))
    if isinstance(result, Page):
        headers.append(("Link", result.link(_url(request), request.GET)))
    if contract.creates:
        headers.append(("Location", f"{_url(request)}/{orjson.loads(body)['id']}"))
    return entity_tags.unless_known(request, Response(body=body, status=status, headerlist=headers))


def _url(request):
    """The URL of a request, by our own setting: webob would complete a path from the client's Host header."""
    return f"{request.registry.pipeline.public_url}{request.path}"


def _body(result):
    made = result.body() if isinstance(result, Page) else result
    return made if isinstance(made, bytes) else dumps(made)


def named(view, name):
    """The view under the name by which the documentation calls its operation."""

    def renamed(request, **values):
        return view(request, **values)

    renamed.__name__ = name
    return renamed


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
