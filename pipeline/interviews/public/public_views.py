"""The interview endpoints for prospects."""

import functools
from collections.abc import Callable
from typing import Any

from pipeline.api.resource import Resource
from pipeline.api.uploads import Upload, UploadField
from pipeline.database import FORMS, Row
from pipeline.http.fairness import limits, slots
from pipeline.http.request import Request
from pipeline.http.security import PUBLIC
from pipeline.interviews import schemas, shapes
from pipeline.interviews.public import capture_service, public_service
from pipeline.interviews.public import uploads as files
from pipeline.interviews.public.links import FORM, read_link
from pipeline.interviews.templates.questions import MAX_FILE_MIB
from pipeline.validation import Values

FILE = UploadField("file", MAX_FILE_MIB * 1024 * 1024)
# First in order, because "/{token}" would match "capture".
capture = Resource("/public/interview/capture/{slug}", "A lead-capture form")
captured = Resource("/public/interview/capture/{slug}/submit", "Capture a lead")
interview = Resource("/public/interview/{token}", "The interview of an invite")
uploads = Resource("/public/interview/{token}/files", "Files for an interview")
uploaded = Resource("/public/interview/{token}/files/{fileId}", "A file of an interview")
submission = Resource("/public/interview/{token}/submit", "Submit an interview")


@interview.current
@interview.get(
    access=PUBLIC,
    transaction=FORMS,
    query=FORM,
    limit=limits.PUBLIC_FORMS,
    answer=shapes.INTERVIEW,
    fails=("invite_expired",),
)
def get_public_interview(request: Request, token: str, query: Values | None = None) -> Row:
    settings = request.registry.pipeline
    link = read_link(request)
    return public_service.get_interview(token, settings.logos_url, settings.answers_readable_days, link)


@interview.patch(
    access=PUBLIC,
    transaction=FORMS,
    query=FORM,
    body=schemas.Answers(),
    limit=limits.PUBLIC_FORMS,
    answer=shapes.SAVED,
    fails=("invite_expired", "invite_submitted"),
)
def save_interview_answers(request: Request, token: str, query: Values, body: Values) -> bytes:
    return public_service.save_answers(token, body["answers"], read_link(request))


@submission.post(
    access=PUBLIC,
    transaction=FORMS,
    query=FORM,
    body=schemas.Submission(),
    limit=limits.PUBLIC_SUBMITS,
    opens=public_service.open_invite,
    answer=shapes.SUBMITTED,
    fails=("invite_expired", "invite_submitted"),
)
def submit_interview(request: Request, token: str, query: Values, body: Values) -> Row:
    return public_service.submit(token, read_link(request), **body)


@uploads.post(
    access=PUBLIC,
    transaction=FORMS,
    query=schemas.FileUpload(),
    upload=FILE,
    status=201,
    limit=limits.PUBLIC_FORMS,
    opens=public_service.open_invite,
    answer=shapes.SAVED,
    fails=("invite_expired", "invite_submitted"),
)
def add_interview_file(request: Request, token: str, query: Values, upload: Upload) -> bytes:
    hold = functools.partial(slots.hold, request, slots.UPLOAD)
    return files.add_file(token, query["question"], upload, hold)


@uploaded.delete(
    access=PUBLIC, transaction=FORMS, limit=limits.PUBLIC_FORMS, fails=("invite_expired", "invite_submitted")
)
def remove_interview_file(request: Request, token: str, fileId: int) -> bytes | None:
    return files.remove_file(token, fileId)


def strangers_share(request: Request) -> Callable[[int], None]:
    """Counts the request to the strangers of an organization."""
    return functools.partial(slots.share, request, strangers=True)


@capture.get(
    access=PUBLIC,
    transaction=FORMS,
    query=schemas.Capture(),
    limit=limits.PUBLIC_FORMS,
    answer=shapes.CAPTURE_FORM,
    fails=("busy",),
)
def get_capture_form(request: Request, slug: str, query: Values) -> Row:
    template_id = capture_service.open_form(slug, strangers_share(request))
    return capture_service.get_form(template_id, request.registry.pipeline.logos_url, read_link(request))


@captured.post(
    access=PUBLIC,
    transaction=FORMS,
    query=schemas.Capture(),
    body=schemas.CapturedAnswers(),
    status=201,
    limit=limits.PUBLIC_SUBMITS,
    opens=capture_service.open_form,
    answer=shapes.CAPTURED,
    fails=("capture_quota", "busy"),
)
def submit_capture_form(request: Request, slug: str, query: Values, body: Values) -> dict[str, Any]:
    spend = functools.partial(limits.spend_capture, request)
    return capture_service.submit(slug, read_link(request), query["r"], spend, **body, admit=strangers_share(request))
