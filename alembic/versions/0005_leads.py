"""Leads, and what keeps their list fast.

Each sort of the list has an index that ends with id, so pages never overlap. Nulls stand last in both
directions, which a backward scan cannot give: nullable keys have a second, descending index.

The number of all leads of an organization is the sum of lead_count_deltas: triggers append, the worker folds.
A counter row instead would make every insert wait for a running import.
"""

from pipeline.database.migrations import lookups, owned, tenant_table

revision = "0005"
down_revision = "0004"

LEADS = r"""
    first_name text not null check (length(first_name) between 1 and 255),
    last_name text check (length(last_name) <= 255),
    email text check (length(email) <= 255),
    phone text check (length(phone) <= 80),
    company text check (length(company) <= 255),
    job_title text check (length(job_title) <= 255),
    source text not null default 'manual' check (length(source) between 1 and 80),
    status text not null default 'new' check (status in ('new', 'contacted', 'qualified', 'disqualified')),
    notes text, tags text,
    assigned_to bigint, contact_id bigint, company_id bigint, deal_id bigint,
    disqualify_reason text, qualified_at timestamptz, disqualified_at timestamptz,
    name text not null generated always as (trim(first_name || ' ' || coalesce(last_name, ''))) stored,
    name_key text collate "C" not null
        generated always as (app.sort_key(trim(first_name || ' ' || coalesce(last_name, '')))) stored,
    email_key text collate "C" generated always as (lower(email)) stored,
    company_key text collate "C" generated always as (app.sort_key(company)) stored,
    source_key text collate "C" not null generated always as (app.sort_key(source)) stored,
    phone_digits text collate "C" generated always as (regexp_replace(phone, '\D', '', 'g')) stored,
    -- One line for each field, so that a word cannot reach from one into the next; cut to what an index
    -- entry holds.
    search_text text collate "C" not null generated always as (left(app.plain(
        first_name || ' ' || coalesce(last_name, '') || E'\n' || coalesce(email, '') || E'\n'
        || coalesce(company, '') || E'\n' || coalesce(job_title, '') || E'\n'
        || coalesce(regexp_replace(phone, '\D', '', 'g'), '')), 600)
    ) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals
"""

INDEXES = """
create index leads_name on app.leads (organization_id, name_key, id);
create index leads_email on app.leads (organization_id, email_key, id);
create index leads_email_desc on app.leads (organization_id, email_key desc nulls last, id desc);
create index leads_company_name on app.leads (organization_id, company_key, id);
create index leads_company_name_desc on app.leads (organization_id, company_key desc nulls last, id desc);
create index leads_status on app.leads (organization_id, status, id);
create index leads_source on app.leads (organization_id, source_key, id);
create index leads_assigned_to on app.leads (organization_id, assigned_to, id);
create index leads_created on app.leads (organization_id, created_at, id);
-- Totals of filtered lists are counted over this one, without touching the table.
create index leads_totals on app.leads (organization_id, status, source, assigned_to, created_at);
-- Search for short or frequent words reads this one; rare words go through app.lead_search_ids.
create index leads_search on app.leads (organization_id, id)
    include (search_text, status, assigned_to, created_at);
-- How frequent a word is, is estimated from the values that the statistics keep.
alter table app.leads alter column search_text set statistics 500;
create index leads_search_trigrams on app.leads using gin (organization_id, search_text
    extensions.gin_trgm_ops);
create index leads_contact on app.leads (organization_id, contact_id) where contact_id is not null;
create index leads_company on app.leads (organization_id, company_id) where company_id is not null;
create index leads_deal on app.leads (organization_id, deal_id) where deal_id is not null;

create policy member on app.leads to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.leads to pipeline_member, pipeline_jobs;
grant select (organization_id, id, search_text) on app.leads to pipeline_lookup;
grant
    insert (organization_id, first_name, last_name, email, phone, company, job_title, source, status,
        notes, tags, assigned_to, contact_id, company_id, deal_id, disqualify_reason, qualified_at,
        disqualified_at),
    update (first_name, last_name, email, phone, company, job_title, source, status, notes, tags,
        assigned_to, contact_id, company_id, deal_id, disqualify_reason, qualified_at, disqualified_at),
        delete
    on app.leads to pipeline_member;
"""

