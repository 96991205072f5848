"""Fold texts and record the changes of imports faster.

folding_by_expressions.sql beside this file has the functions as they were in this revision. They give the same keys, so
old rows keep theirs.

Release: no row changes; the former release uses the functions, too.

Rollback: nothing to do.
"""

from pathlib import Path

from pipeline.database import migrations

revision = "0059"
down_revision = "0058"

FUNCTIONS = Path(__file__).with_name("folding_by_expressions.sql").read_text(encoding="utf-8")
RECORDED = r"""
create or replace function app.changes_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp
    -- The plan for one changed row also serves large imports.
    set enable_nestloop = off as $$
declare
    v_type constant text := tg_argv[0];
    v_key constant text := tg_argv[1];
    v_organization constant text := tg_argv[2];
    v_ended constant text := tg_argv[3];
    v_parents constant jsonb := nullif(tg_argv[4], '{}');
    v_columns constant text[] := tg_argv[5];
    v record := app.change_context();
begin
    if tg_op = 'UPDATE' then
        perform app.changes_write(array_agg(cast(row(
            cast(n.row ->> v_organization as bigint), v_type, cast(n.row ->> v_key as bigint),
            (select parent.type from jsonb_each_text(v_parents) as parent (field, type)
                where n.row ->> parent.field is not null),
            (select cast(n.row ->> parent.field as bigint) from jsonb_each_text(v_parents) as parent (field, type)
                where n.row ->> parent.field is not null),
            case when n.row ->> v_ended is not null then 'deleted' when o.row ->> v_ended is not null then 'created'
                else 'updated' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id,
            case when n.row ->> v_ended is null and o.row ->> v_ended is null then columns.changed end,
            null) as app.change_entry)))
        -- offset 0 makes each row become JSON only once.
        from (select to_jsonb(former) as row from former offset 0) as o
        join (select to_jsonb(changed) as row from changed offset 0) as n
            on n.row -> v_organization = o.row -> v_organization and n.row -> v_key = o.row -> v_key
        cross join lateral (select app.changed_columns(o.row, n.row, v_columns) as changed offset 0) as columns
        where columns.changed <> '{}' and (n.row ->> v_ended is null or o.row ->> v_ended is null);
    elsif v_key = 'id' and v_organization = 'organization_id' and num_nulls(v_parents, nullif(v_ended, '')) = 2 then
        -- JSON of whole rows would take half of the time for the changes of an import.
        perform app.changes_write(array_agg(cast(row(
            c.organization_id, v_type, c.id, null, null, case tg_op when 'INSERT' then 'created' else 'deleted' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id, null, null) as app.change_entry)))
        from changed as c;
    else
        perform app.changes_write(array_agg(cast(row(
            cast(c.row ->> v_organization as bigint), v_type, cast(c.row ->> v_key as bigint),
            (select parent.type from jsonb_each_text(v_parents) as parent (field, type)
                where c.row ->> parent.field is not null),
            (select cast(c.row ->> parent.field as bigint) from jsonb_each_text(v_parents) as parent (field, type)
                where c.row ->> parent.field is not null),
            case tg_op when 'INSERT' then 'created' else 'deleted' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id, null, null) as app.change_entry)))
        from (select to_jsonb(changed) as row from changed offset 0) as c
        where tg_op = 'INSERT' or c.row ->> v_ended is null;
    end if;
    return null;
end
$$;
"""


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(FUNCTIONS)
    migrations.lookups(RECORDED)
