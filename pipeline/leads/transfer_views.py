"""Leads as CSV: template, export, import."""

from pyramid.response import Response

from pipeline.files.uploads import UploadField
from pipeline.http.resource import Resource
from pipeline.http.slots import EXPORT, IMPORT
from pipeline.leads import csv_export, csv_import, schemas, shapes
from pipeline.leads.csv_format import COLUMNS, header_line
from pipeline.security import ADMIN, MEMBER

CSV = "text/csv"
FILE = UploadField("file", 25 * 1024 * 1024)

template = Resource("/leads/template", "An empty CSV file for the import")
export = Resource("/leads/export", "The leads as a CSV file")
imports = Resource("/leads/import", "Import leads from a CSV file")


def csv_response(chunks, filename):
    """A CSV file as attachment."""
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = f"{CSV}; charset=utf-8; header=present"
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


@template.get(access=ADMIN, gives=CSV)
def get_lead_import_template(request):
    return csv_response([header_line(COLUMNS)], "leads-template.csv")


@export.get(access=ADMIN, query=schemas.LeadFilters(), gives=CSV, heavy=EXPORT)
def export_leads(request, query):
    return csv_response(csv_export.export_leads(request.caller, query, request.transaction, request.slot), "leads.csv")


@imports.post(
    access=MEMBER,
    query=schemas.LeadImport(),
    upload=FILE,
    heavy=IMPORT,
    answer=shapes.IMPORT_REPORT,
    fails=("unsupported_encoding", "invalid_csv", "too_many_rows"),
)
def import_leads(request, query, upload):
    return csv_import.import_leads(upload.file, **query)
