"""Response shapes of contract endpoints."""

from pipeline.api.fields.own_fields import OWN
from pipeline.api.shapes import COUNT, ID, STORED_FILE, TEXT, TIMESTAMP, Record, Shape, listed, nullable, word
from pipeline.records.activities import NEWEST

WARNING = Shape("Warning", "A possible problem that you should check.", code=TEXT, message=TEXT)
CONTRACT = Record(
    "contract",
    "A contract, generated from a contract template.",
    unlisted=("content", "warnings", "note_entries", "note_count", "tasks", "task_count"),
    executed_file=nullable(STORED_FILE),
    fields=OWN,
    warnings=listed(WARNING),
    **NEWEST,
)
TEMPLATE = Record(
    "contract_template",
    "A template for contracts: HTML with merge tags, or an author's Word file.",
    unlisted=("content",),
    logo=nullable(STORED_FILE),
    word_file=nullable(STORED_FILE),
    source=word("html", "word"),
    warnings=listed(WARNING),
)
SCHEDULE = Shape(
    "ContractTemplateSchedule",
    "A further Word file of a contract template.",
    id=ID,
    filename=TEXT,
    size=COUNT,
    sha256=TEXT,
    uploaded_at={**TIMESTAMP, "description": "The time of the upload."},
)
CLAUSE = Record(
    "clause", "A clause for contract templates.", unlisted=("content", "warnings"), warnings=listed(WARNING)
)
PICTURE = Record("picture", "A picture for the text of contracts.")
MERGE_TAG = Shape(
    "MergeTag",
    "A merge tag, without its braces.",
    tag={**TEXT, "description": "The merge tag, without braces."},
    label=TEXT,
    type=word("text", "money", "number", "date", "yes_no", "list", "block"),
    example={**TEXT, "description": "An example value."},
)
TAG_GROUP = Shape(
    "MergeTagGroup",
    "The merge tags of an entity.",
    entity={**TEXT, "description": "The entity that the tags belong to."},
    tags=listed(MERGE_TAG),
)
