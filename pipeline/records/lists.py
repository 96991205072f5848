"""Queries of the supporting records' lists: filters add up, every list has pages and an order."""

from pipeline.pages import Paged, page_window
from pipeline.records.bodies import CONFIGURATION_STATUSES, QUOTE_STATUSES, ROLES
from pipeline.schema import Choice, QueryBoolean, QueryId, Search, optional


class Sorted(Paged):
    """A list with an order; each adds its own `sort_by`."""

    sort_dir = optional(Choice("ASC", "DESC"), default="ASC")


class Companies(Sorted):
    """By words of the name, legal name or website."""

    search = optional(Search())
    sort_by = optional(Choice("name", "city", "country", "created_at"), default="name")


class Contacts(Sorted):
    """By words of the name, email or company's name, and by company."""

    search = optional(Search())
    company_id = optional(QueryId())
    sort_by = optional(Choice("name", "email", "company_name", "created_at"), default="name")


class DealStages(Sorted):
    """In the order of the sale."""

    sort_by = optional(Choice("position", "name", "created_at"), default="position")


class Deals(Sorted):
    """By words of the title or company's name, and by what the deal refers to."""

    search = optional(Search())
    stage_id = optional(QueryId())
    company_id = optional(QueryId())
    contact_id = optional(QueryId())
    owner_id = optional(QueryId())
    sort_by = optional(
        Choice("title", "value", "stage_name", "company_name", "owner_name", "expected_close_date", "created_at"),
        default="title",
    )


class Quotes(Sorted):
    """By deal and status, and by words of the number or deal's title."""

    search = optional(Search())
    deal_id = optional(QueryId())
    status = optional(Choice(*QUOTE_STATUSES))
    sort_by = optional(
        Choice("quote_number", "deal_title", "status", "quote_date", "valid_until", "created_at"),
        default="quote_number",
    )


class ConfiguratorDefinitions(Sorted):
    """By words of the name or slug, and active or not."""

    search = optional(Search())
    active = optional(QueryBoolean())
    sort_by = optional(Choice("name", "slug", "created_at"), default="name")


class Configurations(Sorted):
    """By what a configuration refers to and its status."""

    deal_id = optional(QueryId())
    definition_id = optional(QueryId())
    invite_id = optional(QueryId())
    status = optional(Choice(*CONFIGURATION_STATUSES))
    sort_by = optional(Choice("created_at", "deal_title", "definition_name", "status"), default="created_at")


class Users(Sorted):
    """By words of the name or email, by role, team and whether the seat is active, off or only offered."""

    search = optional(Search())
    role = optional(Choice(*ROLES))
    status = optional(Choice("invited", "active", "inactive"))
    seat_active = optional(QueryBoolean())
    team_id = optional(QueryId())
    sort_by = optional(Choice("name", "email", "role", "status", "team_name", "created_at"), default="name")


class Teams(Sorted):
    """By words of the name."""

    search = optional(Search())
    sort_by = optional(Choice("name", "created_at"), default="name")


def parameters(query):
    """The SQL parameters of a list: its filters, the `words` of its search, its order and its window."""
    rest = {name: value for name, value in query.items() if name not in ("page", "per_page", "search")}
    words = {"words": query["search"] and query["search"].split()} if "search" in query else {}
    return {**rest, **words, **page_window(query)}
