"""`/healthz`: the process answers. `/readyz`: its database is reachable and has this release's schema."""

from psycopg.rows import tuple_row
from pyramid.response import Response

from pipeline import migrations
from pipeline.database import dumps
from pipeline.problems import Problem
from pipeline.security import PUBLIC


def healthz(request):
    """200 as long as the process serves requests."""
    return Response(body=b'{"status": "ok"}', content_type="application/json")


def readyz(request):
    """200 when requests can be served, else 503."""
    for database in (request.registry.app, request.registry.forms):
        with database.transaction() as connection:
            revision = migrations.current(connection.cursor(row_factory=tuple_row))
    if revision != request.registry.schema_head:
        raise Problem("unavailable", "The database does not have this release's schema.")
    return Response(body=dumps({"status": "ready", "schema": revision}), content_type="application/json")


def includeme(config):
    """Add the two routes."""
    config.registry.schema_head = migrations.head()
    for view in (healthz, readyz):
        config.add_route(view.__name__, f"/{view.__name__}", request_method=("GET", "HEAD"))
        config.add_view(view, route_name=view.__name__, permission=PUBLIC)
