"""The view's call, with Idempotency-Key and If-Match."""

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

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
    """The handler of an endpoint."""
    return _Endpoint(resource, contract).answer


class _Endpoint(NamedTuple):
    """One endpoint; each method calls the next one."""

    resource: "Resource"
    contract: Contract

    def answer(self, request: Request) -> Response:
        if request.transaction.on_snapshot:
            return entity_tags.on_snapshot(request, self.once, functools.partial(_renew, contract=self.contract))
        return self.once(request)

    def once(self, request: Request) -> Response:
        if not (self.contract.replayable and "HTTP_IDEMPOTENCY_KEY" in request.environ):
            return self.unless_changed(request)
        if self.contract.opens:
            begin_form(request)
            self.contract.opens(**path_values(request))
        return idempotency.once(request, self.unless_changed_anew)

    def unless_changed_anew(self, request: Request) -> Response:
        """As unless_changed, in a transaction with a role."""
        self._release_role()
        return self.unless_changed(request)

    def unless_changed(self, request: Request) -> Response:
        """The view's response; raises 412 if If-Match refuses."""
        if self.contract.heeds_tag and "HTTP_IF_MATCH" in request.environ:
            entity_tags.check(request, _current_tag(request, self.resource, self.contract))
            self._release_role()
        return self.perform(request)

    def perform(self, request: Request) -> Response:
        contract = self.contract
        try:
            result = contract.view(request, **request.validated)
        except (Invalid, Problem, IntegrityError) as error:
            raise completed(request, error, contract) from None
        if result is None or (contract.status == 204 and not result):
            raise Problem("not_found")
        return respond(request, result, contract)

    def _release_role(self) -> None:
        """Leave the role, since the view can take it only once."""
        if self.contract.access == PUBLIC:
            queries.role_leave()


def _renew(request: Request, contract: Contract) -> None:
    """Begin anew: merge the body again and rewind the upload."""
    again(request, contract.permission, commit=False)
    if contract.upload is not None:
        request.validated["upload"].file.seek(0)
    if contract.changed is not None:
        take_body(request, contract)


def path_values(request: Request) -> dict[str, Any]:
    """The path's ids, tokens and slugs."""
    return {name: request.validated[name] for name in request.matchdict}


def _current_tag(request: Request, resource: "Resource", contract: Contract) -> str | None:
    """The record's entity tag, for a POST its parent's (`…/{id}/qualify`: the lead); or None."""
    if contract.method == "POST":
        view = shown_by(request.registry, resource.path.rpartition("/")[0])
    else:
        view = resource.shown or shown_by(request.registry, resource.path)
    if view is None:
        return None
    result = found(view(request, **path_values(request)))
    if isinstance(result, Response):
        iter_close(result.app_iter)  # the file of a download
        return result.etag
    return entity_tags.tag_of(body_of(result))
