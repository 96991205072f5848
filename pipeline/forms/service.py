"""What the pages read and write: the same functions as the API's, under the forms login.

Each call is a transaction of its own, which is ended before a page is made: an answer with errors (422) must keep
what was saved before it.
"""

import contextlib
import datetime
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pyramid.response import Response

from pipeline.database import Row, queries, sure
from pipeline.errors import Problem
from pipeline.forms.looks import look_of
from pipeline.http import idempotency, limits, slots
from pipeline.http.request import Request
from pipeline.http.signed_links import AnswerLink, PreviewLink
from pipeline.http.uploads import Upload
from pipeline.interviews import capture_service, public_service, uploads
from pipeline.interviews.links import Link
from pipeline.interviews.values import Answers
from pipeline.validation import Invalid, Values

# Seconds between the looks at a double click's first request.
PATIENCE = (0.1, 0.2, 0.4, 0.8, 1.5)


class Form(NamedTuple):
    """A form as its prospect may see it: the public body, the organization's time zone and day, the SHA-256 of its
    stored logo.

    A capture form has no prospect yet: no answers of its own, no prefill.
    """

    template: Values
    organization: Values
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


@contextlib.contextmanager
def transaction(request: Request) -> Iterator[None]:
    """A transaction on the forms login; committed at the end of the block."""
    request.transaction.begin(request.registry.forms)
    yield
    request.transaction.end(commit=True)


def open_interview(request: Request, token: str, link: Link) -> Form:
    """The Form of an invite, as its Link asks for it; 404 for an unknown token, 410 once it has expired."""
    settings = request.registry.pipeline
    with transaction(request):
        try:
            body = public_service.get_interview(token, settings.logos_url, settings.answers_readable_days, link)
        except Problem as problem:
            if problem.code == "invite_expired":
                _remember(request, **sure(queries.form_look()))
            raise
        return _form(request, body)


def save_interview(request: Request, token: str, patch: Answers, link: Link) -> bytes:
    """Merge answers to a form that was shown as a Link says.

    Returns JSON: status, all answers that are stored now, revision, saved_at.
    """
    with transaction(request):
        return public_service.save_answers(token, patch, link)


def add_file(request: Request, token: str, key: str, upload: Upload) -> bytes:
    """Keep a file as an answer; returns JSON as a save does. After a refusal others may follow."""
    try:
        with transaction(request):
            return uploads.add_file(token, key, upload, functools.partial(slots.hold, request, slots.UPLOAD))
    except (Problem, Invalid):
        request.transaction.end(commit=False)
        raise


def remove_file(request: Request, token: str, id: int) -> bytes | None:
    """Take a file away; returns JSON as a save does, None when there is no such file."""
    with transaction(request):
        return uploads.remove_file(token, id)


def submit_interview(request: Request, token: str, link: Link, send_copy: bool) -> None:
    """Lock the answers."""
    with transaction(request):
        public_service.submit(token, link, {}, send_copy)


def ask_for_link(request: Request, token: str) -> None:
    """Tell the rep that the prospect of an expired invite asks for a new link."""
    with transaction(request):
        public_service.ask_for_link(token)


def note_opening(request: Request, token: str) -> None:
    """Keep that an invite's form is seen in a browser."""
    with transaction(request):
        public_service.note_opening(token)


def open_reminders(request: Request, token: str, decline: bool = False) -> None:
    """Look at the invite whose reminders are to end, and end them; 404 for an unknown token."""
    with transaction(request):
        (public_service.decline_reminders if decline else public_service.open_invite)(token)
        _remember(request, **sure(queries.form_look()))


def open_capture(request: Request, slug: str, link: Link) -> Form:
    """The Form of a capture slug, as its Link asks for it; 404 for an unknown one."""
    with transaction(request):
        return _form(request, capture_service.get_form(slug, request.registry.pipeline.logos_url, link))


def open_preview(request: Request, preview: PreviewLink, link: Link) -> Form:
    """The Form of a PreviewLink's template, as a Link asks for it; nobody frames it."""
    with transaction(request):
        form = capture_service.get_preview(preview, request.registry.pipeline.logos_url, link)
        return _form(request, form, framed=False)


def submit_capture(request: Request, key: str, **given: Any) -> None:
    """Make the lead, once for each key; given: what capture_service.submit takes.

    Raises idempotency_key_reused when other answers were sent under the key.
    """
    _capture(request, key, capture_service.submit, given)


def continue_capture(request: Request, key: str, **given: Any) -> None:
    """Email the link to go on with, once for each key; given: what capture_service.continue_later takes."""
    _capture(request, key, capture_service.continue_later, given)


def _capture(request: Request, key: str, store: Callable[..., object], given: dict[str, Any]) -> None:
    """A double click is one: its second request waits for the first."""
    for seconds in PATIENCE:
        try:
            return _capture_once(request, key, store, given)
        except Problem as problem:
            if problem.code != "idempotency_key_in_flight":
                raise
        request.transaction.end(commit=False)
        time.sleep(seconds)
    return _capture_once(request, key, store, given)


def _capture_once(request: Request, key: str, store: Callable[..., object], given: dict[str, Any]) -> None:
    def perform(request: Request) -> Response:
        queries.role_leave()  # the form is opened again, which its own role cannot do
        store(spend=functools.partial(limits.spend_capture, request), **given)
        return Response(status=201)

    request.environ["HTTP_IDEMPOTENCY_KEY"] = key
    request.validated.update(given)
    with transaction(request):
        capture_service.open_form(given["slug"])
        idempotency.once(request, perform)


def _form(request: Request, body: Values, framed: bool = True) -> Form:
    """The Form of a public body in whose context the transaction is; its look is remembered."""
    form = Form(**body, **sure(queries.form_surroundings()))
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
    registry = request.registry
    registry.form_looks.remember(
        request.environ["PATH_INFO"],
        look_of(name, branding, logo, language, embed_origins, registry.pipeline.public_url),
    )


@contextlib.contextmanager
def opened_answers(request: Request, link: AnswerLink) -> Iterator[Row]:
    """Whom an AnswerLink is about (a row), in a transaction in which there is nothing but its invite.

    404 for an invite that is deleted, and for a reader whose seat is no longer active.
    """
    with transaction(request):
        queries.form_answers_enter(organization_id=link.organization_id, invite_id=link.invite_id)
        about = queries.form_answers_about(id=link.invite_id, user_id=link.user_id)
        if about is None:
            raise Problem("not_found")
        yield about


def read_logo(request: Request, sha256: str) -> Row:
    """A logo as {content_type, content}; 404 for what is nobody's logo."""
    with transaction(request):
        logo = queries.form_logo_content(sha256=sha256)
    if logo is None:
        raise Problem("not_found")
    return logo
