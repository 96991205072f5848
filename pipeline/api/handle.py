"""The life of a request: `handle` and the functions that it calls, from top to bottom.

Only this module begins, ends and reopens transactions of requests.
"""

import time

import psycopg
from psycopg import IntegrityError
from psycopg.errors import SerializationFailure
from pyramid.response import Response

from pipeline.api import entity_tags, idempotency
from pipeline.api.batches.references import further_references, taken_values
from pipeline.api.endpoint import NONE, Endpoint, shown_for
from pipeline.api.input import read_body_values, read_input
from pipeline.api.responses import or_404, respond, tag_of
from pipeline.api.streams import Stream
from pipeline.api.uploads import read_upload
from pipeline.database import APP, Database, Transaction, dumps, not_none, queries
from pipeline.http import authentication
from pipeline.http.fairness import limits
from pipeline.http.problems import problem_of
from pipeline.http.request import Handler, Request
from pipeline.http.security import PUBLIC, refusal
from pipeline.validation import Invalid
from pipeline.validation.errors import Problem

# Retries after serialization failures.
ATTEMPTS = 50
# {path parameter: kind for `Database.holding`}.
HOLDERS = {"token": "token", "slug": "slug", "sha256": "logo"}


def handler_of(endpoint: Endpoint) -> Handler:
    """The view of an endpoint for Pyramid."""
    return lambda request: handle(request, endpoint)


def handle(request: Request, endpoint: Endpoint) -> Response:
    """The endpoint's response. The transaction commits below status 400; an exception rolls it back.

    Tries again if a public endpoint's organization is in another cell.
    """
    begun, again = time.monotonic(), endpoint.access == PUBLIC and endpoint.upload is None
    while True:
        try:
            return handle_once(request, endpoint)
        except psycopg.DatabaseError as error:
            database = request.transaction.database or request.registry.app
            if not (again and database.home.follows(error, begun)):
                raise
        except Problem as problem:
            if not (again and problem.code == "not_found" and has_moved(request)):
                raise
        # The try before has read the body.
        request.environ["wsgi.input"].seek(0)


def handle_once(request: Request, endpoint: Endpoint) -> Response:
    """The endpoint's response by one try."""
    request.validated, request.info = {}, {}
    request.transaction = Transaction()
    with request.transaction:
        if endpoint.visit is not None:
            response = show_page(request, endpoint)
        elif is_on_snapshot(request, endpoint):
            receive(request, endpoint)
            response = answer_on_snapshot(request, endpoint)
        else:
            receive(request, endpoint)
            response = answer(request, endpoint)
        if response.status_code >= 400:
            request.transaction.end(commit=False)
        return response


def receive(request: Request, endpoint: Endpoint) -> None:
    """Check the caller and the input, and leave the transaction open that the view works in."""
    if endpoint.access == PUBLIC:
        # A stranger's request is checked before it costs a connection.
        count_for_bucket(request, endpoint)
        read_input(request, endpoint)
        receive_file(request, endpoint)
        enter(request, endpoint)
        return
    enter(request, endpoint)
    read_input(request, endpoint)
    if endpoint.streams:
        record_export(request)
    question = endpoint.asks(request) if endpoint.asks is not None else None
    if endpoint.streams or endpoint.upload is not None or question is not None:
        # What takes long holds no connection, and the caller's rights are read again afterwards.
        request.transaction.end(commit=True)
        receive_file(request, endpoint)
        if question is not None:
            question()
        enter(request, endpoint)
        if endpoint.merges:
            read_body_values(request, endpoint)


def enter(request: Request, endpoint: Endpoint, pool: Database | None = None) -> None:
    """Begin the transaction in the caller's role and organization; raises 401, 403 and 429.

    pool: the connections of a page that has its own.
    """
    if endpoint.transaction == NONE:
        return
    if endpoint.access == PUBLIC:
        database = pool or public_database(request, endpoint)
        request.transaction.begin(database, is_on_snapshot(request, endpoint))
        return
    credentials = authentication.credentials(request.registry, request.environ.get("HTTP_AUTHORIZATION"))
    # Before the request costs a connection.
    authentication.count(request, credentials, endpoint.heavy)
    begin_as(request, endpoint, credentials)
    if problem := refusal(request.caller, endpoint.access, endpoint.scopes):
        raise problem


def begin_as(request: Request, endpoint: Endpoint, credentials: authentication.Credentials) -> None:
    """Begin the transaction in the cell of the caller's organization, which a move may change meanwhile."""
    app, transaction, begun = request.registry.app, request.transaction, time.monotonic()
    while True:
        transaction.begin(authentication.database_of(app, credentials), is_on_snapshot(request, endpoint))
        try:
            authentication.identify(request, credentials, endpoint.heavy)
            return
        except psycopg.DatabaseError as error:
            transaction.end(commit=False)
            if not app.follows(error, begun):
                raise
        except Problem:
            # The former cell has deleted a key that moved with its organization.
            owner = getattr(credentials, "owner", None)
            if owner is None or not app.has_moved(owner[0], transaction.database):
                raise
            transaction.end(commit=False)


