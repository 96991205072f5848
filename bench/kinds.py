"""The SQL of the generated records, for the number i."""

import zlib
from typing import NamedTuple

SEATS = 20


def drawn(column, number):
    """SQL of a number below `number`, independent of other columns, because correlations mislead the planner."""
    return f"((hashint8extended(i, {zlib.crc32(column.encode())}) & 16777215) % {number})"


def day(first, column, days):
    """SQL of a day among so many."""
    return f"date '{first}' + {drawn(column, days)}::integer"


# {kind: leads for each record}.
SHARE = 100
MOMENT = "timestamptz '2024-01-01Z' + i * interval '1 minute'"
FIRST_NAME = "(array['Anna', 'Ben', 'Chloé', 'Dmitri', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jon'])[1 + i % 10]"
WORD = "initcap(translate(md5((i % 50021)::text), '0123456789', 'aeioulnrst'))"
# In a million records, 10 have the first word, 5,000 the second, 20,000 the third, 100,000 the fourth, 250,000 GmbH.
MARKED = (
    f"{WORD} || case when i % 100000 = 7 then ' Zeppelin' when i % 200 = 17 then ' Kestrel'"
    " when i % 50 = 3 then ' Heron' when i % 10 = 1 then ' Plover' else '' end"
    " || (array[' GmbH', ' Ltd', ' Inc', ' SA'])[1 + i / 7 % 4]"
)
# A tenth of the records are the first company's.
COMPANY = "case when i % 10 = 9 then {companies} when i % 10 < 8 then {companies} + i % 10000 % {count} end"
HASH = "md5(i || 'a' || {organization}) || md5(i || 'b' || {organization})"


class Kind(NamedTuple):
    """The records of a table: the tables they refer to, and {column: its SQL for the number i}."""

    needs: tuple[str, ...]
    values: dict[str, str]
    share: int = 1


