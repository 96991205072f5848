-- The record of change: what was made, changed and deleted, by whom, in which request.
--
-- Triggers append to it, once for each statement, in the transaction of the change; so nothing is changed without it,
-- and nothing that was rolled back stands in it. A record's table has one line in its own file,
--
--     call app.record_changes('app.leads', 'leads');
--
-- which makes its functions and its triggers, also the one that keeps updated_at, with the table's columns written out:
-- comparing rows column by column costs a tenth of what comparing them as JSON would. What belongs to a record and stands
-- in a table of its own (the lines of a quote) is told as a change of that record (app.change_folded).
--
-- Only these functions write here, as pipeline_lookup: for every role that serves requests the table is append-only.
-- Readers follow it in the order of transactions (docs/changes.md): a row can be read once every transaction that began
-- to write before its own has ended, so nobody who remembers the place of the last row they have read misses one.

set local role pipeline_owner;

create function app.change_transaction(p_organization_id bigint) returns bigint
    language sql volatile
    return cast(cast(pg_current_xact_id() as text) as bigint);
comment on function app.change_transaction is
    'The number of the transaction in the record of change of an organization: its own, as there is one server.';

create function app.changes_snapshot(
    p_organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint
) returns pg_snapshot
    language sql stable
    return pg_current_snapshot();
comment on function app.changes_snapshot is
    'What of the record of change of an organization is committed, by those numbers: the snapshot, as there is one server.';
grant execute on function app.change_transaction to pipeline_lookup;
grant execute on function app.changes_snapshot to pipeline_member, pipeline_admin, pipeline_jobs, pipeline_lookup;

-- No foreign key, which would check each row of an import: the triggers alone write here.
create table app.changes (
    organization_id bigint not null,
    transaction_id bigint not null default cast(cast(pg_current_xact_id() as text) as bigint),
    id bigint generated always as identity,
    type text not null check (length(type) between 1 and 40),
    record_id bigint,
    action text not null
        check (action in ('created', 'updated', 'deleted', 'signed_in', 'sign_in_failed', 'exported')),
    at timestamptz not null default now(),
    actor_kind text not null check (actor_kind in ('user', 'key', 'prospect', 'system')),
    actor_id bigint,
    actor_name text,
    request_id text,
    changed jsonb check (jsonb_typeof(changed) = 'object'),
    details jsonb check (jsonb_typeof(details) = 'object'),
    primary key (organization_id, transaction_id, id)
);
comment on table app.changes is
    'What was made, changed and deleted, who signed in, what was exported; never rewritten but to erase personal data.';
comment on column app.changes.transaction_id is
    'The transaction that made the change (app.change_transaction); with id the order in which changes are followed.';
comment on column app.changes.type is 'The kind of record, in the words of the API''s paths: leads, deal-stages, users.';
comment on column app.changes.record_id is 'The record; null for an export.';
comment on column app.changes.action is
    'created, updated or deleted; and what changes nothing and is told in the audit alone: signed_in, sign_in_failed, '
    'exported.';
comment on column app.changes.at is 'When the transaction began.';
comment on column app.changes.actor_kind is 'Who did it: user, key (a program), prospect (a form) or system.';
comment on column app.changes.actor_id is 'The user, the API key, or the invite whose form it was.';
comment on column app.changes.actor_name is 'The name of the user or key at that time.';
comment on column app.changes.request_id is 'The X-Request-Id of the request, also of one whose event was worked on.';
comment on column app.changes.changed is
    'Of an update, each field with its value before and after: {"status": {"old": "new", "new": "contacted"}}.';
comment on column app.changes.details is
    'Of a login, client (user agent) and address; of an export, the filter that it was asked with.';

call app.isolate('app.changes');

create function app.change_cursor(transaction_id bigint, id bigint, at timestamptz) returns text
    language sql stable parallel safe
    return concat_ws('-', to_hex(transaction_id), to_hex(id), to_hex(cast(extract(epoch from at) as bigint)));
comment on function app.change_cursor is 'A place in the feed as text, and the second in which it was current.';
grant execute on function app.change_cursor to pipeline_member;

create function app.audit_entry(change app.changes) returns json
    language sql stable parallel safe
    return json_build_object(
        'entry', (change).id, 'at', app.iso((change).at), 'actor_kind', (change).actor_kind,
        'actor_id', (change).actor_id, 'actor_name', (change).actor_name, 'request_id', (change).request_id,
        'type', (change).type, 'id', (change).record_id, 'action', (change).action, 'changed', (change).changed,
        'details', (change).details);
