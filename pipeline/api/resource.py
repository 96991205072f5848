"""Endpoints, declared through cornice.

    invites = Resource("/interview-invites", "Interview invites")

    @invites.post(access=MEMBER, body=schemas.Invite(), creates=True)
    def create(request: Request, body: Values) -> bytes | None:
        return service.create(request.caller, **body)

A view gets path ids, `body`, `query` and `upload`, and returns JSON bytes, data or a response; None becomes 404.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from cornice.pyramidhook import register_service_views
from cornice.service import Service, get_services
from pyramid.config import Configurator

from pipeline.api.endpoint import Endpoint
from pipeline.api.handle import handler_of
from pipeline.api.responses import body_of, or_404
from pipeline.database import loads
from pipeline.http.fairness import slots
from pipeline.http.request import Request, View
from pipeline.http.scopes import area_of, scopes_of
from pipeline.http.security import PUBLIC
from pipeline.validation import Values

V = TypeVar("V", bound=View)


class Resource(Service):
    """A path below /api and its methods; `area` is that of its scopes, unless its first segment tells it."""

    def __init__(self, path: str, description: str, area: str | None = None) -> None:
        super().__init__(name=path, path=f"/api{path}", description=description)
        self.area = area
        self.shown: View | None = None
        self.own: View | None = None

    def get(self, *, access: str, **options: Any) -> Callable[[V], V]:
        return self._method("GET", 200, access, **options)

    def post(self, *, access: str, status: int = 200, **options: Any) -> Callable[[V], V]:
        """Responds 201 with Location for `creates=True`, else 200.

        A public POST needs `opens(**path values)` for Idempotency-Key; `replayable=False` stores no response.
        """
        return self._method("POST", 201 if options.get("creates") else status, access, **options)

    def put(self, *, access: str, status: int = 200, **options: Any) -> Callable[[V], V]:
        return self._method("PUT", status, access, **options)

    def patch(self, *, access: str, **options: Any) -> Callable[[V], V]:
        return self._method("PATCH", 200, access, **options)

    def change(
        self, patching: str, *, access: str, within: str | None = None, owned: bool = False, **options: Any
    ) -> Callable[[V], V]:
        """PUT, and PATCH as the operation `patching`; the view gets a whole body.

        within: the record's member with the writable fields. owned: whether a PATCH without a difference is written
        too, because the caller becomes the owner.
        """

        def changed(request: Request) -> Values:
            shown = loads(body_of(or_404(self.record(request))))
            return shown | shown[within] if within else shown

        options["changed"] = changed

        def decorate(view: V) -> V:
            def patch(request: Request, **values: Any) -> Any:
                return self.record(request) if request.idle and not owned else view(request, **values)

            patch.__name__ = patching
            self._method("PATCH", 200, access, **options)(patch)
            return self._method("PUT", 200, access, **options)(view)

        return decorate

    def delete(self, *, access: str, **options: Any) -> Callable[[V], V]:
        """Responds 204; None or 0 becomes 404."""
        return self._method("DELETE", 204, access, **options)

    def current(self, view: V) -> V:
        """Let a view other than GET define the tag for If-Match."""
        self.shown = view
        return view

    def record(self, request: Request) -> Any:
        """The path's record; raises LookupError without a view for it."""
        view = self.shown or self.own
        if view is None:
            raise LookupError(f"{self.path} has no view of its record.")
        return view(request, **request.path_values)

    def _method(
        self,
        method: str,
        status: int,
        access: str,
        # An API key's scope in place of the area's, and further ones.
        scope: str | None = None,
        further_scopes: tuple[str, ...] = (),
        **options: Any,
    ) -> Callable[[V], V]:
        def decorate(view: V) -> V:
            if method == "GET" and options.get("query") is None:
                self.own = view
            if method != "POST" or (access == PUBLIC and "opens" not in options):
                options["replayable"] = False
            # The view of a public upload takes the slot.
            if "upload" in options and access != PUBLIC:
                options.setdefault("heavy", slots.UPLOAD)
            scopes: tuple[str, ...] = ()
            if access != PUBLIC:
                scopes = scopes_of(method, self.area or area_of(self.path), scope, further_scopes)
            endpoint = Endpoint(method, self.path, view, status, access, scopes, **options)
            # handle.py authorizes.
            self.add_view(method, handler_of(endpoint), permission=PUBLIC, schema=endpoint)
            return view

        return decorate


def includeme(config: Configurator) -> None:
    """Install cornice's registration; its full includeme slows every request."""
    config.registry.cornice_services = {}
    config.add_directive("add_cornice_service", register_service_views)
    config.set_request_factory(Request)


def register(config: Configurator) -> None:
    for resource in get_services():
        config.add_cornice_service(resource)
