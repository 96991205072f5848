"""Count records by own fields within the time of other filters.

The index of equal values holds hashes, so PostgreSQL need not compare the records. Bounds are compared with an array.

Release: each table with own fields changes in a transaction of its own, and requests that use it wait meanwhile:
about a minute for a million records with values. Its indexes are built afterwards, while requests go on.

Rollback: nothing to do; release 0.1.0 has no own fields.
"""

from alembic import op
from pipeline.database import migrations

revision = "0063"
down_revision = "0062"

PLACES = r"""
create table if not exists app.field_places (
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

drop policy if exists organization on app.field_places;
call app.isolate('app.field_places');
grant select, insert on app.field_places to pipeline_lookup;

create or replace function app.field_table(kind text) returns text
    language sql immutable parallel safe
    return case kind when 'company' then 'companies' else kind || 's' end;
comment on function app.field_table is 'The table of a kind of records with own fields.';
grant execute on function app.field_table to pipeline_member, pipeline_lookup;

create or replace function app.field_number(value jsonb, is_date boolean) returns double precision
    language sql immutable parallel safe
    return case
        when is_date and value #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
            then cast(replace(value #>> '{}', '-', '') as double precision)
        when not is_date and jsonb_typeof(value) = 'number' then cast(value as double precision)
    end;
comment on function app.field_number is
    'A value of an own field as a number, a date as its digits; null for a value of another type. A number has at most '
    '15 digits, so a double holds its order.';
grant execute on function app.field_number to pipeline_lookup;

create or replace function app.field_hashes(fields jsonb) returns bigint[]
    language sql immutable parallel safe
    return array(
        select hashtextextended(own.key, jsonb_hash_extended(item, 0))
        from jsonb_each(fields) as own, jsonb_path_query(own.value, '$[*]') as item);
comment on function app.field_hashes is
    'A hash for each value of own fields, and for each option of choices. Its index answers without the records.';
grant execute on function app.field_hashes
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
"""
TRIGGERS = r"""
create or replace function app.field_placed() returns trigger
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

create or replace function app.field_numbers_filled() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    new.field_numbers := null;
    select array_agg(held.number order by held.place) into new.field_numbers
    from (
        select known.place, field_number(new.fields -> known.key, known.is_date) as number
        from field_places as known
        where known.organization_id = new.organization_id and known.kind = tg_argv[0]
    ) as held
    having count(held.number) > 0;
    return new;
end
$$;
comment on function app.field_numbers_filled is 'Trigger (table): fills field_numbers from the own fields of a record.';
grant execute on function app.field_numbers_filled to pipeline_owner;
"""
FIELDS = r"""
create or replace trigger give_place after insert on app.fields
    for each row when (new.type in ('number', 'money', 'date')) execute function app.field_placed();

create or replace procedure app.number_fields(p_table regclass) language plpgsql as $$
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

alter table app.fields no force row level security;
alter table app.field_places no force row level security;
insert into app.field_places (organization_id, kind, key, is_date, place)
select
    organization_id, app.field_table(kind), key, type = 'date',
    row_number() over (partition by organization_id, kind order by id)
from app.fields
where type in ('number', 'money', 'date')
on conflict do nothing;
alter table app.field_places force row level security;
alter table app.fields force row level security;
"""
# Neither the records' time nor the record of changes tells of it.
NUMBERS = """
begin;
set local role pipeline_owner;
set local statement_timeout = 0;
alter table app.{table} add column if not exists field_numbers double precision[];
alter table app.{table} no force row level security;
alter table app.field_places no force row level security;
alter table app.{table} disable trigger user;
update app.{table} as record
set field_numbers = held.numbers
from (
    select own.organization_id, own.id, array_agg(app.field_number(own.fields -> known.key, known.is_date)
        order by known.place) as numbers
    from app.{table} as own
    join app.field_places as known on known.organization_id = own.organization_id and known.kind = '{table}'
    where own.fields <> '{{}}'
    group by own.organization_id, own.id
    having count(app.field_number(own.fields -> known.key, known.is_date)) > 0
) as held
where record.organization_id = held.organization_id and record.id = held.id;
alter table app.{table} enable trigger user;
alter table app.field_places force row level security;
alter table app.{table} force row level security;
call app.number_fields('app.{table}');
call app.touch_changed('app.{table}');
commit;
"""
HITS = r"""
drop function if exists app.field_ids;
create or replace function app.field_hits(
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
grant execute on function app.field_hits to pipeline_member;
"""
TABLES = ("leads", "companies", "contacts", "deals", "contracts")


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(PLACES)
    migrations.lookups(TRIGGERS)
    migrations.owned(FIELDS)
    migrations.lookups(HITS)
    with op.get_context().autocommit_block():
        for table in TABLES:
            migrations.installer(NUMBERS.format(table=table))
    for table in TABLES:
        migrations.index(
            f"{table}_fields",
            f"on app.{table} using gin (organization_id, app.field_hashes(fields)) where fields <> '{{}}'",
        )
        migrations.index(
            f"{table}_field_numbers",
            f"on app.{table} (organization_id, id) include (field_numbers) where field_numbers is not null",
        )
