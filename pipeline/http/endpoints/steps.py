"""The steps of a request through its endpoint.

`steps_of` lists the steps by the contract, which declares the transaction. Only this module begins, ends and reopens
transactions of requests.
"""

from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg import IntegrityError
from psycopg.errors import SerializationFailure
from pyramid.response import Response

from pipeline.database import APP, Database, Transaction, dumps, not_none, queries
from pipeline.http.callers import authentication
from pipeline.http.core.problems import problem_of
from pipeline.http.core.request import Handler, Request
from pipeline.http.core.security import PUBLIC, refusal
from pipeline.http.endpoints import entity_tags, idempotency, intake
from pipeline.http.endpoints.answers import respond, tag_of
from pipeline.http.endpoints.contract import NONE, Contract, Visitor, shown_for
from pipeline.http.endpoints.references import further_references
from pipeline.http.endpoints.streams import Stream
from pipeline.http.endpoints.uploads import read_upload
from pipeline.http.quotas import limits
from pipeline.validation import Invalid
from pipeline.validation.errors import Problem

# Retries after serialization failures.
ATTEMPTS = 50
# Path parameters, and kinds for `Database.holding`.
TOKEN, SLUG = "token", "slug"


class RequestSteps:
    """The state of a request between its steps, and the steps."""

    def __init__(self, request: Request, contract: Contract) -> None:
        self.request, self.contract = request, contract
        self.transaction = request.transaction = Transaction()
        request.validated, request.info = {}, {}
        self.credentials: authentication.Credentials
        self.keyed: idempotency.KeyedRequest | None = None
        self.visit: Visitor | None = None
        if contract.visit is not None:
            self.visit = contract.visit(request)
            request.failure_page = self.visit.failed
        self.result: Any = None

    def limit(self) -> None:
        """Count the request for the endpoint's bucket."""
        limits.count_request(self.request, not_none(self.contract.limit))

    def admit(self) -> None:
        """Check the site of a page's request, read its form and count it."""
        not_none(self.visit).admit(self.contract)

    def share(self) -> None:
        """Count the request for its caller and organization, before it costs a connection."""
        request = self.request
        authorization = request.environ.get("HTTP_AUTHORIZATION")
        self.credentials = authentication.credentials(request.registry, authorization)
        authentication.count(request, self.credentials, self.contract.heavy)

    def open(self) -> None:
        """Begin the declared transaction."""
        self.transaction.begin(self._database(), self.is_on_snapshot)

    def identify(self) -> None:
        """Find the caller, and set role and organization of the transaction."""
        authentication.identify(self.request, self.credentials, self.contract.heavy)

    def authorize(self) -> None:
        """Compare the caller with the contract."""
        if problem := refusal(self.request.caller, self.contract.access, self.contract.scopes):
            raise problem

    def intake(self) -> None:
        """Check path, query and body, and take a slot for heavy work."""
        intake.read(self.request, self.contract)

    def record_export(self) -> None:
        kind, asked = self.request.path.split("/")[2], {**self.request.matchdict, **self.request.GET}
        queries.export_recorded(type=kind, filter=dumps(asked).decode())

    def commit(self) -> None:
        """Commit before slow work, which holds no connection."""
        self.transaction.end(commit=True)

    def receive(self) -> None:
        """Read the file of an upload."""
        self.request.validated["upload"] = read_upload(self.request, not_none(self.contract.upload))

    def repeat(self) -> Response | None:
        """Respond as before to a repeated Idempotency-Key."""
        request = self.request
        if "HTTP_IDEMPOTENCY_KEY" not in request.environ:
            return None
        if self.contract.opens:
            self.contract.opens(**request.path_values)
        key = idempotency.read_key(request.environ["HTTP_IDEMPOTENCY_KEY"])
        found = idempotency.find(key, idempotency.digest(request.method, request.path, request.validated))
        if isinstance(found, Response):
            return found
        self.keyed = found
        return None

    def compare(self) -> None:
        """Compare the record's entity tag with If-Match."""
        request = self.request
        if "HTTP_IF_MATCH" in request.environ:
            view = shown_for(request.registry, self.contract)
            entity_tags.check(request, view and tag_of(view(request, **request.path_values)))

    def perform(self) -> None:
        """Call the view with the checked values."""
        contract = self.contract
        try:
            self.result = contract.view(self.visit or self.request, **self.request.validated)
        except (Invalid, Problem, IntegrityError) as error:
            raise self._completed(error) from None
        if self.result is None or (contract.status == 204 and not self.result):
            raise Problem("not_found")

    def render(self) -> None:
        """Render the document or page that the view has prepared."""
        self.result = not_none(self.contract.renders)(self.result)

    def answer(self) -> Response:
        """Make the response, stored under the Idempotency-Key; a stream continues the transaction."""
        if self.visit is not None:
            return self.result
        if isinstance(self.result, Stream):
            self.result = self.result.response(self.transaction, self.request.slot)
        response = respond(self.request, self.result, self.contract)
        if self.keyed is not None:
            idempotency.keep(self.keyed, response)
        return response

    @property
    def is_on_snapshot(self) -> bool:
        """Whether the transaction fails when its rows change meanwhile; the request is then tried again."""
        contract = self.contract
        return contract.merges or (contract.heeds_tag and "HTTP_IF_MATCH" in self.request.environ)

    def run(self, steps: Sequence["Step"]) -> Response:
        """Run the steps until one returns the response."""
        for step in steps:
            response = step(self)
            if response is not None:
                return response
        raise LookupError("No step has given a response.")

    def renew(self) -> None:
        """Begin again: merge the body into the present record, and rewind the upload."""
        self.reopen()
        if self.contract.upload is not None:
            self.request.validated["upload"].file.seek(0)
        if self.contract.changed is not None:
            intake.take_body(self.request, self.contract)

    def reopen(self) -> None:
        """Roll back and begin another transaction as the same caller."""
        self.transaction.end(commit=False)
        for step in entry_of(self.contract):
            step(self)

    def _database(self) -> Database:
        app = self.request.registry.app
        if self.contract.access != PUBLIC:
            return authentication.database_of(app, self.credentials)
        if self.visit is not None and self.visit.pool is not None:
            return self.visit.pool
        return app if self.contract.transaction == APP else form_database(self.request)

    def _completed(self, error: Exception) -> Exception:
        """The error with all unknown references of the body."""
        problem, body = problem_of(error, self.request), self.contract.body
        if body is None or problem is None or not problem.violations:
            return error
        if isinstance(error, psycopg.Error):
            self.reopen()
        others = further_references(problem.violations, body, self.request.validated["body"])
        return Invalid([*problem.violations, *others]) if others else error


