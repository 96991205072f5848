"""Previews, which are not stored."""

from pipeline import documents
from pipeline.api.fields import own_fields
from pipeline.contracts import merge, own_tags
from pipeline.contracts.assembly import check_sources, facts_of, own_values, resolve, values_of, with_clauses
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.contracts.renditions import document_of
from pipeline.contracts.templates import service
from pipeline.database import not_none, queries
from pipeline.validation import Values, invalid_field


def template_preview(body: Values) -> documents.Document:
    """The Document of a Preview body; raises a save's 422s."""
    fields = body if body["content"] is None else service.sanitized(body)
    named = {name: body[name] for name in ("template_id", "deal_id")}
    sources = not_none(queries.contract_sources(**named, kept_template_id=None))
    sources |= own_tags.definitions()
    check_sources(named, sources)
    if fields["content"] is None and not sources["word_files"]:
        raise invalid_field("content", "required", "The template has no Word file to preview.")
    if fields["content"] is not None:
        sources |= {"template_content": fields["content"], "word_files": None}
    sources |= {
        **{name: fields[name] for name in documents.MARGINS},
        "locale": fields["language"] or sources["locale"],
        **{name: fields[name] for name in ("direction", "page_size", "orientation", "watermark")},
    }
    sources = with_clauses(sources)
    values = values_of(sources)
    begun = {"effective_date": sources["today"], "term_months": fields["default_term_months"]}
    defaults, _ = own_fields.given_values(None, sources["own_fields"], sources["currency"], None, patched=False)
    facts = facts_of({**named, **begun, "name": fields["name"]}, sources, defaults)
    # No contract has this number.
    values["Contract"] |= own_values(facts, sources, f"{fields['number_prefix']}-000000", "draft", sources["today"])
    if body["deal_id"] is None:
        own = merge.own_tags(sources["own_tags"])
        values = {
            **{
                entity: samples | {tag.field: tag.sample for tag in own if tag.entity == entity}
                for entity, samples in SAMPLES.items()
            },
            "locale": {**values["locale"], "currency": SAMPLES["Deal"]["currency"]},
        }
    resolved, layout = resolve(sources, values)
    return document_of({"name": fields["name"], "content": resolved.content, "layout": layout}, draft=True)
