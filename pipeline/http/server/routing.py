"""Routes: the busiest come first, and fixed paths precede those with ids, whatever the order of declaration."""

from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import IRoutesMapper
from pyramid.urldispatch import Route, RoutesMapper

_OPEN = ("{", "*", ":")
_BUSIEST = ("/api/leads", "/api/contracts", "/api/public/", "/forms/")


class Routes(RoutesMapper):
    """Pyramid's mapper, with its routes sorted."""

    def connect(self, *args: Any, **options: Any) -> Route:
        route = super().connect(*args, **options)
        self.routelist.sort(key=_place)
        return route


def _place(route: Route) -> tuple[bool, list[bool]]:
    pattern = route.pattern
    return not pattern.startswith(_BUSIEST), [segment.startswith(_OPEN) for segment in pattern.split("/")]


def includeme(config: Configurator) -> None:
    config.registry.registerUtility(Routes(), IRoutesMapper)
