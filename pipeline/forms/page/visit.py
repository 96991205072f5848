"""Requests for pages: language, URLs, failures, headers."""

import functools
import hashlib
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any
from urllib.parse import urlencode

from pyramid.response import Response

from pipeline.api.endpoint import Endpoint
from pipeline.api.html_pages import POLICY, UNFRAMED, Redirect, check_site, closed
from pipeline.database import Database, Row, not_none
from pipeline.forms.page.brand import sheet_name
from pipeline.forms.page.form import Form, Look, check_page_slot, logo_path
from pipeline.forms.page.rendering import ENVIRONMENT
from pipeline.forms.questions.reading import Fields, read_fields
from pipeline.forms.translations import CATALOGUES, Texts, texts_for
from pipeline.http.fairness import limits
from pipeline.http.problems import problem_response
from pipeline.http.request import Request
from pipeline.http.signed_links import PreviewLink
from pipeline.interviews.public.links import read_link
from pipeline.validation.errors import Problem

CLOSED = POLICY.replace("script-src 'self'; ", "").replace("connect-src 'self'; ", "")
SUBMITS = ("submit", "later")
# {problem code: page state}
STATES = {
    "not_found": "unknown",
    "unknown_path": "unknown",
    "invite_expired": "expired",
    "rate_limited": "limited",
    "capture_quota": "crowded",
    "busy": "unavailable",
    "unavailable": "unavailable",
    "internal_error": "unavailable",
}


class Visit:
    """A request for a page; `asked`: its Link; `fields`: empty before reading; `draft`: a public form's token."""

    environment = ENVIRONMENT
    catalogues = CATALOGUES

    def __init__(
        self,
        request: Request,
        *,
        # {problem code: page state} beside STATES.
        states: Mapping[str, str] = {},
        counted: bool = True,
        # Actions that count as submits.
        submits: Collection[str] = (),
        policy: str = POLICY,
        # Whether the retry page has the input.
        carries: bool = True,
        # Whether failures are problem documents.
        by_script: bool = False,
        # Reads the path's signed link; raises 404 or 410.
        reads: Callable[..., Any] | None = None,
    ) -> None:
        self.request, self.states, self.counted, self.submits = request, {**STATES, **states}, counted, submits
        self.policy, self.carries, self.by_script, self.reads = policy, carries, by_script, reads
        self.asked = read_link(request)
        self.language: str | None = None
        self.carried: list[tuple[str, str]] = []
        self.texts = self.texts_for(self.asked.lang, *self.asked.accepted)
        self.fields = Fields([])
        self.draft = ""
        # The row of an account link, with its organization.
        self.link: Row | None = None

    def admit(self, endpoint: Endpoint) -> None:
        """Checks the site, reads the form, counts, looks for a slot: a 429 page keeps the input."""
        if endpoint.method != "GET":
            check_site(self.request)
        if endpoint.form:
            self.fields = read_fields(self.request)
        self.count()
        if endpoint.method == "GET":
            check_page_slot(self.request)

    def count(self) -> None:
        """Counts the request; raises 429."""
        if not self.counted:
            return
        if self.fields.get("_go") in self.submits:
            limits.count_request(self.request, limits.PUBLIC_SUBMITS)
            return
        limits.count_request(self.request, limits.FORM_ADDRESS)
        if "token" in self.request.matchdict:
            limits.count_request(self.request, limits.FORM_INVITE, limits.digest(self.token))

    @functools.cached_property
    def signed(self) -> Any:
        """The path's signed link."""
        return not_none(self.reads)(self.request.registry.pipeline, self.request.matchdict["signed"])

    @property
    def pool(self) -> Database | None:
        """The pool of the transaction; None: by the endpoint and the path."""
        if self.reads is None:
            return None
        registry = self.request.registry
        pools = registry.forms if isinstance(self.signed, PreviewLink) else registry.app
        return pools.of(self.signed.organization_id)

    @property
    def token(self) -> str:
        return self.request.matchdict["token"]

    @property
    def look(self) -> Look:
        """The Look of the link's organization, or the one last shown at this path."""
        if link := self.link:
            return Look(link["organization_name"], link["branding"], logo_path(link["logo"]))
        return self.request.registry.form_looks.find(self.request.environ.get("PATH_INFO"), Look())

    def texts_for(self, *languages: str | None) -> Texts:
        return texts_for(*languages, catalogues=self.catalogues)

    def speak(self, link: Row) -> Texts:
        """Adopts a link's organization and, unless the URL sets `lang`, its language."""
        self.link = link
        if self.asked.lang is None:
            self.texts = self.texts_for(link["locale"])
        return self.texts

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
            origins=look.origins,
            visit=self,
            languages=list(self.catalogues.values()),
            **values,
        )
        response = Response(body, status=status, content_type="text/html", charset="utf-8")
        ancestors = f"frame-ancestors {' '.join(look.origins)}" if look.origins else UNFRAMED
        response.headers["Content-Security-Policy"] = self.policy.replace(UNFRAMED, ancestors)
        return response

    def failed(self, problem: Problem) -> Response:
        """The response for a Problem."""
        return closed(self.failure(problem))

    def failure(self, problem: Problem) -> Response:
        """A Problem's page, with the input for a retry; a script gets the problem."""
        if self.by_script:
            return problem_response(problem, self.request.id)
        if problem.code == "invite_submitted":
            return self.redirect()
        state = self.states.get(problem.code, "refused")
        if state == "unknown" and self.fields.pairs and "slug" in self.request.matchdict:
            state = "closed"
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
            kept=self.fields.to_retry() if (retry or state == "closed") and self.carries else [],
            lost_files=bool(self.fields.uploads),
            retry=retry,
            ask=self.url() if state == "expired" and "asked" not in self.request.GET else None,
            go="ask",
            button="reset.again",
            asked=state == "expired" and "asked" in self.request.GET,
            # The input of the last page stays on the device: the invite may be renewed.
            store=stored_under(self.token) if state == "expired" and not self.fields.pairs else None,
        )
        response.headers.update(problem.headers)
        if retry:
            response.headers["Retry-After"] = seconds
        return response


# Of an account link: without script, and a typed password is never shown again.
visit_account = functools.partial(
    Visit, states={"not_found": "link_unknown"}, counted=False, policy=CLOSED, carries=False
)


def visit_by(reads: Callable[..., Any], expired: str) -> Callable[[Request], Visit]:
    """Visits by a signed link; `expired` is the state of an expired one."""
    return functools.partial(Visit, reads=reads, states={"link_expired": expired}, policy=CLOSED, carries=False)


def stored_under(token: str) -> str:
    """The browser's storage key, a hash."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]
