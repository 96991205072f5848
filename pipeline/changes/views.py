"""The endpoints of the change feed and the audit."""

from pipeline.api.exports.csv_export import MEDIA_TYPE
from pipeline.api.pagination import ListPage
from pipeline.api.resource import Resource
from pipeline.api.shapes import ListOf
from pipeline.api.streams import Stream
from pipeline.changes import records, schemas, service, shapes
from pipeline.http.fairness.slots import EXPORT
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER
from pipeline.validation import Values

changes = Resource("/changes", "The change feed")


@changes.get(access=MEMBER, query=schemas.Feed(), answer=shapes.FEED, fails=("cursor_expired",))
def follow_changes(request: Request, query: Values) -> bytes:
    include = query.pop("include")
    found = service.feed(**query)
    return records.add_records(found, request) if include else found


audit = Resource("/audit", "The audit log")
export = Resource("/audit/export", "The audit log as a CSV file")


@audit.get(access=ADMIN, query=schemas.AuditList(), answer=ListOf(shapes.ENTRY))
def list_audit(request: Request, query: Values) -> ListPage | None:
    return service.list_audit(query)


@export.get(access=ADMIN, query=schemas.AuditFilters(), gives=MEDIA_TYPE, heavy=EXPORT, streams=True)
def export_audit(request: Request, query: Values) -> Stream:
    return service.export_audit(query)
