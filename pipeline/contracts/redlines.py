"""Redlines, which are not stored."""

from pipeline.contracts.renditions import document_of
from pipeline.database import queries
from pipeline.documents import Document
from pipeline.validation import Invalid, Values, Violation, invalid_field

NO_REDLINE = "Contracts of Word files have no redline; compare the Word files of two revisions with Word."


def redline(id: int, query: Values) -> tuple[Document, str] | None:
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
    if found["layout"].get("word_file_ids"):
        raise invalid_field("from", "not_offered", NO_REDLINE, "query")
    name = f"{found['contract_number']}-{found['earlier_revision']}-{found['later_revision']}.docx"
    return document_of(found)._replace(earlier=found["earlier"]), name
