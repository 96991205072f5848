"""Bodies and queries of leads."""

from collections.abc import Iterable

from pipeline.database import queries
from pipeline.http.endpoints.pagination import filters
from pipeline.records.amounts import into_minor_units
from pipeline.validation import (
    AnyTag,
    Body,
    Boolean,
    Choice,
    Choices,
    Date,
    Email,
    EmailFilter,
    ExternalId,
    Id,
    Money,
    Query,
    QueryBoolean,
    Tags,
    Text,
    Values,
    Violation,
    optional,
    required,
)

STATUSES = ("new", "contacted", "qualified", "disqualified")


class Lead(Body):
    """A lead; `status` defaults to new, or unchanged on update."""

    first_name = required(Text())
    last_name = optional(Text())
    email = optional(Email())
    phone = optional(Text(max_length=80))
    company = optional(Text())
    job_title = optional(Text())
    source = optional(Text(max_length=80), default="manual")
    status = optional(Choice(*STATUSES))
    notes = optional(Text(max_length=20_000, lines=True))
    tags = optional(Tags(max_length=2_000))
    assigned_to = optional(Id("seat"))
    external_id = optional(ExternalId("lead"))


# Filters with other types than their columns.
FILTERS = {
    "status": Choices(*STATUSES),
    "source": Text(max_length=80),
    "scope": optional(Choice("me", "team", "company"), default="company"),
    "date_from": Date(),
    "date_to": Date(),
    "tag": AnyTag(),
}
LeadFilters = type("LeadFilters", (Query,), filters(queries.lead_export, **FILTERS))


class LeadImport(Query):
    """Import options."""

    dry_run = optional(QueryBoolean(), default=False)
    on_duplicate = optional(Choice("skip", "update", "create"), default="skip")


class Qualification(Body):
    """Records to create besides the contact."""

    create_company = optional(Boolean(), default=False)
    create_deal = optional(Boolean(), default=False)
    deal_name = optional(Text())
    deal_value = optional(Money(), default=0)
    deal_stage_id = optional(Id("deal_stage"))

    def look_up(self, values: Values) -> Iterable[Violation]:
        return into_minor_units(self, values, queries.organization_currency())


class Disqualification(Body):
    """The reason for a disqualification."""

    reason = optional(Text(max_length=2_000, lines=True))


class CompanyName(Query):
    """A company name, domain, URL or email address."""

    company = optional(Text())


class ContactEmail(Query):
    """An email address to search for."""

    email = optional(EmailFilter(255))
