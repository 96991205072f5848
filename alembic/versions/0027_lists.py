"""Every list flat at a million rows: orders, searches and totals that rest on an index.

Totals: what leads had (0005) counts every kind of record now. Triggers append to record_count_deltas, the worker folds,
and no creation waits for another, as those of contracts did for their counter.

Orders by the name of what a record refers to (a contact's company, a quote's deal) read a key that the record keeps, as
contracts do (0015): an index cannot span two tables. Where a name is shared by many records and seldom sorted by (a
deal's stage and owner, a configuration's definition), the statement goes through the few names instead.

Searches: one function for all kinds, app.search_ids, over a column search_text and its trigrams. LIKE is not leakproof
and could not use the index under row-level security; the function's owner sees past it and names the organization.
"""

from pipeline.database.migrations import lookups, owned, tenant_table

revision = "0027"
down_revision = "0026"

COUNTED = ("leads", "contracts", "companies", "contacts", "deals", "quotes", "configurations", "interview_invites")
REFILED = ("contacts", "deals", "quotes", "configurations")
SEARCHED = ("leads", "contracts", "companies", "contacts", "deals", "quotes", "interview_invites")

COUNTING = """
create policy member on app.record_count_deltas to pipeline_member, pipeline_jobs using (true) with check (true);
create policy public_form on app.record_count_deltas for insert to pipeline_public with check (true);
grant select, insert (organization_id, kind, delta) on app.record_count_deltas to pipeline_member, pipeline_jobs;
grant delete on app.record_count_deltas to pipeline_jobs;
grant insert (organization_id, kind, delta) on app.record_count_deltas to pipeline_public;

create function app.records_counted() returns trigger language plpgsql as $$
begin
    insert into app.record_count_deltas (organization_id, kind, delta)
        select organization_id, tg_table_name, case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed group by organization_id;
    return null;
end
$$;
comment on function app.records_counted() is
    'Keeps the number of an organization''s records of a kind, the table''s name, as changes that add up.';

drop trigger count_inserted on app.leads;
drop trigger count_deleted on app.leads;
drop function app.leads_counted();
drop table app.lead_count_deltas;
drop trigger count_inserted on app.contracts;
drop trigger count_deleted on app.contracts;
drop function app.contracts_counted();
drop table app.contract_counts;
"""

COLUMNS = r"""
alter table app.companies
    add column city_key text collate "C" generated always as (app.sort_key(city)) stored,
    add column country_key text collate "C" generated always as (app.sort_key(country)) stored,
    add column search_text text collate "C" not null generated always as (left(app.plain(
        name || E'\n' || coalesce(legal_name, '') || E'\n' || coalesce(app.website_domain(website), '')), 1000)) stored;
alter table app.contacts
    add column company_key text collate "C",
    add column search_text text collate "C" not null default '';
alter table app.deals
    add column company_key text collate "C",
    add column search_text text collate "C" not null default '';
alter table app.quotes
    add column deal_key text collate "C" not null default '',
    add column search_text text collate "C" not null default '';
alter table app.configurations
    add column deal_key text collate "C" not null default '';
alter table app.interview_invites
    add column name_key text collate "C" generated always as (app.sort_key(recipient_name)) stored,
    add column email_key text collate "C" generated always as (lower(recipient_email)) stored,
    add column search_text text collate "C" not null generated always as (left(app.plain(
        coalesce(recipient_name, '') || E'\n' || coalesce(recipient_email, '')), 1000)) stored;
alter table app.interview_templates
    add column name_key text collate "C" not null generated always as (app.sort_key(name)) stored;
alter table app.contract_templates
    add column name_key text collate "C" not null generated always as (app.sort_key(name)) stored;
-- The tags of a lead, each between commas.
alter table app.leads
    add column tag_text text collate "C" generated always as (
        ',' || regexp_replace(app.plain(tags), '\s*[,;]\s*', ',', 'g') || ',') stored;
"""

