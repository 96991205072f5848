-- The record of change: inserts, updates and deletes of records, with actor and request, written by triggers. They
-- record the columns that app.record_changes names. Rows of a second table, such as quote lines, become a field of
-- their record (app.change_folded). Readers see a row once all earlier transactions have ended, so they skip none
-- (docs/changes.md).

set local role pipeline_owner;

create function app.change_transaction(p_organization_id bigint) returns bigint
    language sql volatile
    return cast(cast(pg_current_xact_id() as text) as bigint) + app.feed_offset(p_organization_id);
comment on function app.change_transaction is
    'The number of this transaction in an organization''s record of change.';

create function app.changes_snapshot(
    p_organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint
) returns pg_snapshot
    language sql stable
    return pg_current_snapshot();
comment on function app.changes_snapshot is
    'The committed transactions of an organization''s record of change, by the numbers of this server.';
create function app.changes_settled(
    p_organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint
) returns bigint
    language sql stable
    return cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) + app.feed_offset(p_organization_id);
comment on function app.changes_settled is
    'All transactions below this number have ended in an organization''s record of change.';
grant execute on function app.change_transaction to pipeline_lookup;
grant execute on function app.changes_settled, app.changes_snapshot to pipeline_member, pipeline_admin, pipeline_jobs, pipeline_lookup;

-- Foreign keys would cost a check for each row of an import.
create table app.changes (
    organization_id bigint not null,
    transaction_id bigint not null default cast(cast(pg_current_xact_id() as text) as bigint),
    id bigint generated always as identity,
    type text not null check (length(type) between 1 and 40),
    record_id bigint,
    parent_type text,
    parent_id bigint,
    action text not null
        check (action in ('created', 'updated', 'deleted', 'signed_in', 'sign_in_failed', 'exported')),
    at timestamptz not null default now(),
    actor_kind text not null check (actor_kind in ('user', 'key', 'prospect', 'signer', 'system')),
    actor_id bigint,
    actor_name text,
    request_id text,
    changed jsonb check (jsonb_typeof(changed) = 'object'),
    details jsonb check (jsonb_typeof(details) = 'object'),
    primary key (organization_id, transaction_id, id),
    check (num_nulls(parent_type, parent_id) in (0, 2)),
    constraint changes_parent
        check (record_id is null or (type in ('notes', 'signature-requests', 'tasks')) = (parent_type is not null))
);
comment on table app.changes is 'Changes of records, logins and exports. Only the erasure of a person updates rows.';
comment on column app.changes.transaction_id is
    'The transaction of the change (app.change_transaction). Readers follow changes by this column and id.';
comment on column app.changes.type is 'The type of the record, as in API paths: leads, deal-stages, users.';
comment on column app.changes.record_id is 'The record; null for an export.';
comment on column app.changes.parent_type is
    'The type of the record that contains a note, task or signature request: leads or contracts.';
comment on column app.changes.parent_id is 'The record that contains this one.';
comment on column app.changes.action is
    'created, updated or deleted; only the audit shows signed_in, sign_in_failed and exported.';
comment on column app.changes.at is 'When the transaction began.';
comment on column app.changes.actor_kind is 'user, key (a program), prospect (a form), signer (of a contract) or system.';
comment on column app.changes.actor_id is 'The id of the user, the API key, the invite of the form, or the signer.';
comment on column app.changes.actor_name is 'The name of the user or key at that time.';
comment on column app.changes.request_id is
    'The X-Request-Id of the request; background jobs of the request have the same.';
comment on column app.changes.changed is
    'The changed fields of an update with old and new values: {"status": {"old": "new", "new": "contacted"}}.';
comment on column app.changes.details is 'The client (user agent) and address of a login, or the filter of an export.';

call app.isolate('app.changes');

create function app.change_cursor(transaction_id bigint, id bigint, at timestamptz) returns text
    language sql stable parallel safe
    return concat_ws('-', to_hex(transaction_id), to_hex(id), to_hex(cast(extract(epoch from at) as bigint)));
comment on function app.change_cursor is 'A position in the change feed as text, including its time in seconds.';
grant execute on function app.change_cursor to pipeline_member;

create function app.audit_entry(change app.changes) returns json
    language sql stable parallel safe
    return json_build_object(
        'entry', (change).id, 'at', app.iso((change).at), 'actor_kind', (change).actor_kind,
        'actor_id', (change).actor_id, 'actor_name', (change).actor_name, 'request_id', (change).request_id,
        'type', (change).type, 'id', (change).record_id, 'action', (change).action, 'changed', (change).changed,
        'details', (change).details);
