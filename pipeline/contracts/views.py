"""The contract endpoints."""

from functools import partial

from pyramid.response import Response

from pipeline.api.declared import Records
from pipeline.api.pagination import Paged, PagedByHundred
from pipeline.api.resource import Resource
from pipeline.api.uploads import Upload, UploadField
from pipeline.contracts import redlines, renditions, schemas, service, shapes
from pipeline.documents import REDLINE, Document
from pipeline.files import attachment, file_response, tag_response
from pipeline.files.content import MEDIA_TYPES, TYPES, check_content
from pipeline.http.fairness.slots import DOCUMENT, TEXT, hold, hold_download
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER
from pipeline.records.activities import notes_of, tasks_of
from pipeline.validation import Values

FILE = UploadField("file", 25 * 1024 * 1024)

contracts = Records("/contracts", "contract", shows=shapes.CONTRACT)
contracts.list("list_contracts", filters=schemas.FILTERS, by=service.list_contracts)
contracts.get("get_contract")
contracts.delete("delete_contract", by=service.delete_contract, fails=("contract_locked", "out_for_signature"))

notes = notes_of("/contracts/{id}", "contract")
notes.list("list_contract_notes", query=Paged())
notes.create("add_contract_note")
notes.get("get_contract_note")
notes.delete("delete_contract_note")

tasks = tasks_of("/contracts/{id}", "contract")
tasks.list("list_contract_tasks", query=PagedByHundred())
tasks.create("add_contract_task")
tasks.get("get_contract_task")
tasks.update("update_contract_task", "patch_contract_task")
tasks.delete("delete_contract_task")

pdf = Resource("/contracts/{id}/pdf", "A contract as PDF")
docx = Resource("/contracts/{id}/docx", "A contract as Word document")
redline = Resource("/contracts/{id}/redline", "The differences between two revisions of a contract")
regeneration = Resource("/contracts/{id}/regenerate", "Regenerate a contract's text")
executed = Resource("/contracts/{id}/executed", "The executed copy of a contract")


# The text shows the deal, quote, company and contact.
SHOWN_RECORDS = ("records:read",)


@contracts.all.post(
    access=MEMBER,
    further_scopes=SHOWN_RECORDS,
    body=schemas.Contract(),
    creates=True,
    answer=shapes.CONTRACT,
    fails=("external_id_taken", "document_too_complex"),
)
def create_contract(request: Request, body: Values) -> bytes:
    return service.create_contract(request.caller, body, partial(hold, request, TEXT))


@contracts.one.change(
    "patch_contract",
    access=MEMBER,
    further_scopes=SHOWN_RECORDS,
    body=schemas.ContractChange(),
    query=schemas.Pasting(),
    answer=shapes.CONTRACT,
    fails=(
        "contract_locked",
        "contract_edited",
        "out_for_signature",
        "invalid_transition",
        "term_ended",
        "external_id_taken",
        "document_too_complex",
    ),
)
def update_contract(request: Request, id: int, body: Values, query: Values) -> bytes | None:
    return service.update_contract(id, body, query, partial(hold, request, TEXT), whole=request.method == "PATCH")


def document(request: Request, id: int, kind: str) -> Response | None:
    made = renditions.shown(id, kind, partial(hold, request))
    return made and renditions.response(made, kind, partial(hold_download, request))


@pdf.get(access=MEMBER, gives=MEDIA_TYPES["pdf"], tagged=True, fails=("document_too_complex", "storage_full"))
def get_contract_pdf(request: Request, id: int) -> Response | None:
    return document(request, id, "pdf")


@docx.get(access=MEMBER, gives=MEDIA_TYPES["docx"], tagged=True, fails=("document_too_complex", "storage_full"))
def get_contract_docx(request: Request, id: int) -> Response | None:
    return document(request, id, "docx")


def redline_file(prepared: tuple[Document, str]) -> Response:
    compared, filename = prepared
    return attachment(renditions.render_now(REDLINE, compared), MEDIA_TYPES["docx"], filename)


@redline.get(
    access=MEMBER,
    query=schemas.Redline(),
    gives=MEDIA_TYPES["docx"],
    fails=("document_too_complex",),
    renders=redline_file,
)
def get_contract_redline(request: Request, id: int, query: Values) -> tuple[Document, str] | None:
    hold(request, DOCUMENT)
    return redlines.redline(id, query)


@regeneration.put(
    access=MEMBER,
    further_scopes=SHOWN_RECORDS,
    query=schemas.Regeneration(),
    answer=shapes.CONTRACT,
    fails=("contract_locked", "contract_edited", "out_for_signature", "document_too_complex"),
)
def regenerate_contract(request: Request, id: int, query: Values) -> bytes | None:
    return service.regenerate_contract(id, partial(hold, request, TEXT), query["discard"])


@executed.post(
    access=MEMBER,
    upload=FILE,
    query=schemas.Replacement(),
    status=201,
    answer=shapes.CONTRACT,
    fails=("contract_locked", "out_for_signature", "sealed"),
)
def upload_executed_copy(request: Request, id: int, upload: Upload, query: Values) -> bytes | None:
    filename, kind = check_content(upload.file, upload.filename)
    return service.add_executed(request.caller, id, kind, filename, upload, query["replace"])


@executed.get(access=MEMBER, gives=", ".join(TYPES), tagged=True)
def get_executed_copy(request: Request, id: int) -> Response | None:
    file_id = service.executed_file(id)
    return file_id and file_response(file_id, partial(hold_download, request))


@executed.current
def get_executed_tag(request: Request, id: int) -> Response | None:
    file_id = service.executed_file(id)
    return file_id and tag_response(file_id)


@executed.delete(access=ADMIN, query=schemas.Replacement(), fails=("sealed",))
def delete_executed_copy(request: Request, id: int, query: Values) -> int:
    return service.remove_executed(request.caller, id, query["replace"])