FILING = """
create function app.record_filed() returns trigger language plpgsql as $$
declare
    v_name text;
begin
    if tg_table_name in ('contacts', 'deals') then
        select c.name into v_name from app.companies c
        where c.organization_id = new.organization_id and c.id = new.company_id;
        new.company_key := app.sort_key(v_name);
    else
        select d.title into v_name from app.deals d
        where d.organization_id = new.organization_id and d.id = new.deal_id;
        new.deal_key := coalesce(app.sort_key(v_name), '');
    end if;
    if tg_table_name = 'contacts' then
        new.search_text := app.plain(
            concat_ws(E'\\n', concat_ws(' ', new.first_name, new.last_name), new.email, v_name));
    elsif tg_table_name = 'deals' then
        new.search_text := app.plain(concat_ws(E'\\n', new.title, v_name));
    elsif tg_table_name = 'quotes' then
        new.search_text := app.plain(concat_ws(E'\\n', new.quote_number, v_name));
    end if;
    return new;
end
$$;
comment on function app.record_filed() is
    'What a record is sorted and found by beside its own columns: the name of its company or deal.';
create trigger file before insert or update of first_name, last_name, email, company_id on app.contacts
    for each row execute function app.record_filed();
create trigger file before insert or update of title, company_id on app.deals
    for each row execute function app.record_filed();
create trigger file before insert or update of quote_number, deal_id on app.quotes
    for each row execute function app.record_filed();
create trigger file before insert or update of deal_id on app.configurations
    for each row execute function app.record_filed();

drop trigger refile on app.companies;
drop trigger refile on app.deals;
drop function app.contracts_refiled();
create function app.records_refiled() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'companies' then
        update app.contracts set company_id = company_id
        where organization_id = new.organization_id and company_id = new.id;
        update app.contacts set company_id = company_id
        where organization_id = new.organization_id and company_id = new.id;
        update app.deals set company_id = company_id
        where organization_id = new.organization_id and company_id = new.id;
    else
        update app.contracts set deal_id = deal_id
        where organization_id = new.organization_id and deal_id = new.id;
        update app.quotes set deal_id = deal_id
        where organization_id = new.organization_id and deal_id = new.id;
        update app.configurations set deal_id = deal_id
        where organization_id = new.organization_id and deal_id = new.id;
    end if;
    return null;
end
$$;
comment on function app.records_refiled() is
    'Files anew what shows the name of a company or deal that has another one.';
create trigger refile after update of name on app.companies for each row
    when (old.name is distinct from new.name) execute function app.records_refiled();
create trigger refile after update of title on app.deals for each row
    when (old.title is distinct from new.title) execute function app.records_refiled();
"""

INDEXES = """
create index companies_city on app.companies (organization_id, city_key, id);
create index companies_city_desc on app.companies (organization_id, city_key desc nulls last, id desc);
create index companies_country on app.companies (organization_id, country_key, id);
create index companies_country_desc on app.companies (organization_id, country_key desc nulls last, id desc);
create index companies_updated on app.companies (organization_id, updated_at, id);

drop index app.contacts_email;
create index contacts_email on app.contacts (organization_id, email_key, id);
create index contacts_email_desc on app.contacts (organization_id, email_key desc nulls last, id desc);
create index contacts_company_name on app.contacts (organization_id, company_key, id);
create index contacts_company_name_desc on app.contacts (organization_id, company_key desc nulls last, id desc);
create index contacts_updated on app.contacts (organization_id, updated_at, id);

drop index app.deals_stage;
create index deals_stage on app.deals (organization_id, stage_id, id);
drop index app.deals_owner;
create index deals_owner on app.deals (organization_id, owner_id, id);
create index deals_value on app.deals (organization_id, value_minor, id);
create index deals_closing_desc on app.deals (organization_id, expected_close_date desc nulls last, id desc);
create index deals_company_name on app.deals (organization_id, company_key, id);
create index deals_company_name_desc on app.deals (organization_id, company_key desc nulls last, id desc);
create index deals_updated on app.deals (organization_id, updated_at, id);

create index quotes_deal_title on app.quotes (organization_id, deal_key, id);
create index quotes_date on app.quotes (organization_id, quote_date, id);
create index quotes_date_desc on app.quotes (organization_id, quote_date desc nulls last, id desc);
create index quotes_valid on app.quotes (organization_id, valid_until, id);
create index quotes_valid_desc on app.quotes (organization_id, valid_until desc nulls last, id desc);
create index quotes_updated on app.quotes (organization_id, updated_at, id);

drop index app.configurations_definition;
create index configurations_definition on app.configurations (organization_id, definition_id, id);
create index configurations_deal_title on app.configurations (organization_id, deal_key, id);
create index configurations_status on app.configurations (organization_id, status, id);

create index interview_invites_created on app.interview_invites (organization_id, created_at, id);
create index interview_invites_updated on app.interview_invites (organization_id, updated_at, id);
create index interview_invites_expires on app.interview_invites (organization_id, expires_at, id);
create index interview_invites_status on app.interview_invites (organization_id, status, expires_at);
create index interview_invites_name on app.interview_invites (organization_id, name_key, id);
create index interview_invites_name_desc on app.interview_invites (organization_id, name_key desc nulls last, id desc);
create index interview_invites_email on app.interview_invites (organization_id, email_key, id);
create index interview_invites_email_desc on app.interview_invites
    (organization_id, email_key desc nulls last, id desc);

create index interview_templates_name on app.interview_templates (organization_id, name_key, id)
    where deleted_at is null;
create index interview_templates_created on app.interview_templates (organization_id, created_at, id)
    where deleted_at is null;
create index interview_templates_updated on app.interview_templates (organization_id, updated_at, id)
    where deleted_at is null;
create index contract_templates_name on app.contract_templates (organization_id, name_key, id) where deleted_at is null;
create index contract_templates_created on app.contract_templates (organization_id, created_at, id)
    where deleted_at is null;
create index contract_templates_updated on app.contract_templates (organization_id, updated_at, id)
    where deleted_at is null;

create index leads_updated on app.leads (organization_id, updated_at, id);
create index contracts_updated on app.contracts (organization_id, updated_at, id);

drop index app.leads_search_trigrams;
create index leads_search_trigrams on app.leads
    using gin (organization_id, search_text extensions.gin_trgm_ops, tag_text extensions.gin_trgm_ops);
""" + "\n".join(
    f"create index {kind}_search_trigrams on app.{kind}\n"
    f"    using gin (organization_id, search_text extensions.gin_trgm_ops);\n"
    f"alter table app.{kind} alter column search_text set statistics 500;"
    for kind in SEARCHED
    if kind != "leads"
)

