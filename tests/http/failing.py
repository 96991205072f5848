"""Views that fail in the ways that real ones do by mistake or misfortune."""

from pyramid.httpexceptions import HTTPForbidden, HTTPNotFound, HTTPRequestEntityTooLarge, HTTPUnsupportedMediaType
from pyramid.response import Response

from pipeline.accounts import service
from pipeline.api.endpoint import Endpoint
from pipeline.api.handle import handler_of
from pipeline.database import queries
from pipeline.http.security import PUBLIC
from pipeline.validation import Query, Text, optional
from pipeline.validation.errors import Problem


def crash(request, query):
    raise RuntimeError("secret of the inside")


def broken_query(request, query):
    queries.connection().execute("select secret_column from nowhere")


def slow_query(request, query):
    queries.connection().execute("set local statement_timeout = 20")
    queries.connection().execute("select pg_sleep(30)")


def waiting_query(request, query):
    queries.connection().execute("set local lock_timeout = 20")
    queries.connection().execute("select pg_advisory_xact_lock(4711)")


def write(request, query):
    """Logs the refresh token of the query string out, then ends as `then` says."""
    service.logout(query["token"])
    failures = {
        "conflict": Problem("invite_submitted"),
        "kept": Problem("invite_submitted", commit=True),
        "crash": RuntimeError(),
        "framework": HTTPForbidden(),
    }
    if query["then"] in failures:
        raise failures[query["then"]]
    return Response(status=int(query["then"]))


def framework(request, query):
    errors = {403: HTTPForbidden, 404: HTTPNotFound, 413: HTTPRequestEntityTooLarge, 415: HTTPUnsupportedMediaType}
    raise errors[int(query["status"])]("secret of the inside")


class Wish(Query):
    token, then, status = (optional(Text()) for _ in range(3))


def includeme(config):
    for view in (crash, broken_query, slow_query, waiting_query, write, framework):
        path = f"/failing/{view.__name__}"
        endpoint = Endpoint("GET", path, view, 200, PUBLIC, (), query=Wish(), replayable=False)
        config.add_route(path, path)
        config.add_view(handler_of(endpoint), route_name=path, permission=PUBLIC)
