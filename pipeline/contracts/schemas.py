"""Bodies and queries of the contract endpoints."""

from typing import Any

from pipeline import documents
from pipeline.contracts.statuses import STATUSES
from pipeline.validation import (
    Body,
    Choice,
    Choices,
    Date,
    Id,
    Integer,
    Locale,
    Query,
    QueryInteger,
    Text,
    Values,
    optional,
    required,
)

MAX_DAYS = 1_000_000
# The name that a contract has by default joins two, and may be sent back.
MAX_NAME = 600
MAX_MARGIN = 1_000
# An integer of the database.
MAX_REVISION = 2**31 - 1
# The JSON body may be no longer.
MAX_CONTENT = 1024 * 1024
PREFIX = "[A-Z0-9][A-Z0-9-]{0,9}"


class Contract(Body):
    """What a contract is made from."""

    template_id = required(Id("contract_template"))
    effective_date = required(Date())
    deal_id = optional(Id("deal"))
    term_months = optional(Integer(min=1, max=1200))
    name = optional(Text(max_length=MAX_NAME))


class ContractChange(Contract):
    """The same, and the status to move to; left out, the status stays. The contract's own template may be deleted."""

    template_id = required(Id("any_contract_template"))
    status = optional(Choice(*STATUSES))


# Filters of the list that take several words, or less than their column does.
FILTERS = {"status": Choices(*STATUSES), "expiring_within": QueryInteger(min=0, max=MAX_DAYS)}


class Redline(Query):
    """Which revisions are compared: the current one, and the one before, unless others are asked for."""

    earlier = optional(QueryInteger(min=1, max=MAX_REVISION), name="from")
    later = optional(QueryInteger(min=1, max=MAX_REVISION), name="to")


class Settings(Body):
    """What a template gives its contracts beside their text."""

    header_left = optional(Text(max_length=MAX_MARGIN))
    header_center = optional(Text(max_length=MAX_MARGIN))
    header_right = optional(Text(max_length=MAX_MARGIN))
    footer_left = optional(Text(max_length=MAX_MARGIN))
    footer_center = optional(Text(max_length=MAX_MARGIN))
    footer_right = optional(Text(max_length=MAX_MARGIN))
    number_prefix = optional(
        Text(pattern=PREFIX, hint="Must have 1 to 10 capital letters, digits and hyphens, no hyphen first."),
        default="RO",
    )
    default_term_months = optional(Integer(min=1, max=1200), default=36)
    language = optional(Locale())
    direction = optional(Choice(*documents.DIRECTIONS))


class Template(Settings):
    """A new contract template."""

    name = required(Text())
    content = required(Text(max_length=MAX_CONTENT, lines=True))


class Preview(Settings):
    """A template as it would be saved; with a deal its values, with a template that one's logo, and language if none is
    given."""

    name = optional(Text(), default="Preview")
    content = required(Text(max_length=MAX_CONTENT, lines=True))
    deal_id = optional(Id("deal"))
    template_id = optional(Id("contract_template"))


class TemplateChange(Settings):
    """What changes of a contract template: only the fields that are sent are read.

    `null` gives a field its default back; name and content have none and stay.
    """

    name = optional(Text())
    content = optional(Text(max_length=MAX_CONTENT, lines=True))

    def read(self, given: Any) -> Values:
        values = super().read(given)
        needed = ("name", "content")
        return {
            name: value for name, value in values.items() if name in given and not (name in needed and value is None)
        }
