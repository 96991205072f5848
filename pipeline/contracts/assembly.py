"""A contract's text, built from its template and deal."""

import datetime
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pipeline.api.fields import own_fields
from pipeline.contracts import merge, own_tags
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.contracts.merge.catalogue import TagValues
from pipeline.database import Row, dumps, not_none, queries
from pipeline.documents import MARGINS, TooComplex
from pipeline.documents.layout.margins import COUNTERS, SIDES
from pipeline.documents.subset import CLAUSE
from pipeline.validation import LATEST, Invalid, Values, Violation, invalid_field
from pipeline.validation.errors import Problem

# Template characters × quote lines; a shorter text takes a few hundredths of a second.
SHORT = 250_000
# Characters added per quote line.
LINE = 1_000


class Basis(NamedTuple):
    """A new contract's non-text columns, and its tag values."""

    facts: Row
    sources: Row

    @property
    def is_long(self) -> bool:
        """Whether the text needs a slot; each line may repeat the whole template."""
        lines, content = self.sources["Quote.lines"] or (), self.sources["template_content"]
        rows = self.sources["clauses"].items()
        clauses = sum(len(row["content"]) * content.count(f'{CLAUSE}="{key}"') for key, row in rows)
        return (LINE + clauses + len(content)) * (1 + len(lines)) > SHORT


def read_basis(body: Values, contract: Row | None = None, patched: bool = False) -> Basis:
    """The Basis of a Contract body; the template of `contract` may be deleted.

    Raises 422 for an unknown reference, an invalid own field or a term out of range.
    """
    kept = contract or {"template_id": None, "fields": None}
    named = {name: body[name] for name in ("template_id", "deal_id")}
    sources = not_none(queries.contract_sources(**named, kept_template_id=kept["template_id"]))
    sources |= own_tags.definitions()
    fields, violations = own_fields.given_values(
        body["fields"], sources["own_fields"], sources["currency"], kept["fields"], patched
    )
    check_sources(body, sources, violations)
    return Basis(facts_of(body, sources, fields), with_clauses(sources))


def with_clauses(sources: Row) -> Row:
    """The sources and the clauses of the template's content, by key."""
    keys = merge.clause_keys(sources["template_content"])
    rows = queries.clause_contents(keys=keys) if keys else ()
    return {**sources, "clauses": {row["key"]: row for row in rows}}


def make(
    basis: Basis,
    slot: Callable[[], None],
    number: str,
    status: str = "draft",
    created_date: datetime.date | None = None,
    layout: Values | None = None,
) -> Row:
    """All columns except the number; `layout` replaces the template's.

    Calls `slot()` (429) for a long text; raises 422 above the size limit.
    """
    facts, sources = basis
    if basis.is_long:
        slot()
    values = values_of(sources)
    values["Contract"] |= own_values(facts, sources, number, status, created_date or sources["today"])
    resolved, built = resolve(sources, values)
    layout = layout or built
    margins = {name: layout.get(name) or "" for name in MARGINS}
    return {
        **facts,
        "fields": dumps(facts["fields"]).decode(),
        "content": resolved.content,
        "layout": dumps(layout).decode(),
        "unresolved_tags": resolved.unresolved_tags,
        "missing_glyphs": dumps(missing_glyphs(resolved.content, margins, contract_number=number)).decode(),
    }


def resolve(sources: Row, values: TagValues) -> tuple[merge.Resolved, dict[str, Any]]:
    """(merged text, layout); raises 422 above the size limit."""
    try:
        margins = dict.fromkeys(MARGINS) if sources["word_files"] else {name: sources[name] for name in MARGINS}
        own = merge.own_tags(sources["own_tags"])
        resolved = merge.resolve(sources["template_content"], margins, values, own, sources["clauses"])
    except TooComplex as error:
        raise Problem("document_too_complex", str(error)) from None
    except merge.TooLarge:
        raise Problem("document_too_complex", "The contract is too large after its tags are replaced.") from None
    return resolved, {
        **_of_source(resolved.margins, sources["word_files"]),
        "language": sources["locale"],
        "direction": merge.style_of(sources["locale"], None, sources["direction"]).direction,
        "logo_file_id": sources["logo_file_id"],
        "page_size": sources["page_size"],
        "orientation": sources["orientation"],
        "watermark": sources["watermark"],
        "author": sources["Contract.licensor_legal_name"] or sources["Contract.licensor_name"],
        "created": str(values["Contract"]["created_date"]),
    }


def check_sources(body: Values, sources: Row, further: Iterable[Violation] = ()) -> None:
    """Raises 422 for an unknown template or deal, and for `further` violations."""
    missing = [
        Violation(name, "unknown_reference", "There is no such record.")
        for name, found in (("template_id", sources["template_id"]), ("deal_id", sources["Deal.id"]))
        if body[name] is not None and found is None
    ]
    missing += further
    if missing:
        raise Invalid(missing)


def own_values(facts: Row, sources: Row, number: str, status: str, created_date: datetime.date) -> Row:
    named = {name: facts[name] for name in ("name", "effective_date", "termination_date", "term_months")}
    own = own_tags.tag_values(facts["fields"], sources["own_fields"])
    return {**named, **own, "number": number, "status": status, "created_date": created_date}


def facts_of(body: Values, sources: Row, fields: Values) -> Row:
    """The non-text columns; `fields` are the own fields."""
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
        "fields": fields,
    }


def values_of(sources: Row) -> TagValues:
    values: TagValues = {entity: {} for entity in ("Licensee", "Licensor", "Deal", "Quote", "Contract")}
    for name, value in sources.items():
        entity, dot, field = name.partition(".")
        if dot:
            values[entity][field] = value
    values["locale"] = {name: sources[name] for name in ("currency", "locale", "direction", "region")}
    for kind, entity in (("company", "Licensee"), ("deal", "Deal")):
        values[entity] |= own_tags.tag_values(values[entity].pop("own"), sources["own_tags"], kind)
    _label(values, sources["labels"] or {})
    for party in (values["Licensee"], values["Licensor"]):
        if code := party["country"]:
            party["country"] = merge.Labelled(merge.country_name(code, sources["locale"]) or code, code.strip())
        party["address"] = _address(party)
    values["Contract"] |= {f"licensor_{field}": value for field, value in values.pop("Licensor").items()}
    return values


def _of_source(margins: dict[str, str], word_files: list[Row] | None) -> dict[str, Any]:
    """The pages of a text, or the Word files, which have headers and footers of their own."""
    return {"word_file_ids": [file["id"] for file in word_files]} if word_files else _with_pages(margins)


def _with_pages(margins: dict[str, str]) -> dict[str, str]:
    if any(margins[f"footer_{side}"] for side in SIDES) or any(map(COUNTERS.search, margins.values())):
        return margins
    return {**margins, "footer_center": "{{page}} / {{pages}}"}


def _label(values: TagValues, labels: Mapping[str, str]) -> None:
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
    town = " ".join(filter(None, (party["postal_code"], party["city"])))
    return "\n".join(filter(None, (party["street"], town, party["region"], party["country"]))) or None


def termination_date(effective_date: datetime.date, months: int) -> datetime.date:
    """The day before a term's anniversary, clamped to the month; raises 422 after the year LATEST."""
    years, month = divmod(effective_date.month - 1 + months, 12)
    year, month = effective_date.year + years, month + 1
    day = min(effective_date.day, monthrange(year, month)[1]) - 1
    if not day:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        day = monthrange(year, month)[1]
    if year > LATEST:
        raise invalid_field("term_months", "out_of_range", f"The term must end by the year {LATEST}.")
    return datetime.date(year, month, day)
