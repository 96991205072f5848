"""Every merge tag with label, type and example."""

import datetime
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

# The items of a data-each.
LINE = "Line"
# Valid in headers and footers; the layout fills them in.
PAGE_TAGS = ("page", "pages")
# {kind of an own field: entity of its tag}.
OWNERS = {"contract": "Contract", "deal": "Deal", "company": "Licensee"}
# The tags of own fields.
OWN = tuple(f"{entity}.fields." for entity in OWNERS.values())


# {entity: {field: value}}, and `locale`.
TagValues = dict[str, dict[str, Any]]


class Tag(NamedTuple):
    """A field; `kind` is text, money, number, date, yes_no, list, lines (a quote's items) or block."""

    entity: str
    field: str
    label: str
    kind: str
    sample: Any

    @property
    def name(self) -> str:
        """`Entity.field`."""
        return f"{self.entity}.{self.field}"


def _tags(entity: str, *rows: tuple[str, str, str, object]) -> list[Tag]:
    return [Tag(entity, *row) for row in rows]


LICENSEE = _tags(
    "Licensee",
    ("name", "Name of the deal's company", "text", "Northwind Robotics"),
    ("legal_name", "Registered name", "text", "Northwind Robotics GmbH"),
    ("registration_number", "Number in the commercial register", "text", "HRB 123456"),
    ("vat_id", "VAT identification number", "text", "DE123456789"),
    ("email", "Email address of the company", "text", "office@northwind.example"),
    ("phone", "Telephone number of the company", "text", "+49 30 1234567"),
    ("website", "Website of the company", "text", "https://northwind.example"),
    ("address", "Whole address, a line for each part", "text", "Lindenstrasse 5\n10969 Berlin\nGermany"),
    ("street", "Street and number", "text", "Lindenstrasse 5"),
    ("city", "City", "text", "Berlin"),
    ("region", "State or region", "text", "Berlin"),
    ("postal_code", "Postal code", "text", "10969"),
    ("country", "Country", "text", "Germany"),
    ("contact_name", "Name of the deal's contact", "text", "Ada Brandt"),
    ("contact_title", "Job title of the contact", "text", "Head of Engineering"),
    ("contact_email", "Email address of the contact", "text", "ada.brandt@northwind.example"),
)
DEAL = _tags(
    "Deal",
    ("id", "Number of the deal", "number", 4711),
    ("title", "Title of the deal", "text", "Motion planner, two sites"),
    ("value", "Value of the deal", "money", Decimal("48000.00")),
    ("currency", "Currency of the deal", "text", "EUR"),
    ("stage", "Stage of the deal", "text", "Negotiation"),
    ("owner_name", "Name of the deal's owner", "text", "Sam Rivera"),
    ("owner_email", "Email address of the deal's owner", "text", "sam.rivera@acme.example"),
    ("expected_close_date", "Day on which the deal should close", "date", datetime.date(2026, 3, 31)),
    ("product_line", "Product line", "text", "Motion Suite"),
    ("platforms", "Platforms, joined by commas", "list", ["Linux", "Windows"]),
    ("features", "Features, joined by commas", "list", ["Path planning", "Simulation"]),
    ("license_type", "Type of licence", "text", "Subscription"),
    ("quantity", "Number of licences", "number", 25),
)
LINE_TAGS = _tags(
    LINE,
    ("position", 'Number of the item, from 1; inside data-each="Quote.lines"', "number", 1),
    ("name", "Name of the item", "text", "Motion Suite"),
    ("sku", "Article number of the item", "text", "MS-100"),
    ("description", "Description of the item", "text", "Annual subscription with support"),
    ("platform", "Platform of the item", "text", "Linux"),
    ("license_type", "Type of licence of the item", "text", "Subscription"),
    ("quantity", "Quantity", "number", 25),
    ("unit_price", "Price of one", "money", Decimal("1800.00")),
    ("discount_percent", "Discount on the line, in percent", "number", Decimal("10")),
    ("tax_rate", "Tax rate of the line, in percent", "number", Decimal("19")),
    ("net", "Price of the line after its discount", "money", Decimal("40500.00")),
)
_LINES = [
    {tag.field: tag.sample for tag in LINE_TAGS},
    {
        "name": "Onboarding",
        "sku": "ON-1",
        "quantity": 1,
        "unit_price": Decimal("3500.00"),
        "discount_percent": Decimal("0"),
        "tax_rate": Decimal("19"),
        "net": Decimal("3500.00"),
    },
]
QUOTE = _tags(
    "Quote",
    ("number", "Number of the quote", "text", "Q-2026-0042"),
    ("date", "Date of the quote", "date", datetime.date(2026, 1, 15)),
    ("valid_until", "Last day on which the quote can be accepted", "date", datetime.date(2026, 2, 14)),
    ("currency", "Currency of the quote", "text", "EUR"),
    ("subtotal", "Sum of the lines", "money", Decimal("44000.00")),
    ("discount_total", "Discount on the whole quote", "money", Decimal("1000.00")),
    ("tax_total", "Tax", "money", Decimal("8170.00")),
    ("total", "Sum to be paid", "money", Decimal("51170.00")),
    ("payment_terms", "Terms of payment", "text", "30 days net"),
    ("notes", "Notes on the quote", "text", "Prices hold for both sites."),
    ("lines", 'Lines of the quote, for data-each="Quote.lines"', "lines", _LINES),
    ("lines_table", "Ready table of the lines with totals, alone in a paragraph", "block", "(a table)"),
)
CONTRACT = _tags(
    "Contract",
    ("number", "Number of the contract", "text", "RO-000042"),
    ("name", "Name of the contract", "text", "Licence agreement Northwind Robotics"),
    ("effective_date", "First day of the term", "date", datetime.date(2026, 2, 1)),
    ("termination_date", "Last day of the term", "date", datetime.date(2029, 1, 31)),
    ("term_months", "Length of the term in months", "number", 36),
    ("status", "Status of the contract when its text was made", "text", "draft"),
    ("created_date", "Day on which the contract was made", "date", datetime.date(2026, 1, 20)),
    ("licensor_name", "Name of your organization", "text", "Acme Licensing"),
    ("licensor_legal_name", "Registered name of your organization", "text", "Acme Licensing Inc."),
    ("licensor_address", "Whole address of your organization", "text", "1 Harbour Road\nPortland, OR 97201\nUSA"),
    ("licensor_street", "Street and number of your organization", "text", "1 Harbour Road"),
    ("licensor_city", "City of your organization", "text", "Portland"),
    ("licensor_region", "State or region of your organization", "text", "OR"),
    ("licensor_postal_code", "Postal code of your organization", "text", "97201"),
    ("licensor_country", "Country of your organization", "text", "USA"),
    ("licensor_email", "Email address of your organization", "text", "legal@acme.example"),
    ("signature_block", "Ready signatures of both parties, alone in a paragraph", "block", "(a table)"),
    (
        "table_of_contents",
        "The headings that follow, with their pages, alone in a paragraph",
        "block",
        "(a table of contents)",
    ),
)

