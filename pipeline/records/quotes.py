"""Quotes; the database computes the totals."""

from collections.abc import Iterable

from pipeline.api.declared import Records
from pipeline.api.shapes import NUMBER, TEXT, Record, Shape, listed, nullable
from pipeline.database import dumps, not_none, queries
from pipeline.http.scopes import RECORDS
from pipeline.http.security import Identity
from pipeline.records.amounts import into_minor_units
from pipeline.validation import (
    Body,
    Choice,
    Choices,
    Currency,
    Date,
    ExternalId,
    Group,
    Id,
    Listing,
    Money,
    Percent,
    Quantity,
    Text,
    Values,
    Violation,
    Violations,
    invalid_field,
    optional,
    required,
)
from pipeline.validation.numbers import MOST_MINOR

STATUSES = ("draft", "sent", "accepted", "declined")
MAX_UNIT_PRICE = 10**9
MAX_QUANTITY = 10**7
MAX_LINES = 500


class QuoteLine(Body):
    """A line of a quote."""

    sku = optional(Text(max_length=80))
    description = optional(Text(max_length=2_000, lines=True))
    platform = optional(Text())
    license_type = optional(Text())
    quantity = optional(Quantity(MAX_QUANTITY), default=1)
    unit_price = optional(Money(max=MAX_UNIT_PRICE), default=0)
    discount_percent = optional(Percent(), default=0)
    tax_rate = optional(
        Percent(), description="The tax rate in percent, for contracts; `tax_total` is not computed from it."
    )


class ShownLine(QuoteLine):
    """A line as in responses; `net` is ignored."""

    computed = ("net",)


class Quote(Body):
    """A new quote; by default with the deal's currency and next number."""

    deal_id = required(Id("deal"))
    quote_number = optional(Text(max_length=80))
    status = optional(Choice(*STATUSES))
    quote_date = optional(Date())
    valid_until = optional(Date())
    currency = optional(Currency())
    discount_total = optional(Money(), default=0)
    tax_total = optional(Money(), default=0)
    payment_terms = optional(Text(max_length=2_000, lines=True))
    notes = optional(Text(max_length=20_000, lines=True))
    external_id = optional(ExternalId("quote"))
    lines = optional(Listing(Group(QuoteLine()), max_items=MAX_LINES), default=[])

    def check(self, values: Values, violations: Violations) -> None:
        made, valid_until = values.get("quote_date"), values.get("valid_until")
        if made and valid_until and valid_until < made:
            violations.add("valid_until", "out_of_range", "Must not lie before quote_date.")

    def look_up(self, values: Values) -> Iterable[Violation]:
        if not {"currency", "deal_id"} <= values.keys():
            return ()
        currency = values["currency"] = values["currency"] or queries.deal_currency(id=values["deal_id"])
        violations = into_minor_units(self, values, currency)
        for index, line in enumerate(values.get("lines", ())):
            if line is not None:
                violations += into_minor_units(QuoteLine(), line, currency, f"lines.{index}.")
        return violations


class QuoteChange(Quote):
    """An update of a quote."""

    lines = optional(Listing(Group(ShownLine()), max_items=MAX_LINES), default=[])


def create_quote(caller: Identity, body: Values) -> int:
    """Returns the new id; 409 for a taken number."""
    fields, lines = _parts(body)
    if fields["quote_number"] is None:
        queries.quote_number_lock()
        fields["quote_number"] = queries.quote_number_next()
    id = queries.quote_insert(**fields)
    queries.quote_line_insert(quote_id=id, lines=dumps(lines).decode())
    _check_sums(id)
    return id


def update_quote(caller: Identity, id: int, body: Values) -> None:
    """Replaces a quote; equal lines are not rewritten."""
    fields, lines = _parts(body)
    former = queries.quote_lock(id=id)
    if former is None:
        return
    has_other_lines = former != {"currency": fields["currency"], "lines": lines}
    queries.quote_update(id=id, has_other_lines=has_other_lines, **fields)
    if has_other_lines:
        queries.quote_line_clear(quote_id=id)
        queries.quote_line_insert(quote_id=id, lines=dumps(lines).decode())
    _check_sums(id)


def _parts(body: Values) -> tuple[Values, list[Values]]:
    """(columns, lines with quantities in thousandths)."""
    lines = [{**line, "quantity": int(line["quantity"] * 1000)} for line in body["lines"]]
    return {name: value for name, value in body.items() if name != "lines"}, lines


def _check_sums(id: int) -> None:
    sums = not_none(queries.quote_sums(id=id))
    if sums["overdiscounted"]:
        raise invalid_field("discount_total", "out_of_range", "Must not exceed the subtotal.")
    if sums["net_minor"] + sums["tax_total_minor"] > MOST_MINOR:
        raise invalid_field("lines", "out_of_range", f"The total must not exceed {MOST_MINOR} minor units.")


PRICED_LINE = Shape(
    "PricedLine",
    "A line of a quote with its net amount.",
    **dict.fromkeys(("sku", "description", "platform", "license_type"), nullable(TEXT)),
    **dict.fromkeys(("quantity", "unit_price", "discount_percent", "net"), NUMBER),
    tax_rate={
        **nullable(NUMBER),
        "description": "The tax rate in percent, for contracts; `tax_total` is not computed from it.",
    },
)
SHOWN = Record(
    "quote",
    "An offer to a customer with priced lines.",
    deal_title=TEXT,
    subtotal=NUMBER,
    discount_total=NUMBER,
    tax_total=NUMBER,
    total=NUMBER,
    lines=listed(PRICED_LINE, maxItems=MAX_LINES),
)
quotes = Records(
    "/quotes", "quote", area=RECORDS, body=QuoteChange(), shows=SHOWN, fails=("quote_number_taken", "external_id_taken")
)
quotes.list("list_quotes", filters={"status": Choices(*STATUSES)})
quotes.create("create_quote", body=Quote(), by=create_quote)
quotes.get("get_quote")
quotes.update("update_quote", "patch_quote", by=update_quote)
quotes.delete("delete_quote")
