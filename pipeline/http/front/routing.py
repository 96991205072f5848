"""Routes: fixed paths precede those with ids, independent of the order of declaration."""

from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import IRoutesMapper
from pyramid.urldispatch import Route, RoutesMapper

_OPEN = ("{", "*", ":")


class Routes(RoutesMapper):
    """Pyramid's mapper, with its routes sorted."""

    def connect(self, *args: Any, **options: Any) -> Route:
        route = super().connect(*args, **options)
        self.routelist.sort(key=_placeholders)
        return route


def _placeholders(route: Route) -> list[bool]:
    return [segment.startswith(_OPEN) for segment in route.pattern.split("/")]


def includeme(config: Configurator) -> None:
    config.registry.registerUtility(Routes(), IRoutesMapper)
