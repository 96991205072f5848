"""Fold searched and compared texts in one way.

folding.sql beside this file has the functions as they were in this revision, folding_tables.sql the
columns. The generated columns of each table are
computed anew, so old rows are found like new ones. Functions of the same name that existed before only serve these
columns and comparisons with them.

Release: each table changes in a transaction of its own, and requests that use it wait meanwhile: about 30 seconds for
a million leads. Its indexes are built afterwards, while requests go on; searches read the whole table until then. The
former release uses the same columns and functions.

Rollback: nothing to do; the former release works with the new columns.
"""

from pathlib import Path

from alembic import op
from pipeline.database import migrations

revision = "0011"
down_revision = "0010"

FUNCTIONS = Path(__file__).with_name("folding.sql").read_text(encoding="utf-8")
LISTS = r"""
create or replace function app.searched_words(words text[]) returns text[]
    language sql immutable parallel safe as $$
    select coalesce(nullif(array(
        select distinct word from unnest(words) as word
        where app.search_patterns(word) <> '{}' and app.folded(word) <> all ('{and,und,et,y}')), '{}'), words)
$$;
comment on function app.searched_words is
    'The words of a search without punctuation and the word and, in four languages. All words if nothing else is left.';

create or replace function app.found(value text, words text[]) returns boolean
    language sql immutable parallel safe as $$
    select coalesce(bool_and(app.searched(value) like any (app.search_patterns(word))), true)
    from unnest(app.searched_words(words)) as word
$$;
comment on function app.found is 'Whether a text has all words of a search, in lists without an index.';
comment on function app.like_patterns is 'The LIKE patterns of release 0.1.0 for each word of a search.';
grant execute on function app.found, app.searched_words to pipeline_member, pipeline_lookup;
grant select (country) on app.organizations to pipeline_lookup;
create or replace function app.phone_region() returns text
    language sql stable parallel safe as $$
    select coalesce(app.country_region(organization.country), substring(organization.locale from '[-_]([A-Z]{2})$'))
    from app.organizations as organization
    where organization.id = nullif(current_setting('app.organization_id', true), '')::bigint
$$;
comment on function app.phone_region is
    'The region of the current organization''s national phone numbers: its country, else that of its locale.';
grant execute on function app.phone_region to pipeline_member, pipeline_jobs, pipeline_lookup;
"""
SEARCH = r"""
create or replace function app.search_ids(p_kind text, p_words text[], p_tags text[] default null) returns bigint[]
    language plpgsql stable security definer set search_path = app, extensions, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    -- Related tables to search: {table: referring column}.
    v_others jsonb := case p_kind
        when 'contacts' then '{"companies": "company_id"}'
        when 'deals' then '{"companies": "company_id"}'
        when 'quotes' then '{"deals": "deal_id"}'
        when 'contracts' then '{"companies": "company_id", "deals": "deal_id"}'
        else '{}' end;
    v_statement text := format('select array_agg(r.id) from %I r where r.organization_id = %L', p_kind, v_organization);
    v_whole text := array_to_string(p_words, ' ');
    v_patterns text[];
    v_word text;
    v_ids bigint[];
begin
    if p_words <> '{}' then
        v_statement := v_statement || ' and (true';
        foreach v_word in array searched_words(p_words) loop
            v_patterns := search_patterns(v_word);
            v_statement := v_statement || case
                when v_others <> '{}' then format(
                    ' and r.id = any(array('
                    'select o.id from %I o where o.organization_id = %L and o.search_text like any (%L)%s))',
                    p_kind, v_organization, v_patterns,
                    (select string_agg(format(
                        ' union all select o.id from %I o where o.organization_id = %L and o.%I = any(array('
                        'select n.id from %I n where n.organization_id = %L and n.search_text like any (%L)))',
                        p_kind, v_organization, other.value, other.key, v_organization, v_patterns), '')
                     from jsonb_each_text(v_others) as other))
                else format(' and r.search_text like any (%L)', v_patterns) end;
        end loop;
        -- The words may be the parts of one phone number.
        v_statement := v_statement || case
            when p_kind in ('leads', 'contacts', 'companies') and folded(v_whole) ~ '^[+ ]*[0-9]([+ ]*[0-9]){5,}$'
                then format(' or r.search_text like any (%L)', array(
                    select like_pattern(ltrim(key, '+')) from unnest(phone_keys(v_whole, phone_region())) as key))
            else '' end || ')';
    end if;
    if p_tags is not null then
        v_statement := v_statement || format(' and r.tag_text like any (%L)', (
            select array_agg(like_pattern(',' || plain(tag) || ',')) from unnest(p_tags) as tag));
    end if;
    execute v_statement into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.search_ids is
    'The ids of the current organization''s records of a kind that match all words. The words may be in the record''s '
    'own text, or in that of its company or deal. Together they may be its '
    'phone number. p_tags restricts leads to those with one of the tags. The statement is planned with the words for '
    'better estimates.';
"""
TABLES = Path(__file__).with_name("folding_tables.sql").read_text(encoding="utf-8").split("-- Next table.")
TRIGRAMS = "using gin (organization_id, search_text extensions.gin_trgm_ops"
INDEXES = {
    "leads_person": "on app.leads (organization_id, person_key)",
    "leads_phone": "on app.leads (organization_id, phone_key) where phone_key is not null",
    "leads_search_trigrams": f"on app.leads {TRIGRAMS}, tag_text extensions.gin_trgm_ops)",
    "companies_name_key": "on app.companies (organization_id, name_key)",
    "companies_website_domain": "on app.companies (organization_id, website_domain)",
    "companies_similar": "on app.companies using gin (organization_id, name_key extensions.gin_trgm_ops)",
    "companies_search_trigrams": f"on app.companies {TRIGRAMS})",
    "contacts_search_trigrams": f"on app.contacts {TRIGRAMS})",
    "deals_search_trigrams": f"on app.deals {TRIGRAMS})",
    "quotes_search_trigrams": f"on app.quotes {TRIGRAMS})",
    "contracts_search_trigrams": f"on app.contracts {TRIGRAMS})",
    "interview_invites_search_trigrams": f"on app.interview_invites {TRIGRAMS})",
}


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(FUNCTIONS)
    migrations.owned(LISTS)
    migrations.lookups(SEARCH)
    with op.get_context().autocommit_block():
        for statements in TABLES:
            migrations.installer(f"begin; set local role pipeline_owner; {statements}; commit")
    for name, definition in INDEXES.items():
        migrations.index(name, definition)
