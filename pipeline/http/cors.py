"""Which pages in browsers may call the API (CORS, by the Fetch standard), and what `OPTIONS` answers.

`CORS_ORIGINS` lists the origins. No cookies are used, so no credentials are let through: a page calls with a token
that it was given.
"""

from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.http.problems import answer, methods_of
from pipeline.http.request import Handler, Registry, Request

API = "/api/"
# What a page may send and read beyond what every page may.
SENT = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id"
READ = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-Id"
)
# For so long a browser need not ask again.
PREFLIGHT_SECONDS = "7200"


def tween_factory(handler: Handler, registry: Registry) -> Handler:
    """Answers `OPTIONS`, and names the origin on answers to a page that may read them, those to failures too."""
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
    """204 with the methods of the path in `Allow`; 404 for a path that has none."""
    methods = methods_of(request)
    if not methods:
        return answer(request, Problem("not_found"))
    return Response(status=204, headers={"Allow": ", ".join(sorted({*methods, "OPTIONS"}))})


def _admit(request: Request, response: Response) -> None:
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = request.environ["HTTP_ORIGIN"]
    headers["Access-Control-Expose-Headers"] = READ
    if "Allow" in headers and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.environ:
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = SENT
        headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS
