"""Route lookup by a path's shape, since Pyramid tries all routes."""

import re
from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import IRoutesMapper
from pyramid.urldispatch import RoutesMapper

from pipeline.http.request import Request

# (first two segments, number of slashes).
Shape = tuple[str | int, ...]
_OPEN = ("{", "*", ":")
# These may match a slash.
_SEVERAL = re.compile(r"\*|\{\w+:")


class Routes(RoutesMapper):
    """A mapper for each shape; fixed paths precede those with ids."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[Shape | None, RoutesMapper] | None = None

    def connect(self, *args: Any, **options: Any) -> Any:
        """Add a route."""
        self.parts = None
        return super().connect(*args, **options)

    def __call__(self, request: Request) -> dict[str, Any]:
        """The request's route and match."""
        if self.parts is None:
            self.parts = self._by_shape()
        return (self.parts.get(_shape(request.environ.get("PATH_INFO", ""))) or self.parts[None])(request)

    def _by_shape(self) -> dict[Shape | None, RoutesMapper]:
        """{shape: mapper}; None maps all routes. Threads may run it at once."""
        routes = sorted(self.routelist, key=lambda route: [part.startswith(_OPEN) for part in route.pattern.split("/")])
        shapes = [_literal(route.pattern) for route in routes]
        parts: dict[Shape | None, RoutesMapper] = {shape: RoutesMapper() for shape in (*shapes, None)}
        for shape, part in parts.items():
            part.routelist = [
                route for route, own in zip(routes, shapes, strict=True) if shape is None or own in (None, shape)
            ]
        return parts


def _shape(path: str) -> Shape:
    return *path.split("/", 3)[1:3], path.count("/")


def _literal(pattern: str) -> Shape | None:
    """The shape of a pattern; None for several."""
    beginning = pattern.split("/", 3)[1:3]
    several = any(sign in segment for segment in beginning for sign in _OPEN) or _SEVERAL.search(pattern)
    return None if several else _shape(pattern)


def includeme(config: Configurator) -> None:
    """Install the mapper before any route."""
    config.registry.registerUtility(Routes(), IRoutesMapper)
