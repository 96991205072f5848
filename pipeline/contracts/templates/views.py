"""Endpoints of templates and merge tags."""

from functools import partial
from typing import Any

from pyramid.response import Response

from pipeline.api.declared import Records
from pipeline.api.pagination import PagedByHundred
from pipeline.api.resource import Resource
from pipeline.api.shapes import Data
from pipeline.api.uploads import Upload, UploadField
from pipeline.contracts import own_tags, schemas, shapes
from pipeline.contracts.merge import catalogue
from pipeline.contracts.merge.catalogue import Tag
from pipeline.contracts.renditions import render_now
from pipeline.contracts.templates import previews, service, tag_reference, word_files
from pipeline.database import Row
from pipeline.documents import DOCX, PDF, Document
from pipeline.files import attachment, file_response
from pipeline.files.content import MEDIA_TYPES
from pipeline.http.fairness.slots import CONVERSION, DOCUMENT, hold, hold_download
from pipeline.http.request import Request
from pipeline.http.security import ADMIN
from pipeline.validation import Values

LOGO = UploadField("logo", 2 * 1024 * 1024)
WORD = UploadField("file", 10 * 1024 * 1024)

templates = Records(
    "/contract-templates",
    "contract_template",
    write=ADMIN,
    body=schemas.TemplateChange(),
    shows=shapes.TEMPLATE,
    asks=schemas.Pasting(),
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


word = Resource("/contract-templates/{id}/word", "The Word file of a contract template")


@word.post(
    access=ADMIN,
    upload=WORD,
    query=schemas.Stripping(),
    status=201,
    answer=shapes.TEMPLATE,
    fails=("converter_missing", "document_too_complex"),
)
def upload_contract_template_word(request: Request, id: int, upload: Upload, query: Values) -> bytes | None:
    return word_files.set_file(request.caller, id, upload, query["strip"])


@word.get(access=ADMIN, gives=MEDIA_TYPES[DOCX], tagged=True)
def get_contract_template_word(request: Request, id: int) -> Response | None:
    file_id = word_files.file_of(id)
    return file_id and file_response(file_id, partial(hold_download, request))


@word.delete(access=ADMIN)
def delete_contract_template_word(request: Request, id: int) -> int:
    return word_files.remove(id)


schedules = Resource("/contract-templates/{id}/schedules", "The schedules of a contract template's Word file")
order = Resource("/contract-templates/{id}/schedules/order", "The order of a contract template's schedules")
schedule = Resource("/contract-templates/{id}/schedules/{scheduleId}", "A schedule of a contract template's Word file")


@schedules.get(access=ADMIN, answer=Data(shapes.SCHEDULE))
def list_contract_template_schedules(request: Request, id: int) -> dict[str, Any] | None:
    return _listed(word_files.schedules(id))


@schedules.post(
    access=ADMIN,
    upload=WORD,
    query=schemas.Stripping(),
    status=201,
    answer=Data(shapes.SCHEDULE),
    fails=("converter_missing", "document_too_complex"),
)
def add_contract_template_schedule(request: Request, id: int, upload: Upload, query: Values) -> dict[str, Any] | None:
    return _listed(word_files.add_schedule(request.caller, id, upload, query["strip"]))


@order.put(access=ADMIN, body=schemas.Order(), answer=Data(shapes.SCHEDULE))
def order_contract_template_schedules(request: Request, id: int, body: Values) -> dict[str, Any] | None:
    return _listed(word_files.order_schedules(id, body))


@schedule.delete(access=ADMIN)
def delete_contract_template_schedule(request: Request, id: int, scheduleId: int) -> int:
    return word_files.remove_schedule(id, scheduleId)


def _listed(found: list[Row] | None) -> dict[str, Any] | None:
    return None if found is None else {"data": found}


tags = Resource("/contract-templates/tags", "The merge tags of contract templates")
tags_pdf = Resource("/contract-templates/tags/pdf", "The merge tags of contract templates as a PDF")


@tags.get(access=ADMIN, answer=Data(shapes.TAG_GROUP))
def list_merge_tags(request: Request) -> dict[str, Any]:
    return {"data": catalogue(own_tags.tags())}


def tags_file(own: tuple[Tag, ...]) -> Response:
    return attachment(tag_reference.pdf(own), MEDIA_TYPES[PDF], "merge-tags.pdf")


@tags_pdf.get(access=ADMIN, gives=MEDIA_TYPES[PDF], renders=tags_file)
def get_merge_tags_pdf(request: Request) -> tuple[Tag, ...]:
    return own_tags.tags()


tags_word = Resource("/contract-templates/tags/word", "The merge tags of contract templates as a Word file")


def tags_word_file(own: tuple[Tag, ...]) -> Response:
    return attachment(tag_reference.word(own), MEDIA_TYPES[DOCX], "merge-tags.docx")


@tags_word.get(access=ADMIN, gives=MEDIA_TYPES[DOCX], renders=tags_word_file)
def get_merge_tags_word(request: Request) -> tuple[Tag, ...]:
    return own_tags.tags()


preview = Resource("/contract-templates/preview", "A preview of a contract template")


def preview_file(document: Document) -> Response:
    return attachment(render_now(PDF, document), MEDIA_TYPES[PDF], "preview.pdf")


@preview.post(
    access=ADMIN,
    further_scopes=("records:read",),
    body=schemas.Preview(),
    query=schemas.Pasting(),
    gives=MEDIA_TYPES[PDF],
    replayable=False,
    fails=("document_too_complex",),
    renders=preview_file,
)
def preview_contract_template(request: Request, body: Values, query: Values) -> Document:
    hold(request, CONVERSION if body["content"] is None else DOCUMENT)
    return previews.template_preview(body)
