"""Fold addresses beyond ASCII, and further legal forms.

folding_further.sql beside this file has the functions as they were in this revision.

Release: old rows are computed anew where their keys differ, each table in a transaction of its own; requests for the
same rows wait.

Rollback: nothing to do; the former release uses the same columns and functions.
"""

from pathlib import Path

from alembic import op
from pipeline.database import migrations

revision = "0051"
down_revision = "0050"

FUNCTIONS = Path(__file__).with_name("folding_further.sql").read_text(encoding="utf-8")
# {table: (column, its key)}; the values stay, so nothing is recorded as a change.
KEYS = {
    "leads": ("email", "email_key"),
    "contacts": ("email", "email_key"),
    "interview_invites": ("recipient_email", "email_key"),
    "signature_signers": ("email", "email_key"),
    "emails": ("to_email", "to_email_key"),
    "companies": ("name", "name_key"),
}
FOLDED = """
alter table app.{table} no force row level security;
update app.{table} set {column} = {column} where {key} <> app.{function}({column});
alter table app.{table} force row level security;
"""


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(FUNCTIONS)
    with op.get_context().autocommit_block():
        for table, (column, key) in KEYS.items():
            function = "company_key" if table == "companies" else "email_key"
            statements = FOLDED.format(table=table, column=column, key=key, function=function)
            migrations.installer(f"begin; set local role pipeline_owner; {statements}; commit")
