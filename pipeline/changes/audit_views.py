"""The endpoints of the audit."""

from pipeline.changes import audit as service
from pipeline.changes import schemas, shapes
from pipeline.http.csv_export import MEDIA_TYPE, csv_response
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.shapes import ListOf
from pipeline.http.slots import EXPORT

audit = Resource("/audit", "Who did what, with the values before and after")
export = Resource("/audit/export", "The audit as a CSV file")


@audit.get(access=ADMIN, query=schemas.AuditList(), answer=ListOf(shapes.ENTRY))
def list_audit(request, query):
    return service.list_audit(query)


@export.get(access=ADMIN, query=schemas.AuditFilters(), gives=MEDIA_TYPE, heavy=EXPORT, stale=True)
def export_audit(request, query):
    return csv_response(service.export_audit(query, request.transaction, request.slot), "audit.csv")
