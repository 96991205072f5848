"""The release after this one: revisions as a release may have them while the former one works."""

from pathlib import Path

from pipeline.database import revisions

ROOT = Path(__file__).resolve().parents[2]
# Columns of tables in use, which none of ours has, and an index.
REVISIONS = {
    "leads": 'migrations.owned("alter table app.leads add column test_city text")',
    "invites": 'migrations.owned("alter table app.interview_invites add column test_time timestamptz")',
    "emails": 'migrations.owned("alter table app.emails add column test_weight integer not null default 1")',
    "index": 'migrations.index("leads_city", "on app.leads (organization_id, test_city)")',
}
REVISION = '''"""{name}."""

from pipeline.database import migrations

revision = "{revision}"
down_revision = "{before}"


def upgrade():
    """Apply the revision."""
    {statements}
'''


def add_revisions(folder):
    """Add REVISIONS to the copy of a release in `folder` (Path), which is returned."""
    for number, (name, statements) in enumerate(REVISIONS.items(), int(revisions.head()) + 1):
        words = {"name": name, "revision": f"{number:04}", "before": f"{number - 1:04}", "statements": statements}
        (folder / "alembic" / "versions" / f"{number:04}_{name}.py").write_text(REVISION.format(**words))
    return folder
