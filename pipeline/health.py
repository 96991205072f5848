"""`/healthz`: the process answers. `/readyz`: its database is reachable and has this release's schema.

Without Redis the service still serves (events wait in the outbox), so `/readyz` only tells.
"""

import redis
from psycopg.rows import tuple_row
from pyramid.response import Response

from pipeline import migrations
from pipeline.database import dumps
from pipeline.problems import Problem
from pipeline.security import PUBLIC

REDIS_SECONDS = 1.0


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
    body = {"status": "ready", "schema": revision, "redis": _redis(request.registry.health_redis)}
    return Response(body=dumps(body), content_type="application/json")


def _redis(client):
    """Whether Redis answers: "ok", "away", or "none" without REDIS_URL."""
    if client is None:
        return "none"
    try:
        return "ok" if client.ping() else "away"
    except redis.RedisError:
        return "away"


def includeme(config):
    """Add the two routes."""
    config.registry.schema_head = migrations.head()
    url = config.registry.pipeline.redis_url
    waits = {"socket_timeout": REDIS_SECONDS, "socket_connect_timeout": REDIS_SECONDS}
    config.registry.health_redis = redis.Redis.from_url(url, **waits) if url else None
    for view in (healthz, readyz):
        config.add_route(view.__name__, f"/{view.__name__}", request_method=("GET", "HEAD"))
        config.add_view(view, route_name=view.__name__, permission=PUBLIC)
