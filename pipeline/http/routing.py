"""Which route a path is for: Pyramid tries all in turn, so it is given only those that begin like the path."""

import re
from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import IRoutesMapper
from pyramid.urldispatch import RoutesMapper

from pipeline.http.request import Request

# The first two segments of a path, and how many it has.
Shape = tuple[str | int, ...]
_OPEN = ("{", "*", ":")
# What may match a slash: a rest of the path, or an expression of its own.
_SEVERAL = re.compile(r"\*|\{\w+:")


class Routes(RoutesMapper):
    """Pyramid's mapper, with one for each shape of a path: its first two segments, and how many it has.

    Fixed paths come before those with an id: a path that names no id must not be taken for one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[Shape | None, RoutesMapper] | None = None

    def connect(self, *args: Any, **options: Any) -> Any:
        """Add a route."""
        self.parts = None
        return super().connect(*args, **options)

    def __call__(self, request: Request) -> dict[str, Any]:
        """The route of a request and what its pattern matched; all are asked about a path that is shaped like none."""
        if self.parts is None:
            self.parts = self._by_shape()
        return (self.parts.get(_shape(request.environ.get("PATH_INFO", ""))) or self.parts[None])(request)

    def _by_shape(self) -> dict[Shape | None, RoutesMapper]:
        """{shape: a mapper of its routes, and of those without one; None: of all}.

        Made by the first requests, which may be several at once: so nothing that one reads is changed.
        """
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
    """The shape of the paths that a route's pattern matches; None when they have several."""
    beginning = pattern.split("/", 3)[1:3]
    several = any(sign in segment for segment in beginning for sign in _OPEN) or _SEVERAL.search(pattern)
    return None if several else _shape(pattern)


def includeme(config: Configurator) -> None:
    """Install the mapper, before any route is added."""
    config.registry.registerUtility(Routes(), IRoutesMapper)
