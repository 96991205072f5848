"""The public pages below `/docs`, `/openapi.json` and `/`, rendered once per process."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock

import orjson
from pyramid.config import Configurator
from pyramid.response import Response

from pipeline.api.documentation import guides, packages
from pipeline.api.documentation.pages import render
from pipeline.api.documentation.searching import LONGEST, MOST, SearchHit, find, operations
from pipeline.api.openapi.document import document
from pipeline.api.responses import entity_tag, unless_known
from pipeline.http.request import Registry, Request
from pipeline.http.security import PUBLIC
from pipeline.http.server.assets import Assets

JSON, HTML = "application/json", "text/html; charset=utf-8"
# Pages use this server alone.
POLICY = "default-src 'none'; {}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
GUIDE = POLICY.format("style-src 'self'; img-src 'self'")
# The renderer needs inline styles, blob: for files and data: for icons.
REFERENCE = POLICY.format(
    "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'"
)


class CachedView:
    """A view for the cached result of `make(registry)`."""

    def __init__(self, make: Callable[[Registry], bytes], media_type: str, policy: str = GUIDE) -> None:
        self.make, self.media_type, self.policy, self.lock = make, media_type, policy, Lock()
        self.made: tuple[bytes, str] | None = None

    def __call__(self, _context: object, request: Request) -> Response:
        with self.lock:  # concurrent requests create it once
            if self.made is None:
                body = self.make(request.registry)
                self.made = body, entity_tag(body)
        body, tag = self.made
        response = Response(body=body, content_type=self.media_type, charset=None, etag=tag)
        # The next release has another page and other assets.
        response.headers.update({"Cache-Control": "no-cache", "Content-Security-Policy": self.policy})
        return unless_known(request, response)


def guide(name: str, registry: Registry) -> bytes:
    shown = guides.read(name)
    offers = {"packages": packages.offered(name), "version": packages.VERSION}
    return render(
        "guide.html", registry.documentation_assets, guide=shown, guides=map(guides.read, guides.GUIDES), **offers
    )


def package(file: Path, _registry: Registry) -> bytes:
    return file.read_bytes()


class SearchPage:
    """The page of a search; its index is made with the first one."""

    def __init__(self) -> None:
        self.parts: list[SearchHit] = []

    def __call__(self, _context: object, request: Request) -> Response:
        words = request.GET.get("q", "")[:LONGEST]
        if not self.parts:
            known = [part for name in guides.GUIDES for part in guides.read(name).parts]
            self.parts = [*known, *operations(document(request.registry))]
        found = find(self.parts, words)
        page = render("search.html", request.registry.documentation_assets, words=words, found=found, most=MOST)
        response = Response(body=page, content_type=HTML, charset=None)
        response.headers.update({"Cache-Control": "no-cache", "Content-Security-Policy": GUIDE})
        return response


def index(_registry: Registry) -> bytes:
    return orjson.dumps(
        {
            "service": "Pipeline",
            "documentation": "/docs",
            "reference": "/docs/reference",
            "errors": "/docs/errors",
            "openapi": "/openapi.json",
            "api": "/api",
            "login": "/api/auth/login",
            "health": "/healthz",
        }
    )


def includeme(config: Configurator) -> None:
    assets = config.registry.documentation_assets = Assets(Path(__file__).parent / "static")
    views = {
        "/": CachedView(index, JSON),
        "/openapi.json": CachedView(lambda registry: orjson.dumps(document(registry)), JSON),
        # The renderer of the OpenAPI document.
        "/docs/reference": CachedView(
            lambda registry: render("reference.html", registry.documentation_assets), HTML, REFERENCE
        ),
        "/docs/search": SearchPage(),
        **{guides.address_of(name): CachedView(partial(guide, name), HTML) for name in guides.GUIDES},
        **{
            packages.address(file): CachedView(partial(package, file), packages.FILES[name][1])
            for name, file in packages.built().items()
        },
    }
    for path, view in views.items():
        config.add_route(path, path, request_method=("GET", "HEAD"))
        config.add_view(view, route_name=path, permission=PUBLIC)
    config.add_route("documentation_asset", "/docs/static/{hash}/{name}", request_method=("GET", "HEAD"))
    config.add_view(assets.response, route_name="documentation_asset", permission=PUBLIC)
