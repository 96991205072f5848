"""The contract template endpoints."""

from pipeline.contracts import schemas
from pipeline.contracts import template_service as service
from pipeline.files.uploads import UploadField
from pipeline.http.resource import Resource
from pipeline.security import ADMIN, MEMBER

LOGO = UploadField("logo", 2 * 1024 * 1024)

templates = Resource("/contract-templates", "Contract templates")
template = Resource("/contract-templates/{id}", "A contract template")
logo = Resource("/contract-templates/{id}/logo", "The logo of a contract template")


@templates.get(access=MEMBER, query=schemas.TemplateList())
def list_contract_templates(request, query):
    return service.list_templates(query)


@templates.post(access=ADMIN, body=schemas.Template(), creates=True)
def create_contract_template(request, body):
    return service.create_template(body)


@template.get(access=MEMBER)
def get_contract_template(request, id):
    return service.get_template(id)


@template.put(access=ADMIN, body=schemas.TemplateChange())
def update_contract_template(request, id, body):
    return service.update_template(id, body)


@template.delete(access=ADMIN)
def delete_contract_template(request, id):
    return service.delete_template(id)


@logo.post(access=ADMIN, upload=LOGO, status=201)
def upload_contract_logo(request, id, upload):
    return service.set_logo(request.caller, id, upload.file)


@logo.delete(access=ADMIN)
def delete_contract_logo(request, id):
    return service.remove_logo(id)
