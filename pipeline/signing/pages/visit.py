"""Requests for the pages of signing."""

from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, PackageLoader
from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.forms import rendering, texts
from pipeline.forms.account_pages import AccountVisit
from pipeline.forms.looks import Look
from pipeline.forms.visit import POLICY, STATES, Redirect, closed
from pipeline.http import limits
from pipeline.http.request import Request

ENVIRONMENT = rendering.ENVIRONMENT.overlay(
    loader=ChoiceLoader([PackageLoader("pipeline.signing.pages"), PackageLoader("pipeline.forms")])
)
TEXTS = Path(__file__).parent / "texts"
CATALOGUES = texts.load(texts.FOLDER, TEXTS)
# The page of the link explains these.
STANDING = ("signing_ended", "not_your_turn", "code_required")


class SigningVisit(AccountVisit):
    """A request for a page of signing."""

    states = STATES
    policy = POLICY
    environment = ENVIRONMENT
    catalogues = CATALOGUES

    def render(self, template: str, status: int = 200, look: Look | None = None, **values: Any) -> Response:
        own = f"/sign/static/{self.request.registry.signing_assets.folder}"
        return super().render(template, status, look, own=own, **values)

    def count(self) -> None:
        """Counts the request; raises 429."""
        limits.spend(self.request, limits.FORM_ADDRESS)
        if "token" in self.request.matchdict:
            limits.spend(self.request, limits.FORM_INVITE, limits.digest(self.token))

    def failure(self, problem: Problem) -> Response:
        if problem.code in STANDING:
            return Redirect(status=303, location=f"/sign/{self.token}{self.url()}")
        return super().failure(problem)


def failure_page(request: Request, problem: Problem) -> Response:
    """The page of a Problem before any view."""
    return closed(SigningVisit(request).failure(problem))
