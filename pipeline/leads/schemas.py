"""Bodies and queries of leads."""

from collections.abc import Iterable
from typing import Any

from pipeline.api.exports.csv_export import DELIMITERS
from pipeline.api.fields.own_fields import OwnValues
from pipeline.api.pagination import filters
from pipeline.database import queries
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
    Name,
    Query,
    QueryIds,
    QueryInteger,
    Schema,
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

    # Beside the record in the answer of POST.
    computed = ("duplicates",)
    first_name = required(Name())
    last_name = optional(Name())
    email = optional(Email())
    phone = optional(Text(max_length=80))
    company = optional(Name())
    job_title = optional(Text())
    source = optional(Text(max_length=80), default="manual")
    status = optional(Choice(*STATUSES))
    notes = optional(Text(max_length=20_000, lines=True))
    tags = optional(Tags(max_length=2_000))
    assigned_to = optional(Id("seat"))
    external_id = optional(ExternalId("lead"))
    # Body has a property `fields`.
    values = optional(OwnValues("lead"), name="fields")


NOBODY = "none"


class Assignee(QueryInteger):
    """A user's id, or none for leads of nobody."""

    def __init__(self) -> None:
        super().__init__(min=1)

    def read(self, given: str) -> Any:
        return NOBODY if given == NOBODY else super().read(given)

    def describe(self) -> Schema:
        return {"anyOf": [super().describe(), {"type": "string", "enum": [NOBODY]}]}


# Filters with other types than their columns.
FILTERS = {
    "status": Choices(*STATUSES),
    "source": Text(max_length=80),
    "assigned_to": Assignee(),
    "scope": optional(Choice("me", "team", "company"), default="company"),
    "date_from": Date(),
    "date_to": Date(),
    "tag": AnyTag(),
    "email": EmailFilter(255),
}
EXPORT = {"ids": optional(QueryIds()), "delimiter": optional(Choice(*DELIMITERS), default=",")}
LeadExport = type("LeadExport", (Query,), filters(queries.lead_export, **FILTERS) | EXPORT)


class Qualification(Body):
    """The contact, and records to create besides it."""

    contact_id = optional(Id("contact"), description="The id of the contact.")
    create_company = optional(Boolean(), default=False, description="Whether a company is found or created as well.")
    create_deal = optional(Boolean(), default=False, description="Whether a deal is created as well.")
    deal_name = optional(Name(), description="The title of the deal.")
    deal_value = optional(Money(), default=0, description="The value of the deal.")
    deal_stage_id = optional(Id("deal_stage"), description="The id of the deal stage.")

    def look_up(self, values: Values) -> Iterable[Violation]:
        return into_minor_units(self, values, queries.organization_currency())


class Disqualification(Body):
    """The reason for a disqualification."""

    reason = optional(Text(max_length=2_000, lines=True))


class CompanyName(Query):
    """A company name, domain, URL or email address."""

    company = optional(Name())


class ContactEmail(Query):
    """An email address to search for."""

    email = optional(EmailFilter(255))
