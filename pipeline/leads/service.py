"""Queries of leads; None means no such lead."""

from pipeline.api.exports.csv_export import DELIMITERS, exported
from pipeline.api.fields.own_filters import asked
from pipeline.api.pagination import ListPage, list_page, searched
from pipeline.api.streams import Stream
from pipeline.database import not_none, queries
from pipeline.http.security import Identity
from pipeline.leads.imports.columns import EXPORTED
from pipeline.leads.imports.own_cells import OWN
from pipeline.leads.schemas import NOBODY
from pipeline.validation import Invalid, Values, Violation


def list_leads(caller: Identity, query: Values) -> ListPage | None:
    return list_page(conditions(caller, query), queries.lead_list)


def conditions(caller: Identity, query: Values) -> Values:
    """Returns the query with user id and timestamps."""
    if query["date_from"] and query["date_to"] and query["date_from"] > query["date_to"]:
        message = "Must not be before date_from."
        raise Invalid([Violation("date_to", "conflict", message, "query")])
    days = {name: query[name] for name in ("date_from", "date_to")}
    if any(days.values()):
        days = not_none(queries.lead_days(**days))
    scope = {"scope": query["scope"], "user_id": caller.user_id} if query["scope"] != "company" else {"scope": None}
    if query["assigned_to"] == NOBODY:
        # Nobody's leads are not those of a scope; no user has the id 0.
        scope = {"assigned_to": 0} | scope if scope["scope"] else {"assigned_to": None, "scope": NOBODY}
    return asked("lead", {**query, **scope, **days})


def disqualify_lead(id: int, reason: str | None) -> bytes | None:
    queries.lead_disqualify(id=id, reason=reason)
    return queries.lead_get.json(id=id)


def list_duplicates(id: int, query: Values) -> ListPage | None:
    return list_page(query, queries.lead_duplicate_list, id=id)


def duplicates(id: int) -> dict[str, object]:
    """{"duplicates": the ids of up to a hundred leads that can be the same person}."""
    return {"duplicates": queries.lead_duplicate_ids(id=id)}


def list_emails(id: int, query: Values) -> ListPage | None:
    return list_page(query, queries.lead_email_list, id=id)


def match_companies(name: str | None) -> bytes:
    """Returns companies as a JSON array, best match first."""
    return queries.lead_match_companies.json(company=name) if name else b"[]"


def match_contacts(email: str | None) -> bytes:
    return queries.lead_match_contacts.json(email=email) if email else b"[]"


def export_leads(caller: Identity, filters: Values) -> Stream:
    """Returns a CSV file."""
    delimiter = DELIMITERS[filters["delimiter"]]
    wanted = {name: value for name, value in filters.items() if name != "delimiter"}
    cells = {name: f"r.{name}" for name in EXPORTED} | own_columns()
    parameters = searched(conditions(caller, wanted))
    return exported("leads.csv", cells, queries.lead_export, parameters, delimiter, cells.values())


def own_columns() -> dict[str, str]:
    """{column: its SQL} of the own fields in files; a key has no sign that SQL would read."""
    keys = [field["key"] for field in queries.field_definitions(kind="lead")]
    return {f"{OWN}{key}": f"csv_text(field_cell(r.fields -> '{key}'))" for key in keys}
