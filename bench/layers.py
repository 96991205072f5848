"""The application in slices, each with one more layer, to find the cost of each layer.

All respond to the measured requests with prepared bodies of the real size, without a database. The first slice is the
server alone, the last is followed by the application.
"""

from pyramid.config import Configurator
from pyramid.response import Response
from pyramid.tweens import EXCVIEW

from bench import site
from pipeline.http.callers.authentication import bearer
from pipeline.http.core.request import Request
from pipeline.http.core.security import PUBLIC, Tokens
from pipeline.http.endpoints.resource import Resource
from pipeline.interviews import schemas

PATHS = {"list": "/interview-templates", "form": "/public/interview/{token}", "save": "/public/interview/{token}"}


def server():
    """A WSGI function that responds at once: the cost of the server, and the limit of the load generator."""
    body = site.current().bodies["list"].encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]

    def answer(environ, start_response):
        start_response("200 OK", headers)
        return [body]

    return answer


def pyramid():
    """Pyramid with plain routes and views."""
    return _plain(_configurator())


def ingress():
    """With the tweens around every request: request id, check of the URL, headers, log line, problems."""
    return _plain(_with_ingress())


def resource():
    """With endpoints by cornice and their contracts: media types, query and body checked, without a database."""
    return _resources(_endpoints(), lambda request: None)


def token():
    """With verified access tokens."""
    config = _endpoints()
    config.registry.tokens = Tokens(site.current().settings())
    return _resources(
        config, lambda request: request.registry.tokens.read(bearer(request.environ.get("HTTP_AUTHORIZATION")))
    )


class NoDatabase:
    """Begins no transaction."""

    def begin(self, statement):
        """No connection."""


def _configurator(*packages):
    config = Configurator(settings={"handle_exceptions": False})
    config.registry.pipeline = site.current().settings()
    for package in packages:
        config.include(package)
    return config


def _with_ingress(*packages):
    config = _configurator("pipeline.http.core.problems", *packages)
    config.set_request_factory(Request)
    config.add_tween("pipeline.http.front.ingress.tween_factory", over=EXCVIEW)
    return config


def _endpoints():
    config = _with_ingress("pipeline.http.endpoints.resource")
    config.registry.app = NoDatabase()
    return config


def _plain(config):
    for name, body in _bodies().items():
        method = "PATCH" if name == "save" else "GET"
        config.add_route(name, f"/api{PATHS[name]}", request_method=method)
        config.add_view(_view(body), route_name=name)
    return config.make_wsgi_app()


def _view(body):
    return lambda request: Response(body=body, content_type="application/json")


def _resources(config, check):
    bodies = _bodies()
    templates, interview = (Resource(PATHS[name], "Measured") for name in ("list", "form"))
    templates.get(access=PUBLIC)(lambda request: (check(request), bodies["list"])[1])
    interview.get(access=PUBLIC)(lambda request, token: bodies["form"])
    interview.patch(access=PUBLIC, body=schemas.Answers())(lambda request, token, body: bodies["save"])
    for service in (templates, interview):
        config.add_cornice_service(service)
    return config.make_wsgi_app()


def _bodies():
    return {name: body.encode() for name, body in site.current().bodies.items()}
