"""Routes: asking only those that are shaped like the path finds what asking all of them finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyramid.interfaces import IRoutesMapper
from pyramid.request import Request
from pyramid.urldispatch import RoutesMapper

from pipeline.http.routing import Routes

WORDS = ["api", "leads", "1", "", "forms", "public", "interview", "capture", "docs", "é", "a\n", "{id}"]
SEGMENTS = st.sampled_from(WORDS)


@pytest.fixture(scope="module")
def routes(wsgi):
    """The application's routes."""
    return wsgi.registry.getUtility(IRoutesMapper)


def found(ask, routes, method, path):
    """(the pattern of the route, what it matched) of a request."""
    answer = ask(routes, Request.blank("/", {"PATH_INFO": path}, method=method))
    return answer["route"] and answer["route"].pattern, answer["match"]


def same(routes, method, path):
    """Whether asking the routes that are shaped like a path finds what asking all of them finds."""
    here = found(Routes.__call__, routes, method, path)
    return here == found(RoutesMapper.__call__, routes.parts[None], method, path)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_every_route_is_found_by_its_own_path(routes, method):
    for route in routes.get_routes():
        path = route.pattern.replace("{", "").replace("}", "")
        assert same(routes, method, path)


@given(st.lists(SEGMENTS, max_size=6))
def test_any_path_finds_the_route_that_asking_all_would_find(routes, segments):
    assert same(routes, "GET", "/" + "/".join(segments).encode().decode("latin-1"))


def test_few_routes_are_asked_for_a_path(routes):
    routes(Request.blank("/api/leads"))
    assert all(len(part.routelist) < len(routes.routelist) / 2 for shape, part in routes.parts.items() if shape)


@pytest.mark.parametrize("path", ["/leads/import", "/no/such/shape/import"])
def test_a_path_that_names_no_id_is_found_wherever_it_was_declared(path):
    routes = Routes()
    for pattern in (path.replace("import", "{id}"), path):
        routes.connect(pattern, pattern)
    assert found(Routes.__call__, routes, "GET", path) == (path, {})


def test_the_first_request_changes_nothing_that_others_at_the_same_time_read():
    routes = Routes()
    for pattern in ("/leads/{id}", "/leads/import"):
        routes.connect(pattern, pattern)
    before, read = list(routes.routelist), routes.routelist
    routes(Request.blank("/leads/import"))
    assert read is routes.routelist
    assert read == before
