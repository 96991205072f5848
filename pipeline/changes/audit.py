"""The audit: who changed what into what, who signed in, what was exported."""

from pipeline.database import queries
from pipeline.http.csv_export import exported
from pipeline.http.pagination import page_of, page_window

EXPORTED = (
    "entry",
    "at",
    "actor_kind",
    "actor_id",
    "actor_name",
    "request_id",
    "type",
    "id",
    "action",
    "changed",
    "details",
)


def list_audit(query):
    """The Page of an AuditList, newest first."""
    found = conditions(query)
    prospect = found["actor_kind"] == "prospect" and found["actor_id"]
    if found["id"] or prospect:
        actor = {"actor_kind": None, "actor_id": None, "prospect_id": prospect} if prospect else {}
        row = queries.audit_list_of_one(**found | actor, **page_window(query, queries.audit_list_of_one))
    elif any(found.values()):
        del found["id"]
        row = queries.audit_list_narrowed(**found, **page_window(query, queries.audit_list_narrowed))
    else:
        row = queries.audit_list(**page_window(query, queries.audit_list))
    return page_of(query, row)


def export_audit(filters, transaction, slot):
    """What AuditFilters leave as the chunks (bytes) of a CSV file, newest first."""
    return exported(transaction, slot, EXPORTED, queries.audit_export, conditions(filters))


def conditions(filters):
    """The SQL parameters of AuditFilters."""
    kind, _, id = (filters["actor"] or "").partition(":")
    actor = {"actor_kind": kind or None, "actor_id": int(id) if id else None}
    times = {"since": filters["from"], "before": filters["to"]}
    return {name: filters[name] for name in ("type", "id", "action")} | actor | times
