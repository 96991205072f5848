--:name snapshot_begin :scalar
--:doc Export this transaction's snapshot and return its name.
select pg_export_snapshot() as snapshot;

--:name table_names :many
--:doc The tables of the schema.
select class.relname as name
from pg_class as class
where class.relnamespace = to_regnamespace('app') and class.relkind = 'r'
order by class.relname;

--:name databases_left :many
--:doc Temporary databases that killed commands have left.
select made.datname as name
from pg_database as made
where
    made.datname ~ '^pipeline_(drill|schema)_[0-9a-f]{8}$'
    and not exists (select from pg_stat_activity as session where session.application_name = made.datname)
order by made.datname;

--:name logins_present :many
--:doc The service's logins on the server.
select role.rolname as name
from pg_roles as role
where role.rolname in ('pipeline_app', 'pipeline_forms', 'pipeline_jobs');

--:name logins_keep :scalar
--:doc Let the roles file skip existing logins in this transaction.
select set_config('app.keep_logins', 'on', true) as kept;

--:name changes_renumber :affected
--:doc Make restored transaction numbers negative, below all new ones; webhooks keep their positions.
with shift as materialized (
    select coalesce(max(change.transaction_id), 0) + 1 as number
    from app.changes as change
),

states as (
    -- The snapshot of a restored webhook is of the former server.
    update app.webhook_states
    set
        after_transaction = least(after_transaction, shift.number) - shift.number,
        since = cast('1:1:' as pg_snapshot)
    from shift
)

update app.changes
set transaction_id = transaction_id - shift.number
from shift;
