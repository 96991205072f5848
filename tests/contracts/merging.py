import datetime
import re
from decimal import Decimal
from html import unescape

from hypothesis import settings
from hypothesis import strategies as st

from pipeline.contracts import merge

MANY = settings(max_examples=100)
LINES = [
    {"name": "Seat <b>", "quantity": 2, "unit_price": Decimal("10.50"), "net": Decimal("21.00"), "sku": "S-1"},
    {"name": "Setup", "quantity": Decimal("1.5"), "unit_price": Decimal("1000"), "net": Decimal("1000"), "sku": None},
]
VALUES = {
    "Licensee": {"name": "Müller & Söhne", "address": "Line 1\nLine 2"},
    "Deal": {
        "title": "Planner",
        "value": Decimal("1234567.5"),
        "currency": "EUR",
        "platforms": ["Linux", "macOS"],
        "features": [],
        "quantity": 0,
        "id": 7,
    },
    "Quote": {
        "total": Decimal("1021.00"),
        "subtotal": Decimal("1021.00"),
        "tax_total": Decimal(0),
        "currency": "EUR",
        "lines": LINES,
        "date": datetime.date(2026, 1, 31),
    },
    "Contract": {"number": "RO-000001", "effective_date": datetime.date(2026, 2, 1), "term_months": 1200},
    "locale": {"currency": "USD", "locale": "en"},
}
# Any text that PostgreSQL can hold; most of what an attacker or an editor would try is in it.
TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=60) | st.lists(
    st.sampled_from(
        ["{{", "}}", "{", "Deal.title", "<b>", "</p>", "&amp;", "&", "<script>", "\n", "'", '"', "page", "|"]
    )
).map("".join)


def filled(content, **fields):
    """The HTML of a template text with the values of VALUES; further ones as Deal_title="…"."""
    return resolved(content, **fields).content


def resolved(content, margins=None, values=None, **fields):
    values = values or {entity: dict(record) for entity, record in VALUES.items()}
    for name, value in fields.items():
        entity, _, field = name.partition("_")
        values[entity][field] = value
    return merge.resolve(merge.sanitize(content), margins or {}, values)


def text_of(content):
    """What a reader sees of HTML: line breaks as line ends, no markup."""
    return unescape(re.sub(r"<[^>]*>", "", content.replace("<br>", "\n")))


def codes(content, **margins):
    """The codes of what is wrong with a template text."""
    return [violation.code for violation in merge.check(content, margins)]
