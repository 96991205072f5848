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
comment on function app.like_patterns is 'The LIKE patterns for plain texts that contain each word of a search.';

grant execute on function app.like_patterns to pipeline_member, pipeline_lookup;
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
    v_pattern text;
    v_digits text;
    v_word text;
    v_ids bigint[];
begin
    foreach v_word in array coalesce(p_words, '{}') loop
        v_pattern := like_pattern(plain(v_word));
        -- Telephone numbers are stored without punctuation.
        v_digits := like_pattern(regexp_replace(v_word, '[^0-9]', '', 'g'));
        v_statement := v_statement || case
            when v_others <> '{}' then format(
                ' and r.id = any(array(select o.id from %I o where o.organization_id = %L and o.search_text like %L%s))',
                p_kind, v_organization, v_pattern,
                (select string_agg(format(
                    ' union all select o.id from %I o where o.organization_id = %L and o.%I = any(array('
                    'select n.id from %I n where n.organization_id = %L and n.search_text like %L))',
                    p_kind, v_organization, other.value, other.key, v_organization, v_pattern), '')
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
    'The ids of the current organization''s records of a kind that match all words. The words may be in the record''s '
    'own text, or in that of its company or deal. p_tags restricts leads to those with one of the tags. The statement '
    'is planned with the words for better estimates.';

grant execute on function app.search_ids to pipeline_member;
