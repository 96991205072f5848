"""The contract template endpoints."""

from pipeline.contracts import schemas, shapes
from pipeline.contracts import template_service as service
from pipeline.http.declared import record
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.uploads import UploadField

LOGO = UploadField("logo", 2 * 1024 * 1024)

templates, template = record(
    "/contract-templates",
    "contract_template",
    "contract_templates",
    write=ADMIN,
    new=schemas.Template(),
    body=schemas.TemplateChange(),
    query=schemas.TemplateList(),
    shows=shapes.TEMPLATE,
    create=service.create_template,
    update=service.update_template,
)
logo = Resource("/contract-templates/{id}/logo", "The logo of a contract template")


@logo.post(access=ADMIN, upload=LOGO, status=201, answer=shapes.TEMPLATE)
def upload_contract_template_logo(request, id, upload):
    return service.set_logo(request.caller, id, upload.file)


@logo.delete(access=ADMIN)
def delete_contract_template_logo(request, id):
    return service.remove_logo(id)
