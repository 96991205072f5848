"""The list of leads, its export, and what else is asked of them; None stands for a lead that is not there."""

from contextlib import ExitStack
from typing import Any

from pipeline.database import Transaction, queries, sure
from pipeline.http.csv_export import exported
from pipeline.http.pagination import Page, list_page, page_of, page_window
from pipeline.http.security import Identity
from pipeline.http.streams import Chunks
from pipeline.leads.csv_format import EXPORTED
from pipeline.validation import Values


def list_leads(caller: Identity, query: Values) -> Page | None:
    """The Page of leads that a LeadList query asks for."""
    filters = conditions(caller, query)
    order = {name: query[name] for name in ("sort_by", "sort_dir")}
    words = search_words(query)
    parameters = {**filters, **words, **order, **page_window(query, queries.lead_list)}
    if any(value is not None for value in filters.values()):
        if not words:
            parameters |= sure(queries.lead_count(**filters, **order))
        parameters["gathered"] = parameters.get("gathered") or words.get("common")
    return page_of(query, queries.lead_list(**parameters))


def conditions(caller: Identity, filters: Values) -> dict[str, Any]:
    """The SQL parameters of LeadFilters, search and tags left aside.

    They are status or statuses, source, assigned_to, assignees (user ids or None), created_from, created_before,
    updated_since.
    """
    statuses = list(dict.fromkeys(filters["status"] or ()))
    parameters: dict[str, Any] = {name: filters[name] for name in ("source", "assigned_to", "updated_since")}
    # One status by itself, so that an index can be read in its order.
    parameters |= {"status": statuses[0]} if len(statuses) == 1 else {"statuses": statuses or None}
    people = [caller.user_id] if filters["scope"] == "me" else None
    if filters["scope"] == "team" or filters["date_from"] or filters["date_to"]:
        context = sure(
            queries.lead_list_context(
                user_id=caller.user_id, date_from=filters["date_from"], date_to=filters["date_to"]
            )
        )
        team = context.pop("team")
        parameters |= context
        if filters["scope"] == "team":
            people = team
    # One person as the one assignee, so that the index of a rep's leads by name can be read in its order. A program is
    # nobody: no lead is assigned to NULL.
    if people and len(people) == 1 and people[0] and parameters["assigned_to"] is None:
        parameters["assigned_to"] = people[0]
    elif people is not None:
        parameters["assignees"] = people
    return parameters


def search_words(filters: Values) -> dict[str, Any]:
    """The SQL parameters of a search and of tags: `patterns`, `alternatives`, `tags`, and how many fit.

    `rare` where few leads fit, `common` where tens of thousands do, neither where more do.
    """
    words, tags = filters["search"], filters["tag"]
    if words is None and tags is None:
        return {}
    return sure(queries.lead_search_words(words=words and words.split(), tags=tags))


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
    words = {name: value for name, value in search_words(filters).items() if name not in ("rare", "common")}
    parameters = {**conditions(caller, filters), **words}
    return exported(transaction, slot, EXPORTED, queries.lead_export, parameters)
