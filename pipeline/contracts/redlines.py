"""What has changed between two revisions of a contract, as a Word document with tracked changes."""

from pipeline import documents
from pipeline.contracts.renditions import document_of
from pipeline.database import queries
from pipeline.validation import Invalid, Values, Violation


def prepare(id: int, query: Values) -> tuple[documents.Document, str] | None:
    """(the Document of a Redline query, its file's name), or None without the contract; 422 for no such revision."""
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
