"""Pages: endpoints outside of /api, with an HTML answer.

    reset = HtmlPage("/forms/reset/{token}", visit_account)

    @reset.on("POST", transaction=APP, form=True, limit=limits.RESET)
    def post_reset(visit: Visit) -> Shown:

A view gets the visit. It returns a response, or a function that makes it after the commit.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar
from wsgiref.types import StartResponse, WSGIEnvironment

from pyramid.config import Configurator
from pyramid.response import Response

from pipeline.api.endpoint import Endpoint, Visitor
from pipeline.api.handle import handler_of
from pipeline.http.request import Request, View
from pipeline.http.security import PUBLIC
from pipeline.validation.errors import Problem

UNFRAMED = "frame-ancestors 'none'"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    f"base-uri 'none'; {UNFRAMED}"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}
Shown: TypeAlias = Response | Callable[[], Response]
V = TypeVar("V", bound=View)
# The contracts of all pages.
PAGES: list[Endpoint] = []


class HtmlPage:
    """A path and the kind of its visits."""

    def __init__(self, path: str, visit: Callable[[Request], Visitor]) -> None:
        self.path, self.visit = path, visit

    def on(self, method: str, **options: Any) -> Callable[[V], V]:
        """Declare a view. A GET changes nothing, because mail scanners open every link."""

        def decorate(view: V) -> V:
            options.update(gives="text/html", replayable=False, renders=shown, visit=self.visit)
            PAGES.append(Endpoint(method, self.path, view, 200, PUBLIC, (), **options))
            return view

        return decorate


class Redirect(Response):
    """A 303 with a relative Location, independent of the Host header."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(self.status, self.headerlist)
        return [b""]


def shown(result: Shown) -> Response:
    return closed(result if isinstance(result, Response) else result())


def closed(response: Response) -> Response:
    """Adds the headers of all pages."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def check_site(request: Request) -> None:
    """Raises 403 for another site's form. `Origin` does not help: without a referrer it is `null`."""
    if not is_own(request):
        raise Problem("forbidden", "Forms are only accepted from their own page.")


def is_own(request: Request) -> bool:
    """Whether no other site's page made the request."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def register(config: Configurator) -> None:
    """Register the pages of the imported modules."""
    for endpoint in PAGES:
        name = f"{endpoint.method} {endpoint.path}"
        methods = ("GET", "HEAD") if endpoint.method == "GET" else endpoint.method
        config.add_route(name, endpoint.path, request_method=methods)
        config.add_view(handler_of(endpoint), route_name=name, permission=PUBLIC)
