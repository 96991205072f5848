"""Requests for the pages of signing."""

from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, PackageLoader
from pyramid.response import Response

from pipeline.api.html_pages import Redirect
from pipeline.database import Database
from pipeline.forms import translations
from pipeline.forms.page import rendering
from pipeline.forms.page.form import Look
from pipeline.forms.page.visit import Visit
from pipeline.http.clients import client_address
from pipeline.http.fairness import limits
from pipeline.http.security import secret_hash
from pipeline.signing import access
from pipeline.validation.errors import Problem

ENVIRONMENT = rendering.ENVIRONMENT.overlay(
    loader=ChoiceLoader([PackageLoader("pipeline.signing.pages"), PackageLoader("pipeline.forms")])
)
TEXTS = Path(__file__).parent / "texts"
CATALOGUES = translations.load(translations.FOLDER, TEXTS)
# The page of the link explains these.
STANDING = ("signing_ended", "not_your_turn", "code_required")
# Seconds for which a code opens a link in a browser.
OPENED = 2 * limits.HOUR


class SigningVisit(Visit):
    """A request for a page of signing."""

    environment = ENVIRONMENT
    catalogues = CATALOGUES
    kept: str | None = None

    @property
    def pool(self) -> Database | None:  # the organization's
        if "token" not in self.request.matchdict:
            return None
        return access.database(self.request.registry.forms, self.token)

    @property
    def cookie(self) -> str:
        return f"sign-{secret_hash(self.token)[:16]}"

    @property
    def secret(self) -> str:
        """The value of the link's cookie; empty for a strange one."""
        try:
            secret = self.request.cookies.get(self.cookie, "")
        except UnicodeDecodeError:
            return ""
        return secret if access.TOKEN.fullmatch(secret) else ""

    @property
    def holder(self) -> str:
        """A link at a network address, for limits."""
        return f"{limits.digest(self.token)}:{client_address(self.request)}"

    def keep(self, secret: str) -> None:
        """Sets the browser's cookie with the next redirect."""
        self.kept = secret

    def redirect(self, fragment: str | None = None, **parameters: str | int) -> Response:
        response = super().redirect(fragment, **parameters)
        if self.kept:
            # WebOb's own cookies have dates that Python 3.14 warns of.
            cookie = SimpleCookie({self.cookie: self.kept})[self.cookie]
            cookie["path"], cookie["max-age"], cookie["httponly"] = "/sign/", OPENED, True
            cookie["secure"] = self.request.registry.pipeline.public_url.startswith("https:")
            # Not Strict: people follow the link from a page of their mail.
            cookie["samesite"] = "Lax"
            response.headers.add("Set-Cookie", cookie.OutputString())
        return response

    def render(self, template: str, status: int = 200, look: Look | None = None, **values: Any) -> Response:
        own = f"/sign/static/{self.request.registry.signing_assets.folder}"
        return super().render(template, status, look, own=own, **values)

    def count(self) -> None:
        """Counts the request; raises 429."""
        limits.count_request(self.request, limits.FORM_ADDRESS)
        if "token" in self.request.matchdict:
            # With the address: another holder of the link cannot keep the signer out.
            limits.count_request(self.request, limits.FORM_INVITE, self.holder)

    def failure(self, problem: Problem) -> Response:
        if problem.code in STANDING and not self.by_script:
            return Redirect(status=303, location=f"/sign/{self.token}{self.url()}")
        return super().failure(problem)
