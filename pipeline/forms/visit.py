"""Requests for pages: language, URLs, failures, headers."""

import functools
import hashlib
import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import urlencode
from wsgiref.types import StartResponse, WSGIEnvironment

import structlog
from pyramid.response import Response

from pipeline.forms.brand import sheet_name
from pipeline.forms.looks import Look
from pipeline.forms.reading import Fields
from pipeline.forms.rendering import ENVIRONMENT
from pipeline.forms.service import Form
from pipeline.forms.texts import CATALOGUES, Texts, texts_for
from pipeline.http.core.problems import problem_of, problem_response
from pipeline.http.core.request import Handler, Request
from pipeline.interviews.links import read_link
from pipeline.validation.errors import Problem

UNFRAMED = "frame-ancestors 'none'"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        UNFRAMED,
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}
# {problem code: page state}
STATES = {
    "not_found": "unknown",
    "unknown_path": "unknown",
    "invite_expired": "expired",
    "rate_limited": "limited",
    "capture_quota": "crowded",
    "busy": "unavailable",
    "idempotency_key_reused": "sent",
    "unavailable": "unavailable",
    "internal_error": "unavailable",
}
log = structlog.get_logger(__name__)


V = TypeVar("V", bound="Visit")


class Redirect(Response):
    """A 303 with a relative Location, independent of the Host header."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(self.status, self.headerlist)
        return [b""]


class Visit:
    """A request for a page; `asked`: its Link; `fields`: empty before reading; `draft`: a public form's token."""

    states = STATES
    environment = ENVIRONMENT
    catalogues = CATALOGUES

    def __init__(self, request: Request) -> None:
        self.request = request
        self.asked = read_link(request)
        self.language: str | None = None
        self.carried: list[tuple[str, str]] = []
        self.texts = self.texts_for(self.asked.lang, *self.asked.accepted)
        self.fields = Fields([])
        self.draft = ""

    @property
    def token(self) -> str:
        """The token in the URL."""
        return self.request.matchdict["token"]

    @property
    def look(self) -> Look:
        """The Look last shown at this path."""
        return self.request.registry.form_looks.find(self.request.environ.get("PATH_INFO"))

    def texts_for(self, *languages: str | None) -> Texts:
        """The Texts of the first known language."""
        return texts_for(*languages, catalogues=self.catalogues)

    def adopt(self, form: Form, prefix: str | None = None) -> None:
        """Adopts a form's language. URLs keep hidden fields, parameters with `prefix` and one of several languages."""
        template = form.template
        self.texts = self.texts_for(self.asked.lang, template["language"])
        self.language = template["language"] if len(template["languages"]) > 1 else None
        self.carried = [
            (name, value)
            for name, value in self.asked.carried
            if name in form.hidden_fields or (prefix and name.startswith(prefix))
        ]

    def url(self, **parameters: str | int) -> str:
        """A relative URL with the link's own parameters."""
        query, language = self.request.GET, self.asked.lang or self.language
        kept = {"lang": language} if language else {}
        kept |= {"r": query["r"]} if len(query.getall("r")) == 1 else {}
        kept |= {"_draft": self.draft} if self.draft else {}
        return "?" + urlencode([*{**kept, **parameters}.items(), *self.carried])

    def redirect(self, fragment: str | None = None, **parameters: str | int) -> Response:
        """Redirects to another step."""
        location = self.request.path + self.url(**parameters)
        return Redirect(status=303, location=f"{location}#{fragment}" if fragment else location)

    def render(self, template: str, status: int = 200, look: Look | None = None, **values: Any) -> Response:
        """Renders a template; `look.origins` may frame the page."""
        look = look or self.look
        body = self.environment.get_template(template).render(
            t=self.texts,
            assets=f"/forms/static/{self.request.registry.form_assets.folder}",
            sheet=f"/forms/brand/{sheet_name(look.branding)}.css",
            organization=look.organization,
            logo=look.logo,
            **values,
        )
        response = Response(body, status=status, content_type="text/html", charset="utf-8")
        if look.origins:
            ancestors = f"frame-ancestors {' '.join(look.origins)}"
            response.headers["Content-Security-Policy"] = POLICY.replace(UNFRAMED, ancestors)
        return response

    def failure(self, problem: Problem) -> Response:
        """A Problem's page, with the input for a retry."""
        if problem.code == "invite_submitted":
            return self.redirect()
        state = self.states.get(problem.code, "refused")
        if state != "unknown" and self.look.language:
            self.texts = self.texts_for(self.asked.lang, self.look.language)
        seconds = problem.headers.get("Retry-After", "2")
        retry = state in ("limited", "crowded", "unavailable")
        response = self.render(
            "state.html",
            problem.status,
            # Unknown and deleted forms look alike.
            look=Look() if state == "unknown" else None,
            state=state,
            minutes=math.ceil(int(seconds) / 60),
            kept=self.fields.to_retry() if retry else [],
            lost_files=bool(self.fields.uploads),
            retry=retry,
            ask=self.url() if state == "expired" and "asked" not in self.request.GET else None,
            go="ask",
            button="reset.again",
            asked=state == "expired" and "asked" in self.request.GET,
            store=stored_under(self.token) if state == "expired" else None,
        )
        response.headers.update(problem.headers)
        if retry:
            response.headers["Retry-After"] = seconds
        return response


class PreviewVisit(Visit):
    """A request for a preview."""

    states = {**STATES, "link_expired": "preview_expired"}


class SavingVisit(Visit):
    """A request by script; failures are problem documents."""

    def failure(self, problem: Problem) -> Response:
        return problem_response(problem, self.request.id)


def page_of(kind: type[V]) -> Callable[[Callable[[V], Response]], Handler]:
    """Makes views of functions of `kind`; errors become pages."""

    def decorate(view: Callable[[V], Response]) -> Handler:
        @functools.wraps(view)
        def guarded(request: Request) -> Response:
            visit = kind(request)
            try:
                response = view(visit)
            except Exception as error:
                problem = problem_of(error, request)
                if problem is None:
                    log.error("crash", exc_info=error)
                    problem = Problem("internal_error")
                response = visit.failure(problem)
            return closed(response)

        return guarded

    return decorate


page = page_of(Visit)


def failure_page(request: Request, problem: Problem) -> Response:
    """The page of a Problem before any view."""
    return closed(Visit(request).failure(problem))


def closed(response: Response) -> Response:
    """Adds the headers of all pages."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def check_site(request: Request) -> None:
    """Raises 403 for another site's form. `Origin` cannot tell: without a referrer it is `null`."""
    if not is_own(request):
        raise Problem("forbidden", "Forms are only accepted from their own page.")


def is_own(request: Request) -> bool:
    """Whether no other site's page made the request."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def stored_under(token: str) -> str:
    """The browser's storage key, a hash."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]
