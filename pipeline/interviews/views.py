"""The interview endpoints for an organization's people."""

from pipeline.http.declared import record
from pipeline.http.resource import Answer, Resource
from pipeline.interviews import schemas, seeding, service, shapes
from pipeline.security import ADMIN, MEMBER


def forms_url(request):
    """Where the hosted pages of invites live; the token follows."""
    return request.registry.pipeline.interviews_url


templates, template = record(
    "/interview-templates",
    "template",
    "templates",
    statements="interview_template",
    write=ADMIN,
    body=schemas.Template(),
    query=schemas.TemplateList(),
    shows=shapes.TEMPLATE,
    fails=("slug_taken",),
    create=service.create_template,
    update=service.update_template,
)
invites, invite = record(
    "/interview-invites",
    "invite",
    "invites",
    statements="interview_invite",
    offers=("list", "get"),
    query=schemas.InviteList(),
    shows=shapes.INVITE,
    given=lambda request: {"forms_url": forms_url(request)},
)
expiry = Resource("/interview-invites/{id}/expire", "Expire an invite")
configuration = Resource("/interview-invites/{id}/seed-configuration", "Seed a configuration")
responses = Resource("/interview-invites/{id}/responses", "The answers of an invite")


@invites.post(access=MEMBER, body=schemas.Invite(), creates=True, answer=shapes.INVITE, fails=("mail_quota",))
def create_invite(request, body):
    return service.create_invite(request.caller, forms_url(request), request.registry.pipeline.mail_quota, body)


@expiry.put(access=MEMBER, answer=shapes.INVITE, fails=("invite_submitted",))
def expire_invite(request, id):
    return service.expire_invite(forms_url(request), id)


@responses.get(access=MEMBER, answer=shapes.RESPONSES)
def get_responses(request, id):
    return service.get_responses(id)


@configuration.post(
    access=MEMBER,
    status=201,
    found=200,
    answer=shapes.SEEDED,
    fails=("invite_not_submitted", "invite_has_no_deal", "product_line_unanswered", "configurator_not_found"),
)
def seed_configuration(request, id):
    seeded = seeding.seed_configuration(id)
    if seeded is None:
        return None
    warnings = {"warnings": seeded.warnings} if seeded.warnings else {}
    return Answer({"configuration_id": seeded.configuration_id, **warnings}, 201 if seeded.made else 200)