comment on function app.audit_entry is 'A change as the audit shows it.';
grant execute on function app.audit_entry to pipeline_admin;

-- A record's history. What else the audit is narrowed by is found through change_tallies: each further index would be
-- paid for by every row of an import.
create index changes_record on app.changes (organization_id, record_id);
-- What one prospect has done: too many to be tallied each by itself.
create index changes_prospect on app.changes (organization_id, actor_id) where actor_kind = 'prospect';

-- What has changed may be known to everybody who sees the records; who did it, and the values, to administrators.
create policy member on app.changes for select to pipeline_member, pipeline_jobs using (true);
grant select (organization_id, transaction_id, id, type, record_id, action, at) on app.changes to pipeline_member;
grant select on app.changes to pipeline_admin, pipeline_jobs;
grant select, insert (organization_id, transaction_id, type, record_id, action, actor_kind, actor_id, actor_name,
        request_id, changed, details),
    update (changed, details), delete
    on app.changes to pipeline_lookup;

-- A trigger that counts, as record_count_deltas has them, would cost each write as much as recording it; so the worker
-- counts: how many there are, and how many of each kind, in parts of the record that follow each other.
create table app.change_counts (
    organization_id bigint primary key,
    until_transaction bigint not null,
    total bigint not null,
    part bigint not null,
    part_total bigint not null
);
comment on table app.change_counts is 'How many changes an organization has, up to a transaction.';
comment on column app.change_counts.until_transaction is 'The first transaction that is not counted.';
comment on column app.change_counts.total is 'How many there are below it.';
comment on column app.change_counts.part is 'The last part of the record, which is still counted into.';
comment on column app.change_counts.part_total is 'How many there are in it.';

create table app.change_tallies (
    organization_id bigint,
    part bigint not null,
    type text not null,
    action text not null,
    actor_kind text not null,
    actor_id bigint not null,
    first_transaction bigint not null,
    last_transaction bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    total bigint not null,
    primary key (organization_id, part, type, action, actor_kind, actor_id)
);
comment on table app.change_tallies is
    'How many changes of each kind there are in each part of an organization''s record, and where: what the audit is '
    'narrowed by, without an index that each change would pay for.';
comment on column app.change_tallies.part is
    'The part, by the transaction that it begins with: some ten thousand changes in their order, or one large import.';
comment on column app.change_tallies.type is 'The type of the changes.';
comment on column app.change_tallies.action is 'Their action.';
comment on column app.change_tallies.actor_kind is 'The kind of their actor.';
comment on column app.change_tallies.actor_id is 'The user or key; 0 for prospects, of whom there are too many, and system.';
comment on column app.change_tallies.first_transaction is 'The transaction of the first of them.';
comment on column app.change_tallies.last_transaction is 'That of the last.';
comment on column app.change_tallies.first_at is 'The earliest time of them.';
comment on column app.change_tallies.last_at is 'The latest.';
comment on column app.change_tallies.total is 'How many there are.';

call app.isolate('app.change_counts');
create policy admin on app.change_counts for select to pipeline_admin using (true);
grant select on app.change_counts to pipeline_admin;
grant select, insert, update on app.change_counts to pipeline_lookup;

call app.isolate('app.change_tallies');
create policy admin on app.change_tallies for select to pipeline_admin using (true);
grant select on app.change_tallies to pipeline_admin;
grant select, insert, update, delete on app.change_tallies to pipeline_lookup;

set local role pipeline_lookup;

create function app.change_context(
    out actor_kind text, out actor_id bigint, out actor_name text, out request_id text
) language plpgsql as $$
declare
    v_key bigint := nullif(current_setting('app.key_id', true), '');
    v_user bigint := nullif(current_setting('app.user_id', true), '');
    v_invite bigint := nullif(current_setting('app.invite_id', true), '');
begin
    request_id := nullif(current_setting('app.request_id', true), '');
    if v_key is not null then
        actor_kind := 'key';
        actor_id := v_key;
        select k.name into actor_name from app.api_keys k
            where k.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint and k.id = v_key;
    elsif v_user is not null then
        actor_kind := 'user';
        actor_id := v_user;
        select u.name into actor_name from app.users u where u.id = v_user;
    elsif v_invite is not null or nullif(current_setting('app.template_id', true), '') is not null then
        actor_kind := 'prospect';
        actor_id := v_invite;
    else
        actor_kind := 'system';
    end if;
end
$$;
comment on function app.change_context is
    'Who acts in the transaction, and for which request, by the context that the service has given it.';

