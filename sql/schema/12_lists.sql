-- Record counts and search. Triggers insert into record_count_deltas and the worker sums it up; updates of a counter
-- row would wait for an import. LIKE is not leakproof, so under row-level security it cannot use the trigram index on
-- search_text. app.search_ids therefore is a definer function and compares the organization itself.

set local role pipeline_owner;

create table app.record_count_deltas (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null,
    delta bigint not null,
    primary key (organization_id, id)
);
comment on table app.record_count_deltas is
    'Changes of the number of records. Their sum by kind is the number of an organization''s records.';
comment on column app.record_count_deltas.kind is 'The table of the counted records.';
comment on column app.record_count_deltas.delta is 'The number of added records; negative for deleted ones.';

call app.isolate('app.record_count_deltas', 'pipeline_member', 'pipeline_jobs');

grant select on app.record_count_deltas to pipeline_member;
grant select, insert (organization_id, kind, delta), delete on app.record_count_deltas to pipeline_jobs;
grant select (organization_id, kind, delta), insert (organization_id, kind, delta)
    on app.record_count_deltas to pipeline_lookup;

set local role pipeline_lookup;

create function app.records_counted() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    insert into app.record_count_deltas (organization_id, kind, delta)
    select organization_id, tg_argv[0], case tg_op when 'INSERT' then count(*) else -count(*) end
    from changed
    group by organization_id;
    return null;
end
$$;
comment on function app.records_counted is
    'Trigger (table): counts the records that a statement inserts or deletes. This also checks the foreign key to '
    'organizations, once for each statement.';
grant execute on function app.records_counted to pipeline_owner;

set local role pipeline_owner;

create procedure app.count_records(p_table regclass) language plpgsql as $procedure$
declare
    v_counted text := format('for each statement execute function app.records_counted(%L)',
                             (select relname from pg_class where oid = p_table));
begin
    execute format('create trigger count_inserted after insert on %s referencing new table as changed %s',
                   p_table, v_counted);
    execute format('create trigger count_deleted after delete on %s referencing old table as changed %s',
                   p_table, v_counted);
end
$procedure$;
comment on procedure app.count_records is 'Counts the records of a table (app.records_counted).';

create procedure app.recount(p_table regclass) language plpgsql as $procedure$
declare
    v_kind text := (select relname from pg_class where oid = p_table);
begin
    delete from app.record_count_deltas where kind = v_kind;
    execute format('insert into app.record_count_deltas (organization_id, kind, delta) '
                   'select organization_id, %L, count(*) from %s group by organization_id', v_kind, p_table);
end
$procedure$;
comment on procedure app.recount is
    'Counts the records of a table anew for all organizations, after rows were loaded without triggers. It blocks '
    'writes meanwhile.';

set local role pipeline_lookup;

create function app.tables_to_analyze() returns setof text
    language sql stable security definer set search_path = app, pg_temp as $$
    select distinct counted.kind
    from (
        select kind, organization_id, sum(delta) as records from record_count_deltas group by kind, organization_id
    ) as counted
    join pg_class as relation on relation.oid = to_regclass('app.' || counted.kind)
    join pg_stats as known
        on known.schemaname = 'app' and known.tablename = counted.kind and known.attname = 'organization_id'
    -- Fewer may be missing in the sample of 30,000 rows again.
    where counted.records >= greatest(1000, relation.reltuples / 10000)
        and known.n_distinct = cardinality(known.most_common_freqs)
        and counted.organization_id <> all (cast(cast(known.most_common_vals as text) as bigint[]))
$$;
comment on function app.tables_to_analyze is
    'The tables of records whose statistics list every organization, but not one with many records. PostgreSQL plans '
    'for one record of that one, and may read all of them by an index that does not fit.';
revoke execute on function app.tables_to_analyze from public;
grant execute on function app.tables_to_analyze to pipeline_owner;

set local role pipeline_owner;

create function app.statistics_renew() returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_table text;
    v_renewed bigint := 0;
begin
    for v_table in select app.tables_to_analyze() loop
        execute format('analyze (skip_locked) app.%I', v_table);
        v_renewed := v_renewed + 1;
    end loop;
    return v_renewed;
