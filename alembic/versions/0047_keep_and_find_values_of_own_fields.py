"""Keep and find values of own fields.

fields_tables.sql beside this file has the columns of each table.

Release: each table changes in a transaction of its own, and requests that use it wait meanwhile: about 30 seconds for
a million leads. Its indexes are built afterwards, while requests go on; searches read the whole table until then.

Rollback: nothing to do; the former release does not use the new columns.
"""

from pathlib import Path

from alembic import op
from pipeline.database import migrations

revision = "0047"
down_revision = "0046"

FUNCTIONS = r"""
-- A form fills own fields of its lead.
drop policy if exists public_form on app.fields;
create policy public_form on app.fields for select to pipeline_public using (kind = 'lead');
grant select (organization_id, id, kind, key, type, options, "default", position) on app.fields to pipeline_public;

create or replace function app.field_lines(fields jsonb) returns text
    language sql immutable parallel safe
    return (select string_agg(E'\n' || (item #>> '{}'), '')
            from jsonb_path_query(fields, '$.*[*] ? (@.type() == "string")') as item);
comment on function app.field_lines is 'The texts of own fields for search, each after a line break.';

-- In SQL, so that PostgreSQL inlines it: a record without own fields costs no call.
create or replace function app.field_text(fields jsonb) returns text
    language sql immutable parallel safe
    return case when fields = '{}' then '' else coalesce(app.field_lines(fields), '') end;
comment on function app.field_text is 'The texts of own fields for search; empty without any.';

create or replace function app.field_cell(value jsonb) returns text
    language sql immutable parallel safe
    return case jsonb_typeof(value)
        when 'array' then (select string_agg(item, '; ') from jsonb_array_elements_text(value) as item)
        else value #>> '{}'
    end;
comment on function app.field_cell is 'The value of an own field as a cell of a file.';
grant execute on function app.field_cell to pipeline_member;

grant execute on function app.field_lines, app.field_text
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;

create or replace function app.fields_erased(value jsonb, patterns text[], texts text[]) returns jsonb
    language sql immutable parallel safe
    return app.layout_erased((
        select coalesce(jsonb_object_agg(own.key, own.value), '{}')
        from jsonb_each(value) as own where own.value #>> '{}' <> all (texts)), patterns);
comment on function app.fields_erased is
    'Own fields without the values that are one of these texts, with app.words_erased applied to the others.';
grant execute on function app.fields_erased to pipeline_admin;
"""
LOOKUPS = r"""
create or replace function app.changed_columns(p_old jsonb, p_new jsonb, p_columns text[]) returns jsonb
    language plpgsql stable parallel safe as $$
begin
    return (
        select coalesce(jsonb_object_agg(regexp_replace(name, '_minor$', ''), jsonb_build_object(
            'old', app.change_value(old), 'new', app.change_value(new))), '{}')
        from jsonb_each(p_new) as field (name, value)
        cross join lateral (
            select app.shown_value(p_old, name) as old, app.shown_value(p_new, name) as new offset 0) as shown
        -- Another currency changes the amount of the same minor units.
        where (value <> p_old -> name or name like '%\_minor') and name = any (p_columns) and name <> 'fields'
            and old is distinct from new)
        || case when 'fields' = any (p_columns) and p_old -> 'fields' <> p_new -> 'fields' then (
            select jsonb_object_agg('fields.' || key, jsonb_build_object(
                'old', app.change_value(p_old -> 'fields' -> key), 'new', app.change_value(p_new -> 'fields' -> key)))
            from jsonb_object_keys((p_old -> 'fields') || (p_new -> 'fields')) as key
            where p_old -> 'fields' -> key is distinct from p_new -> 'fields' -> key)
        else '{}' end;
end
$$;
comment on function app.changed_columns is
    'The changed columns, among the given ones, between two versions of a row, with both values. Each own field counts '
    'as a column.';

create or replace function app.field_ids(p_kind text, p_equal jsonb, p_least jsonb, p_most jsonb) returns bigint[]
    language plpgsql stable security definer set search_path = app, pg_temp as $$
declare
    v_statement text := format(
        'select array_agg(r.id) from %I r where r.organization_id = %L and r.fields <> ''{}''', p_kind,
        cast(nullif(current_setting('app.organization_id', true), '') as bigint));
    v_bound record;
    v_ids bigint[];
begin
    if p_equal is not null then
        v_statement := v_statement || format(' and r.fields @> %L', p_equal);
    end if;
    for v_bound in
        select '>=' as operator, least.key, least.value from jsonb_each(p_least) as least
        union all
        select '<=', most.key, most.value from jsonb_each(p_most) as most
    loop
        v_statement := v_statement || format(
            ' and r.fields -> %1$L %2$s %3$L and jsonb_typeof(r.fields -> %1$L) = %4$L',
            v_bound.key, v_bound.operator, v_bound.value, jsonb_typeof(v_bound.value));
    end loop;
    execute v_statement into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.field_ids is
    'The ids of the current organization''s records of a kind with these values of own fields, and with values from '
    'p_least to p_most. A definer function, because no operator of jsonb is leakproof.';
grant execute on function app.field_ids to pipeline_member;
"""
TABLES = Path(__file__).with_name("fields_tables.sql").read_text(encoding="utf-8").split("-- Next table.")
TRIGRAMS = "using gin (organization_id, search_text extensions.gin_trgm_ops"
NAMES = ("companies", "contacts", "deals", "contracts")
INDEXES = {
    "leads_search_trigrams": f"on app.leads {TRIGRAMS}, tag_text extensions.gin_trgm_ops)",
    **{f"{table}_search_trigrams": f"on app.{table} {TRIGRAMS})" for table in NAMES},
    **{
        f"{table}_fields": f"on app.{table} using gin (organization_id, fields jsonb_path_ops) where fields <> '{{}}'"
        for table in ("leads", *NAMES)
    },
}


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(FUNCTIONS)
    migrations.lookups(LOOKUPS)
    with op.get_context().autocommit_block():
        for statements in TABLES:
            migrations.installer(f"begin; set local role pipeline_owner; {statements}; commit")
    for name, definition in INDEXES.items():
        migrations.index(name, definition)
