"""The interview endpoints for an organization's people."""

from pipeline.interviews import schemas, seeding, service
from pipeline.resource import Answer, Resource
from pipeline.security import ADMIN, MEMBER

templates = Resource("/interview-templates", "Interview templates")
template = Resource("/interview-templates/{id}", "An interview template")
invites = Resource("/interview-invites", "Interview invites")
invite = Resource("/interview-invites/{id}", "An interview invite")
expiry = Resource("/interview-invites/{id}/expire", "Expire an invite")
configuration = Resource("/interview-invites/{id}/seed-configuration", "Seed a configuration")
responses = Resource("/interview-invites/{id}/responses", "The answers of an invite")


def forms_url(request):
    """Where the hosted pages of invites live; the token follows."""
    return f"{request.registry.pipeline.public_url}/forms/interview/"


@templates.get(access=MEMBER, query=schemas.TemplateList())
def list_templates(request, query):
    return service.list_templates(query)


@templates.post(access=ADMIN, body=schemas.Template(), creates=True)
def create_template(request, body):
    return service.create_template(request.caller, body)


@template.get(access=MEMBER)
def get_template(request, id):
    return service.get_template(id)


@template.put(access=ADMIN, body=schemas.Template())
def update_template(request, id, body):
    return service.update_template(request.caller, id, body)


@template.delete(access=ADMIN)
def delete_template(request, id):
    return service.delete_template(id)


@invites.get(access=MEMBER, query=schemas.InviteList())
def list_invites(request, query):
    return service.list_invites(forms_url(request), query)


@invites.post(access=MEMBER, body=schemas.Invite(), creates=True)
def create_invite(request, body):
    return service.create_invite(request.caller, forms_url(request), request.registry.pipeline.mail_quota, body)


@invite.get(access=MEMBER)
def get_invite(request, id):
    return service.get_invite(forms_url(request), id)


@expiry.put(access=MEMBER)
def expire_invite(request, id):
    return service.expire_invite(forms_url(request), id)


@responses.get(access=MEMBER)
def get_responses(request, id):
    return service.get_responses(id)


@configuration.post(access=MEMBER, status=201)
def seed_configuration(request, id):
    seeded = seeding.seed_configuration(id)
    if seeded is None:
        return None
    warnings = {"warnings": seeded.warnings} if seeded.warnings else {}
    return Answer({"configuration_id": seeded.configuration_id, **warnings}, 201 if seeded.made else 200)
