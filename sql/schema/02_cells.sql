-- Cells: the PostgreSQL servers of one installation (docs/scaling.md). An organization lives in one of them, whole. The
-- first one, home, keeps the map and the people; PostgreSQL copies both to the others. No login of the service reads
-- these tables: the functions below do.

set local role none;
create schema cells authorization pipeline_owner;

set local role pipeline_owner;
comment on schema cells is 'The map of organizations to PostgreSQL servers.';
grant usage on schema cells to pipeline_lookup;

create table cells.this_cell (
    is_only boolean primary key default true check (is_only),
    name text not null default 'home' check (name ~ '^[a-z][a-z0-9_]{0,30}$' or name = '')
);
comment on table cells.this_cell is 'One row: which cell this database is.';
comment on column cells.this_cell.name is 'Its name; home by default, empty while the shared tables are copied anew.';
insert into cells.this_cell default values;
grant select on cells.this_cell to pipeline_lookup;

create table cells.members (
    name text primary key check (name ~ '^[a-z][a-z0-9_]{0,30}$'),
    number integer not null unique check (number between 0 and 8000),
    beat_at timestamptz not null default now()
);
comment on table cells.members is 'All cells. Written in home.';
comment on column cells.members.number is 'Ids that the cell gives begin at this number times 2^40; home has 0.';
comment on column cells.members.beat_at is
    'Of home: the time of each second, which shows how far behind the copies of the shared tables are.';
insert into cells.members (name, number) values ('home', 0);
grant select, update (beat_at) on cells.members to pipeline_lookup;

create table cells.placements (
    organization_id bigint primary key,
    cell text not null,
    state text not null default 'here' check (state in ('here', 'fenced')),
    feed_offset bigint not null default 0 check (feed_offset >= 0),
    placed_at timestamptz not null default clock_timestamp()
);
comment on table cells.placements is 'The map. An organization without a row is in home. Written in home.';
comment on column cells.placements.cell is 'The cell of the organization.';
comment on column cells.placements.state is 'fenced for the moment in which a move switches: requests wait.';
comment on column cells.placements.feed_offset is
    'Added to the transaction numbers of this cell, so that the record of change goes on after a move.';
comment on column cells.placements.placed_at is 'When the row was last written.';
create index placements_placed on cells.placements (placed_at);
grant select on cells.placements to pipeline_lookup;

create table cells.moves (
    organization_id bigint primary key,
    source text not null,
    target text not null,
    step text not null default 'copying' check (step in ('copying', 'switched', 'compared', 'different')),
    started_at timestamptz not null default now()
);
comment on table cells.moves is 'Moves under way. Only in home; not copied.';
comment on column cells.moves.step is
    'What is done: nothing but copying, the switch, or the comparison after it, which found equal rows or different '
    'ones.';

create table cells.claims (
    kind text not null,
    name text not null,
    organization_id bigint not null,
    claimed_at timestamptz not null default now(),
    primary key (kind, name)
);
comment on table cells.claims is
    'Slugs that are about to be saved, so that two cells do not save one at the same time. Only in home; each holds for '
    'a minute.';
grant select, insert, update, delete on cells.claims to pipeline_lookup;

set local role pipeline_lookup;

create function app.is_here(p_organization_id bigint) returns boolean
    language sql stable as $$
    select coalesce(
        (select p.state = 'here' and p.cell = this_cell.name
         from cells.placements p where p.organization_id = p_organization_id),
        this_cell.name = 'home')
    from cells.this_cell
$$;
comment on function app.is_here is 'Whether this cell serves an organization now.';

create function app.check_here(p_organization_id bigint) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
begin
    if app.is_here(p_organization_id) then
        return p_organization_id;
    end if;
    raise exception 'this cell does not serve the organization' using
        errcode = 'PI010', detail = p_organization_id;
end
$$;
comment on function app.check_here is 'The id of an organization that this cell serves; else raises PI010.';

create function app.feed_offset(p_organization_id bigint) returns bigint
    language sql stable security definer set search_path = app, pg_temp as $$
    select coalesce(
        (select p.feed_offset from cells.placements p where p.organization_id = p_organization_id), 0)
$$;
comment on function app.feed_offset is 'What an organization''s record of change adds to transaction numbers.';

create function app.placements(p_since timestamptz default '-infinity')
    returns table (organization_id bigint, cell text, state text, placed_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select p.organization_id, p.cell, p.state, p.placed_at from cells.placements p where p.placed_at >= p_since
$$;
comment on function app.placements is 'The map, or what changed in it since a time.';

create function app.cell_beat(p_write boolean) returns timestamptz
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if p_write then
        update cells.members set beat_at = clock_timestamp() where name = 'home';
    end if;
    return (select m.beat_at from cells.members m where m.name = 'home');
end
$$;
comment on function app.cell_beat is 'The last second of home that arrived here; home writes it.';

create function app.name_claim(p_kind text, p_name text, p_organization_id bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    delete from cells.claims c where c.claimed_at < now() - interval '1 minute';
    insert into cells.claims as c (kind, name, organization_id) values (p_kind, p_name, p_organization_id)
    on conflict (kind, name) do update set claimed_at = now() where c.organization_id = excluded.organization_id;
    return found;
end
$$;
comment on function app.name_claim is
    'Claims a slug for an organization for a minute; false if another one did. Runs in home.';

grant execute on function app.check_here, app.placements to pipeline_app, pipeline_forms, pipeline_jobs;
grant execute on function app.feed_offset to pipeline_member, pipeline_jobs;
grant execute on function app.cell_beat to pipeline_app, pipeline_forms, pipeline_jobs;
grant execute on function app.name_claim to pipeline_app;

set local role pipeline_owner;
