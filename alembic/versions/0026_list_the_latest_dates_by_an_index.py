"""List the latest dates by an index.

Deals by their expected close, quotes by their date and validity: latest first, empty dates last.

Release: the indexes are built while requests go on.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0026"
down_revision = "0025"


def upgrade():
    """Apply the revision."""
    for name, table, key in (
        ("deals_closing_latest", "deals", "expected_close_date"),
        ("quotes_date_latest", "quotes", "quote_date"),
        ("quotes_valid_latest", "quotes", "valid_until"),
    ):
        migrations.index(name, f"on app.{table} (organization_id, {key} desc nulls last, id desc)")