end
$$;
comment on function app.statistics_renew is
    'Analyzes app.tables_to_analyze; returns their number. Autovacuum does it when a tenth of a table has changed.';
revoke execute on function app.statistics_renew from public;
grant execute on function app.statistics_renew to pipeline_jobs;

create function app.currency_filled() returns trigger language plpgsql as $$
begin
    if new.currency is null and tg_argv[0] = 'deals' then
        select o.currency into new.currency from app.organizations o where o.id = new.organization_id;
    elsif new.currency is null then
        select d.currency into new.currency from app.deals d
        where d.organization_id = new.organization_id and d.id = new.deal_id;
        new.currency := coalesce(new.currency, 'USD');
    end if;
    return new;
end
$$;
comment on function app.currency_filled is
    'Trigger (table): sets a missing currency: a deal''s from its organization, a quote''s from its deal.';

create function app.like_patterns(words text[]) returns text[]
    language sql immutable parallel safe
    return array(select app.like_pattern(app.plain(word)) from unnest(words) as word);
comment on function app.like_patterns is 'The LIKE patterns of release 0.1.0 for each word of a search.';

create function app.searched_words(words text[]) returns text[]
    language sql immutable parallel safe as $$
    select coalesce(nullif(array(
        select distinct word from unnest(words) as word
        where app.search_patterns(word) <> '{}' and app.folded(word) <> all ('{and,und,et,y}')), '{}'), words)
$$;
comment on function app.searched_words is
    'The words of a search without punctuation and the word and, in four languages. All words if nothing else is left.';

create function app.found(value text, words text[]) returns boolean
    language sql immutable parallel safe as $$
    select coalesce(bool_and(app.searched(value) like any (app.search_patterns(word))), true)
    from unnest(app.searched_words(words)) as word
$$;
comment on function app.found is 'Whether a text has all words of a search, in lists without an index.';

grant execute on function app.like_patterns, app.found, app.searched_words to pipeline_member, pipeline_lookup;
grant execute on function app.like_pattern to pipeline_lookup;

set local role pipeline_lookup;

create function app.search_ids(p_kind text, p_words text[], p_tags text[] default null) returns bigint[]
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

create function app.field_hits(
    p_kind text, p_equal jsonb, p_least jsonb, p_most jsonb, p_limit bigint, out total bigint, out ids bigint[]
)
    language plpgsql stable security definer set search_path = app, pg_temp
    -- Room for the pages of a million records: beyond it PostgreSQL compares all records of a page.
    set work_mem = '32MB' as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    v_statement text := format(
        'select array(select r.id from %I r where r.organization_id = %L', p_kind, v_organization);
    v_bound record;
begin
    if p_equal is not null then
        v_statement := v_statement || format(
            ' and r.fields <> ''{}'' and field_hashes(r.fields) @> %L', field_hashes(p_equal));
    end if;
    for v_bound in
        select asked.*, known.place, jsonb_typeof(asked.value) as type
        from (
            select '>=' as operator, least.key, least.value from jsonb_each(p_least) as least
            union all
            select '<=', most.key, most.value from jsonb_each(p_most) as most
        ) as asked
        left join field_places as known
            on known.organization_id = v_organization and known.kind = p_kind and known.key = asked.key
            and known.is_date = (jsonb_typeof(asked.value) = 'string')
    loop
        v_statement := v_statement || case
            when v_bound.place is null then format(
                ' and r.fields -> %1$L %2$s %3$L and jsonb_typeof(r.fields -> %1$L) = %4$L',
                v_bound.key, v_bound.operator, v_bound.value, v_bound.type)
            else format(
                ' and r.field_numbers is not null and r.field_numbers[%s] %s %L',
                v_bound.place, v_bound.operator, field_number(v_bound.value, v_bound.type = 'string')) end;
    end loop;
    execute v_statement || format(' limit %L)', p_limit) into ids;
    total := cardinality(ids);
    if total > 10000 then
        ids := null;
    end if;
end
$$;
comment on function app.field_hits is
    'The number of the current organization''s records of a kind with these values of own fields, and with values from '
    'p_least to p_most; p_limit ends the count. The ids of up to 10,000. A definer function, because no operator of '
    'jsonb is leakproof.';

grant execute on function app.search_ids, app.field_hits to pipeline_member;
