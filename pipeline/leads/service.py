"""Queries of leads; None means no such lead."""

from pipeline.database import not_none, queries
from pipeline.http.core.security import Identity
from pipeline.http.endpoints.csv_export import exported
from pipeline.http.endpoints.pagination import Page, list_page, searched
from pipeline.http.endpoints.streams import Stream
from pipeline.leads.csv_format import EXPORTED
from pipeline.validation import Values


def list_leads(caller: Identity, query: Values) -> Page | None:
    return list_page(conditions(caller, query), queries.lead_list)


def conditions(caller: Identity, query: Values) -> Values:
    """Returns the query with user id and timestamps."""
    days = {name: query[name] for name in ("date_from", "date_to")}
    if any(days.values()):
        days = not_none(queries.lead_days(**days))
    scope = {"scope": query["scope"], "user_id": caller.user_id} if query["scope"] != "company" else {"scope": None}
    return {**query, **scope, **days}


def disqualify_lead(id: int, reason: str | None) -> bytes | None:
    queries.lead_disqualify(id=id, reason=reason)
    return queries.lead_get.json(id=id)


def list_emails(id: int, query: Values) -> Page | None:
    return list_page(query, queries.lead_email_list, id=id)


def match_companies(name: str | None) -> bytes:
    """Returns companies as a JSON array, best match first."""
    return queries.lead_match_companies.json(company=name) if name else b"[]"


def match_contacts(email: str | None) -> bytes:
    return queries.lead_match_contacts.json(email=email) if email else b"[]"


def export_leads(caller: Identity, filters: Values) -> Stream:
    """Returns a CSV file."""
    return exported("leads.csv", EXPORTED, queries.lead_export, searched(conditions(caller, filters)))
