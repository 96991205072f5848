"""Bodies and queries of contract endpoints."""

from collections.abc import Iterator
from typing import Any

from pipeline import documents
from pipeline.api.fields import own_fields
from pipeline.contracts import own_tags, wording
from pipeline.contracts.statuses import STATUSES
from pipeline.database import queries
from pipeline.documents.subset import CONTRACT
from pipeline.validation import (
    Body,
    Choice,
    Choices,
    Date,
    ExternalId,
    Id,
    Integer,
    Listing,
    Locale,
    Name,
    Query,
    QueryBoolean,
    QueryInteger,
    Text,
    Values,
    Violation,
    optional,
    required,
)

MAX_DAYS = 1_000_000
# A default name joins two names.
MAX_NAME = 600
MAX_MARGIN = 1_000
MAX_WATERMARK = 30
# The largest int4.
MAX_REVISION = 2**31 - 1
MAX_CONTENT = 1024 * 1024
PREFIX = "[A-Z0-9][A-Z0-9-]{0,9}"


class Contract(Body):
    """A new contract."""

    template_id = required(Id("contract_template"))
    effective_date = required(Date())
    deal_id = optional(Id("deal"))
    term_months = optional(Integer(min=1, max=1200))
    name = optional(Name(max_length=MAX_NAME))
    external_id = optional(ExternalId("contract"))
    # Body has a property `fields`.
    values = optional(own_fields.OwnValues(), name="fields")


class ContractChange(Contract):
    """A changed contract; `status` is optional.

    Its own template may be deleted.
    """

    template_id = required(Id("any_contract_template"))
    status = optional(Choice(*STATUSES))
    content = optional(Text(max_length=CONTRACT.characters, lines=True, trim=False))


# Filters unlike their column.
FILTERS = {"status": Choices(*STATUSES), "expiring_within": QueryInteger(min=0, max=MAX_DAYS)}


class Redline(Query):
    """The revisions to compare; by default the latest two."""

    earlier = optional(QueryInteger(min=1, max=MAX_REVISION), name="from")
    later = optional(QueryInteger(min=1, max=MAX_REVISION), name="to")


class Pasting(Query):
    """The query of a request with content: `accept` takes its open revisions as accepted."""

    revisions = optional(Choice("accept"))


class Stripping(Query):
    """The query of a Word file; `strip` removes hidden text and comments, and accepts tracked changes."""

    strip = optional(QueryBoolean(), default=False)


class Order(Body):
    """The order of the schedules of a template."""

    ids = required(Listing(Id(), max_items=20, unique=True))


class Regeneration(Query):
    """The query of a regeneration; `discard` replaces an edited text."""

    discard = optional(QueryBoolean(), default=False)


class Replacement(Query):
    """The query of a change of the executed copy; `replace` lets an admin give up a sealed one."""

    replace = optional(QueryBoolean(), default=False)


class Settings(Body):
    """Template settings besides the text."""

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
    page_size = optional(Choice(*documents.PAPERS), default="A4")
    orientation = optional(Choice(*documents.ORIENTATIONS), default="portrait")
    watermark = optional(Text(max_length=MAX_WATERMARK))

    def look_up_asked(self, values: Values, query: Values) -> Iterator[Violation]:
        return wording.violations(values, own_tags.tags(), queries.clause_keys(), query)


class Template(Settings):
    """A new contract template."""

    name = required(Name())
    content = required(Text(max_length=MAX_CONTENT, lines=True))


class Preview(Settings):
    """A template to preview; `deal_id` supplies values, `template_id` logo and language.

    Without `content`, the Word file of `template_id` is previewed.
    """

    name = optional(Name(), default="Preview")
    content = optional(Text(max_length=MAX_CONTENT, lines=True))
    deal_id = optional(Id("deal"))
    template_id = optional(Id("contract_template"))


class TemplateChange(Settings):
    """The changed fields of a template.

    `null` restores the default; name and content ignore it.
    """

    name = optional(Name())
    content = optional(Text(max_length=MAX_CONTENT, lines=True))

    def read(self, given: Any) -> Values:
        values = super().read(given)
        needed = ("name", "content")
        return {
            name: value for name, value in values.items() if name in given and not (name in needed and value is None)
        }
