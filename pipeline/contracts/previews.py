"""Documents that are not stored: previews and redlines."""

from pipeline import documents
from pipeline.contracts import merge, own_fields, template_service
from pipeline.contracts.assembly import check_sources, facts_of, own_values, resolve, values_of, with_clauses
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.contracts.renditions import document_of
from pipeline.database import not_none, queries
from pipeline.validation import Invalid, Values, Violation


def template_preview(body: Values) -> documents.Document:
    """The Document of a Preview body; raises a save's 422s."""
    fields = template_service.sanitized(body)
    named = {name: body[name] for name in ("template_id", "deal_id")}
    sources = not_none(queries.contract_sources(**named, kept_template_id=None))
    sources["own_fields"] = queries.contract_field_definitions()
    check_sources(named, sources)
    sources |= {
        "template_content": fields["content"],
        **{name: fields[name] for name in documents.MARGINS},
        "locale": fields["language"] or sources["locale"],
        "direction": fields["direction"],
    }
    sources = with_clauses(sources)
    values = values_of(sources)
    begun = {"effective_date": sources["today"], "term_months": fields["default_term_months"]}
    defaults, _ = own_fields.given_values(None, sources["own_fields"], sources["currency"], None, patched=False)
    facts = facts_of({**named, **begun, "name": fields["name"]}, sources, defaults)
    # No contract has this number.
    values["Contract"] |= own_values(facts, sources, f"{fields['number_prefix']}-000000", "draft", sources["today"])
    if body["deal_id"] is None:
        own = {tag.field: tag.sample for tag in merge.own_tags(sources["own_fields"])}
        values = {
            **SAMPLES,
            "Contract": SAMPLES["Contract"] | own,
            "locale": {**values["locale"], "currency": SAMPLES["Deal"]["currency"]},
        }
    resolved, layout = resolve(sources, values)
    return document_of({"name": fields["name"], "content": resolved.content, "layout": layout})


def redline(id: int, query: Values) -> tuple[documents.Document, str] | None:
    """(Document, filename) of a Redline query, None without the contract; 422 for an unknown revision."""
    found = queries.contract_redline_source(id=id, earlier=query["from"], later=query["to"])
    if found is None:
        return None
    missing = [
        Violation(name, "unknown_reference", "The contract has no such revision.", "query")
        for name, content in (("from", found["earlier"]), ("to", found["content"]))
        if content is None
    ]
    if missing:
        raise Invalid(missing)
    name = f"{found['contract_number']}-{found['earlier_revision']}-{found['later_revision']}.docx"
    return document_of(found)._replace(earlier=found["earlier"]), name
