"""The list of leads, its export, and what else is asked of them; None stands for a lead that is not there."""

from contextlib import ExitStack

from pipeline.database import Transaction, queries, sure
from pipeline.http.csv_export import exported
from pipeline.http.pagination import Page, list_page, searched
from pipeline.http.security import Identity
from pipeline.http.streams import Chunks
from pipeline.leads.csv_format import EXPORTED
from pipeline.validation import Values


def list_leads(caller: Identity, query: Values) -> Page | None:
    """The Page of leads that the query of the list asks for."""
    return list_page(conditions(caller, query), queries.lead_list)


def conditions(caller: Identity, query: Values) -> Values:
    """A query of leads whose scope and days mean something to SQL: a person, and times."""
    days = {name: query[name] for name in ("date_from", "date_to")}
    if any(days.values()):
        days = sure(queries.lead_days(**days))
    scope = {"scope": query["scope"], "user_id": caller.user_id} if query["scope"] != "company" else {"scope": None}
    return {**query, **scope, **days}


def disqualify_lead(id: int, reason: str | None) -> bytes | None:
    """Disqualify a lead, from any status: JSON bytes, or None."""
    queries.lead_disqualify(id=id, reason=reason)
    return queries.lead_get.json(id=id)


def list_emails(id: int, query: Values) -> Page | None:
    """The Page of the emails linked to a lead that a PagedByHundred query asks for, or None."""
    return list_page(query, queries.lead_email_list, id=id)


def match_companies(name: str | None) -> bytes:
    """Companies that a name, domain, URL or email address may mean, best first: JSON array bytes."""
    return queries.lead_match_companies.json(company=name) if name else b"[]"


def match_contacts(email: str | None) -> bytes:
    """Contacts with an email address: JSON array bytes."""
    return queries.lead_match_contacts.json(email=email) if email else b"[]"


def export_leads(caller: Identity, filters: Values, transaction: Transaction, slot: ExitStack | None) -> Chunks:
    """The leads that LeadFilters leave as the chunks of a CSV file."""
    return exported(transaction, slot, EXPORTED, queries.lead_export, searched(conditions(caller, filters)))