def answer(request: Request, endpoint: Endpoint) -> Response:
    """The response of the view, or the stored one for a repeated Idempotency-Key."""
    keyed = None
    if endpoint.replayable and "HTTP_IDEMPOTENCY_KEY" in request.environ:
        keyed = find_stored(request, endpoint)
        if isinstance(keyed, Response):
            return keyed
    if endpoint.checks_if_match and "HTTP_IF_MATCH" in request.environ:
        view = shown_for(request.registry, endpoint)
        entity_tags.check(request, view and tag_of(view(request, **request.path_values)))
    result = call_view(request, endpoint)
    if endpoint.renders is not None:
        request.transaction.end(commit=True)
        result = endpoint.renders(result)
    if isinstance(result, Stream):
        result = result.response(request.transaction, request.slot)
    response = respond(request, result, endpoint)
    if keyed is not None:
        idempotency.keep(keyed, response)
    return response


def answer_on_snapshot(request: Request, endpoint: Endpoint) -> Response:
    """The response, tried again when a row changed after the snapshot; raises 503 after 50 tries."""
    for _ in range(ATTEMPTS):
        try:
            return answer(request, endpoint)
        except SerializationFailure:
            enter_again(request, endpoint)
            if endpoint.upload is not None:
                request.validated["upload"].file.seek(0)
            if endpoint.changed is not None:
                read_body_values(request, endpoint)
    raise Problem("unavailable")


def show_page(request: Request, endpoint: Endpoint) -> Response:
    """The response of a page's view, which is made after the commit."""
    visit = not_none(endpoint.visit)(request)
    request.failure_page = visit.failed
    visit.admit(endpoint)
    count_for_bucket(request, endpoint)
    enter(request, endpoint, visit.pool)
    result = or_404(endpoint.view(visit))
    request.transaction.end(commit=True)
    return not_none(endpoint.renders)(result)


def count_for_bucket(request: Request, endpoint: Endpoint) -> None:
    """Count the request for the endpoint's own limit, if it has one; raises 429."""
    if endpoint.limit is not None:
        limits.count_request(request, endpoint.limit)


def is_on_snapshot(request: Request, endpoint: Endpoint) -> bool:
    """Whether the transaction fails when its rows change meanwhile; the request is then tried again."""
    return endpoint.merges or (endpoint.checks_if_match and "HTTP_IF_MATCH" in request.environ)


def receive_file(request: Request, endpoint: Endpoint) -> None:
    """Read the file of an upload, if the endpoint takes one."""
    if endpoint.upload is not None:
        request.validated["upload"] = read_upload(request, endpoint.upload)


def record_export(request: Request) -> None:
    kind, asked = request.path.split("/")[2], {**request.matchdict, **request.GET}
    queries.export_recorded(type=kind, filter=dumps(asked).decode())


def find_stored(request: Request, endpoint: Endpoint) -> Response | idempotency.KeyedRequest:
    """The stored response for the request's Idempotency-Key, or the key to store one."""
    if endpoint.opens:
        endpoint.opens(**request.path_values)
    key = idempotency.read_key(request.environ["HTTP_IDEMPOTENCY_KEY"])
    return idempotency.find(key, idempotency.digest(request.method, request.path, request.validated))


def call_view(request: Request, endpoint: Endpoint) -> object:
    """The result of the view; raises 404 for none."""
    try:
        result = endpoint.view(request, **request.validated)
    except (Invalid, Problem, IntegrityError) as error:
        raise completed(request, endpoint, error) from None
    if result is None or (endpoint.status == 204 and not result):
        raise Problem("not_found")
    return result


def completed(request: Request, endpoint: Endpoint, error: Exception) -> Exception:
    """The error with all unknown references and taken keys of the body."""
    problem, body = problem_of(error, request), endpoint.body
    if body is None or problem is None or not problem.violations:
        return error
    if isinstance(error, psycopg.Error):
        enter_again(request, endpoint)
    values, known = request.validated["body"], {violation.name for violation in problem.violations}
    taken = [one for one in taken_values(body, values, request.validated.get("id")) if one.name not in known]
    if others := further_references(problem.violations, body, values):
        return Invalid([*problem.violations, *taken, *others])
    return Problem(problem.code, problem.detail, [*problem.violations, *taken]) if taken else error


def enter_again(request: Request, endpoint: Endpoint) -> None:
    """Roll back and begin another transaction as the same caller."""
    request.transaction.end(commit=False)
    enter(request, endpoint)


def public_database(request: Request, endpoint: Endpoint) -> Database:
    """The pool of a public endpoint: the application's, or that of the path's form."""
    return request.registry.app if endpoint.transaction == APP else form_database(request)


def form_database(request: Request) -> Database:
    """The pool of the path's form, if any."""
    forms, key = request.registry.forms, form_key(request)
    return forms.holding(*key) if key else forms


def has_moved(request: Request) -> bool:
    """Whether the path's form is in another cell than the one that has deleted its copy."""
    forms, key = request.registry.forms, form_key(request)
    organization_id = forms.held_by(*key) if key else None
    return organization_id is not None and forms.has_moved(organization_id, request.transaction.database)


def form_key(request: Request) -> tuple[str, str] | None:
    """The kind and value of the path's token or slug, for `Database.holding`."""
    return next(((HOLDERS[name], value) for name, value in request.matchdict.items() if name in HOLDERS), None)
