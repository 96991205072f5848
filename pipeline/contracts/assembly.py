"""A contract's text, made from its template and from what the organization knows of the deal."""

import datetime
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pipeline.contracts import merge
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.contracts.merge.catalogue import TagValues
from pipeline.contracts.terms import termination_date
from pipeline.database import Row, dumps, queries, sure
from pipeline.documents import MARGINS
from pipeline.documents.margins import COUNTERS, SIDES
from pipeline.errors import Problem
from pipeline.validation import Invalid, Values, Violation

# Characters of a template, times the lines of the quote: what is shorter is made in a few hundredths of a second.
SHORT = 250_000
# What a line takes beside the template's own text, as in the ready table of lines.
LINE = 1_000


class Basis(NamedTuple):
    """What a contract is made from: its columns that are not text, and all that its text may say."""

    facts: Row
    sources: Row

    @property
    def is_long(self) -> bool:
        """Whether the text may be so long that making it is heavy work; every line may repeat the whole template."""
        lines = self.sources["Quote.lines"] or ()
        return (LINE + len(self.sources["template_content"])) * (1 + len(lines)) > SHORT


def read_basis(body: Values, kept_template_id: int | None = None) -> Basis:
    """The Basis of a Contract body; a deleted template serves only when it is `kept_template_id`.

    422 for a template or deal that does not exist, or a term beyond the calendar.
    """
    sources = sure(
        queries.contract_sources(
            template_id=body["template_id"], deal_id=body["deal_id"], kept_template_id=kept_template_id
        )
    )
    check_sources(body, sources)
    return Basis(facts_of(body, sources), sources)


def make(
    basis: Basis,
    slot: Callable[[], None],
    number: str,
    status: str = "draft",
    created_date: datetime.date | None = None,
) -> Row:
    """All columns of a contract but its number, which stands in the text.

    A long text is made under `slot()`, which raises the 429 when there is none. 422 for one that becomes too large.
    """
    facts, sources = basis
    if basis.is_long:
        slot()
    values = values_of(sources)
    values["Contract"] |= own_values(facts, number, status, created_date or sources["today"])
    resolved, layout = resolve(sources, values)
    return {
        **facts,
        "content": resolved.content,
        "layout": dumps(layout).decode(),
        "unresolved_tags": resolved.unresolved_tags,
        "missing_glyphs": dumps(missing_glyphs(resolved.content, resolved.margins, contract_number=number)).decode(),
    }


def resolve(sources: Row, values: TagValues) -> tuple[merge.Resolved, dict[str, Any]]:
    """(the sources' template and values merged, the contract's layout); 422 when it is too large."""
    try:
        margins = {name: sources[name] for name in MARGINS}
        resolved = merge.resolve(sources["template_content"], margins, values)
    except merge.TooLarge:
        raise Problem("document_too_complex", "With its values the contract becomes too large.") from None
    return resolved, {
        **_with_pages(resolved.margins),
        "language": sources["locale"],
        "direction": merge.style_of(sources["locale"], None, sources["direction"]).direction,
        "logo_file_id": sources["logo_file_id"],
        "author": sources["Contract.licensor_legal_name"] or sources["Contract.licensor_name"],
        "created": str(values["Contract"]["created_date"]),
    }


def check_sources(body: Values, sources: Row) -> None:
    """Raise the 422 for a template or deal that a body names and the sources lack."""
    missing = [
        Violation(name, "unknown_reference", "There is no such record.")
        for name, found in (("template_id", sources["template_id"]), ("deal_id", sources["Deal.id"]))
        if body[name] is not None and found is None
    ]
    if missing:
        raise Invalid(missing)


def own_values(facts: Row, number: str, status: str, created_date: datetime.date) -> Row:
    """What the tags of a contract stand for that are neither the deal's nor the organization's."""
    named = {name: facts[name] for name in ("name", "effective_date", "termination_date", "term_months")}
    return {**named, "number": number, "status": status, "created_date": created_date}


def facts_of(body: Values, sources: Row) -> Row:
    """The columns that are not text."""
    months = body["term_months"] or sources["default_term_months"]
    partner = sources["Licensee.name"] or sources["Deal.title"]
    return {
        "name": body["name"] or " · ".join(filter(None, (sources["template_name"], partner))),
        "template_id": body["template_id"],
        "deal_id": body["deal_id"],
        "company_id": sources["company_id"],
        "effective_date": body["effective_date"],
        "term_months": months,
        "termination_date": termination_date(body["effective_date"], months),
    }


def values_of(sources: Row) -> TagValues:
    """What merge tags stand for, by entity and field."""
    values: TagValues = {entity: {} for entity in ("Licensee", "Licensor", "Deal", "Quote", "Contract")}
    for name, value in sources.items():
        entity, dot, field = name.partition(".")
        if dot:
            values[entity][field] = value
    values["locale"] = {name: sources[name] for name in ("currency", "locale", "direction", "region")}
    _label(values, sources["labels"] or {})
    for party in (values["Licensee"], values["Licensor"]):
        if code := party["country"]:
            party["country"] = merge.Labelled(merge.country_name(code, sources["locale"]) or code, code.strip())
        party["address"] = _address(party)
    values["Contract"] |= {f"licensor_{field}": value for field, value in values.pop("Licensor").items()}
    return values


def _with_pages(margins: dict[str, str]) -> dict[str, str]:
    """Headers and footers; where no footer is written and no header counts the pages, the footer does."""
    if any(margins[f"footer_{side}"] for side in SIDES) or any(map(COUNTERS.search, margins.values())):
        return margins
    return {**margins, "footer_center": "{{page}} / {{pages}}"}


def _label(values: TagValues, labels: Mapping[str, str]) -> None:
    """Let what was chosen go by its label, in the deal and in the lines of its quote."""
    deal = values["Deal"]
    if key := deal.pop("product_line_key"):
        deal["product_line"] = merge.Labelled(deal["product_line"], key)
    for field in ("platforms", "features"):
        deal[field] = [merge.Labelled(labels.get(key, key), key) for key in deal[field] or ()]
    for record in (deal, *(values["Quote"]["lines"] or ())):
        for field in ("platform", "license_type"):
            if key := record.get(field):
                record[field] = merge.Labelled(labels.get(key, key), key)


def _address(party: Mapping[str, str | None]) -> str | None:
    """A whole address, a line for each part; None without any."""
    town = " ".join(filter(None, (party["postal_code"], party["city"])))
    return "\n".join(filter(None, (party["street"], town, party["region"], party["country"]))) or None