-- Stable, as to_jsonb is: called immutable, it would not be put in the place of its call, and cost as much as a query.
create function app.change_value(p_value jsonb) returns jsonb
    language sql stable parallel safe
    return case
        when length(cast(p_value as text)) > 2000 then to_jsonb(left(p_value #>> '{}', 2000) || '…')
        else p_value
    end;
comment on function app.change_value is
    'A value as the record of change keeps it: a long one is cut, or a contract''s text would be kept with each change.';

create function app.change_field(p_name text, p_old anyelement, p_new anyelement) returns jsonb
    language plpgsql stable parallel safe as $$
begin
    return jsonb_build_object(p_name, jsonb_build_object(
        'old', app.change_value(to_jsonb(p_old)), 'new', app.change_value(to_jsonb(p_new))));
end
$$;
comment on function app.change_field is
    'A field that has changed, as the record of change keeps it. A statement that compares all fields of a record is '
    'half as large with it as with the expression, and is set up for each change, mostly of one row.';

create function app.change_folded(
    p_organization_id bigint, p_type text, p_record_id bigint, p_field text, p_old jsonb, p_new jsonb
) returns void
    language plpgsql as $$
declare
    v_transaction bigint := app.change_transaction(p_organization_id);
    v_change record;
    v_field jsonb;
    v_changed jsonb;
begin
    select c.id, c.action, c.changed into v_change from app.changes c
    where c.organization_id = p_organization_id and c.transaction_id = v_transaction
      and c.type = p_type and c.record_id = p_record_id
    order by c.id desc limit 1;
    if v_change.action in ('created', 'deleted') then
        return;
    end if;
    v_field := app.change_field(
        p_field, coalesce(p_old, v_change.changed -> p_field -> 'old', '[]'),
        coalesce(p_new, v_change.changed -> p_field -> 'new', '[]'));
    v_changed := case when v_field -> p_field -> 'old' <> v_field -> p_field -> 'new' then v_change.changed || v_field
        else v_change.changed - p_field end;
    if v_change.id is null then
        insert into app.changes (organization_id, type, record_id, action, actor_kind, actor_id, actor_name, request_id,
                                 changed)
        select p_organization_id, p_type, p_record_id, 'updated', v.actor_kind, v.actor_id, v.actor_name, v.request_id,
            v_field
        from app.change_context() v;
    elsif v_changed = '{}' then
        delete from app.changes c
        where c.organization_id = p_organization_id and c.transaction_id = v_transaction and c.id = v_change.id;
    else
        update app.changes c set changed = v_changed
        where c.organization_id = p_organization_id and c.transaction_id = v_transaction and c.id = v_change.id;
    end if;
end
$$;
comment on function app.change_folded is
    'Tell a list that stands in a table of its own (null: as it was told before in this transaction) as a field of its '
    'record: one change of the record in a transaction, and none when the list is what it was.';

create function app.export_recorded(p_type text, p_filter jsonb) returns void
    language sql security definer set search_path = app, pg_temp as $$
    insert into app.changes (organization_id, type, action, actor_kind, actor_id, actor_name, request_id, details)
    select nullif(current_setting('app.organization_id', true), '')::bigint, p_type, 'exported', v.actor_kind,
        v.actor_id, v.actor_name, v.request_id, jsonb_build_object('filter', app.change_value(p_filter))
    from app.change_context() v
$$;
comment on function app.export_recorded is 'Tell the audit that records of a type are exported.';

create function app.changes_tallied(p_organization_id bigint, p_part bigint, p_from bigint, p_before bigint)
    returns bigint language sql as $$
    with found as materialized (
        select c.type, c.action, c.actor_kind,
            case when c.actor_kind in ('user', 'key') then coalesce(c.actor_id, 0) else 0 end as actor_id,
            min(c.transaction_id) as first_transaction, max(c.transaction_id) as last_transaction,
            min(c.at) as first_at, max(c.at) as last_at, count(*) as total
        from app.changes c
        where c.organization_id = p_organization_id
          and c.transaction_id >= p_from and c.transaction_id < p_before
        group by 1, 2, 3, 4),
    kept as (
        insert into app.change_tallies as t
        select p_organization_id, p_part, f.* from found f
        on conflict (organization_id, part, type, action, actor_kind, actor_id) do update
            set last_transaction = excluded.last_transaction, total = t.total + excluded.total,
                first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at))
    select coalesce(sum(f.total), 0)::bigint from found f
$$;
comment on function app.changes_tallied is
    'Add the changes of an organization in a range of transactions, all after those that are in the part already, to a '
    'part; how many there are.';

create function app.changes_counted() returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    c_part constant bigint := 20000;
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    v app.change_counts;
    v_until bigint;
    v_next bigint;
    v_some bigint;
    v_new bigint := 0;
begin
    -- What came from another database (pipeline restore) has negative numbers.
    insert into app.change_counts (organization_id, until_transaction, total, part, part_total)
        values (v_organization, -(2::bigint ^ 62), 0, -(2::bigint ^ 62), 0) on conflict do nothing;
    select * into v from app.change_counts c where c.organization_id = v_organization for no key update;
    -- A statement of its own: whoever waited for the lock counts from what the other has counted to.
    v_until := greatest(v.until_transaction, cast(cast(pg_snapshot_xmin(app.changes_snapshot()) as text) as bigint));
    loop
        -- What one transaction has made is not divided.
        v_next := (
            select c.transaction_id + 1 from app.changes c
            where c.organization_id = v_organization
              and c.transaction_id >= v.until_transaction and c.transaction_id < v_until
            order by c.organization_id, c.transaction_id, c.id offset c_part - 1 limit 1);
        if v.part_total >= c_part then
            v.part := v.until_transaction;
            v.part_total := 0;
        end if;
        v_some := app.changes_tallied(v_organization, v.part, v.until_transaction, coalesce(v_next, v_until));
        v_new := v_new + v_some;
        v.part_total := v.part_total + v_some;
        v.until_transaction := coalesce(v_next, v_until);
        exit when v_next is null;
    end loop;
    if v_new > 0 then
        update app.change_counts c set until_transaction = v.until_transaction, total = c.total + v_new,
                part = v.part, part_total = v.part_total
            where c.organization_id = v_organization;
    end if;
    return v_new;
end
$$;
comment on function app.changes_counted is
    'Count the current organization''s changes that were not counted yet and are settled; primary key of changes.';

create function app.changes_purge(p_days integer) returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    v_before timestamptz := now() - make_interval(days => greatest(p_days, 31));
    v_until record;
    v_purged bigint := 0;
    v_last bigint;
    v_part bigint;
    v_next bigint;
begin
    perform app.changes_counted();
    -- From the oldest on, so that the primary key leads there and an organization without old ones costs one row.
    select first.at into v_until from app.changes first where first.organization_id = v_organization
        order by first.transaction_id, first.id limit 1;
    if v_until.at < v_before then
        select oldest.* into v_until from (
            select o.transaction_id, o.id from app.changes o where o.organization_id = v_organization
            order by o.transaction_id, o.id limit 50000) as oldest
        order by oldest.transaction_id desc, oldest.id desc limit 1;
        with gone as (
            delete from app.changes c
            where c.organization_id = v_organization and c.at < v_before
              and row(c.transaction_id, c.id) <= row(v_until.transaction_id, v_until.id)
            returning c.transaction_id)
        select count(*), max(gone.transaction_id) into v_purged, v_last from gone;
    end if;
    if v_purged > 0 then
        -- What is left of the parts that it has gone from is counted anew, as one part.
        select max(t.part) into v_part from app.change_tallies t
            where t.organization_id = v_organization and t.part <= v_last;
        select coalesce(min(t.part), (select c.until_transaction from app.change_counts c
                                      where c.organization_id = v_organization)) into v_next
            from app.change_tallies t where t.organization_id = v_organization and t.part > v_last;
        delete from app.change_tallies t where t.organization_id = v_organization and t.part <= v_last;
        perform app.changes_tallied(v_organization, v_part, -(2::bigint ^ 62)::bigint, v_next);
        update app.change_counts c set total = c.total - v_purged where c.organization_id = v_organization;
    end if;
    return v_purged;
end
$$;
comment on function app.changes_purge is
    'Forget the current organization''s oldest changes: of those older than so many days, at least 31, some.';

grant execute on function app.changes_counted, app.changes_purge to pipeline_jobs;
grant execute on function app.export_recorded to pipeline_admin;

set local role pipeline_owner;

create procedure app.record_changes(
    p_table regclass, p_type text, p_key text default 'id', p_organization text default 'organization_id',
    p_gone text default 'false', p_touched_by text default null
) language plpgsql as $procedure$
declare
    -- What is never kept, in any table: secrets, what the database computes, and the notes of the service about itself.
    c_secret constant text := '(secret|token|hash|password)';
    c_left_out constant text[] := array[
        p_key, p_organization, 'created_at', 'updated_at', 'created_by_key', 'last_used_at', 'chosen_at', 'saved_at',
        'missing_glyphs', 'warnings', 'step', 'tally'];
    v_name text := (select relname from pg_class where oid = p_table);
    v_function text;
    v_differences text;
    v_gone_before text := replace(p_gone, '$.', 'o.');
    v_gone_after text := replace(p_gone, '$.', 'n.');
begin
    select string_agg(format(
        'case when %4$s is distinct from %5$s then app.change_field(%1$L, %2$s, %3$s) else ''{}'' end',
        regexp_replace(attname, '_minor$', ''), was, became,
        -- The same minor units of another currency are another amount.
        case when attname like '%\_minor' then was else format('o.%I', attname) end,
        case when attname like '%\_minor' then became else format('n.%I', attname) end),
        E'\n            || ' order by attnum)
    into v_differences
    from pg_attribute cross join lateral (select case
        when attname like '%\_minor' then 'app.money($, @.currency)'
        when atttypid = 'timestamptz'::regtype then 'app.iso($)' else '$' end as shown) as written
    cross join lateral (select
        replace(replace(shown, '$', format('o.%I', attname)), '@', 'o') as was,
        replace(replace(shown, '$', format('n.%I', attname)), '@', 'n') as became) as sides
    where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all (c_left_out) and attname !~ c_secret;

    set local role pipeline_lookup;
    execute format($function$
create or replace function app.%1$I() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $body$
declare
    v record;
    -- Once, and not as a default of each row.
    v_transaction bigint := cast(pg_current_xact_id() as text);
    v_action text := case tg_op when 'INSERT' then 'created' else 'deleted' end;
begin
    v := app.change_context();
    insert into app.changes (organization_id, transaction_id, type, record_id, action, actor_kind, actor_id,
                             actor_name, request_id)
    select o.%2$I, v_transaction, %4$L, o.%3$I, v_action, v.actor_kind, v.actor_id, v.actor_name, v.request_id
    from changed o where v_action = 'created' or not (%5$s);
    return null;
end
$body$$function$, v_name || '_recorded', p_organization, p_key, p_type, v_gone_before);
    execute format($function$
create or replace function app.%1$I() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $body$
declare
    v record;
begin
    v := app.change_context();
    insert into app.changes (organization_id, type, record_id, action, actor_kind, actor_id, actor_name, request_id,
                             changed)
    select n.%2$I, %4$L, n.%3$I, case when %6$s then 'deleted' when %5$s then 'created' else 'updated' end,
        v.actor_kind, v.actor_id, v.actor_name, v.request_id,
        case when not (%6$s) and not (%5$s) then fields.changed end
    -- A full join, though each row has its other one: the plan is kept, and one made for one row would take a loop,
    -- which a full join cannot.
    from former o full join changed n on n.%2$I = o.%2$I and n.%3$I = o.%3$I
    cross join lateral (select
            %7$s as changed offset 0) as fields
    where fields.changed <> '{}' and not ((%5$s) and (%6$s));
    return null;
end
$body$$function$, v_name || '_compared', p_organization, p_key, p_type, v_gone_before, v_gone_after, v_differences);
    foreach v_function in array array[v_name || '_recorded', v_name || '_compared'] loop
        execute format('comment on function app.%I is %L', v_function,
            format('Trigger: records what becomes of %s; made by app.record_changes.', p_type));
        execute format('grant execute on function app.%I to pipeline_owner', v_function);
    end loop;

    set local role pipeline_owner;
    execute format('create or replace trigger touch before update %s on %s for each row execute function app.touch()',
                   'of ' || p_touched_by, p_table);
    execute format('create or replace trigger record_inserted after insert on %s referencing new table as changed '
                   'for each statement execute function app.%I()', p_table, v_name || '_recorded');
    execute format('create or replace trigger record_updated after update on %s '
                   'referencing old table as former new table as changed '
                   'for each statement execute function app.%I()', p_table, v_name || '_compared');
    execute format('create or replace trigger record_deleted after delete on %s referencing old table as changed '
                   'for each statement execute function app.%I()', p_table, v_name || '_recorded');
end
$procedure$;
comment on procedure app.record_changes is
    'Have updated_at kept, and the changes of a table recorded as those of a type of record: p_key names the record, '
    'p_gone is the condition ($ is the row) under which a row that is still there is deleted for everybody, p_touched_by '
    'the columns that count for updated_at if not all do. To be called again when a column was added.';
