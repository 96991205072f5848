"""CORS (Fetch standard) for `CORS_ORIGINS`, without credentials, and `OPTIONS`."""

from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.http.problems import allowed, answer
from pipeline.http.request import Handler, Registry, Request

API = "/api/"
# Beyond the headers that the Fetch standard allows.
SENT = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id"
READ = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
PREFLIGHT_SECONDS = "7200"


def tween_factory(handler: Handler, registry: Registry) -> Handler:
    """A tween for `OPTIONS` and CORS headers."""
    origins = frozenset(registry.pipeline.cors_origins.split())

    def tween(request: Request) -> Response:
        response = options(request) if request.method == "OPTIONS" else handler(request)
        if origins and request.environ.get("PATH_INFO", "").startswith(API):
            response.vary = (*(response.vary or ()), "Origin")
            if request.environ.get("HTTP_ORIGIN") in origins:
                _admit(request, response)
        return response

    return tween


def options(request: Request) -> Response:
    """204 with the path's methods in `Allow`, else 404."""
    headers = allowed(request)
    return Response(status=204, headers=headers) if headers else answer(request, Problem("unknown_path"))


def _admit(request: Request, response: Response) -> None:
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = request.environ["HTTP_ORIGIN"]
    headers["Access-Control-Expose-Headers"] = READ
    if "Allow" in headers and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.environ:
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = SENT
        headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS
