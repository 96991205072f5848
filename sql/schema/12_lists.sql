-- What all lists rest on: how many records there are, and how they are found by words.
--
-- Totals: a trigger of each table appends to record_count_deltas, and the worker adds up what stands there. A counter row
-- would make every insert wait for a running import.
-- Searches: each kind of record has a column search_text with a trigram index. LIKE is not leakproof, so it cannot use
-- the index under row-level security; app.search_ids is outside of it and names the organization itself.

set local role pipeline_owner;

create table app.record_count_deltas (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null,
    delta bigint not null,
    primary key (organization_id, id)
);
comment on table app.record_count_deltas is
    'Changes of the number of records; their sum by kind is how many records of the kind an organization has.';
comment on column app.record_count_deltas.kind is 'The table whose records are counted.';
comment on column app.record_count_deltas.delta is 'How many came, or went if negative.';

call app.isolate('app.record_count_deltas', 'pipeline_member', 'pipeline_jobs');

grant select on app.record_count_deltas to pipeline_member;
grant select, insert (organization_id, kind, delta), delete on app.record_count_deltas to pipeline_jobs;
grant insert (organization_id, kind, delta) on app.record_count_deltas to pipeline_lookup;

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
    'Trigger (table): counts the records that a statement adds or deletes. The foreign key to organizations is checked '
    'here, once for each statement.';
grant execute on function app.records_counted to pipeline_owner;

set local role pipeline_owner;

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
    'Count the records of a table anew, for all organizations; needed where rows came without triggers. While it runs '
    'nobody may write there.';

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
    'Trigger (table): a deal without a currency gets the organization''s, a quote its deal''s.';

create function app.like_patterns(words text[]) returns text[]
    language sql immutable parallel safe
    return array(select app.like_pattern(app.plain(word)) from unnest(words) as word);
comment on function app.like_patterns is 'For each word of a search the LIKE pattern of a plain text that contains it.';

grant execute on function app.like_patterns to pipeline_member, pipeline_lookup;
grant execute on function app.like_pattern to pipeline_lookup;

set local role pipeline_lookup;

create function app.search_ids(p_kind text, p_words text[], p_tags text[] default null) returns bigint[]
    language plpgsql stable security definer set search_path = app, extensions, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    -- The records that a kind is also found by, each a table and the column that refers to it.
    v_others jsonb := case p_kind
        when 'contacts' then '{"companies": "company_id"}'
        when 'deals' then '{"companies": "company_id"}'
        when 'quotes' then '{"deals": "deal_id"}'
        when 'contracts' then '{"companies": "company_id", "deals": "deal_id"}'
        else '{}' end;
    v_statement text := format('select array_agg(r.id) from %I r where r.organization_id = %L', p_kind, v_organization);
    v_pattern text;
    v_digits text;
    v_word text;
    v_ids bigint[];
begin
    foreach v_word in array coalesce(p_words, '{}') loop
        v_pattern := like_pattern(plain(v_word));
        -- A lead's telephone number is kept, and found, without punctuation.
        v_digits := like_pattern(regexp_replace(v_word, '[^0-9]', '', 'g'));
        v_statement := v_statement || case
            when v_others <> '{}' then format(
                ' and r.id in (select o.id from %I o where o.organization_id = %L and o.search_text like %L%s)',
                p_kind, v_organization, v_pattern,
                (select string_agg(format(
                    ' union all select r.id from %I o join %I r on r.organization_id = o.organization_id and r.%I = o.id'
                    ' where o.organization_id = %L and o.search_text like %L',
                    other.key, p_kind, other.value, v_organization, v_pattern), '')
                 from jsonb_each_text(v_others) as other))
            when p_kind = 'leads' and v_word ~ '^[+(]*[0-9][0-9()/.+-]*$' and v_digits <> v_pattern
                then format(' and (r.search_text like %L or r.search_text like %L)', v_pattern, v_digits)
            else format(' and r.search_text like %L', v_pattern) end;
    end loop;
    if p_tags is not null then
        v_statement := v_statement || format(' and r.tag_text like any (%L)', (
            select array_agg(like_pattern(',' || plain(tag) || ',')) from unnest(p_tags) as tag));
    end if;
    execute v_statement into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.search_ids is
    'The current organization''s records of a kind (a table with search_text) that have every word, in their own text or '
    'in that of their company or deal, and leads with one of some tags. It is planned with the words, which say how many '
    'records have them.';

grant execute on function app.search_ids to pipeline_member;
