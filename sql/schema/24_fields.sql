-- Own fields of leads, companies, contacts, deals and contracts. A record keeps its values in its column fields, by key.

set local role pipeline_owner;

create table app.fields (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null check (kind in ('lead', 'company', 'contact', 'deal', 'contract')),
    key text not null check (key ~ '^[a-z](_?[a-z0-9])*_?$' and length(key) <= 40),
    label text not null check (length(label) between 1 and 255),
    type text not null
        check (type in ('text', 'number', 'money', 'date', 'yes_no', 'choice', 'choices', 'url', 'email')),
    options text[] not null default '{}',
    "default" jsonb,
    required boolean not null default false,
    description text check (length(description) <= 2000),
    position integer not null default 0,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, kind, key)
);
comment on table app.fields is 'Own fields of leads, companies, contacts, deals and contracts.';
comment on column app.fields.kind is 'Kind of the records: lead, company, contact, deal or contract; fixed.';
comment on column app.fields.key is 'Name in the record''s fields, unique in the kind; fixed.';
comment on column app.fields.label is 'Name for people.';
comment on column app.fields.type is 'text, number, money, date, yes_no, choice, choices, url or email; fixed.';
comment on column app.fields.options is 'The values of a choice.';
comment on column app.fields."default" is 'Value of records that are created without one.';
comment on column app.fields.required is 'Whether a record, and of contracts an active one, needs a value.';
comment on column app.fields.description is 'What the field means.';
comment on column app.fields.position is 'Position among the fields of the kind, ascending.';

call app.share('app.fields', 'pipeline_admin', 'kind', 'key', 'label', 'type', 'options', '"default"', 'required',
               'description', 'position');
call app.record_changes('app.fields', 'fields',
    '{kind, key, label, type, options, default, required, description, position}');

create view app.field_records with (security_invoker = true) as
select
    field.id, field.organization_id, field.kind, field.key, field.label, field.type, field.options, field."default",
    field.required, field.description, field.position,
    field.created_by, app.created_by_kind(field.created_by, field.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = field.created_by),
        (select key.name from app.api_keys as key where key.id = field.created_by_key)
    ) as created_by_name,
    app.iso(field.created_at) as created_at, app.iso(field.updated_at) as updated_at
from app.fields as field;
comment on view app.field_records is 'Own fields as the API returns them.';
call app.present('app.field_records', 'pipeline_member', 'app.fields');

-- A form fills own fields of its lead.
create policy public_form on app.fields for select to pipeline_public using (kind = 'lead');
grant select (organization_id, id, kind, key, type, options, "default", position) on app.fields to pipeline_public;

-- The numbers of a record are an array, because a filter by bounds reads those of all records: a key of jsonb is found
-- in four times the time of a place.
create table app.field_places (
    organization_id bigint not null references app.organizations (id),
    kind text not null,
    key text not null,
    is_date boolean not null,
    place integer not null,
    primary key (organization_id, kind, key, is_date),
    unique (organization_id, kind, place)
);
comment on table app.field_places is
    'Where the values of a number, an amount or a date stand in field_numbers of its records. A place outlives its '
    'field, because records keep their values.';
comment on column app.field_places.kind is 'The table of the records.';
comment on column app.field_places.key is 'Key of the own field.';
comment on column app.field_places.is_date is 'Whether its values are dates.';
comment on column app.field_places.place is 'Index in field_numbers, from 1.';

call app.isolate('app.field_places');
grant select, insert on app.field_places to pipeline_lookup;

create function app.field_table(kind text) returns text
    language sql immutable parallel safe
    return case kind when 'company' then 'companies' else kind || 's' end;
comment on function app.field_table is 'The table of a kind of records with own fields.';
grant execute on function app.field_table to pipeline_member, pipeline_lookup;

