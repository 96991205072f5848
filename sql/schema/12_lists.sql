-- What all lists rest on: how many records there are, what they are sorted and found by.
--
-- Totals: triggers append to record_count_deltas, the worker folds, and no creation waits for another (a counter row
-- would make every insert wait for a running import). Where a list is filtered by columns of few values (a status, an
-- owner), the records of each combination of these are counted too: no total counts a million rows. Orders by the name of what a record refers to (a contact's
-- company, a quote's deal) read a key that the record keeps: an index cannot span two tables. Searches read a column
-- search_text, for frequent words beside the order of time (…_created), and its trigrams; LIKE is not leakproof and could not use the index under row-level security, so
-- app.search_ids sees past it and names the organization itself.

set local role pipeline_owner;

-- The triggers alone write here, and the worker that folds.
create table app.record_count_deltas (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null,
    delta bigint not null,
    facets jsonb not null default '[]',
    primary key (organization_id, id)
);
comment on table app.record_count_deltas is
    'Changes of the number of records; their sum by kind is how many records of the kind an organization has.';
comment on column app.record_count_deltas.kind is 'The table whose records are counted.';
comment on column app.record_count_deltas.delta is 'How many came, or went if negative.';
comment on column app.record_count_deltas.facets is
    'The same for each combination of the columns that lists are filtered by: [{"status": "new", "n": 3}].';

call app.isolate('app.record_count_deltas', 'pipeline_member', 'pipeline_jobs');

grant select on app.record_count_deltas to pipeline_member;
grant select, insert (organization_id, kind, delta, facets), delete on app.record_count_deltas to pipeline_jobs;
grant insert (organization_id, kind, delta, facets) on app.record_count_deltas to pipeline_lookup;

create procedure app.count_records(p_table regclass, variadic p_facets text[] default '{}')
    language plpgsql as $procedure$
declare
    v_kind text := (select relname from pg_class where oid = p_table);
    v_columns text := (select coalesce(string_agg(format('%I, ', name), ''), '') from unnest(p_facets) as name);
    v_members text := (select coalesce(string_agg(format('%L, %I, ', name, name), ''), '') from unnest(p_facets) as name);
    -- By what is counted, for app.recount; the function has it written out.
    v_arguments text := (select string_agg(quote_literal(name), ', ') from unnest(p_facets) as name);
    -- What nearly every insert is: one row. Adding up would cost more than all else that is kept of it.
    v_one text := format($insert$
        insert into app.record_count_deltas (organization_id, kind, delta, facets)
        select organization_id, %L, 1, jsonb_build_array(jsonb_build_object(%s'n', 1)) from added;$insert$,
        v_kind, v_members);
    v_added text := format('select organization_id, %s1 as n from added', v_columns);
    v_gone text := format('select organization_id, %s-1 as n from gone', v_columns);
    v_insert text := format($insert$
        insert into app.record_count_deltas (organization_id, kind, delta, facets)
        select organization_id, %L, sum(n), jsonb_agg(jsonb_build_object(%s'n', n))
        from (
            select organization_id, %ssum(n) as n
            from (%%s) as moved
            group by %sorganization_id
            having sum(n) <> 0
        ) as counted
        group by organization_id;$insert$, v_kind, v_members, v_columns, v_columns);
begin
    set local role pipeline_lookup;
    execute format($function$
create or replace function app.%I() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $body$
begin
    if tg_op = 'INSERT' then
        if (select count(*) from added) = 1 then%s
        else%s
        end if;
    elsif tg_op = 'DELETE' then%s
    else%s
    end if;
    return null;
end
$body$$function$, v_kind || '_counted', v_one, format(v_insert, v_added), format(v_insert, v_gone),
        format(v_insert, v_added || ' union all ' || v_gone));
    execute format('comment on function app.%I is %L', v_kind || '_counted',
        format('Trigger: counts %s, as changes that add up; made by app.count_records.', v_kind));
    execute format('grant execute on function app.%I to pipeline_owner', v_kind || '_counted');

    set local role pipeline_owner;
    execute format('create or replace trigger count_inserted after insert on %s referencing new table as added '
                   'for each statement execute function app.%I(%s)', p_table, v_kind || '_counted', v_arguments);
    execute format('create or replace trigger count_deleted after delete on %s referencing old table as gone '
                   'for each statement execute function app.%I()', p_table, v_kind || '_counted');
    if cardinality(p_facets) > 0 then
        execute format('create or replace trigger count_updated after update on %s '
                       'referencing old table as gone new table as added '
                       'for each statement execute function app.%I()', p_table, v_kind || '_counted');
    end if;
end
$procedure$;
comment on procedure app.count_records is
    'Have the records of a table counted, also for each combination of some columns: those of few values that its list '
    'is filtered by.';

create procedure app.recount(p_table regclass) language plpgsql as $procedure$
declare
    v_kind text := (select relname from pg_class where oid = p_table);
    v_columns text := (
        select coalesce(string_agg(format('%I, ', name), ''), '')
        from pg_trigger
        cross join regexp_split_to_table(encode(tgargs, 'escape'), '\\000') as name
        where tgrelid = p_table and tgname = 'count_inserted' and name <> '');
begin
    delete from app.record_count_deltas where kind = v_kind;
    execute format($insert$
        insert into app.record_count_deltas (organization_id, kind, delta, facets)
        select organization_id, %L, sum(n), jsonb_agg(to_jsonb(counted) - 'organization_id')
        from (select organization_id, %scount(*) as n from %s group by %sorganization_id) as counted
        group by organization_id$insert$, v_kind, v_columns, p_table, v_columns);
end
$procedure$;
comment on procedure app.recount is
    'Count the records of a table anew, for all organizations; needed where rows came without triggers. While it runs '
    'nobody may write there.';

create procedure app.search_records(p_table regclass, p_by_change boolean default true) language plpgsql as $procedure$
declare
    v_name text := (select relname from pg_class where oid = p_table);
begin
    -- The order by time. Frequent words are looked for here, too: less is read than of the table.
    execute format('create index %I on %s (organization_id, created_at, id) include (search_text)',
                   v_name || '_created', p_table);
    -- Searches for words of three letters and more (app.search_ids).
    execute format('create index %I on %s using gin (organization_id, search_text extensions.gin_trgm_ops)',
                   v_name || '_search_trigrams', p_table);
    execute format('grant select (organization_id, id, search_text) on %s to pipeline_lookup', p_table);
    -- How frequent a word is, and how much has changed lately, is estimated from the values that the statistics keep.
    execute format('alter table %s alter column search_text set statistics 500', p_table);
    if p_by_change then
        -- The order by last change, and what has changed since a time.
        execute format('create index %I on %s (organization_id, updated_at, id)', v_name || '_updated', p_table);
        execute format('alter table %s alter column updated_at set statistics 500', p_table);
    end if;
end
$procedure$;
comment on procedure app.search_records is
    'Have the records of a table found by their search_text, and read in the order of time: indexes …_created, '
    '…_search_trigrams and, unless the last change stands elsewhere, …_updated.';

-- Contacts, deals, quotes, configurations, contracts and invites have the trigger file.
-- It names its table, which where tables are distributed has another name on each shard.
create function app.record_filed() returns trigger language plpgsql as $$
declare
    v_company text;
    v_deal text;
    v_currency text;
begin
    if tg_argv[0] in ('contacts', 'deals', 'contracts') then
        select c.name into v_company from app.companies c
        where c.organization_id = new.organization_id and c.id = new.company_id;
        new.company_key := app.sort_key(v_company);
    end if;
    if tg_argv[0] in ('quotes', 'configurations', 'contracts') then
        select d.title, d.currency into v_deal, v_currency from app.deals d
        where d.organization_id = new.organization_id and d.id = new.deal_id;
        new.deal_key := coalesce(app.sort_key(v_deal), case when tg_argv[0] <> 'contracts' then '' end);
    end if;
    if tg_argv[0] = 'contacts' then
        new.search_text := app.index_text(app.plain(
            concat_ws(E'\n', concat_ws(' ', new.first_name, new.last_name), new.email, v_company)));
    elsif tg_argv[0] = 'deals' then
        new.search_text := app.index_text(app.plain(concat_ws(E'\n', new.title, v_company)));
        if new.currency is null then
            select o.currency into new.currency from app.organizations o where o.id = new.organization_id;
        end if;
    elsif tg_argv[0] = 'quotes' then
        new.search_text := app.index_text(app.plain(concat_ws(E'\n', new.quote_number, v_deal)));
        new.currency := coalesce(new.currency, v_currency, 'USD');
    elsif tg_argv[0] = 'contracts' then
        new.search_text := app.index_text(app.plain(
            concat_ws(E'\n', new.contract_number, new.name, v_company, v_deal)));
    elsif tg_argv[0] = 'interview_invites' then
        new.name_key := app.sort_key(new.recipient_name);
        new.email_key := app.email_key(new.recipient_email);
        new.search_text := app.index_text(app.plain(
            coalesce(new.recipient_name, '') || E'\n' || coalesce(new.recipient_email, '')));
    end if;
    return new;
end
$$;
comment on function app.record_filed is
    'Trigger: what a record is sorted and found by, also the names of its company and deal, which are not its own; and '
    'the currency of a deal or quote that is given none.';

-- Companies and deals have the trigger refile: it names the column that refers to them, and in which tables it stands.
create function app.records_refiled() returns trigger language plpgsql as $$
declare
    v_table text;
begin
    foreach v_table in array tg_argv[1:] loop
        execute format('update app.%1$I set %2$I = %2$I where organization_id = $1 and %2$I = $2', v_table, tg_argv[0])
            using new.organization_id, new.id;
    end loop;
    return null;
end
$$;
comment on function app.records_refiled is 'Files anew what shows the name of a company or deal that has another one.';

set local role pipeline_lookup;

create function app.search_statement(p_kind text, p_patterns text[], p_alternatives text[], p_tags text[]) returns text
    language sql stable
return (
    select format('select r.id from app.%I r where r.organization_id = %L', p_kind,
                  nullif(current_setting('app.organization_id', true), ''))
        || coalesce(string_agg(
            case when word.alternative is distinct from word.pattern
                 then format(' and (r.search_text like %L or r.search_text like %L)', word.pattern, word.alternative)
                 else format(' and r.search_text like %L', word.pattern) end, ''), '')
        || coalesce(
            (select format(' and (%s)', string_agg(format('r.tag_text like %L', tag), ' or ')) from unnest(p_tags) as tag
             having count(*) > 0), '')
    from unnest(p_patterns, coalesce(p_alternatives, p_patterns)) as word (pattern, alternative)
);
comment on function app.search_statement is
    'The search of app.search_ids as text, so that it is planned with its values.';

create function app.search_ids(
    p_kind text, p_patterns text[], p_alternatives text[] default null, p_tags text[] default null
) returns bigint[]
    language plpgsql stable security definer set search_path = app, extensions, pg_temp as $$
declare
    v_statement text := app.search_statement(p_kind, p_patterns, p_alternatives, p_tags);
    v_ids bigint[];
begin
    -- Without three letters in a row in any word the trigram index would be read as a whole.
    if not exists (select from unnest(p_patterns) as pattern where pattern ~ '[[:alnum:]]{3}')
        and (select bool_and(tag ~ '[[:alnum:]]{3}') from unnest(p_tags) as tag) is not true
    then
        v_statement := replace(replace(v_statement,
            'r.search_text like', 'r.search_text || '''' like'), 'r.tag_text like', 'r.tag_text || '''' like');
    end if;
    execute 'select array_agg(id) from (' || v_statement || ') as found' into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.search_ids is
    'The current organization''s records of a kind (a table with search_text) that are LIKE every pattern or its '
    'alternative, and leads with one of some tags. A definer function, because LIKE is not leakproof and could not use its '
    'index under row-level security.';

create function app.search_estimate(
    p_kind text, p_patterns text[], p_alternatives text[] default null, p_tags text[] default null
) returns bigint
    language plpgsql volatile security definer set search_path = app, extensions, pg_temp as $$
declare
    v_plan json;
begin
    execute 'explain (format json) ' || app.search_statement(p_kind, p_patterns, p_alternatives, p_tags) into v_plan;
    return v_plan #>> '{0,Plan,Plan Rows}';
end
$$;
comment on function app.search_estimate is
    'How many records app.search_ids would find, by the planner''s statistics; nothing is read.';

grant execute on function app.search_statement to pipeline_lookup;
grant execute on function app.search_ids, app.search_estimate to pipeline_member;
