"""Keep what spreadsheets make numbers of.

Release: the former release does not use the function.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0050"
down_revision = "0049"


def upgrade():
    """Apply the revision."""
    migrations.owned(r"""
create or replace function app.is_number_of(cell text, value text) returns boolean
    language sql immutable parallel safe
    return coalesce(cell <> value
        and cell ~ '^(0|[1-9][0-9]{0,30})([.,][0-9]*[1-9])?$|^[1-9]([.,][0-9]{1,20})?[eE][+]?[0-9]{1,3}$'
        and value ~ '^[+]?[0-9]{1,30}([.,][0-9]{1,20})?([eE][+]?[0-9]{1,2})?$'
        and abs(cast(replace(cell, ',', '.') as numeric) - cast(replace(value, ',', '.') as numeric))
            <= case when cell ~* 'e' then
                power(10::numeric, cast(substring(cell from '[0-9]+$') as integer)
                    - coalesce(length(substring(cell from '[.,]([0-9]+)')), 0)) / 2
                else 0 end, false);
comment on function app.is_number_of is
    'Whether a cell is what a spreadsheet makes of another text: a number without its zeros and its plus, which it '
    'rounds to the digits that it shows (0170 is 170, 491701234567 is 4.9E+11).';
grant execute on function app.is_number_of to pipeline_member, pipeline_jobs;
""")
