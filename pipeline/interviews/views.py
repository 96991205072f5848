"""The interview endpoints for members."""

import functools
from typing import Any

from pyramid.response import Response

from pipeline.api.declared import Records
from pipeline.api.pagination import PagedByHundred
from pipeline.api.resource import Resource
from pipeline.api.responses import ViewResult
from pipeline.database import Row
from pipeline.files import file_response
from pipeline.files.content import MORE_MEDIA_TYPES
from pipeline.http.fairness.slots import SEARCH, hold_download
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER
from pipeline.http.signed_links import preview_url
from pipeline.interviews import schemas, service, shapes, statistics
from pipeline.interviews.answers import seeding
from pipeline.validation import Values


def forms_url(request: Request) -> str:
    return request.registry.pipeline.interviews_url


templates = Records(
    "/interview-templates",
    "interview_template",
    write=ADMIN,
    body=schemas.Template(),
    shows=shapes.TEMPLATE,
    fails=("slug_taken",),
)
templates.list("list_interview_templates", paged=PagedByHundred)
templates.create("create_interview_template", by=service.create_template)
templates.get("get_interview_template")
templates.update("update_interview_template", "patch_interview_template", by=service.update_template)
templates.delete("delete_interview_template")

invites = Records(
    "/interview-invites",
    "interview_invite",
    shows=shapes.INVITE,
    given=lambda request: {"forms_url": forms_url(request)},
)
invites.list("list_interview_invites", filters=schemas.FILTERS, paged=PagedByHundred)
invites.get("get_interview_invite")

preview = Resource("/interview-templates/{id}/preview", "A preview of a template's form")
counted = Resource("/interview-templates/{id}/statistics", "The statistics of a template's invites")
expiry = Resource("/interview-invites/{id}/expire", "Expire an invite")
renewing = Resource("/interview-invites/{id}/renew", "Renew an invite")
resending = Resource("/interview-invites/{id}/resend", "Send an invite's failed email again")
configuration = Resource("/interview-invites/{id}/seed-configuration", "Seed a configuration")
file = Resource("/interview-invites/{id}/files/{fileId}", "A file uploaded by a prospect")
responses = Resource("/interview-invites/{id}/responses", "The answers of an invite")


@counted.get(access=MEMBER, query=schemas.Statistics(), answer=shapes.STATISTICS, heavy=SEARCH)
def get_interview_template_statistics(request: Request, id: int, query: Values) -> dict[str, Any] | None:
    return statistics.statistics(id, query["from"], query["to"])


@preview.post(access=MEMBER, answer=shapes.PREVIEW, replayable=False, fails=("unavailable",))
def preview_interview_template(request: Request, id: int) -> dict[str, str] | None:
    link = functools.partial(preview_url, request.registry.pipeline, request.caller.organization_id)
    return service.preview_template(link, id)


# The form shows the lead's name, address and company.
@invites.all.post(
    access=MEMBER,
    further_scopes=("leads:read",),
    body=schemas.Invite(),
    creates=True,
    answer=shapes.INVITE,
    fails=("mail_quota",),
)
def create_interview_invite(request: Request, body: Values) -> bytes:
    return service.create_invite(request.caller, forms_url(request), request.registry.pipeline.mail_quota, body)


@invites.one.delete(access=ADMIN)
def delete_interview_invite(request: Request, id: int) -> int:
    return service.delete_invite(id)


@expiry.put(access=MEMBER, answer=shapes.INVITE, fails=("invite_submitted",))
def expire_interview_invite(request: Request, id: int) -> bytes | None:
    return service.expire_invite(forms_url(request), id)


@renewing.post(access=MEMBER, body=schemas.Renewal(), answer=shapes.INVITE, fails=("invite_submitted", "mail_quota"))
def renew_interview_invite(request: Request, id: int, body: Values) -> bytes | None:
    quota = request.registry.pipeline.mail_quota
    return service.renew_invite(forms_url(request), quota, id, body["expires_at"])


@resending.post(access=MEMBER, answer=shapes.INVITE, fails=("email_not_failed", "mail_quota"))
def resend_interview_invite(request: Request, id: int) -> bytes | None:
    return service.resend_invite(forms_url(request), request.registry.pipeline.mail_quota, id)


@responses.get(access=MEMBER, answer=shapes.RESPONSES)
def get_interview_responses(request: Request, id: int) -> Row | None:
    found = service.read_responses(id)
    return found and found[0]


@file.get(access=MEMBER, gives=", ".join(dict.fromkeys(MORE_MEDIA_TYPES.values())), tagged=True)
def get_interview_file(request: Request, id: int, fileId: int) -> Response | None:
    file_id = service.file_of(id, fileId)
    return file_id and file_response(file_id, functools.partial(hold_download, request))


@configuration.post(
    access=MEMBER,
    further_scopes=("records:write",),
    status=201,
    found=200,
    answer=shapes.SEEDED,
    fails=("invite_not_submitted", "invite_has_no_deal", "product_line_unanswered", "configurator_not_found"),
)
def seed_configuration(request: Request, id: int) -> ViewResult | None:
    seeded = seeding.seed_configuration(id)
    return seeded and ViewResult(seeded[0], 201 if seeded[1] else 200)
