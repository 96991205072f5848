"""Views that fail in the ways that real ones do by mistake or misfortune."""

from pyramid.httpexceptions import HTTPForbidden, HTTPNotFound, HTTPRequestEntityTooLarge, HTTPUnsupportedMediaType
from pyramid.response import Response

from pipeline.accounts import service
from pipeline.database import queries
from pipeline.errors import Problem
from pipeline.http.security import PUBLIC


def crash(request):
    raise RuntimeError("secret of the inside")


def broken_query(request):
    request.transaction.begin(request.registry.app)
    queries.connection().execute("select secret_column from nowhere")


def slow_query(request):
    request.transaction.begin(request.registry.app)
    queries.connection().execute("set local statement_timeout = 20")
    queries.connection().execute("select pg_sleep(30)")


def waiting_query(request):
    request.transaction.begin(request.registry.app)
    queries.connection().execute("set local lock_timeout = 20")
    queries.connection().execute("select pg_advisory_xact_lock(4711)")


def write(request):
    """Logs the refresh token of the query string out, then ends as `then` says."""
    request.transaction.begin(request.registry.app)
    service.logout(request.GET["token"])
    failures = {
        "conflict": Problem("invite_submitted"),
        "kept": Problem("invite_submitted", commit=True),
        "crash": RuntimeError(),
        "framework": HTTPForbidden(),
    }
    if request.GET["then"] in failures:
        raise failures[request.GET["then"]]
    return Response(status=int(request.GET["then"]))


def framework(request):
    errors = {403: HTTPForbidden, 404: HTTPNotFound, 413: HTTPRequestEntityTooLarge, 415: HTTPUnsupportedMediaType}
    raise errors[int(request.GET["status"])]("secret of the inside")


def includeme(config):
    for view in (crash, broken_query, slow_query, waiting_query, write, framework):
        config.add_route(f"failing {view.__name__}", f"/failing/{view.__name__}")
        config.add_view(view, route_name=f"failing {view.__name__}", permission=PUBLIC)
