r"""What a hostile file, a full store and a stolen login may not do.

A text of a CSV file was made harmless at its start only. A spreadsheet that splits at `;` or at a tab starts a cell
within the text, and some run a formula after blanks, quotes, or with a full-width sign.
"""

from pipeline.migrations import owned

revision = "0026"
down_revision = "0021"

# What may stand in front of a formula's sign, the sign, and what a spreadsheet may split at; as in
# pipeline/leads/csv_format.py. The signs and separators stand in no class of the other.
BEFORE = (
    r"""[''" \u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0"""
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
)
SIGN = r"[=+@\uff0b\uff0d\uff1d\uff20-]"
SPLIT = r"[,;\t\n\r]"

CSV = rf"""
create or replace function app.csv_text(value text) returns text
    language sql immutable parallel safe
    -- The plain expression, which is cheap, spares most texts the other one.
    return case
        when value ~ '^{BEFORE}*[\t\r]|(^|{SPLIT}){BEFORE}*{SIGN}'
            then regexp_replace(
                value, '^(?={BEFORE}*[\t\r])|(^|(?<={SPLIT}))(?={BEFORE}*{SIGN})', '''', 'g'
            )
        else value
    end;
comment on function app.csv_text is
    'A text for a CSV file: with an apostrophe in front wherever a spreadsheet would start a cell with a formula.';
"""


def upgrade():
    """Apply the revision."""
    owned(CSV)