DELTAS = """
    delta bigint not null
"""

COUNTING = """
create policy member on app.lead_count_deltas to pipeline_member, pipeline_jobs
    using (true) with check (true);
create policy public_form on app.lead_count_deltas for insert to pipeline_public with check (true);
grant select, insert (organization_id, delta) on app.lead_count_deltas to pipeline_member, pipeline_jobs;
grant delete on app.lead_count_deltas to pipeline_jobs;
grant insert (organization_id, delta) on app.lead_count_deltas to pipeline_public;

create function app.leads_counted() returns trigger language plpgsql as $$
begin
    insert into app.lead_count_deltas (organization_id, delta)
        select organization_id, case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed group by organization_id;
    return null;
end
$$;
create trigger count_inserted after insert on app.leads
    referencing new table as changed for each statement execute function app.leads_counted();
create trigger count_deleted after delete on app.leads
    referencing old table as changed for each statement execute function app.leads_counted();
"""

LOOKUPS = r"""
create function app.like_pattern(word text) returns text
    language sql immutable parallel safe
    return '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
comment on function app.like_pattern is 'The LIKE pattern of whatever contains the word, % and _ taken literally.';

create function app.lead_search_statement(p_patterns text[], p_alternatives text[]) returns text
    language sql stable
    return format('select l.id from app.leads l where l.organization_id = %L',
                  nullif(current_setting('app.organization_id', true), ''))
        || (select string_agg(
                -- One condition for each word: only then can each of them use the trigram index.
                case when word.alternative is distinct from word.pattern
                     then format(' and (l.search_text like %L or l.search_text like %L)',
                                 word.pattern, word.alternative)
                     else format(' and l.search_text like %L', word.pattern) end, '')
            from unnest(p_patterns, coalesce(p_alternatives, p_patterns)) as word (pattern, alternative));
comment on function app.lead_search_statement is
    'The search of lead_search_ids as text, so that it is planned with its values.';

create function app.lead_search_ids(p_patterns text[], p_alternatives text[] default null) returns bigint[]
    language plpgsql stable security definer set search_path = app, extensions, pg_temp as $$
declare
    v_statement text := app.lead_search_statement(p_patterns, p_alternatives);
    v_ids bigint[];
begin
    -- Without three letters in a row in any word the trigram index would be read as a whole.
    if not exists (select from unnest(p_patterns) as pattern where pattern ~ '[[:alnum:]]{3}') then
        v_statement := replace(v_statement, 'l.search_text like', 'l.search_text || '''' like');
    end if;
    execute 'select array_agg(id) from (' || v_statement || ') as found' into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.lead_search_ids is
    'The current organization''s leads whose search_text is LIKE every pattern or its alternative. A definer function, '
    'because LIKE is not leakproof and could not use its index under row-level security.';

create function app.lead_search_estimate(p_patterns text[], p_alternatives text[]) returns bigint
    language plpgsql volatile security definer set search_path = app, extensions, pg_temp as $$
declare
    v_plan json;
begin
    execute 'explain (format json) ' || app.lead_search_statement(p_patterns, p_alternatives) into v_plan;
    return v_plan #>> '{0,Plan,Plan Rows}';
end
$$;
comment on function app.lead_search_estimate is
    'About how many leads lead_search_ids would find, by the planner''s statistics; nothing is read.';

grant execute on function app.like_pattern to pipeline_member, pipeline_lookup;
grant execute on function app.lead_search_statement to pipeline_lookup;
grant execute on function app.lead_search_ids, app.lead_search_estimate to pipeline_member;
"""


def upgrade():
    """Apply the revision."""
    tenant_table("leads", LEADS)
    owned(INDEXES)
    tenant_table("lead_count_deltas", DELTAS)
    owned(COUNTING)
    lookups(LOOKUPS)
