"""Routes: each path finds its own, and a fixed path precedes one with an id."""

import pytest
from pyramid.interfaces import IRoutesMapper
from pyramid.request import Request

from pipeline.http.front.routing import Routes


def found(routes, path):
    """(the pattern of the route, what it matched) of a path."""
    answer = routes(Request.blank("/", {"PATH_INFO": path}))
    return answer["route"] and answer["route"].pattern, answer["match"]


def test_every_route_is_found_by_its_own_path(wsgi):
    routes = wsgi.registry.getUtility(IRoutesMapper)
    for route in routes.get_routes():
        path = route.pattern.replace("{", "").replace("}", "")
        # The methods of a page have routes of their own.
        first = next(other for other in routes.routelist if other.match(path) is not None)
        assert first.pattern == route.pattern


@pytest.mark.parametrize("path", ["/leads/import", "/no/such/shape/import"])
def test_a_fixed_path_is_found_wherever_it_was_declared(path):
    routes = Routes()
    for pattern in (path.replace("import", "{id}"), path):
        routes.connect(pattern, pattern)
    assert found(routes, path) == (path, {})
