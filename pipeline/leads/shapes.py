"""Response shapes of leads."""

from pipeline.http.endpoints.shapes import (
    BOOLEAN,
    COUNT,
    EMAIL,
    ID,
    NUMBER,
    TEXT,
    TIMESTAMP,
    Record,
    Shape,
    listed,
    nullable,
    word,
)
from pipeline.records.activities import NEWEST

LEAD = Record("lead", "A potential customer.", unlisted=("note_entries", "note_count", "tasks", "task_count"), **NEWEST)
QUALIFICATION = Shape(
    "Qualification",
    "The records of a qualified lead. Another qualification returns the same records.",
    success=BOOLEAN,
    contact_id=ID,
    company_id=nullable(ID),
    deal_id=nullable(ID),
)
LINKED_EMAIL = Shape(
    "LinkedEmail",
    "An email to or from a lead.",
    id=ID,
    direction=word("outbound", "inbound"),
    subject=TEXT,
    from_email=TEXT,
    to_email=EMAIL,
    status=word("queued", "sending", "sent", "skipped", "failed"),
    sent_at=nullable(TIMESTAMP),
    created_at=TIMESTAMP,
)
COMPANY_MATCH = Shape(
    "CompanyMatch",
    "A company that matches the name, domain, URL or email address. The best match comes first.",
    id=ID,
    name=TEXT,
    score={**NUMBER, "minimum": 0, "maximum": 1},
    reason=word("exact", "normalized", "domain", "similar"),
)
CONTACT_MATCH = Shape(
    "ContactMatch",
    "A contact with this email address.",
    id=ID,
    first_name=TEXT,
    last_name=nullable(TEXT),
    email=EMAIL,
    company_id=nullable(ID),
    score={**NUMBER, "minimum": 0, "maximum": 1},
)
ROW_ERROR = Shape(
    "RowError",
    "An error in a row of the file. The row is not imported.",
    row=COUNT,
    column=TEXT,
    code=TEXT,
    message=TEXT,
    value=TEXT,
)
IMPORT_REPORT = Shape(
    "ImportReport",
    "The result of an import. The total is the sum of imported, updated, skipped and failed rows.",
    dry_run=BOOLEAN,
    **dict.fromkeys(("total", "imported", "updated", "skipped", "failed"), COUNT),
    **dict.fromkeys(("imported_ids", "updated_ids"), listed(ID, maxItems=1000)),
    ids_truncated=BOOLEAN,
    ignored_columns=listed(TEXT),
    errors=listed(ROW_ERROR, maxItems=1000),
    errors_truncated=BOOLEAN,
)
