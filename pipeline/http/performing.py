"""A view's call and what HTTP promises of it: one result for one Idempotency-Key, no change against If-Match."""

import functools
from typing import TYPE_CHECKING, Any

from psycopg import IntegrityError
from pyramid.response import Response
from webob.response import iter_close

from pipeline.database import queries
from pipeline.errors import Problem
from pipeline.http import entity_tags, idempotency
from pipeline.http.answers import body_of, found, respond
from pipeline.http.authentication import again
from pipeline.http.endpoints import Contract, shown_by
from pipeline.http.holders import begin_form
from pipeline.http.intake import take_body
from pipeline.http.references import completed
from pipeline.http.request import Handler, Request
from pipeline.http.security import PUBLIC
from pipeline.validation import Invalid

if TYPE_CHECKING:
    from pipeline.http.resource import Resource


def endpoint_of(resource: "Resource", contract: Contract) -> Handler:
    """What answers the requests of an endpoint of a Resource, by its Contract."""

    def perform(request: Request) -> Response:
        try:
            result = contract.view(request, **request.validated)
        except (Invalid, Problem, IntegrityError) as error:
            raise completed(request, error, contract) from None
        if result is None or (contract.status == 204 and not result):
            raise Problem("not_found")
        return respond(request, result, contract)

    def perform_again(request: Request) -> Response:
        if contract.access == PUBLIC:
            queries.role_leave()  # a public view takes on the role of prospects itself, which can do so only once
        return perform(request)

    def endpoint(request: Request) -> Response:
        if contract.replayable and "HTTP_IDEMPOTENCY_KEY" in request.environ:
            if contract.opens:
                begin_form(request)
                contract.opens(**path_values(request))
            return idempotency.once(request, perform_again)
        if request.transaction.on_snapshot:
            current = functools.partial(_current_tag, request, resource)
            return entity_tags.guarded(request, current, perform_again, functools.partial(_renew, contract=contract))
        return perform(request)

    return endpoint


def _renew(request: Request, contract: Contract) -> None:
    """Begin a request's transaction anew, and make the view's body of what is there now."""
    again(request, contract.permission, commit=False)
    if contract.changed is not None:
        take_body(request, contract)


def path_values(request: Request) -> dict[str, Any]:
    """The ids, tokens and slugs of a request's path."""
    return {name: request.validated[name] for name in request.matchdict}


def _current_tag(request: Request, resource: "Resource") -> str | None:
    """The entity tag of the record that a request wants to change; None when it has no representation."""
    view = resource.shown or shown_by(request.registry, resource.path)
    if view is None:
        return None
    result = found(view(request, **path_values(request)))
    if isinstance(result, Response):
        iter_close(result.app_iter)  # the file of a download
        return result.etag
    return entity_tags.tag_of(body_of(result))
