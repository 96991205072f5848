"""Response shapes of contract endpoints."""

from pipeline.contracts.own_fields import SCALARS
from pipeline.http.endpoints.shapes import STORED_FILE, TEXT, Record, Shape, listed, mapped, nullable, word
from pipeline.records.activities import NEWEST

WARNING = Shape("Warning", "A possible problem that you should check.", code=TEXT, message=TEXT)
CONTRACT = Record(
    "contract",
    "A contract, generated from a contract template.",
    unlisted=("content", "warnings", "note_entries", "note_count", "tasks", "task_count"),
    executed_file=nullable(STORED_FILE),
    fields=mapped({"anyOf": list(SCALARS)}),
    warnings=listed(WARNING),
    **NEWEST,
)
TEMPLATE = Record(
    "contract_template",
    "A template for contracts: HTML with merge tags.",
    unlisted=("content",),
    logo=nullable(STORED_FILE),
    warnings=listed(WARNING),
)
CLAUSE = Record(
    "clause", "A clause for contract templates.", unlisted=("content", "warnings"), warnings=listed(WARNING)
)
MERGE_TAG = Shape(
    "MergeTag",
    "A merge tag, without its braces.",
    tag=TEXT,
    label=TEXT,
    type=word("text", "money", "number", "date", "yes_no", "list", "block"),
    example=TEXT,
)
TAG_GROUP = Shape("MergeTagGroup", "The merge tags of an entity.", entity=TEXT, tags=listed(MERGE_TAG))