GRANTS = (
    "\n".join(f"grant select (organization_id, id, search_text) on app.{kind} to pipeline_lookup;" for kind in SEARCHED)
    + "\ngrant select (tag_text) on app.leads to pipeline_lookup;"
)

SEARCHING = """
drop function app.lead_search_ids(text[], text[]);
drop function app.lead_search_estimate(text[], text[]);
drop function app.lead_search_statement(text[], text[]);

create function app.search_statement(p_kind text, p_patterns text[], p_alternatives text[], p_tag text) returns text
    language sql stable
return (
    select format('select r.id from app.%I r where r.organization_id = %L', p_kind,
                  nullif(current_setting('app.organization_id', true), ''))
        || coalesce(string_agg(
            case when word.alternative is distinct from word.pattern
                 then format(' and (r.search_text like %L or r.search_text like %L)', word.pattern, word.alternative)
                 else format(' and r.search_text like %L', word.pattern) end, ''), '')
        || case when p_tag is null then '' else format(' and r.tag_text like %L', p_tag) end
    from unnest(p_patterns, coalesce(p_alternatives, p_patterns)) as word (pattern, alternative)
);
comment on function app.search_statement is
    'The search of app.search_ids as text, so that it is planned with its values.';

create function app.search_ids(
    p_kind text, p_patterns text[], p_alternatives text[] default null, p_tag text default null
) returns bigint[]
    language plpgsql stable security definer set search_path = app, extensions, pg_temp as $$
declare
    v_statement text := app.search_statement(p_kind, p_patterns, p_alternatives, p_tag);
    v_ids bigint[];
begin
    -- Without three letters in a row in any word the trigram index would be read as a whole.
    if not exists (select from unnest(p_patterns || p_tag) as pattern where pattern ~ '[[:alnum:]]{3}') then
        v_statement := replace(replace(v_statement,
            'r.search_text like', 'r.search_text || '''' like'), 'r.tag_text like', 'r.tag_text || '''' like');
    end if;
    execute 'select array_agg(id) from (' || v_statement || ') as found' into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.search_ids is
    'The current organization''s records of a kind (a table with search_text) that are LIKE every pattern or its '
    'alternative, and leads with a tag. A definer function, because LIKE is not leakproof and could not use its index '
    'under row-level security.';

create function app.search_is_rare(
    p_kind text, p_patterns text[], p_alternatives text[] default null, p_tag text default null
) returns boolean
    language plpgsql volatile security definer set search_path = app, extensions, pg_temp as $$
declare
    v_plan json;
begin
    execute 'explain (format json) ' || app.search_statement(p_kind, p_patterns, p_alternatives, p_tag) into v_plan;
    -- More hits than this are found faster by reading the records in the order of the list.
    return cast(v_plan #>> '{0,Plan,Plan Rows}' as bigint) < 20000;
end
$$;
comment on function app.search_is_rare is
    'Whether app.search_ids would find few records, by the planner''s statistics; nothing is read.';

revoke all on function app.search_statement, app.search_ids, app.search_is_rare from public;
grant execute on function app.search_statement to pipeline_lookup;
grant execute on function app.search_ids, app.search_is_rare to pipeline_member;
"""


def upgrade():
    """Apply the revision."""
    tenant_table("record_count_deltas", "kind text not null,\n    delta bigint not null")
    owned(COUNTING)
    for table in COUNTED:
        owned(f"""
create trigger count_inserted after insert on app.{table}
    referencing new table as changed for each statement execute function app.records_counted();
create trigger count_deleted after delete on app.{table}
    referencing old table as changed for each statement execute function app.records_counted();""")
    owned(COLUMNS)
    owned(FILING)
    _fill()
    owned(INDEXES)
    owned(GRANTS)
    lookups(SEARCHING)


def _fill():
    """Count and file what is there: as the owner, whom row-level security binds unless it is lifted for the moment."""
    touched = {*COUNTED, *REFILED, "record_count_deltas"}
    lifted = "\n".join(f"alter table app.{table} no force row level security;" for table in sorted(touched))
    counts = "\n".join(
        f"insert into app.record_count_deltas (organization_id, kind, delta)"
        f" select organization_id, '{table}', count(*) from app.{table} group by organization_id;"
        for table in COUNTED
    )
    filed = "\n".join(
        f"alter table app.{table} disable trigger touch;\n"
        f"update app.{table} set {column} = {column};\n"
        f"alter table app.{table} enable trigger touch;"
        for table, column in zip(REFILED, ("company_id", "company_id", "deal_id", "deal_id"), strict=True)
    )
    forced = lifted.replace(" no force ", " force ")
    owned(f"{lifted}\n{counts}\n{filed}\n{forced}")
