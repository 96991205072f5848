"""Reads for the pages. Transactions end before rendering, so a 422 page keeps saved answers."""

import contextlib
import datetime
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pyramid.response import Response

from pipeline.database import Row, not_none, queries
from pipeline.forms.looks import Look, logo_path
from pipeline.forms.markdown import Written, written
from pipeline.http.callers.signed_links import AnswerLink
from pipeline.http.core.request import Request
from pipeline.http.endpoints import idempotency
from pipeline.http.endpoints.way import transaction
from pipeline.http.quotas import limits, slots
from pipeline.interviews import capture_service, public_service
from pipeline.interviews.links import Link
from pipeline.interviews.values import Answers
from pipeline.validation import Values
from pipeline.validation.errors import Problem

# Seconds between retries of a concurrent request.
PATIENCE = (0.1, 0.2, 0.4, 0.8, 1.5)


class Form(NamedTuple):
    """The public body, and the organization's time zone, date and logo (SHA-256)."""

    template: Values
    organization: Values
    organization_id: int
    version_id: int
    time_zone: str
    today: datetime.date
    logo: str | None
    embed_origins: list[str]
    status: str = "open"
    answers: Answers = {}
    hidden_fields: dict[str, str] = {}
    prefill: Answers = {}
    recipient_name: str | None = None
    expires_at: str | None = None
    submitted_at: str | None = None
    revision: int = 0

    @property
    def written(self) -> Written:
        """The version's rendered texts."""
        return written(self.version_id)


def open_interview(request: Request, token: str, link: Link) -> Form:
    """An invite's Form; raises 404, or 410 after expiry."""
    settings = request.registry.pipeline
    with transaction(request):
        try:
            body = public_service.get_interview(token, settings.logos_url, settings.answers_readable_days, link)
        except Problem as problem:
            if problem.code == "invite_expired":
                _remember(request, **not_none(queries.form_look()))
            raise
        return form_of(request, body)


def open_reminders(request: Request, token: str, decline: bool = False) -> None:
    """Checks an invite; with `decline`, ends its reminders. Raises 404."""
    with transaction(request):
        (public_service.decline_reminders if decline else public_service.open_invite)(token)
        _remember(request, **not_none(queries.form_look()))


def capture_once(request: Request, key: str, store: Callable[..., object], given: dict[str, Any]) -> None:
    """Calls `store` once for each key; a concurrent request waits. Other content raises `idempotency_key_reused`."""

    request_hash = idempotency.digest(request.method, request.path, given)
    for seconds in (*PATIENCE, 0):
        try:
            with transaction(request):
                capture_service.open_form(given["slug"])
                found = idempotency.find(key, request_hash)
                if isinstance(found, idempotency.Place):
                    queries.role_leave()  # `store` opens the form again, denied to this role
                    store(spend=functools.partial(limits.spend_capture, request), **given)
                    idempotency.keep(found, Response(status=201))
                return
        except Problem as problem:
            if problem.code != "idempotency_key_in_flight" or not seconds:
                raise
        time.sleep(seconds)


def form_of(request: Request, body: Values, framed: bool = True) -> Form:
    """A public body's Form; counts the request to the organization. Unless `framed`, no site may frame it."""
    form = Form(**body, **not_none(queries.form_surroundings()))
    slots.share(request, form.organization_id)
    template, origins = form.template, form.embed_origins if framed else []
    look = (template["branding"], form.logo, template["language"], origins)
    _remember(request, form.organization["name"], *look)
    return form


def _remember(
    request: Request,
    name: str,
    branding: Mapping[str, Any],
    logo: str | None,
    language: str,
    embed_origins: Iterable[str],
) -> None:
    """Stores the path's Look; the stored logo replaces a `logo_url` on another server."""
    public_url, url = request.registry.pipeline.public_url, branding.get("logo_url") or ""
    shown = url.removeprefix(public_url) if url.startswith(f"{public_url}/") else logo_path(logo)
    look = Look(name, branding, shown, language, tuple(embed_origins))
    request.registry.form_looks.remember(request.environ["PATH_INFO"], look)


@contextlib.contextmanager
def opened_answers(request: Request, link: AnswerLink) -> Iterator[Row]:
    """A link's `form_answers_about` row, in its member's transaction; raises 404 for a lost invite or seat."""
    with transaction(request, request.registry.app.of(link.organization_id)):
        queries.form_answers_enter(organization_id=link.organization_id, user_id=link.user_id)
        about = queries.form_answers_about(id=link.invite_id, user_id=link.user_id)
        if about is None:
            raise Problem("not_found")
        yield about


def read_logo(request: Request, sha256: str) -> Row:
    """{content_type, content}; raises 404."""
    with transaction(request):
        logo = queries.form_logo_content(sha256=sha256)
    if logo is None:
        raise Problem("not_found")
    return logo
