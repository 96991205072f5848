--:name wal_position :scalar
--:doc How far the server has written its log; nothing on a standby, which writes none.
select case when not pg_is_in_recovery() then cast(pg_current_wal_lsn() as text) end as position;

--:name replica_enter :one
--:doc Give a standby's transaction the context of a caller whom the primary knows; fresh: nothing older than some seconds is missing there.
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
--:doc Whether the server is a standby, and how many seconds it is behind a primary that has written its log up to a position.
select
    pg_is_in_recovery() as standby,
    case
        when pg_last_wal_replay_lsn() >= cast(cast(:position as text) as pg_lsn) then 0
        else coalesce(cast(extract(epoch from now() - pg_last_xact_replay_timestamp()) as integer), 0)
    end as behind;
