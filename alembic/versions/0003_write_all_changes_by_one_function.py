"""Write all changes by one function.

A change of a signature request by its signers left out the contract, and readers of the feed failed on it. Every change
goes through app.changes_write, whose entries have a place for the parent.

Release: the release before calls none of these functions itself.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0003"
down_revision = "0002"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
create type app.change_entry as (
    organization_id bigint, type text, record_id bigint, parent_type text, parent_id bigint, action text,
    actor_kind text, actor_id bigint, actor_name text, request_id text, changed jsonb, details jsonb);
comment on type app.change_entry is 'A change to write: the columns of app.changes without number and time.';
comment on column app.changes.parent_type is
    'The type of the record that contains a note, task or signature request: leads or contracts.';
grant select (contract_id) on app.signature_requests to pipeline_lookup;
""")
    migrations.lookups(r"""
drop function app.change_folded(bigint, text, bigint, text, jsonb, jsonb);

create function app.changes_write(p_entries app.change_entry[]) returns void
    language plpgsql as $$
begin
    insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                             actor_name, request_id, changed, details)
    select e.* from unnest(p_entries) as e;
end
$$;
comment on function app.changes_write is
    'Writes changes. No other function inserts into app.changes, so none can leave out a parent.';

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

create or replace function app.export_recorded(p_type text, p_filter jsonb) returns void
    language sql security definer set search_path = app, pg_temp as $$
    select app.changes_write(array[cast(row(
        nullif(current_setting('app.organization_id', true), '')::bigint, p_type, null, null, null, 'exported',
        v.actor_kind, v.actor_id, v.actor_name, v.request_id, null,
        jsonb_build_object('filter', app.change_value(p_filter))) as app.change_entry)])
    from app.change_context() v
$$;

create or replace function app.person_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    perform app.changes_write(array_agg(cast(row(
        s.organization_id, 'users', s.user_id, null, null, 'updated', v.actor_kind, v.actor_id, v.actor_name,
        v.request_id, jsonb_build_object('name', jsonb_build_object('old', old.name, 'new', new.name)), null)
        as app.change_entry)))
    from app.organization_users s cross join app.change_context() v where s.user_id = new.id;
    return null;
end
$$;

create or replace function app.login_recorded(p_session_id bigint, p_request_id text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    select app.changes_write(array_agg(cast(row(
        s.organization_id, 'users', s.user_id, null, null, 'signed_in', 'user', s.user_id, u.name, p_request_id, null,
        jsonb_build_object('client', s.client, 'address', s.address)) as app.change_entry)))
    from app.sessions s join app.users u on u.id = s.user_id
    where s.id = p_session_id
$$;

create or replace function app.login_failed(p_email text, p_client text, p_address text, p_request_id text) returns void
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_known bigint := (select u.id from app.users u where u.email_key = app.email_key(p_email));
begin
    -- A read-only database cannot record it.
    if cast(current_setting('transaction_read_only') as boolean) then
        return;
    end if;
    -- Makes the commit take as long for an unknown address.
    perform pg_current_xact_id();
    begin
        perform app.changes_write(array_agg(cast(row(
            s.organization_id, 'users', s.user_id, null, null, 'sign_in_failed', 'system', null, null, p_request_id,
            null, jsonb_build_object('client', left(p_client, 200), 'address', left(p_address, 100)))
            as app.change_entry)))
        from app.organization_users s
        where s.user_id = coalesce(v_known, (select m.user_id from app.organization_users m limit 1)) and s.seat_active;
        if v_known is null then
            raise exception 'taken back' using errcode = 'PI009';
        end if;
    exception when sqlstate 'PI009' then
        -- As in app.password_forgot, for the response time.
        null;
    end;
end
$$;

create or replace function app.quote_lines_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_was boolean := tg_op = 'DELETE';
    v record;
    v_currency text;
    v_lines jsonb;
begin
    for v in select distinct organization_id, quote_id from changed loop
        select q.currency into v_currency from app.quotes q
            where q.organization_id = v.organization_id and q.id = v.quote_id;
        -- A deleted quote.
        continue when not found;
        if v_was then
            -- Deleted lines have the currency from before this transaction, because the quote is updated first.
            v_currency := coalesce((
                select c.changed #>> '{currency,old}' from app.changes c
                where c.organization_id = v.organization_id and c.type = 'quotes' and c.record_id = v.quote_id
                  and c.transaction_id = app.change_transaction(v.organization_id)
                order by c.id desc limit 1), v_currency);
        end if;
        select jsonb_agg(jsonb_build_object(
            'sku', line.sku, 'description', line.description, 'platform', line.platform,
            'license_type', line.license_type, 'quantity', line.quantity,
            'unit_price', app.money(line.unit_price_minor, v_currency),
            'discount_percent', app.percent(line.discount_basis_points),
            'tax_rate', app.percent(line.tax_basis_points)) order by line.position)
            into v_lines from changed line
            where line.organization_id = v.organization_id and line.quote_id = v.quote_id;
        perform app.change_folded(v.organization_id, 'quotes', v.quote_id, null, null, 'lines',
            case when v_was then v_lines end, case when not v_was then v_lines end);
    end loop;
    return null;
end
$$;

create or replace function app.contract_rendered() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if new.kind = 'executed' then
        return null;
    end if;
    -- Orders the two documents of a revision, so that the second sees both.
    perform pg_advisory_xact_lock(hashtextextended('contract_rendered', new.contract_id));
    if (select count(*) = 2 from app.contract_documents document
        join app.contracts contract on contract.organization_id = document.organization_id
            and contract.id = document.contract_id and contract.revision = document.revision
        where document.organization_id = new.organization_id and document.contract_id = new.contract_id
          and document.revision = new.revision and document.kind <> 'executed') then
        perform app.change_folded(new.organization_id, 'contracts', new.contract_id, null, null, 'documents', null,
            jsonb_build_array('docx', 'pdf'));
    end if;
    return null;
end
$$;

create or replace function app.signers_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
    v_contract bigint;
    v_was jsonb;
    v_now jsonb;
begin
    -- {id: former status} of each request.
    for v in
        select f.organization_id, f.request_id, jsonb_object_agg(f.id, f.status) as former
        from former f join changed c on c.organization_id = f.organization_id and c.id = f.id
        group by f.organization_id, f.request_id
        having bool_or(f.status <> c.status)
    loop
        select jsonb_agg(jsonb_build_object('id', s.id, 'status', coalesce(v.former ->> s.id::text, s.status))
                   order by s.id),
               jsonb_agg(jsonb_build_object('id', s.id, 'status', s.status) order by s.id)
            into v_was, v_now from app.signature_signers s
            where s.organization_id = v.organization_id and s.request_id = v.request_id;
        select r.contract_id into strict v_contract from app.signature_requests r
            where r.organization_id = v.organization_id and r.id = v.request_id;
        perform app.change_folded(v.organization_id, 'signature-requests', v.request_id, 'contracts', v_contract,
            'signers', v_was, v_now);
    end loop;
    return null;
end
$$;
""")
