"""Find leads of one name and company by an index.

The files beside this one have the functions as they were in this revision. company_key.sql gives the same keys in a
sixth of the time, so old rows keep theirs.

Release: requests that use leads wait while the new column is computed: about 30 seconds for a million leads. Its index
is built afterwards, while requests go on.

Rollback: nothing to do; the former release works with the new column.
"""

from pathlib import Path

from alembic import op
from pipeline.database import migrations

revision = "0056"
down_revision = "0055"

FUNCTION = Path(__file__).with_name("company_key.sql").read_text(encoding="utf-8")
DUPLICATES = Path(__file__).with_name("lead_duplicates.sql").read_text(encoding="utf-8")
COLUMN = """
alter table app.leads
    add column if not exists firm_key text collate "C"
        generated always as (left(app.company_key(company), 200)) stored;
comment on column app.leads.firm_key is 'The company folded and without legal form, for comparing.';
"""


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(FUNCTION)
    migrations.owned(COLUMN)
    migrations.owned(DUPLICATES)
    migrations.index("leads_person_firm", "on app.leads (organization_id, person_key, firm_key)")
    with op.get_context().autocommit_block():
        for statement in (
            "set role pipeline_owner",
            "drop index concurrently if exists app.leads_person",
            "reset role",
        ):
            migrations.installer(statement)
