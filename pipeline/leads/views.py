"""The lead endpoints."""

from functools import partial
from typing import Any

from pyramid.response import Response

from pipeline.api.declared import Records
from pipeline.api.exports.csv_export import CONTENT_TYPE, MEDIA_TYPE, header_line
from pipeline.api.pagination import ListPage, Paged, PagedByHundred
from pipeline.api.resource import Resource
from pipeline.api.responses import Later, data, prefers_later
from pipeline.api.shapes import Data, ListOf
from pipeline.api.streams import Stream, file_of
from pipeline.api.uploads import Upload, UploadField
from pipeline.files import file_response
from pipeline.http.fairness.slots import EXPORT, IMPORT, hold_download
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER, refusal
from pipeline.leads import qualification as qualifying
from pipeline.leads import schemas, service, shapes
from pipeline.leads.imports import background, previews
from pipeline.leads.imports.columns import COLUMNS
from pipeline.leads.imports.schemas import LeadFile, LeadImport
from pipeline.records.activities import notes_of, tasks_of
from pipeline.validation import Values

leads = Records("/leads", "lead", body=schemas.Lead(), shows=shapes.LEAD, fails=("external_id_taken",))
leads.list("list_leads", filters=schemas.FILTERS, by=service.list_leads)
leads.create("create_lead", beside=service.duplicates, answer=shapes.CREATED_LEAD)
leads.get("get_lead")
leads.update("update_lead", "patch_lead")
leads.delete("delete_lead")
leads.batch("batch_leads")

notes = notes_of("/leads/{id}", "lead")
notes.list("list_lead_notes", query=Paged())
notes.create("add_lead_note")
notes.get("get_lead_note")
notes.delete("delete_lead_note")

tasks = tasks_of("/leads/{id}", "lead")
tasks.list("list_lead_tasks", query=PagedByHundred())
tasks.create("add_lead_task")
tasks.get("get_lead_task")
tasks.update("update_lead_task", "patch_lead_task")
tasks.delete("delete_lead_task")

qualification = Resource("/leads/{id}/qualify", "Qualify a lead")
disqualification = Resource("/leads/{id}/disqualify", "Disqualify a lead")
duplicates = Resource("/leads/{id}/duplicates", "The leads that can be the same person")
emails = Resource("/leads/{id}/linked-emails", "The emails linked to a lead")


@qualification.post(
    access=MEMBER,
    further_scopes=("records:write",),
    body=schemas.Qualification(),
    answer=shapes.QUALIFICATION,
    fails=("lead_has_no_company",),
)
def qualify_lead(request: Request, id: int, body: Values) -> dict[str, Any] | None:
    return qualifying.qualify_lead(request.caller, id, body)


@disqualification.put(access=MEMBER, body=schemas.Disqualification(), answer=shapes.LEAD)
def disqualify_lead(request: Request, id: int, body: Values) -> bytes | None:
    return service.disqualify_lead(id, body["reason"])


@duplicates.get(access=MEMBER, query=Paged(), answer=ListOf(shapes.LEAD_DUPLICATE))
def list_lead_duplicates(request: Request, id: int, query: Values) -> ListPage | None:
    return service.list_duplicates(id, query)


@emails.get(access=MEMBER, query=PagedByHundred(), answer=ListOf(shapes.LINKED_EMAIL))
def list_linked_emails(request: Request, id: int, query: Values) -> ListPage | None:
    return service.list_emails(id, query)


match_company = Resource("/leads/match-company", "Companies that match a lead's company")
match_contact = Resource("/leads/match-contact", "Contacts that match a lead's email")


@match_company.get(
    access=MEMBER, further_scopes=("records:read",), query=schemas.CompanyName(), answer=Data(shapes.COMPANY_MATCH)
)
def match_companies(request: Request, query: Values) -> bytes:
    return data(service.match_companies(query["company"]))


@match_contact.get(
    access=MEMBER, further_scopes=("records:read",), query=schemas.ContactEmail(), answer=Data(shapes.CONTACT_MATCH)
)
def match_contacts(request: Request, query: Values) -> bytes:
    return data(service.match_contacts(query["email"]))


FILE = UploadField("file", 25 * 1024 * 1024)

template = Resource("/leads/template", "An empty CSV file for the import")
export = Resource("/leads/export", "The leads as a CSV file")
imports = Resource("/leads/import", "Import leads from a CSV file or a workbook")
preview = Resource("/leads/import/preview", "How the import reads a file")
# The file is no table of leads.
UNREADABLE = ("unsupported_file", "unsupported_encoding", "invalid_csv", "too_many_rows")


@template.get(access=ADMIN, gives=MEDIA_TYPE)
def get_lead_import_template(request: Request) -> Response:
    return file_of([header_line([*COLUMNS, *service.own_columns()])], CONTENT_TYPE, "leads-template.csv")


@export.get(access=ADMIN, query=schemas.LeadExport(), gives=MEDIA_TYPE, heavy=EXPORT, streams=True)
def export_leads(request: Request, query: Values) -> Stream:
    return service.export_leads(request.caller, query)


@imports.post(
    access=MEMBER,
    query=LeadImport(),
    upload=FILE,
    heavy=IMPORT,
    answer=shapes.IMPORT_REPORT,
    later=shapes.LEAD_IMPORT,
    fails=(*UNREADABLE, "storage_full", "forbidden", "too_many_fields"),
)
def import_leads(request: Request, query: Values, upload: Upload) -> dict[str, Any] | Later:
    if query["create_fields"] and (refused := refusal(request.caller, ADMIN, ("records:write",))):
        raise refused
    id = background.accept(upload, query) if prefers_later(request) else None
    if id is None:
        return background.import_now(upload.file, query, request.registry.pipeline.public_url)
    return Later(background.shown(id), background.PATH.format(id=id))


@preview.post(
    access=MEMBER,
    query=LeadFile(),
    upload=FILE,
    heavy=IMPORT,
    answer=shapes.IMPORT_PREVIEW,
    replayable=False,
    fails=UNREADABLE,
)
def preview_lead_import(request: Request, query: Values, upload: Upload) -> dict[str, Any]:
    return previews.preview(upload.file, query)


accepted = Resource("/leads/imports/{id}", "An import in the background")
results = Resource("/leads/imports/{id}/rows", "The results of all rows of an import as a CSV file")


@accepted.get(access=MEMBER, answer=shapes.LEAD_IMPORT)
def get_lead_import(request: Request, id: int) -> bytes | None:
    return background.shown(id)


@results.get(access=MEMBER, gives=MEDIA_TYPE, tagged=True)
def get_lead_import_rows(request: Request, id: int) -> Response | None:
    file_id = background.rows_file(id)
    return file_id and file_response(file_id, partial(hold_download, request))
