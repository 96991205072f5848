import re
from pathlib import Path

PLANS = Path(__file__).parent / "plans"
# Asked for where no recorded plan shows it: inside a function, or by what few rows hide, and by what.
ASKED = {
    "account_links_expiry": "session_purge",
    "account_links_user": "password_forgot counts a person's links of the hour",
    **{
        f"{table}_{index}": "field_hits"
        for table in ("companies", "contacts", "contracts", "deals", "leads")
        for index in ("fields", "field_numbers")
    },
    "companies_search_trigrams": "search_ids",
    "companies_similar": "company_similar",
    "companies_website_domain": "lead_match_companies, asked with a domain",
    "contacts_search_trigrams": "search_ids",
    "contracts_search_trigrams": "search_ids",
    "deals_search_trigrams": "search_ids",
    "files_sha256": "logo_by_sha256",
    "interview_invites_search_trigrams": "search_ids",
    "interview_tallies_fresh": "interview_tallies_fold, where most of the tallies are folded",
    "invitations_person": "invitations_of",
    "leads_search_trigrams": "search_ids",
    "organizations_logo": "logo_by_sha256",
    "outbox_turns": "outbox_lease",
    "quotes_search_trigrams": "search_ids",
    "refresh_tokens_expiry": "session_purge",
    "refresh_tokens_session": "sessions, which take their tokens with them",
    "sessions_expiry": "session_purge",
    "sessions_user": "session_list",
    "webhooks_active": "webhooks_behind",
}
# Neither keeps a key unique nor finds the rows that refer to a deleted one.
FREE = """
select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
where c.relnamespace = 'app'::regnamespace and not i.indisunique
and not exists (
    select from pg_constraint k where k.contype = 'f' and cardinality(k.conkey) > 1 and k.conrelid = i.indrelid
    and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey)"""


def test_every_index_is_used_by_a_recorded_plan_or_says_who_asks_for_it(catalog):
    shown = set(re.findall(r"\w+", "".join(path.read_text() for path in PLANS.rglob("*.txt"))))
    assert {row["name"] for row in catalog.execute(FREE)} - shown == set(ASKED)