TAGS = {tag.name: tag for tag in [*LICENSEE, *DEAL, *QUOTE, *CONTRACT, *LINE_TAGS]}
# {list: fields of its items}.
REPEATS = {
    "Quote.lines": frozenset(tag.field for tag in LINE_TAGS),
    "Deal.platforms": frozenset(["position", "name"]),
    "Deal.features": frozenset(["position", "name"]),
}
SAMPLES: TagValues = {
    group[0].entity: {tag.field: tag.sample for tag in group} for group in (LICENSEE, DEAL, QUOTE, CONTRACT)
} | {"locale": {"currency": "EUR", "locale": "en"}}


_OWN_SAMPLES = {
    "text": "as agreed",
    "number": 25,
    "money": Decimal("100000.00"),
    "date": datetime.date(2026, 2, 1),
    "yes_no": True,
    "url": "https://northwind.example/terms",
    "email": "legal@northwind.example",
}
# {type of an own field: kind of its tag}; others have their own.
_OWN_KINDS = {"choice": "text", "choices": "list", "url": "text", "email": "text"}


def own_tags(fields: Iterable[Mapping[str, Any]]) -> tuple[Tag, ...]:
    """The tags of own fields (rows of field_tags)."""
    return tuple(
        Tag(OWNERS[field["kind"]], f"fields.{field['key']}", field["label"], _tag_kind(field), _own_sample(field))
        for field in fields
    )


def _tag_kind(field: Mapping[str, Any]) -> str:
    return _OWN_KINDS.get(field["type"], field["type"])


def _own_sample(field: Mapping[str, Any]) -> Any:
    if field["default"] is not None:
        return field["default"]
    if field["type"] == "choices":
        return field["options"][:2]
    return field["options"][0] if field["type"] == "choice" else _OWN_SAMPLES[field["type"]]


def with_own(own: Iterable[Tag]) -> dict[str, Tag]:
    """{name: Tag} of the catalogue and own fields."""
    return TAGS | {tag.name: tag for tag in own}


def catalogue(own: Iterable[Tag] = ()) -> list[dict[str, Any]]:
    """`[{entity, tags: [{tag, label, type, example}]}]`; lines belong to the quote.

    `example` is the output without a filter.
    """
    own = list(own)
    groups = {"Licensee": LICENSEE, "Deal": DEAL, "Quote": [*QUOTE, *LINE_TAGS], "Contract": CONTRACT}
    return [
        {"entity": entity, "tags": [_described(tag) for tag in [*tags, *(one for one in own if one.entity == entity)]]}
        for entity, tags in groups.items()
    ]


def _described(tag: Tag) -> dict[str, str]:
    kind = "list" if tag.kind == "lines" else tag.kind
    return {"tag": tag.name, "label": tag.label, "type": kind, "example": _example(tag)}


def _example(tag: Tag) -> str:
    if tag.kind == "lines":
        return "; ".join(line["name"] for line in tag.sample)
    if tag.kind == "yes_no":
        return "yes" if tag.sample else "no"
    if tag.kind == "list":
        return ", ".join(tag.sample)
    return str(tag.sample).replace("\n", ", ")
