-- The order of the record of change on a cluster. Each server counts its own transactions, and organizations move. A
-- change's number is the transaction on the organization's server, prefixed by the number of moves, so numbers after a
-- move are higher.

set local role pipeline_owner;

create table app.moves (
    organization_id bigint not null primary key,
    node integer not null,
    moves bigint not null
);
comment on table app.moves is 'On a cluster: the server with an organization''s record of change since its last move.';
comment on column app.moves.organization_id is 'The organization.';
comment on column app.moves.node is 'The server''s group in pg_dist_node.';
comment on column app.moves.moves is
    'The number of times its rows came to another server, including the first distribution.';
alter table app.moves enable row level security;
alter table app.moves force row level security;
grant select, insert, update on app.moves to pipeline_lookup;

alter table app.changes alter column transaction_id set default 0;

set local role none;
grant create on schema app to pipeline_lookup;
set local role pipeline_lookup;

create function app.transactions_before(p_organization_id bigint) returns bigint
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    v_node integer := (select groupid from pg_dist_local_group);
    v_moves bigint;
begin
    select m.moves into v_moves from app.moves m where m.organization_id = p_organization_id and m.node = v_node;
    if not found then
        perform 1 from pg_dist_placement p
            where p.shardid = app.shard_of(p_organization_id) and p.groupid = v_node;
        if not found then
            raise cannot_connect_now using message = 'The organization is on another server.';
        end if;
        insert into app.moves as m (organization_id, node, moves) values (p_organization_id, v_node, 1)
        on conflict (organization_id) do update set node = excluded.node, moves = m.moves + 1
            where m.node <> excluded.node;
        select m.moves into v_moves from app.moves m where m.organization_id = p_organization_id;
    end if;
    return v_moves * (2::bigint ^ 44)::bigint;
end
$$;
comment on function app.transactions_before is
    'The offset of this server''s transaction numbers in an organization''s record of change. The first call after a '
    'move stores it, also for reading; concurrent calls wait for the commit. Raises an error on a server without the '
    'organization.';
grant execute on function app.transactions_before to pipeline_member, pipeline_admin, pipeline_jobs, pipeline_owner;

set local role none;
revoke create on schema app from pipeline_lookup;
set local role pipeline_owner;

create or replace function app.change_transaction(p_organization_id bigint) returns bigint
    language plpgsql volatile as $$
begin
    return app.transactions_before(p_organization_id) + cast(cast(pg_current_xact_id() as text) as bigint);
end
$$;

create or replace function app.changes_snapshot(
    p_organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint
) returns pg_snapshot
    language plpgsql stable as $$
declare
    v_before bigint := app.transactions_before(p_organization_id);
    v_snapshot pg_snapshot := pg_current_snapshot();
begin
    return cast(concat_ws(':',
        v_before + cast(cast(pg_snapshot_xmin(v_snapshot) as text) as bigint),
        v_before + cast(cast(pg_snapshot_xmax(v_snapshot) as text) as bigint),
        coalesce((select string_agg(cast(v_before + cast(cast(x.id as text) as bigint) as text), ',')
            from pg_snapshot_xip(v_snapshot) as x (id)), '')) as pg_snapshot);
end
$$;

create function app.change_numbered() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    new.transaction_id := app.change_transaction(new.organization_id);
    return new;
end
$$;
comment on function app.change_numbered is
    'Trigger: numbers a change by the transaction on the server with the organization, from any server.';
grant execute on function app.change_numbered to pipeline_lookup;
create trigger number before insert on app.changes
    for each row when (new.transaction_id = 0) execute function app.change_numbered();

set local role none;
