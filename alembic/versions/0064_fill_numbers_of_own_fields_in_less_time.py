"""Fill numbers and hashes of own fields in less time.

Release: requests go on. The functions return what they returned before, so neither indexes nor records change.

Rollback: nothing to do; release 0.1.0 has no own fields.
"""

from pipeline.database import migrations

revision = "0064"
down_revision = "0063"

OWNED = r"""
create or replace function app.field_number(value jsonb, is_date boolean) returns double precision
    language sql immutable parallel safe
    return case
        when is_date and value #>> '{}' like '____-__-__' and translate(value #>> '{}', '0123456789', '') = '--'
            then cast(replace(value #>> '{}', '-', '') as double precision)
        when not is_date and jsonb_typeof(value) = 'number' then cast(value as double precision)
    end;

create or replace function app.field_hashes(fields jsonb) returns bigint[]
    language sql immutable parallel safe
    return array(
        select hashtextextended(own.key, jsonb_hash_extended(own.item, 0))
        from (select key, jsonb_path_query(value, '$[*]') as item from jsonb_each(fields)) as own);
"""
LOOKUPS = r"""
create or replace function app.field_numbers_filled() returns trigger
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
"""


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(OWNED)
    migrations.lookups(LOOKUPS)
