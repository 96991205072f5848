"""Queries of the supporting records' lists: filters add up, every list has pages and an order."""

from pipeline.database import queries
from pipeline.pages import SEARCH, Sorted, since, sort_words
from pipeline.records.bodies import CONFIGURATION_STATUSES, QUOTE_STATUSES, ROLES
from pipeline.validation import Choice, QueryBoolean, QueryId, optional


class Companies(Sorted):
    """By words of the name, legal name or website."""

    search = optional(SEARCH)
    updated_since = since()
    sort_by = sort_words(queries.company_list)


class Contacts(Sorted):
    """By words of the name, email or company's name, and by company."""

    search = optional(SEARCH)
    company_id = optional(QueryId())
    updated_since = since()
    sort_by = sort_words(queries.contact_list)


class DealStages(Sorted):
    """In the order of the sale."""

    sort_by = sort_words(queries.deal_stage_list)


class Deals(Sorted):
    """By words of the title or company's name, and by what the deal refers to."""

    search = optional(SEARCH)
    stage_id = optional(QueryId())
    company_id = optional(QueryId())
    contact_id = optional(QueryId())
    owner_id = optional(QueryId())
    updated_since = since()
    sort_by = sort_words(queries.deal_list)


class Quotes(Sorted):
    """By deal and status, and by words of the number or deal's title."""

    search = optional(SEARCH)
    deal_id = optional(QueryId())
    status = optional(Choice(*QUOTE_STATUSES))
    updated_since = since()
    sort_by = sort_words(queries.quote_list)


class ConfiguratorDefinitions(Sorted):
    """By words of the name or slug, and active or not."""

    search = optional(SEARCH)
    active = optional(QueryBoolean())
    sort_by = sort_words(queries.configurator_definition_list)


class Configurations(Sorted):
    """By what a configuration refers to and its status."""

    deal_id = optional(QueryId())
    definition_id = optional(QueryId())
    invite_id = optional(QueryId())
    status = optional(Choice(*CONFIGURATION_STATUSES))
    sort_by = sort_words(queries.configuration_list)


class Users(Sorted):
    """By words of the name or email, by role, team and whether the seat is active, off or only offered."""

    search = optional(SEARCH)
    role = optional(Choice(*ROLES))
    status = optional(Choice("invited", "active", "inactive"))
    seat_active = optional(QueryBoolean())
    team_id = optional(QueryId())
    sort_by = sort_words(queries.user_list)


class Teams(Sorted):
    """By words of the name."""

    search = optional(SEARCH)
    sort_by = sort_words(queries.team_list)