comment on function app.audit_entry is 'A change in the format of the audit.';
grant execute on function app.audit_entry to pipeline_admin;

-- The history of a record, and a walk. Other filters read the primary key, because each index slows down imports.
create index changes_record on app.changes (organization_id, record_id);
create index changes_id on app.changes (organization_id, id);

-- Members see the changed records; only administrators see actors and values.
create policy member on app.changes for select to pipeline_member, pipeline_jobs using (true);
grant select (organization_id, transaction_id, id, type, record_id, parent_type, parent_id, action, at)
    on app.changes to pipeline_member;
grant select on app.changes to pipeline_admin, pipeline_jobs;
grant select, insert (organization_id, transaction_id, type, record_id, parent_type, parent_id, action, actor_kind,
        actor_id, actor_name, request_id, changed, details),
    update (changed, details), delete
    on app.changes to pipeline_lookup;

create type app.change_entry as (
    organization_id bigint, type text, record_id bigint, parent_type text, parent_id bigint, action text,
    actor_kind text, actor_id bigint, actor_name text, request_id text, changed jsonb, details jsonb);
comment on type app.change_entry is 'A change to write: the columns of app.changes without number and time.';

create function app.changed_names(p_changed jsonb) returns text[]
    language sql immutable parallel safe
    return array(
        select regexp_replace(name, '_file_id$', '_file') from jsonb_object_keys(coalesce(p_changed, '{}')) as name
        order by 1);
comment on function app.changed_names is
    'The names of changed fields as the API returns them, from the column changed; a file is named without its id.';
grant execute on function app.changed_names to pipeline_jobs, pipeline_lookup;

set local role pipeline_lookup;

create function app.changes_write(p_entries app.change_entry[]) returns void
    language plpgsql as $$
begin
    insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                             actor_name, request_id, changed, details, transaction_id)
    select e.organization_id, e.type, e.record_id, e.parent_type, e.parent_id, e.action, e.actor_kind, e.actor_id,
        e.actor_name, e.request_id, e.changed, e.details, numbered.transaction_id
    from unnest(p_entries) with ordinality as e
    join (
        select one.organization_id, app.change_transaction(one.organization_id) as transaction_id
        from (select distinct entry.organization_id from unnest(p_entries) as entry) as one) as numbered
        on numbered.organization_id = e.organization_id
    order by e.ordinality;
end
$$;
comment on function app.changes_write is
    'Writes changes. No other function inserts into app.changes, so none can leave out a parent.';
create function app.changed_fields(p_transaction_id bigint, p_id bigint) returns text[]
    language sql stable security definer set search_path = app, pg_temp as $$
    select app.changed_names(c.changed) from app.changes c
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
        and c.transaction_id = p_transaction_id and c.id = p_id
$$;
comment on function app.changed_fields is
    'The names of the changed fields of a change of the current organization, for members, who may not see the values.';
grant execute on function app.changed_fields to pipeline_member;

create function app.change_context(
    out actor_kind text, out actor_id bigint, out actor_name text, out request_id text
) language plpgsql as $$
declare
    v_key bigint := nullif(current_setting('app.key_id', true), '');
    v_user bigint := nullif(current_setting('app.user_id', true), '');
    v_invite bigint := nullif(current_setting('app.invite_id', true), '');
    v_signer bigint := nullif(current_setting('app.signer_id', true), '');
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
    elsif v_signer is not null then
        actor_kind := 'signer';
        actor_id := v_signer;
    else
        actor_kind := 'system';
    end if;
end
$$;
comment on function app.change_context is
    'The actor and the request of this transaction, from the transaction''s settings.';
grant execute on function app.change_context to pipeline_member;