Step = Callable[[RequestSteps], Response | None]


def steps_of(contract: Contract) -> tuple[Sequence[Step], Sequence[Step]]:
    """The steps of an endpoint in order; those of the second list are tried again on a snapshot."""
    public, entry = contract.access == PUBLIC, entry_of(contract)
    once: list[tuple[object, Sequence[Step]]] = [
        (contract.visit, [RequestSteps.admit]),
        (contract.limit, [RequestSteps.limit]),
        (not public, entry),
        (contract.visit is None, [RequestSteps.intake]),
        (contract.streams, [RequestSteps.record_export, RequestSteps.commit, *entry]),
        (contract.upload, [RequestSteps.receive] if public else [RequestSteps.commit, RequestSteps.receive, *entry]),
        # A stranger's request costs no connection before it is checked.
        (public, entry),
    ]
    tried: list[tuple[object, Sequence[Step]]] = [
        (contract.replayable, [RequestSteps.repeat]),
        (contract.heeds_tag, [RequestSteps.compare]),
        (True, [RequestSteps.perform]),
        (contract.renders and entry, [RequestSteps.commit]),
        (contract.renders, [RequestSteps.render]),
        (True, [RequestSteps.answer]),
    ]
    return _chosen(once), _chosen(tried)


def _chosen(table: list[tuple[object, Sequence[Step]]]) -> Sequence[Step]:
    return [step for applies, steps in table if applies for step in steps]


def entry_of(contract: Contract) -> Sequence[Step]:
    """The steps by which a transaction begins."""
    if contract.transaction == NONE:
        return []
    return (
        [RequestSteps.open]
        if contract.access == PUBLIC
        else [RequestSteps.share, RequestSteps.open, RequestSteps.identify, RequestSteps.authorize]
    )


def handler_of(contract: Contract) -> Handler:
    """The view of an endpoint for Pyramid."""
    once, tried = steps_of(contract)

    def handle(request: Request) -> Response:
        request_steps = RequestSteps(request, contract)
        with request_steps.transaction:
            for step in once:
                step(request_steps)
            response = _on_snapshot(request_steps, tried) if request_steps.is_on_snapshot else request_steps.run(tried)
            if response.status_code >= 400:
                request_steps.transaction.end(commit=False)
            return response

    return handle


def _on_snapshot(request_steps: RequestSteps, steps: Sequence[Step]) -> Response:
    """The response, tried again after serialization failures; raises 503 after 50 of them."""
    for _ in range(ATTEMPTS):
        try:
            return request_steps.run(steps)
        except SerializationFailure:
            request_steps.renew()
    raise Problem("unavailable")


def form_database(request: Request) -> Database:
    """The pool of the path's form (docs/citus.md), if any."""
    forms, path = request.registry.forms, request.matchdict
    kind = next((kind for kind in (TOKEN, SLUG) if kind in path), None)
    return forms.holding(kind, path[kind]) if kind else forms