create function app.field_number(value jsonb, is_date boolean) returns double precision
    language sql immutable parallel safe
    return case
        when is_date and value #>> '{}' like '____-__-__' and translate(value #>> '{}', '0123456789', '') = '--'
            then cast(replace(value #>> '{}', '-', '') as double precision)
        when not is_date and jsonb_typeof(value) = 'number' then cast(value as double precision)
    end;
comment on function app.field_number is
    'A value of an own field as a number, a date as its digits; null for a value of another type. A number has at most '
    '15 digits, so a double holds its order.';
grant execute on function app.field_number to pipeline_lookup;

set local role pipeline_lookup;

create function app.field_placed() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('field_places', new.organization_id));
    insert into field_places (organization_id, kind, key, is_date, place)
    select new.organization_id, field_table(new.kind), new.key, new.type = 'date', count(*) + 1
    from field_places as taken
    where taken.organization_id = new.organization_id and taken.kind = field_table(new.kind)
    -- An entry of an index has room for so many.
    having count(*) < 300
    on conflict (organization_id, kind, key, is_date) do nothing;
    return null;
end
$$;
comment on function app.field_placed is 'Trigger: gives a field with bounds its place in field_numbers.';
grant execute on function app.field_placed to pipeline_owner;

create function app.field_numbers_filled() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    new.field_numbers := array(
        select field_number(new.fields -> known.key, known.is_date)
        from field_places as known
        where known.organization_id = new.organization_id and known.kind = tg_argv[0]
        order by known.place);
    if array_remove(new.field_numbers, null) = '{}' then
        new.field_numbers := null;
    end if;
    return new;
end
$$;
comment on function app.field_numbers_filled is 'Trigger (table): fills field_numbers from the own fields of a record.';
grant execute on function app.field_numbers_filled to pipeline_owner;

set local role pipeline_owner;

create trigger give_place after insert on app.fields
    for each row when (new.type in ('number', 'money', 'date')) execute function app.field_placed();

create procedure app.number_fields(p_table regclass) language plpgsql as $$
begin
    execute format(
        'create or replace trigger fill_numbers before insert or update of fields on %s for each row '
        'when (new.fields <> ''{}'' or new.field_numbers is not null) '
        'execute function app.field_numbers_filled(%L)', p_table, (select relname from pg_class where oid = p_table));
    execute format('grant select (field_numbers) on %s to pipeline_lookup', p_table);
    execute format(
        'comment on column %s.field_numbers is '
        '''Numbers, amounts and dates of its own fields, by field_places; null without any.''', p_table);
end
$$;
comment on procedure app.number_fields is 'Keeps field_numbers of a table with own fields (app.field_numbers_filled).';

create function app.field_lines(fields jsonb) returns text
    language sql immutable parallel safe
    return (select string_agg(E'\n' || (item #>> '{}'), '')
            from jsonb_path_query(fields, '$.*[*] ? (@.type() == "string")') as item);
comment on function app.field_lines is 'The texts of own fields for search, each after a line break.';

-- In SQL, so that PostgreSQL inlines it: a record without own fields costs no call.
create function app.field_text(fields jsonb) returns text
    language sql immutable parallel safe
    return case when fields = '{}' then '' else coalesce(app.field_lines(fields), '') end;
comment on function app.field_text is 'The texts of own fields for search; empty without any.';

create function app.field_hashes(fields jsonb) returns bigint[]
    language sql immutable parallel safe
    return array(
        select hashtextextended(own.key, jsonb_hash_extended(own.item, 0))
        from (select key, jsonb_path_query(value, '$[*]') as item from jsonb_each(fields)) as own);
comment on function app.field_hashes is
    'A hash for each value of own fields, and for each option of choices. Its index answers without the records.';

create function app.field_cell(value jsonb) returns text
    language sql immutable parallel safe
    return case jsonb_typeof(value)
        when 'array' then (select string_agg(item, '; ') from jsonb_array_elements_text(value) as item)
        else value #>> '{}'
    end;
comment on function app.field_cell is 'The value of an own field as a cell of a file.';
grant execute on function app.field_cell to pipeline_member;

grant execute on function app.field_lines, app.field_text, app.field_hashes
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