TIMES = {"created_at": MOMENT, "updated_at": MOMENT}
# An organization has only some of these.
ONCE = {
    "deal_stages": (8, {"name": "'Stage ' || i", "position": "i"}),
    "configurator_definitions": (5, {"name": "'Definition ' || i", "slug": "'definition-' || i"}),
    "interview_templates": (1, {"name": "'Form'", "slug": "'form'"}),
    "interview_template_versions": (
        1,
        {
            "template_id": "{interview_templates}",
            "version": "1",
            "name": "'Form'",
            **dict.fromkeys(("pages", "questions", "field_map"), "'[]'"),
            **dict.fromkeys(("branding", "thank_you", "hints"), "'{{}}'"),
        },
    ),
    "contract_templates": (1, {"name": "'Terms'", "content": "'<p>Terms</p>'"}),
}
KINDS = {
    "leads": Kind(
        (),
        {
            "first_name": FIRST_NAME,
            "last_name": WORD.replace("50021", "20011"),
            "email": f"case when {drawn('email', 10)} > 0 then 'lead' || i || '@company' || i % 5000 || '.example' end",
            "phone": "'+49 30 ' || 1000000 + i",
            "company": f"case when {drawn('company', 8)} > 0 then {MARKED} end",
            "job_title": f"(array['Engineer', 'Buyer', 'Head of Sales', 'Owner'])[1 + {drawn('job_title', 4)}]",
            "source": f"(array['manual', 'import', 'web', 'fair', 'interview'])[1 + {drawn('source', 5)}]",
            "status": "(array['new', 'new', 'new', 'contacted', 'qualified', 'disqualified'])"
            f"[1 + {drawn('status', 6)}]",
            "notes": "case when i % 5 = 0 then 'Met at the fair, wants a quote' end",
            "tags": "case when i % 1000 = 0 then 'hot, returning' end",
            "assigned_to": f"case when {drawn('is_assigned', 3)} > 0 then 1 + {drawn('assigned_to', SEATS)} end",
            **TIMES,
        },
    ),
    "companies": Kind(
        (),
        {
            "name": MARKED,
            "legal_name": "case when i % 3 = 0 then 'Legal ' || i end",
            "website": "'https://company' || i || '.example'",
            "city": f"case when {drawn('has_city', 4)} > 0 then 'City ' || {drawn('city', 500)} end",
            "country": f"case when {drawn('has_country', 5)} > 0 then chr(65 + {drawn('country', 26)}::integer) end",
            **TIMES,
        },
    ),
    "contacts": Kind(
        ("companies",),
        {
            "first_name": FIRST_NAME,
            "last_name": MARKED,
            "email": f"case when {drawn('email', 4)} > 0 then 'contact' || i || '@company.example' end",
            "company_id": COMPANY,
            **TIMES,
        },
    ),
    "deals": Kind(
        ("companies", "contacts"),
        {
            "title": MARKED,
            "value_minor": drawn("value", 100_000),
            "stage_id": "{deal_stages} + " + drawn("stage", 8),
            "company_id": COMPANY,
            "contact_id": f"case when {drawn('contact', 3)} > 0 then {{contacts}} + i % 10000 % {{count}} end",
            "owner_id": f"case when {drawn('is_owned', 3)} > 0 then 1 + {drawn('owner', SEATS)} end",
            "expected_close_date": f"case when {drawn('closes', 4)} > 0 then {day('2026-01-01', 'close', 700)} end",
            **TIMES,
        },
    ),
    "quotes": Kind(
        ("deals",),
        {
            "deal_id": "{deals} + i",
            "quote_number": "'Q-' || lpad(i::text, 7, '0')",
            "status": f"(array['draft', 'sent', 'accepted', 'declined'])[1 + {drawn('status', 4)}]",
            "quote_date": f"case when {drawn('is_dated', 4)} > 0 then {day('2026-01-01', 'quote', 700)} end",
            "valid_until": f"case when {drawn('ends', 3)} > 0 then {day('2026-03-01', 'until', 700)} end",
            **TIMES,
        },
    ),
    "configurations": Kind(
        ("deals",),
        {
            "deal_id": "{deals} + i",
            "definition_id": "{configurator_definitions} + " + drawn("definition", 5),
            "status": f"case when {drawn('status', 3)} = 0 then 'final' else 'draft' end",
            **TIMES,
        },
    ),
    "interview_invites": Kind(
        ("deals",),
        {
            "template_id": "{interview_templates}",
            "template_version_id": "{interview_template_versions}",
            "deal_id": "{deals} + i",
            "token": HASH,
            "recipient_email": "'prospect' || i || '@company' || i % 5000 || '.example'",
            "recipient_name": f"{FIRST_NAME} || ' ' || {MARKED}",
            # The worker has stored the expiry of earlier ones; a sixtieth expires now, still stored as open.
            "status": "case when i % 60 < 20 and i % 4 < 2 then 'expired'"
            " else (array['pending', 'started', 'submitted', 'expired'])[1 + i % 4] end",
            "submitted_at": "case when i % 4 = 2 then now() end",
            "expires_at": "now() + (i % 60 - 20) * interval '1 day'",
            **TIMES,
        },
    ),
    "contracts": Kind(
        ("deals",),
        {
            "contract_number": "'RO-' || lpad(i::text, 7, '0')",
            "name": MARKED,
            "status": "(array['draft', 'active', 'executed', 'expired', 'terminated', 'archived'])"
            f"[1 + {drawn('status', 6)}]",
            "template_id": "{contract_templates}",
            "deal_id": f"case when {drawn('deal', 3)} > 0 then {{deals}} + i end",
            "company_id": COMPANY,
            "effective_date": day("2024-01-01", "effective", 900),
            "term_months": "36",
            "termination_date": f"current_date - 30 + {drawn('termination', 1500)}::integer",
            "content": "'<p>Text</p>'",
            **TIMES,
        },
    ),
    "notes": Kind(("leads",), {"content": "'Note ' || i", "lead_id": "{leads}", **TIMES}, SHARE),
    "tasks": Kind(("leads",), {"title": "'Task ' || i", "lead_id": "{leads}", **TIMES}, SHARE),
    "notifications": Kind(
        (),
        {
            "user_id": "1",
            "event": "'bench'",
            "effect_key": "i::text",
            "title": "'Notification ' || i",
            "read_at": "case when i % 4 > 0 then now() end",
        },
        SHARE,
    ),
}
