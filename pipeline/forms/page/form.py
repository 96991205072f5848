"""The form that a page shows, and its look."""

import datetime
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from pipeline.database import Row, not_none, queries
from pipeline.forms.questions.markdown import RenderedTexts, written
from pipeline.http.fairness import slots
from pipeline.http.request import Request
from pipeline.http.signed_links import AnswerLink, EmailsLink, NoticeLink
from pipeline.interviews.public import public_service
from pipeline.interviews.public.links import Link
from pipeline.interviews.templates.conditions import Answers
from pipeline.interviews.templates.work import controls_on, marks_of
from pipeline.validation import Values
from pipeline.validation.errors import Problem

# A failure page reuses its path's last look, without the database.
MOST_RECENT = 1000
# Without a slot, about 15 ms of CPU each: controls, and marks not yet rendered.
FREE_CONTROLS, FREE_MARKS = 600, 500
# A question costs this many controls.
AROUND = 4
K = TypeVar("K")
V = TypeVar("V")


class Look(NamedTuple):
    """The look of a page; `origins` may frame it."""

    organization: str | None = None
    branding: Mapping[str, Any] = {}
    logo: str | None = None
    language: str | None = None
    origins: tuple[str, ...] = ()


class Recent(Generic[K, V]):
    """The latest MOST_RECENT values by key."""

    def __init__(self) -> None:
        self.values: OrderedDict[K, V] = OrderedDict()
        self.lock = threading.Lock()

    def remember(self, key: K, value: V) -> None:
        with self.lock:
            self.values[key] = value
            self.values.move_to_end(key)
            if len(self.values) > MOST_RECENT:
                self.values.popitem(last=False)

    def find(self, key: K, default: V) -> V:
        with self.lock:
            return self.values.get(key, default)


def logo_path(sha256: str | None) -> str | None:
    """A stored logo's path, or None."""
    return f"/forms/logo/{sha256}" if sha256 else None


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
    def written(self) -> RenderedTexts:
        """The version's rendered texts."""
        return written(self.version_id)


def open_interview(request: Request, token: str, link: Link) -> Form:
    """An invite's Form; raises 404, or 410 after expiry."""
    settings = request.registry.pipeline
    try:
        body = public_service.get_interview(token, settings.logos_url, settings.answers_readable_days, link)
    except Problem as problem:
        if problem.code == "invite_expired":
            remember_look(request)
        raise
    return form_of(request, body)


def remember_look(request: Request) -> None:
    """Stores the Look of the opened invite."""
    _remember(request, **not_none(queries.form_look()))


def form_of(request: Request, body: Values, framed: bool = True) -> Form:
    """A public body's Form; counts the request to the organization. Unless `framed`, no site may frame it."""
    form = Form(**body, **not_none(queries.form_surroundings()))
    slots.share(request, form.organization_id, strangers=True)
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


def open_answers(link: AnswerLink) -> Row:
    """Enters as the link's member; the `form_answers_about` row. Raises 404 for a lost invite or seat."""
    queries.form_answers_enter(organization_id=link.organization_id, user_id=link.user_id)
    about = queries.form_answers_about(id=link.invite_id, user_id=link.user_id)
    if about is None:
        raise Problem("not_found")
    return about


def open_emails(link: EmailsLink | NoticeLink) -> Row:
    """Enters as the link's user; the `notification_emails_about` row. Raises 404 for a lost seat."""
    queries.form_answers_enter(organization_id=link.organization_id, user_id=link.user_id)
    about = queries.notification_emails_about(user_id=link.user_id)
    if about is None:
        raise Problem("not_found")
    return about


def open_notices(link: NoticeLink) -> tuple[Row, list[Row]]:
    """Enters as the link's user; the `notification_emails_about` row and the notifications. 404 without them."""
    about = open_emails(link)
    found = list(queries.notification_told(id=link.notification_id))
    if not found:
        raise Problem("not_found")
    return about, found


def read_logo(sha256: str) -> Row:
    """{content_type, content}; raises 404."""
    logo = queries.form_logo_content(sha256=sha256)
    if logo is None:
        raise Problem("not_found")
    return logo


def hold_page(
    request: Request, organization_id: int, template: Values, version_id: int, page: str, questions: Sequence[Values]
) -> None:
    """Holds a slot for a page over 20 ms; raises 429. template: in its language; page: its name within the form."""
    pages, name = written(version_id).pages, f"{template['language']}.{page}"
    work = controls_on(questions) + AROUND * len(questions)
    heavy = work > FREE_CONTROLS
    if heavy:
        request.registry.heavy_pages.remember(_page_of(request), organization_id)
    if heavy or (name not in pages and marks_of(template) > FREE_MARKS):
        slots.hold(request, slots.PAGE, organization_id)
    pages.add(name)


def check_page_slot(request: Request) -> None:
    """Raises 429 when the page is known to need a slot and none is free: before its form is read."""
    organization_id = request.registry.heavy_pages.find(_page_of(request), None)
    if organization_id is not None:
        slots.slots_of(request).check_free(slots.PAGE, organization_id)


def _page_of(request: Request) -> tuple[str, str | None]:
    return request.environ["PATH_INFO"], request.GET.get("step")
