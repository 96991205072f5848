"""Analyze tables whose statistics lack an organization with many records.

Release: no row changes; the former release does not call the functions.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0062"
down_revision = "0061"

LOOKUP = r"""
create or replace function app.tables_to_analyze() returns setof text
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
"""
OWNER = r"""
create or replace function app.statistics_renew() returns bigint
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
"""
RIGHTS = """
grant select (organization_id, kind, delta) on app.record_count_deltas to pipeline_lookup;
grant select (organization_id) on app.configurations to pipeline_lookup;
"""


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(RIGHTS)
    migrations.lookups(LOOKUP)
    migrations.owned(OWNER)
