"""Response shapes of leads."""

from pipeline.api.fields.own_fields import OWN
from pipeline.api.shapes import (
    BOOLEAN,
    COUNT,
    EMAIL,
    ID,
    NUMBER,
    TEXT,
    TIMESTAMP,
    URI,
    Record,
    Shape,
    listed,
    mapped,
    nullable,
    word,
)
from pipeline.leads.imports.columns import COLUMNS
from pipeline.leads.imports.headers import FIELDS
from pipeline.records.activities import NEWEST

_HIDDEN = {
    **mapped(TEXT),
    "description": "Values that the form of the lead's response took from its URL, by the name of the hidden field.",
}
LEAD = Record(
    "lead",
    "A potential customer.",
    unlisted=("hidden_fields", "note_entries", "note_count", "tasks", "task_count"),
    hidden_fields=_HIDDEN,
    fields=OWN,
    **NEWEST,
)
CREATED_LEAD = Record(
    "lead",
    "A new lead, with the ids of leads that can be the same person.",
    component="CreatedLead",
    unlisted=LEAD.unlisted,
    added={"duplicates": listed(ID, maxItems=100)},
    hidden_fields=_HIDDEN,
    fields=OWN,
    **NEWEST,
)
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
LEAD_DUPLICATE = Shape(
    "LeadDuplicate",
    "A lead that can be the same person, and what the two have in common besides the name.",
    id=ID,
    name=TEXT,
    email=nullable(EMAIL),
    phone=nullable(TEXT),
    company=nullable(TEXT),
    status=word("new", "contacted", "qualified", "disqualified"),
    created_at=TIMESTAMP,
    reason=word("email", "phone", "company"),
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
IMPORT_WARNING = Shape(
    "ImportWarning",
    "A cell that was left out or changed, or a column that was not read, with the number of its filled cells.",
    optional=("row", "column", "value", "count"),
    code=TEXT,
    message=TEXT,
    row=COUNT,
    column=TEXT,
    value=TEXT,
    count=COUNT,
)
ROW_RESULT = Shape(
    "RowResult",
    "What became of a row, its lead, and the reason if it was not imported as it stands.",
    row=COUNT,
    result=word("created", "updated", "unchanged", "skipped", "conflict", "failed"),
    lead_id=nullable(ID),
    reason=nullable(TEXT),
)
IMPORT_REPORT = Shape(
    "ImportReport",
    "The result of an import. The total is the sum of the other counts.",
    dry_run=BOOLEAN,
    **dict.fromkeys(("total", "imported", "updated", "unchanged", "skipped", "conflicts", "failed"), COUNT),
    encoding=nullable(TEXT),
    delimiter=nullable(TEXT),
    ignored_columns=listed(TEXT),
    warnings=listed(IMPORT_WARNING, maxItems=1000),
    errors=listed(ROW_ERROR, maxItems=1000),
    rows=listed(ROW_RESULT, maxItems=1000),
    rows_url=nullable(URI),
)
LEAD_IMPORT = Record("lead_import", "An import in the background.", report=nullable(IMPORT_REPORT))
PREVIEWED_COLUMN = Shape(
    "PreviewedColumn",
    "A column of the file, and how it is read.",
    header=TEXT,
    field=nullable({**TEXT, "examples": [*FIELDS, "fields.region"]}),
    filled=COUNT,
    examples=listed(TEXT, maxItems=3),
)
PREVIEWED_LEAD = Shape(
    "PreviewedLead",
    "A row of the file as a new lead. Left out cells are null.",
    **dict.fromkeys(COLUMNS, nullable(TEXT)) | {"assigned_to": nullable(ID), "fields": OWN},
)
PREVIEWED_ROW = Shape(
    "PreviewedRow",
    "A row of the file as the import reads it, or the reason why it fails.",
    row=COUNT,
    lead=nullable(PREVIEWED_LEAD),
    reason=nullable(TEXT),
)
OFFERED_FIELD = Shape(
    "OfferedField",
    "An own field that `create_fields=true` creates for a column that no field takes.",
    key=TEXT,
    label=TEXT,
    type=TEXT,
)
IMPORT_PREVIEW = Shape(
    "ImportPreview",
    "How the import reads a file.",
    columns=listed(PREVIEWED_COLUMN),
    encoding=nullable(TEXT),
    delimiter=nullable(TEXT),
    header_row=COUNT,
    total=COUNT,
    ignored_columns=listed(TEXT),
    new_fields=listed(OFFERED_FIELD),
    rows=listed(PREVIEWED_ROW, maxItems=3),
)
