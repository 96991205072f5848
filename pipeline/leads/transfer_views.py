"""Leads as CSV: template, export, import."""

from pipeline.http.csv_export import MEDIA_TYPE, csv_response, header_line
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN, MEMBER
from pipeline.http.slots import EXPORT, IMPORT
from pipeline.http.uploads import UploadField
from pipeline.leads import csv_export, csv_import, schemas, shapes
from pipeline.leads.csv_format import COLUMNS

FILE = UploadField("file", 25 * 1024 * 1024)

template = Resource("/leads/template", "An empty CSV file for the import")
export = Resource("/leads/export", "The leads as a CSV file")
imports = Resource("/leads/import", "Import leads from a CSV file")


@template.get(access=ADMIN, gives=MEDIA_TYPE)
def get_lead_import_template(request):
    return csv_response([header_line(COLUMNS)], "leads-template.csv")


@export.get(access=ADMIN, query=schemas.LeadFilters(), gives=MEDIA_TYPE, heavy=EXPORT, stale=True)
def export_leads(request, query):
    chunks = csv_export.export_leads(request.caller, query, request.transaction, request.slot)
    return csv_response(chunks, "leads.csv")


@imports.post(
    access=MEMBER,
    query=schemas.LeadImport(),
    upload=FILE,
    heavy=IMPORT,
    answer=shapes.IMPORT_REPORT,
    fails=("unsupported_file", "unsupported_encoding", "invalid_csv", "too_many_rows"),
)
def import_leads(request, query, upload):
    return csv_import.import_leads(upload.file, **query)
