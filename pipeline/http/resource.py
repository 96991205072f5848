"""Endpoints: the only module that knows cornice.

    invites = Resource("/interview-invites", "Interview invites")

    @invites.post(access=MEMBER, body=schemas.Invite(), creates=True)
    def create(request: Request, body: Values) -> bytes | None:
        return service.create(request.caller, **body)

A view gets the validated path ids, `body`, `query` and `upload` as keywords and returns what the client gets: bytes
of JSON made by PostgreSQL, data, or a response of another media type (`gives=`). None means that there is no such
record: 404. Access, rate limit, media types, query and body are checked in this order before the view runs (intake.py).
`answer=` is the Shape of what JSON it gives, `fails=` are the codes of the failures that are its own, and `found=`
is the status of an Answer that made nothing; the tests hold every answer to all three. `stale=True` is a read that a
replica may answer, with what was so a moment ago; `tagged=True` gives a stored file, which has an entity tag.
An upload, a search and what is declared `heavy=` hold a slot of the caller's organization (see slots.py).
Entity tags, If-Match and Idempotency-Key are kept around the view (performing.py); no view knows of them, but one that
answers with a response of its own may give it an `etag`.
"""

from collections.abc import Callable
from typing import Any, TypeVar, Unpack

from cornice import Service
from cornice.pyramidhook import register_service_views
from pyramid.config import Configurator

from pipeline.database import loads
from pipeline.http import slots
from pipeline.http.answers import body_of, found
from pipeline.http.endpoints import Contract, Options
from pipeline.http.intake import validate
from pipeline.http.performing import endpoint_of, path_values
from pipeline.http.request import Request, View
from pipeline.http.scopes import scopes_of
from pipeline.http.security import PUBLIC, Needed
from pipeline.validation import Values

# A view, which its declaration gives back as it is.
V = TypeVar("V", bound=View)


class Resource(Service):
    """A path below /api and its methods; registered when its module is scanned."""

    def __init__(self, path: str, description: str, depth: int = 2) -> None:
        """`depth`: how many calls below the module that is scanned for it."""
        super().__init__(name=path, path=f"/api{path}", description=description, depth=depth)
        self.shown: View | None = None
        self.own: View | None = None

    def get(self, *, access: str, **options: Unpack[Options]) -> Callable[[V], V]:
        """Answers 200 with the record or list."""
        return self._method("GET", 200, access, **options)

    def post(self, *, access: str, status: int = 200, **options: Unpack[Options]) -> Callable[[V], V]:
        """Answers 201 with Location for `creates=True`, else 200 (an action).

        Repeated under an Idempotency-Key it is not done again. In a public POST `opens(**path values)` finds whose key
        it is: it gives the transaction its context. `replayable=False` is for answers that must not be kept.
        """
        return self._method("POST", 201 if options.get("creates") else status, access, **options)

    def put(self, *, access: str, status: int = 200, **options: Unpack[Options]) -> Callable[[V], V]:
        """Answers 200 with the full record, or 204 where there is none to show."""
        return self._method("PUT", status, access, **options)

    def patch(self, *, access: str, **options: Unpack[Options]) -> Callable[[V], V]:
        """Answers 200."""
        return self._method("PATCH", 200, access, **options)

    def change(self, *, access: str, within: str | None = None, **options: Unpack[Options]) -> Callable[[V], V]:
        """PUT and PATCH of the record: the view gets the whole body of either, answers 200 with the full record.

        `within` names the member of the record that holds the writable fields, when it is not the record itself.
        """

        def changed(request: Request) -> Values:
            shown = loads(body_of(found(self.record(request))))
            return shown | shown[within] if within else shown

        options["changed"] = changed

        def decorate(view: V) -> V:
            def patch(request: Request, **values: Any) -> Any:
                return self.record(request) if request.idle else view(request, **values)

            name = f"patch_{view.__name__.partition('_')[2]}"
            self._method("PATCH", 200, access, **options)(named(patch, name))
            return self._method("PUT", 200, access, **options)(view)

        return decorate

    def delete(self, *, access: str, **options: Unpack[Options]) -> Callable[[V], V]:
        """Answers 204; a view that deleted nothing returns None or 0."""
        return self._method("DELETE", 204, access, **options)

    def current(self, view: V) -> V:
        """What If-Match compares by: the view of a record that has no GET, or whose GET reads more than its tag."""
        self.shown = view
        return view

    def record(self, request: Request) -> Any:
        """What shows the record of a request's path: as the view of its GET gives it."""
        view = self.shown or self.own
        if view is None:
            raise LookupError(f"{self.path} has no view that shows its record.")
        return view(request, **path_values(request))

    def _method(self, method: str, status: int, access: str, **options: Unpack[Options]) -> Callable[[V], V]:
        def decorate(view: V) -> V:
            if method == "GET" and options.get("query") is None:
                self.own = view
            permission = PUBLIC if access == PUBLIC else Needed(access, scopes_of(method, self.path))
            declared = Contract(method, self.path, view, status, access, permission, **options)
            contract = declared._replace(
                replayable=declared.replayable
                and method == "POST"
                and (access != PUBLIC or declared.opens is not None),
                # Whose slot an upload by token holds is known to its view.
                heavy=declared.heavy or (slots.UPLOAD if declared.upload and access != PUBLIC else None),
            )
            endpoint = endpoint_of(self, contract)
            own = {"schema": contract, "heavy": contract.heavy}
            self.add_view(method, endpoint, permission=permission, validators=(_validate,), **own)
            return view

        return decorate


def _validate(request: Request, schema: Contract, **_options: object) -> None:
    """Cornice's validator."""
    validate(request, schema)


def named(view: View, name: str) -> View:
    """The view under the name by which the documentation calls its operation."""

    def renamed(request: Request, **values: Any) -> Any:
        return view(request, **values)

    renamed.__name__ = name
    return renamed


def includeme(config: Configurator) -> None:
    """Bring in of cornice what registers services.

    Its includeme does more for every request than all of the checks here: a class for each (Pyramid's way to add
    properties), four events, and response filters that would find nothing to do.
    """
    config.registry.cornice_services = {}
    config.add_directive("add_cornice_service", register_service_views)
    config.set_request_factory(Request)
