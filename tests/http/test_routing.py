"""Each path finds its own route: a fixed path precedes one with an id."""

from pyramid.interfaces import IRoutesMapper


def test_every_route_is_found_by_its_own_path(wsgi):
    routes = wsgi.registry.getUtility(IRoutesMapper)
    for route in routes.get_routes():
        path = route.pattern.replace("{", "").replace("}", "")
        # The methods of a page have routes of their own.
        first = next(other for other in routes.routelist if other.match(path) is not None)
        assert first.pattern == route.pattern
