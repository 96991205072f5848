"""Orders in which companies, contacts, deals, quotes and configurations are listed.

The names they are mostly sorted by have had their indexes from the start; these serve the newest first, the next
closing deals, and quotes by number and status.
"""

from pipeline.migrations import owned

revision = "0017"
down_revision = "0016"


def upgrade():
    """Apply the revision."""
    owned("""
create index companies_created on app.companies (organization_id, created_at, id);
create index contacts_created on app.contacts (organization_id, created_at, id);
create index deals_created on app.deals (organization_id, created_at, id);
create index deals_closing on app.deals (organization_id, expected_close_date, id);
create index quotes_created on app.quotes (organization_id, created_at, id);
create index quotes_number on app.quotes (organization_id, quote_number collate "C", id);
create index quotes_status on app.quotes (organization_id, status, id);
create index configurations_created on app.configurations (organization_id, created_at, id);
""")