create function app.change_value(p_value jsonb) returns jsonb
    language sql stable parallel safe
    return case
        when length(cast(p_value as text)) > 2000 then to_jsonb(left(p_value #>> '{}', 2000) || '…')
        else p_value
    end;
comment on function app.change_value is 'A value for the record of change: text beyond 2,000 characters is cut.';

create function app.shown_value(p_row jsonb, p_column text) returns jsonb
    language sql stable parallel safe
    return case
        when p_column like '%\_minor'
            then to_jsonb(app.money(cast(p_row ->> p_column as numeric), p_row ->> 'currency'))
        when p_column like '%\_at' then to_jsonb(app.iso(cast(p_row ->> p_column as timestamptz)))
        else p_row -> p_column
    end;
comment on function app.shown_value is
    'A column value in the format of the API: money as a decimal number, times in UTC.';

create function app.changed_columns(p_old jsonb, p_new jsonb, p_columns text[]) returns jsonb
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

create function app.changes_recorded() returns trigger
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
comment on function app.changes_recorded is
    'Trigger (type, id column, organization column, end column, parents, recorded columns): records the changes of a '
    'statement. The end column is filled when a record ends before its row is deleted; it may be empty. Parents are '
    'types by their columns; a row has at most one.';

create function app.change_folded(
    p_organization_id bigint, p_type text, p_record_id bigint, p_parent_type text, p_parent_id bigint, p_field text,
    p_old jsonb, p_new jsonb
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
    v_field := jsonb_build_object(p_field, jsonb_build_object(
        'old', app.change_value(coalesce(p_old, v_change.changed -> p_field -> 'old', '[]')),
        'new', app.change_value(coalesce(p_new, v_change.changed -> p_field -> 'new', '[]'))));
    v_changed := case when v_field -> p_field -> 'old' <> v_field -> p_field -> 'new' then v_change.changed || v_field
        else v_change.changed - p_field end;
    if v_change.id is null then
        perform app.changes_write(array[cast(row(
            p_organization_id, p_type, p_record_id, p_parent_type, p_parent_id, 'updated', v.actor_kind, v.actor_id,
            v.actor_name, v.request_id, v_field, null) as app.change_entry)])
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
    'Records a list of a second table as a field of its record. A transaction makes one change, or none if the list '
    'ends unchanged. A null side keeps the value recorded earlier in the transaction.';

create function app.export_recorded(p_type text, p_filter jsonb) returns void
    language sql security definer set search_path = app, pg_temp as $$
    select app.changes_write(array[cast(row(
        nullif(current_setting('app.organization_id', true), '')::bigint, p_type, null, null, null, 'exported',
        v.actor_kind, v.actor_id, v.actor_name, v.request_id, null,
        jsonb_build_object('filter', app.change_value(p_filter))) as app.change_entry)])
    from app.change_context() v
$$;
comment on function app.export_recorded is 'Records an export for the audit.';

create function app.changes_purge(p_days integer) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with oldest as (
        select c.transaction_id, c.id, c.at from app.changes c
        where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
        order by c.transaction_id, c.id limit 50000),
    gone as (
        delete from app.changes c using oldest
        where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and c.transaction_id = oldest.transaction_id and c.id = oldest.id
          and oldest.at < now() - make_interval(days => greatest(p_days, 31))
        returning 1)
    select count(*) from gone
$$;
comment on function app.changes_purge is
    'Deletes up to 50,000 of the current organization''s changes older than p_days, at least 31. Returns the number.';

grant execute on function app.changes_purge to pipeline_jobs;
grant execute on function app.export_recorded to pipeline_admin;
grant execute on function app.changes_recorded to pipeline_owner;

set local role pipeline_owner;

create procedure app.record_changes(
    p_table regclass, p_type text, p_columns text[], p_key text default 'id',
    p_organization text default 'organization_id', p_ended text default '', p_touched_by text[] default '{}',
    p_parents jsonb default '{}'
) language plpgsql as $procedure$
declare
    v_recorded text := format('for each statement execute function app.changes_recorded(%L, %L, %L, %L, %L, %L)',
                              p_type, p_key, p_organization, p_ended, p_parents, p_columns);
    v_unknown text := (
        select string_agg(name, ', ') from unnest(p_columns || p_touched_by) as name
        where name not in (
            select attname from pg_attribute
            where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''));
begin
    if v_unknown is not null then
        raise undefined_column using message = format('%s has no stored column %s.', p_table, v_unknown);
    end if;
    call app.touch_changed(p_table, variadic p_touched_by);
    execute format('create or replace trigger record_inserted after insert on %s referencing new table as changed %s',
                   p_table, v_recorded);
    execute format('create or replace trigger record_updated after update on %s '
                   'referencing old table as former new table as changed %s', p_table, v_recorded);
    execute format('create or replace trigger record_deleted after delete on %s referencing old table as changed %s',
                   p_table, v_recorded);
end
$procedure$;
comment on procedure app.record_changes is
    'Records a table''s inserts, deletes, and changes of these columns (app.changes_recorded). Keeps its updated_at: '
    'if p_touched_by is given, only these columns change updated_at. Call it again after adding a column.';
