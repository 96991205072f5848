"""Endpoints of templates and merge tags."""

from typing import Any

from pyramid.response import Response

from pipeline.contracts import own_fields, previews, schemas, shapes, tag_reference
from pipeline.contracts import template_service as service
from pipeline.contracts.merge import catalogue
from pipeline.contracts.merge.catalogue import Tag
from pipeline.contracts.renditions import render_now
from pipeline.documents import PDF, Document
from pipeline.files import attachment
from pipeline.files.content import MEDIA_TYPES
from pipeline.http.core.request import Request
from pipeline.http.core.security import ADMIN
from pipeline.http.endpoints.declared import Records
from pipeline.http.endpoints.pagination import PagedByHundred
from pipeline.http.endpoints.resource import Resource
from pipeline.http.endpoints.shapes import Data
from pipeline.http.endpoints.uploads import Upload, UploadField
from pipeline.http.quotas.slots import DOCUMENT, hold
from pipeline.validation import Values

LOGO = UploadField("logo", 2 * 1024 * 1024)

templates = Records(
    "/contract-templates", "contract_template", write=ADMIN, body=schemas.TemplateChange(), shows=shapes.TEMPLATE
)
templates.list("list_contract_templates", paged=PagedByHundred)
templates.create("create_contract_template", body=schemas.Template(), by=service.create_template)
templates.get("get_contract_template")
templates.update("update_contract_template", "patch_contract_template", by=service.update_template)
templates.delete("delete_contract_template")

logo = Resource("/contract-templates/{id}/logo", "The logo of a contract template")


@logo.post(access=ADMIN, upload=LOGO, status=201, answer=shapes.TEMPLATE)
def upload_contract_template_logo(request: Request, id: int, upload: Upload) -> bytes | None:
    return service.set_logo(request.caller, id, upload.file)


@logo.delete(access=ADMIN)
def delete_contract_template_logo(request: Request, id: int) -> int:
    return service.remove_logo(id)


tags = Resource("/contract-templates/tags", "The merge tags of contract templates")
tags_pdf = Resource("/contract-templates/tags/pdf", "The merge tags of contract templates as a PDF")


@tags.get(access=ADMIN, answer=Data(shapes.TAG_GROUP))
def list_merge_tags(request: Request) -> dict[str, Any]:
    return {"data": catalogue(own_fields.tags())}


def tags_file(own: tuple[Tag, ...]) -> Response:
    return attachment(tag_reference.pdf(own), MEDIA_TYPES[PDF], "merge-tags.pdf")


@tags_pdf.get(access=ADMIN, gives=MEDIA_TYPES[PDF], renders=tags_file)
def get_merge_tags_pdf(request: Request) -> tuple[Tag, ...]:
    return own_fields.tags()


preview = Resource("/contract-templates/preview", "A preview of a contract template")


def preview_file(document: Document) -> Response:
    return attachment(render_now(PDF, document), MEDIA_TYPES[PDF], "preview.pdf")


@preview.post(
    access=ADMIN,
    body=schemas.Preview(),
    gives=MEDIA_TYPES[PDF],
    replayable=False,
    fails=("document_too_complex",),
    renders=preview_file,
)
def preview_contract_template(request: Request, body: Values) -> Document:
    hold(request, DOCUMENT)
    return previews.template_preview(body)
