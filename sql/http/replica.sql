--:name wal_position :scalar
--:doc The server's log position; null on a standby.
select case when not pg_is_in_recovery() then cast(pg_current_wal_lsn() as text) end as position;

--:name replica_enter :one
--:doc Set a caller's context on a standby; fresh: its lag is short enough.
select
    set_config('app.organization_id', cast(cast(:organization_id as bigint) as text), true) as organization_context,
    set_config('app.user_id', coalesce(cast(cast(:user_id as bigint) as text), ''), true) as user_context,
    set_config('app.key_id', coalesce(cast(cast(:key_id as bigint) as text), ''), true) as key_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_' || cast(:role as text), true) as database_role,
    coalesce(
        pg_is_in_recovery()
        and (
            pg_last_wal_replay_lsn() >= cast(cast(:position as text) as pg_lsn)
            or pg_last_xact_replay_timestamp() >= now() - make_interval(secs => cast(:seconds as integer))
        ),
        false
    ) as fresh;

--:name replica_state :one
--:doc Whether the server is a standby, and its lag in seconds.
select
    pg_is_in_recovery() as standby,
    case
        when pg_last_wal_replay_lsn() >= cast(cast(:position as text) as pg_lsn) then 0
        else coalesce(cast(extract(epoch from now() - pg_last_xact_replay_timestamp()) as integer), 0)
    end as behind;
