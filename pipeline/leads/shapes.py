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
    success={**BOOLEAN, "description": "Whether the lead was qualified."},
    contact_id={**ID, "description": "The id of the contact."},
    company_id={**nullable(ID), "description": "The id of the company."},
    deal_id=nullable(ID),
)
LINKED_EMAIL = Shape(
    "LinkedEmail",
    "An email to or from a lead.",
    id=ID,
    direction={
        **word("outbound", "inbound"),
        "description": "`outbound` for an email to the lead, `inbound` for an email from the lead.",
    },
    subject={**TEXT, "description": "The subject of the email."},
    from_email={**TEXT, "description": "The sender's email address."},
    to_email={**EMAIL, "description": "The recipient's email address."},
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
    reason={**word("email", "phone", "company"), "description": "The reason."},
)
COMPANY_MATCH = Shape(
    "CompanyMatch",
    "A company that matches the name, domain, URL or email address. The best match comes first.",
    id=ID,
    name=TEXT,
    score={**NUMBER, "minimum": 0, "maximum": 1, "description": "The quality of the match, from 0 to 1."},
    reason={**word("exact", "normalized", "domain", "similar"), "description": "The reason."},
)
CONTACT_MATCH = Shape(
    "ContactMatch",
    "A contact with this email address.",
    id=ID,
    first_name=TEXT,
    last_name=nullable(TEXT),
    email=EMAIL,
    company_id={**nullable(ID), "description": "The id of the company."},
    score={**NUMBER, "minimum": 0, "maximum": 1, "description": "The quality of the match, from 0 to 1."},
)
ROW_ERROR = Shape(
    "RowError",
    "An error in a row of the file. The row is not imported.",
    row=COUNT,
    column={**TEXT, "description": "The name of the column."},
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
    column={**TEXT, "description": "The name of the column."},
    value=TEXT,
    count={**COUNT, "description": "The number of filled cells of the column."},
)
ROW_RESULT = Shape(
    "RowResult",
    "What became of a row, its lead, and the reason if it was not imported as it stands.",
    row=COUNT,
    result=word("created", "updated", "unchanged", "skipped", "conflict", "failed"),
    lead_id=nullable(ID),
    reason={**nullable(TEXT), "description": "Why the row was not imported as it stands; null if it was."},
)
IMPORT_REPORT = Shape(
    "ImportReport",
    "The result of an import. The total is the sum of the other counts.",
    dry_run={**BOOLEAN, "description": "Whether this was a dry run, so nothing was stored."},
    **dict.fromkeys(("total", "imported", "updated", "unchanged", "skipped", "conflicts", "failed"), COUNT),
    encoding={**nullable(TEXT), "description": "The encoding of the file, given or recognized; null for a workbook."},
    delimiter={
        **nullable(TEXT),
        "description": "The delimiter of the file: a sign or the word tab; null for a workbook.",
    },
    ignored_columns={**listed(TEXT), "description": "Unknown columns of the file; they were ignored."},
    warnings={
        **listed(IMPORT_WARNING, maxItems=1000),
        "description": "Cells that were left out or changed, and columns that were not read.",
    },
    errors={**listed(ROW_ERROR, maxItems=1000), "description": "The errors by row."},
    rows={
        **listed(ROW_RESULT, maxItems=1000),
        "description": "The results of the first 1,000 rows; of more rows, those that were not imported come first.",
    },
    rows_url={**nullable(URI), "description": "The results of all rows as CSV, for a day; null if `rows` has all."},
)
LEAD_IMPORT = Record("lead_import", "An import in the background.", report=nullable(IMPORT_REPORT))
PREVIEWED_COLUMN = Shape(
    "PreviewedColumn",
    "A column of the file, and how it is read.",
    header={**TEXT, "description": "The title of the column."},
    field={
        **nullable({**TEXT, "examples": [*FIELDS, "fields.region"]}),
        "description": "The field that the column is read as; null for a column that nobody reads.",
    },
    filled={**COUNT, "description": "The number of cells that are not blank."},
    examples={**listed(TEXT, maxItems=3), "description": "The first three cells that are not blank."},
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
    lead={**nullable(PREVIEWED_LEAD), "description": "The lead that the row would create; null if the row fails."},
    reason={**nullable(TEXT), "description": "Why the row fails; null if it does not."},
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
    columns={**listed(PREVIEWED_COLUMN), "description": "The columns of the file, in its order."},
    encoding={**nullable(TEXT), "description": "The encoding of the file, given or recognized; null for a workbook."},
    delimiter={
        **nullable(TEXT),
        "description": "The delimiter of the file: a sign or the word tab; null for a workbook.",
    },
    header_row={**COUNT, "description": "The row number of the header."},
    total=COUNT,
    ignored_columns={**listed(TEXT), "description": "Unknown columns of the file; they were ignored."},
    new_fields={
        **listed(OFFERED_FIELD),
        "description": "Own fields that `create_fields=true` creates for columns that no field takes.",
    },
    rows={**listed(PREVIEWED_ROW, maxItems=3), "description": "The first three rows."},
)
