"""A text as it stands in a CSV file.

A spreadsheet runs a cell that starts like a formula (OWASP, "CSV Injection"). PostgreSQL puts the function's
expression in the place of each call, so a million leads cost no call.
"""

from pipeline.database.migrations import owned

revision = "0020"
down_revision = "0019"


def upgrade():
    """Apply the revision."""
    owned(r"""
create function app.csv_text(value text) returns text
    language sql immutable parallel safe
    -- The comparison, which is cheap, spares most texts the expression: all the characters in question stand before A.
    return case when value collate "C" < 'A' and value ~ '^''*[=+@\t\r-]' then '''' || value else value end;
comment on function app.csv_text is
    'A text for a CSV file: with an apostrophe in front where a spreadsheet would run it as a formula.';

grant execute on function app.csv_text to pipeline_member;
""")
