-- The schema of 0.1.0, which never changes (docs/migrations.md).

-- Roles and the settings of the login roles (docs/database.md). All databases of a server share the roles, so this file
-- changes only differences; the set-up retries after a concurrent one. Every other file names its owner by `set local
-- role`.

do $roles$
declare
    wanted record;
    made text[] := '{}';
begin
    for wanted in select * from (values
        ('pipeline_owner', 'nologin'),
        ('pipeline_lookup', 'nologin bypassrls'),
        ('pipeline_watch', 'nologin'),
        ('pipeline_member', 'nologin'),
        ('pipeline_admin', 'nologin inherit'),
        ('pipeline_public', 'nologin'),
        ('pipeline_app', 'login noinherit'),
        ('pipeline_forms', 'login noinherit'),
        ('pipeline_jobs', 'login noinherit')
    ) as r (name, options) loop
        if not exists (select from pg_roles where rolname = wanted.name) then
            execute format('create role %I %s', wanted.name, wanted.options);
            made := made || wanted.name;
        end if;
    end loop;

    for wanted in select * from (values
        ('pipeline_member', 'pipeline_admin'),
        ('pipeline_member', 'pipeline_app'),
        ('pipeline_admin', 'pipeline_app'),
        ('pipeline_public', 'pipeline_forms'),
        -- Needed to end their sessions (90_logins.sql).
        ('pipeline_app', 'pipeline_watch'),
        ('pipeline_forms', 'pipeline_watch'),
        ('pipeline_jobs', 'pipeline_watch')
    ) as m (role, member) loop
        if not exists (select from pg_auth_members
                       where roleid = wanted.role::regrole and member = wanted.member::regrole) then
            execute format('grant %I to %I', wanted.role, wanted.member);
        end if;
    end loop;

    -- jit and parallel workers cost short statements more than they save. random_page_cost suits solid-state disks.
    for wanted in
        select login, setting, value
        from unnest(array['pipeline_app', 'pipeline_forms', 'pipeline_jobs']) as login, lateral (values
            ('search_path', 'app, extensions, pg_catalog, pg_temp'),
            ('TimeZone', 'UTC'),
            -- Planning is costly. sql/README.md names the statements that are not prepared.
            ('plan_cache_mode', case login when 'pipeline_jobs' then 'force_custom_plan' else 'auto' end),
            ('jit', 'off'),
            ('max_parallel_workers_per_gather', '0'),
            ('random_page_cost', '1.1'),
            -- Imports and exports raise it themselves.
            ('statement_timeout', case login when 'pipeline_jobs' then '10min' else '5s' end),
            ('lock_timeout', case login when 'pipeline_jobs' then '5s' else '2s' end),
            ('idle_in_transaction_session_timeout',
             case login when 'pipeline_jobs' then '5min' else '30s' end)
        ) as s (setting, value)
        -- A restore keeps the settings of logins that other databases use.
        where login = any (made) or current_setting('app.keep_logins', true) is distinct from 'on'
    loop
        if not exists (select from pg_roles where rolname = wanted.login
                       and rolconfig @> array[wanted.setting || '=' || wanted.value]) then
            -- A list of schemas must be unquoted.
            execute format(case wanted.setting when 'search_path' then 'alter role %I set %I to %s'
                           else 'alter role %I set %I to %L' end, wanted.login, wanted.setting, wanted.value);
        end if;
    end loop;

    if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant pipeline_owner, pipeline_lookup, pipeline_watch to %I', current_user);
    end if;
end
$roles$;


-- The roles end here.

-- The extensions, in their own schema, and the schema app. Only pipeline_owner creates objects in app; PUBLIC executes
-- none of its functions.

-- Without it no login can run DO.
grant usage on language plpgsql to pipeline_owner, pipeline_lookup;
revoke usage on language plpgsql from public;

revoke create on schema public from public;

create schema extensions;
grant usage on schema extensions to public;
create extension pg_trgm schema extensions;
create extension btree_gin schema extensions;
create extension unaccent schema extensions;

create schema app authorization pipeline_owner;

set local role pipeline_lookup;
alter default privileges revoke execute on functions from public;

set local role pipeline_owner;
comment on schema app is 'The tables, views and functions of Pipeline.';
alter default privileges revoke execute on functions from public;
grant usage on schema app to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_admin,
    pipeline_public, pipeline_lookup;
-- For functions of pipeline_lookup; 99_closing.sql revokes it.
grant create on schema app to pipeline_lookup;


-- Revokes rights from PUBLIC. Dumps lack some of this, so a restore runs this file again (docs/backup.md).

set local role none;

-- Only a superuser can revoke these; other roles get a warning.
do $$
declare
    routine regprocedure;
begin
    for routine in
        select oid::regprocedure from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
            -- Large objects lack row-level security, and session locks outlive their transaction.
            and (
                proname ~ '^(lo_|loread$|lowrite$)'
                or proname ~ '^pg_(try_)?advisory_lock(_shared)?$'
                or proname in ('pg_cancel_backend', 'pg_terminate_backend', 'pg_logical_emit_message')
            )
            -- Other roles cannot revoke it.
            and has_function_privilege(oid, 'execute')
    loop
        execute format('revoke execute on function %s from public', routine);
    end loop;
    -- /readyz writes a message. Its arguments differ from PostgreSQL 17 on.
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_logical_emit_message' loop
        execute format('grant execute on function %s to pipeline_app, pipeline_forms', routine);
    end loop;
    -- Ends overdue sessions (90_logins.sql).
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_terminate_backend' loop
        execute format('grant execute on function %s to pipeline_watch', routine);
    end loop;
    execute format('revoke temporary on database %I from public', current_database());
    -- Imports use temporary tables.
    execute format('grant temporary on database %I to pipeline_member', current_database());
end
$$;


-- Functions and procedures for all subjects. Under row-level security an index serves only leakproof operators, so not
-- lower() or LIKE. Generated columns with collation "C" (`name_key`, `email_key`, …) therefore hold the text for
-- sorting and comparing.

set local role pipeline_owner;

create function app.iso(moment timestamptz) returns text
    language sql stable parallel safe
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
comment on function app.iso is 'A timestamp for JSON: UTC with six fractional digits.';

create function app.minor_unit(currency text) returns numeric
    language sql immutable parallel safe
    return case
        when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND',
                          'VUV', 'XAF', 'XOF', 'XPF') then 1
        when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 0.001
        when currency in ('CLF', 'UYW') then 0.0001
        else 0.01
    end;
comment on function app.minor_unit is
    'The smallest unit of a currency (ISO 4217), 0.01 for EUR; the same as in pipeline/validation/currencies.py.';

create function app.money(minor numeric, currency text) returns numeric
    language sql immutable parallel safe
    return trim_scale(minor * app.minor_unit(currency));
comment on function app.money is 'Converts minor units of a currency to an exact decimal number.';

create function app.percent(basis_points integer) returns numeric
    language sql immutable parallel safe
    return trim_scale(basis_points * 0.01);
comment on function app.percent is 'Converts hundredths of a percent to a percentage: 1250 is 12.5.';

-- In PL/pgSQL, because SQL functions with a stable call are five times slower.
create function app.plain(value text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    -- Lower case of ASCII is the same in every collation.
    if octet_length(value) = length(value) then
        return lower(value collate "C");
    end if;
    return lower(extensions.unaccent('extensions.unaccent'::regdictionary, value));
end
$$;
comment on function app.plain is
    'Text in lower case without accents. Immutable as long as the dictionary file unaccent.rules does not change.';

-- In SQL and not strict, so that PostgreSQL inlines it.
create function app.sort_key(value text) returns text
    language sql immutable parallel safe
    return left(
        case when octet_length(value) = length(value) then lower(value collate "C") else app.plain(value) end, 200);
comment on function app.sort_key is
    'The sort key of a text, short enough for an index entry. Columns with collation "C" hold it.';

create function app.email_key(address text) returns text
    language sql immutable parallel safe
    return lower(address collate "C");
comment on function app.email_key is
    'The key for comparing email addresses: A to Z in lower case, other characters unchanged. It is the same in every '
    'locale and in pipeline/validation/emails.py.';

create function app.has_ascii_domain(address text) returns boolean
    language sql immutable parallel safe
    return octet_length(split_part(address, '@', -1)) = length(split_part(address, '@', -1));
comment on function app.has_ascii_domain is
    'Whether the domain of an address is ASCII. Stored addresses must have one, so that a domain has one key.';

create function app.like_pattern(word text) returns text
    language sql immutable parallel safe
    return '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
comment on function app.like_pattern is 'The LIKE pattern for texts that contain the word; % and _ have no special meaning.';

grant execute
    on function app.iso, app.minor_unit, app.money, app.percent, app.plain, app.sort_key, app.email_key, app.has_ascii_domain
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
grant execute on function app.like_pattern to pipeline_member;

create function app.touch() returns trigger language plpgsql as $$
begin
    -- now() may be before the last change.
    new.updated_at := greatest(now(), old.updated_at);
    return new;
end
$$;
comment on function app.touch is 'Trigger: sets updated_at, which never decreases.';

create procedure app.touch_changed(p_table regclass, variadic p_columns text[] default '{}') language plpgsql as $$
declare
    -- Generated columns are not computed yet before an update.
    v_differences text := (
        select string_agg(format('old.%1$I is distinct from new.%1$I', attname), ' or ' order by attnum)
        from pg_attribute
        where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''
          and (p_columns = '{}' or attname = any (p_columns)));
begin
    execute format('create or replace trigger touch before update on %s for each row when (%s) '
                   'execute function app.touch()', p_table, v_differences);
end
$$;
comment on procedure app.touch_changed is
    'Makes changes of these columns, or of any column if none are named, set updated_at. An update to the same values '
    'does not. Call it again after adding a column.';

create procedure app.describe_columns(p_relation regclass, variadic p_sources regclass[] default '{}')
    language plpgsql as $$
declare
    described record;
begin
    for described in
        select distinct on (shown.attname) shown.attname, meant.words
        from pg_attribute as shown
        join (
            select source.attname, col_description(source.attrelid, source.attnum), named.place
            from unnest(p_sources) with ordinality as named (relation, place)
            join pg_attribute as source on source.attrelid = named.relation and source.attnum > 0
            union all
            select usual.name, usual.words, null
            from (values
                ('organization_id', 'The organization that the row belongs to.'),
                ('id', 'Identifier, given by the database.'),
                ('created_at', 'When it was made.'), ('updated_at', 'When it was last changed.'),
                ('created_by', 'The user who made it.'),
                ('created_by_key', 'The API key that made it; filled in by the database.'),
                ('created_by_kind', 'Who made it: user, key or system.'),
                ('created_by_name', 'The name of the user or API key that made it.'),
                ('external_id', 'Id in another system; unique among the organization''s records of this kind.'),
                ('deleted_at', 'When it was deleted; null while it is there.'),
                ('name_key', 'What the name is sorted by.'),
                ('email', 'Email address.'), ('phone', 'Telephone number.'), ('website', 'Web site.'),
                ('street', 'Street and number.'), ('city', 'City.'), ('region', 'State, province or county.'),
                ('postal_code', 'Postal code.'), ('country', 'Country.'), ('vat_id', 'Value-added tax number.'),
                ('registration_number', 'Number in the company register.'),
                ('last_name', 'Family name; single names are accepted.'), ('job_title', 'Position in the company.'),
                ('currency', 'ISO 4217 code.'), ('license_type', 'Kind of licence.'), ('notes', 'Remarks.'),
                ('attempts', 'How often it was tried.'), ('error', 'What failed last.'), ('used', 'How many.'),
                ('answers', 'The answers by question key.'), ('event', 'Name of the event.'),
                ('expires_at', 'When it expires.'), ('request_id', 'The request.'),
                ('email_key', 'The email address for sorting and comparing.'),
                ('company_id', 'The company.'), ('contact_id', 'The contact.'), ('contract_id', 'The contract.'),
                ('deal_id', 'The deal.'), ('file_id', 'The file.'), ('invite_id', 'The invite.'),
                ('lead_id', 'The lead.'), ('template_id', 'The template.'), ('user_id', 'The user.'),
                ('webhook_id', 'The webhook.'), ('company_name', 'Name of the company.'),
                ('deal_title', 'Title of the deal.')) as usual (name, words)
        ) as meant (name, words, place) on meant.name = shown.attname
        where shown.attrelid = p_relation and col_description(p_relation, shown.attnum) is null
        order by shown.attname, meant.place
    loop
        execute format('comment on column %s.%I is %L', p_relation, described.attname, described.words);
    end loop;
end
$$;
comment on procedure app.describe_columns is
    'Comments the columns of a table or view that have no comment. The text comes from the first source with a column '
    'of that name, else from a default for the name.';

create procedure app.present(p_view regclass, p_reader regrole, variadic p_sources regclass[])
    language plpgsql as $$
begin
    call app.describe_columns(p_view, variadic p_sources);
    execute format('grant select on %s to %s', p_view, p_reader);
end
$$;
comment on procedure app.present is
    'Lets a role read a view of records, and comments its columns like those of its tables (app.describe_columns).';

create procedure app.isolate(p_table regclass, variadic p_roles regrole[] default '{}')
    language plpgsql as $procedure$
declare
    c_context constant text := $$nullif(current_setting('app.organization_id', true), '')::bigint$$;
begin
    execute format('alter table %s alter column organization_id set default %s', p_table, c_context);
    execute format('alter table %s enable row level security', p_table);
    execute format('alter table %s force row level security', p_table);
    execute format('create policy organization on %s as restrictive for all to public '
                   'using (organization_id = %s) with check (organization_id = %s)', p_table, c_context, c_context);
    if cardinality(p_roles) > 0 then
        execute format('create policy %I on %s to %s using (true) with check (true)',
                       replace(p_roles[1]::text, 'pipeline_', ''), p_table, array_to_string(p_roles, ', '));
    end if;
    call app.describe_columns(p_table);
end
$procedure$;
comment on procedure app.isolate is
    'Restricts a table to the current organization for every role, and makes it the default of new rows. The given '
    'roles see and write all rows of the organization, within their grants. Other roles need a policy.';

create procedure app.share(p_table regclass, p_writer regrole default null, variadic p_columns text[] default '{}')
    language plpgsql as $procedure$
declare
    v_columns text := array_to_string(p_columns, ', ');
begin
    call app.isolate(p_table, 'pipeline_member', 'pipeline_jobs');
    execute format('grant select on %s to pipeline_member, pipeline_jobs', p_table);
    if p_writer is not null then
        execute format('grant insert (organization_id, %s), update (%s), delete on %s to %s',
                       v_columns, v_columns, p_table, p_writer);
    end if;
end
$procedure$;
comment on procedure app.share is
    'Isolates a table, and lets members and the worker read it. p_writer may insert and update the given columns and '
    'delete rows. The file of the table grants everything else.';


-- The record of change: inserts, updates and deletes of records, with actor and request, written by triggers. Rows are
-- compared as JSON, so new columns need no further call. Rows of a second table, such as quote lines, become a field of
-- their record (app.change_folded). Readers see a row once all earlier transactions have ended, so they skip none
-- (docs/changes.md).

set local role pipeline_owner;

create function app.change_transaction(p_organization_id bigint) returns bigint
    language sql volatile
    return cast(cast(pg_current_xact_id() as text) as bigint);
comment on function app.change_transaction is
    'The number of this transaction in an organization''s record of change. A cluster replaces this function.';

create function app.changes_snapshot(
    p_organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint
) returns pg_snapshot
    language sql stable
    return pg_current_snapshot();
comment on function app.changes_snapshot is
    'The committed transactions of an organization''s record of change. A cluster replaces this function.';
grant execute on function app.change_transaction to pipeline_lookup;
grant execute on function app.changes_snapshot to pipeline_member, pipeline_admin, pipeline_jobs, pipeline_lookup;

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
    check (num_nulls(parent_type, parent_id) in (0, 2))
);
comment on table app.changes is 'Changes of records, logins and exports. Only the erasure of a person updates rows.';
comment on column app.changes.transaction_id is
    'The transaction of the change (app.change_transaction). Readers follow changes by this column and id.';
comment on column app.changes.type is 'The type of the record, as in API paths: leads, deal-stages, users.';
comment on column app.changes.record_id is 'The record; null for an export.';
comment on column app.changes.parent_type is 'The type of the record that contains this one: leads for a note.';
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

set local role pipeline_lookup;

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

create function app.recorded_columns(p_table oid) returns text[]
    language sql stable parallel safe
    return array(
        select cast(attname as text) from pg_attribute
        where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''
          and attname !~ '(secret|token|hash|password)'
          and attname <> all (array[
              'organization_id', 'created_at', 'updated_at', 'created_by_key', 'last_used_at', 'chosen_at', 'saved_at',
             'missing_glyphs', 'warnings', 'edit_warnings', 'step', 'tally', 'lines_revision']));
comment on function app.recorded_columns is
    'The recorded columns of a table: all except secrets, computed values and internal columns.';

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
        where (value <> p_old -> name or name like '%\_minor') and name = any (p_columns) and old is distinct from new);
end
$$;
comment on function app.changed_columns is
    'The changed columns, among the given ones, between two versions of a row, with both values.';

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
    v_columns text[];
    v record := app.change_context();
begin
    if tg_op = 'UPDATE' then
        v_columns := app.recorded_columns(tg_relid);
        insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                                 actor_name, request_id, changed)
        select cast(n.row ->> v_organization as bigint), v_type, cast(n.row ->> v_key as bigint),
            (select parent.type from jsonb_each_text(v_parents) as parent (field, type)
                where n.row ->> parent.field is not null),
            (select cast(n.row ->> parent.field as bigint) from jsonb_each_text(v_parents) as parent (field, type)
                where n.row ->> parent.field is not null),
            case when n.row ->> v_ended is not null then 'deleted' when o.row ->> v_ended is not null then 'created'
                else 'updated' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id,
            case when n.row ->> v_ended is null and o.row ->> v_ended is null then columns.changed end
        -- offset 0 makes each row become JSON only once.
        from (select to_jsonb(former) as row from former offset 0) as o
        join (select to_jsonb(changed) as row from changed offset 0) as n
            on n.row -> v_organization = o.row -> v_organization and n.row -> v_key = o.row -> v_key
        cross join lateral (select app.changed_columns(o.row, n.row, v_columns) as changed offset 0) as columns
        where columns.changed <> '{}' and (n.row ->> v_ended is null or o.row ->> v_ended is null);
    else
        insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                                 actor_name, request_id)
        select cast(c.row ->> v_organization as bigint), v_type, cast(c.row ->> v_key as bigint),
            (select parent.type from jsonb_each_text(v_parents) as parent (field, type)
                where c.row ->> parent.field is not null),
            (select cast(c.row ->> parent.field as bigint) from jsonb_each_text(v_parents) as parent (field, type)
                where c.row ->> parent.field is not null),
            case tg_op when 'INSERT' then 'created' else 'deleted' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id
        from (select to_jsonb(changed) as row from changed offset 0) as c
        where tg_op = 'INSERT' or c.row ->> v_ended is null;
    end if;
    return null;
end
$$;
comment on function app.changes_recorded is
    'Trigger (type, id column, organization column, end column, parents): records the changes of a statement. The end '
    'column is filled when a record ends before its row is deleted; it may be empty. Parents are types by their columns; '
    'a row has at most one.';

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
    v_field := jsonb_build_object(p_field, jsonb_build_object(
        'old', app.change_value(coalesce(p_old, v_change.changed -> p_field -> 'old', '[]')),
        'new', app.change_value(coalesce(p_new, v_change.changed -> p_field -> 'new', '[]'))));
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
    'Records a list of a second table as a field of its record. A transaction makes one change, or none if the list '
    'ends unchanged. A null side keeps the value recorded earlier in the transaction.';

create function app.export_recorded(p_type text, p_filter jsonb) returns void
    language sql security definer set search_path = app, pg_temp as $$
    insert into app.changes (organization_id, type, action, actor_kind, actor_id, actor_name, request_id, details)
    select nullif(current_setting('app.organization_id', true), '')::bigint, p_type, 'exported', v.actor_kind,
        v.actor_id, v.actor_name, v.request_id, jsonb_build_object('filter', app.change_value(p_filter))
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
    p_table regclass, p_type text, p_key text default 'id', p_organization text default 'organization_id',
    p_ended text default '', p_touched_by text[] default '{}', p_parents jsonb default '{}'
) language plpgsql as $procedure$
declare
    v_recorded text := format('for each statement execute function app.changes_recorded(%L, %L, %L, %L, %L)',
                              p_type, p_key, p_organization, p_ended, p_parents);
begin
    call app.touch_changed(p_table, variadic p_touched_by);
    execute format('create trigger record_inserted after insert on %s referencing new table as changed %s',
                   p_table, v_recorded);
    execute format('create trigger record_updated after update on %s '
                   'referencing old table as former new table as changed %s', p_table, v_recorded);
    execute format('create trigger record_deleted after delete on %s referencing old table as changed %s',
                   p_table, v_recorded);
end
$procedure$;
comment on procedure app.record_changes is
    'Keeps updated_at of a table, and records its changes (app.changes_recorded). If p_touched_by is given, only these '
    'columns change updated_at.';


-- Organizations, users and teams. A user may have seats in several organizations, so app.users has no organization_id.
-- No serving role inserts seats, renames users or reads password hashes; definer functions do.

set local role pipeline_owner;

create table app.organizations (
    id bigint generated always as identity primary key,
    name text not null check (length(name) between 1 and 255),
    slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
    branding jsonb not null default '{}' check (jsonb_typeof(branding) = 'object'),
    logo_file_id bigint,
    time_zone text not null default 'UTC',
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    locale text not null default 'en',
    legal_name text,
    registration_number text,
    vat_id text,
    email text check (app.has_ascii_domain(email)),
    phone text,
    website text,
    street text,
    city text,
    region text,
    postal_code text,
    country text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
comment on table app.organizations is
    'A customer of the service: a company that licenses software, with the legal details that its contracts name.';
comment on column app.organizations.name is 'The name shown to users and prospects.';
comment on column app.organizations.slug is
    'Short name for URLs: lower-case words joined by hyphens; unique over all organizations.';
comment on column app.organizations.branding is
    'Look of forms and emails: logo_url, primary_color, background_color, text_color; each is optional.';
comment on column app.organizations.logo_file_id is 'The logo, a file of the organization.';
comment on column app.organizations.time_zone is
    'IANA time zone. It determines the current day for contracts and filters by day.';
comment on column app.organizations.currency is 'ISO 4217 code; the default of new deals and quotes.';
comment on column app.organizations.locale is 'Language of dates, numbers and money in contracts, as a BCP 47 tag.';
comment on column app.organizations.legal_name is 'Name of the company in contracts.';
comment on column app.organizations.email is 'Email address for contracts.';

call app.describe_columns('app.organizations');
alter table app.organizations enable row level security;
alter table app.organizations force row level security;
create policy organization on app.organizations as restrictive for all to public
    using (id = nullif(current_setting('app.organization_id', true), '')::bigint)
    with check (id = nullif(current_setting('app.organization_id', true), '')::bigint);

call app.record_changes('app.organizations', 'organization', p_organization => 'id');

create index organizations_logo on app.organizations (logo_file_id) where logo_file_id is not null;

create policy member on app.organizations for select to pipeline_member, pipeline_jobs using (true);
create policy administrate on app.organizations for update to pipeline_admin using (true) with check (true);
create policy public_form on app.organizations for select to pipeline_public using (true);
grant select on app.organizations to pipeline_member, pipeline_jobs;
grant
    update (name, slug, branding, logo_file_id, time_zone, currency, locale, legal_name, registration_number, vat_id,
        email, phone, website, street, city, region, postal_code, country)
    on app.organizations to pipeline_admin;
grant select (id, name, slug, branding, time_zone, locale) on app.organizations to pipeline_public;
grant select (id, name, slug, branding, logo_file_id, time_zone, currency, locale)
    on app.organizations to pipeline_lookup;

create table app.users (
    id bigint generated always as identity primary key,
    email text not null check (length(email) >= 3 and length(email) <= 254 and octet_length(email) = length(email)),
    email_key text not null generated always as (app.email_key(email)) stored unique,
    password_hash text,
    name text not null check (length(name) between 1 and 255),
    confirmed_at timestamptz,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint users_password_confirmed check (password_hash is null or confirmed_at is not null)
);
comment on table app.users is 'Users, each once over all organizations.';
comment on column app.users.id is 'Identifier, given by the database. Invitations use the same sequence.';
comment on column app.users.email is 'Email address in ASCII, used to log in.';
comment on column app.users.email_key is 'The address in lower case, unique.';
comment on column app.users.password_hash is 'Argon2id hash; null until the person sets a password.';
comment on column app.users.name is 'Name of the user; only the user can change it.';
comment on column app.users.confirmed_at is
    'When the user or the operator confirmed the address. A password requires it.';
call app.describe_columns('app.users');

-- A new password does not change updated_at.
call app.touch_changed('app.users', 'email', 'name');

-- An administrator must not take over an account of another organization.
grant select (id, email, email_key, name, name_key, created_at, updated_at) on app.users to pipeline_member, pipeline_jobs;
grant select (id, email, email_key, name, password_hash, confirmed_at), insert (id, email, name, password_hash),
    update (name, password_hash, confirmed_at) on app.users to pipeline_lookup;
-- For the ids of invitations.
grant usage on sequence app.users_id_seq to pipeline_admin;

create table app.teams (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
);
comment on table app.teams is 'Teams of users; a list of leads can be limited to one''s own team.';
comment on column app.teams.name is 'Name of the team.';

call app.share('app.teams', 'pipeline_admin', 'name');
call app.record_changes('app.teams', 'teams');

create table app.organization_users (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null references app.users (id),
    role text not null default 'member' check (role in ('admin', 'member')),
    seat_active boolean not null default true,
    team_id bigint,
    chosen_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, user_id),
    foreign key (organization_id, team_id) references app.teams
);
comment on table app.organization_users is 'Seats: the membership of a user in an organization, with a role.';
comment on column app.organization_users.role is 'admin or member.';
comment on column app.organization_users.seat_active is
    'Whether the seat is active; false ends the user''s access from the next request on.';
comment on column app.organization_users.team_id is 'The user''s team.';
comment on column app.organization_users.chosen_at is
    'When the user last switched to this organization or joined it by a link. The next login starts in the latest '
    'one.';

call app.share('app.organization_users');
call app.record_changes(
    'app.organization_users', 'users', p_key => 'user_id', p_touched_by => '{role, seat_active, team_id}');

create index organization_users_user on app.organization_users (user_id);
-- Also for the foreign key.
create index organization_users_team on app.organization_users (organization_id, team_id);

grant update (role, seat_active, team_id), delete on app.organization_users to pipeline_admin;
grant select (organization_id, user_id, role, seat_active, team_id, chosen_at),
    insert (organization_id, user_id, role, seat_active, team_id), update (seat_active, chosen_at)
    on app.organization_users to pipeline_lookup;

-- Users are visible where they have a seat.
alter table app.users enable row level security;
alter table app.users force row level security;
create policy organization on app.users as restrictive for all to public
    using (exists (
        select from app.organization_users m
        where m.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and m.user_id = users.id))
    with check (exists (
        select from app.organization_users m
        where m.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and m.user_id = users.id));
create policy member on app.users to pipeline_member, pipeline_jobs using (true) with check (true);

-- For use before the organization is known, or across organizations.
set local role pipeline_lookup;

create function app.login_account(p_email text)
    returns table (user_id bigint, email text, name text, password_hash text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.id, u.email, u.name, u.password_hash from app.users u where u.email_key = app.email_key(p_email)
$$;
comment on function app.login_account is 'The user with an email address, and the password hash.';

create function app.account(p_user_id bigint)
    returns table (user_id bigint, email text, name text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.id, u.email, u.name from app.users u where u.id = p_user_id
$$;
comment on function app.account is 'The user with an id.';

create function app.account_rename(p_user_id bigint, p_name text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.users u set name = p_name where u.id = p_user_id
$$;
comment on function app.account_rename is 'Renames a user in all organizations.';

create function app.memberships(p_user_id bigint)
    returns table (id bigint, name text, slug text, role text,
                   time_zone text, currency text, locale text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select o.id, o.name, o.slug, m.role, o.time_zone, o.currency, o.locale
    from app.organization_users m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user_id and m.seat_active order by o.id
$$;
comment on function app.memberships is 'The organizations in which a user has an active seat, by id.';

create function app.organization_ids() returns setof bigint
    language sql stable security definer set search_path = app, pg_temp as $$
    select id from app.organizations order by id
$$;
comment on function app.organization_ids is 'The ids of all organizations, for the worker.';

create function app.person_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    insert into app.changes (organization_id, type, record_id, action, actor_kind, actor_id, actor_name, request_id,
                             changed)
    select s.organization_id, 'users', s.user_id, 'updated', v.actor_kind, v.actor_id, v.actor_name,
        v.request_id, jsonb_build_object('name', jsonb_build_object('old', old.name, 'new', new.name))
    from app.organization_users s cross join app.change_context() v where s.user_id = new.id;
    return null;
end
$$;
comment on function app.person_recorded is
    'Trigger: records a user''s new name in each organization where the user has a seat.';

create function app.is_active_seat(p_user_id bigint) returns boolean
    language sql stable security definer set search_path = app, pg_temp as $$
    select exists (
        select from app.organization_users s
        where s.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and s.user_id = p_user_id and s.seat_active)
$$;
comment on function app.is_active_seat is 'Whether a user has an active seat in the current organization.';

grant execute on function app.login_account to pipeline_app;
-- Authenticated transactions call these too, under another role.
grant execute on function app.account, app.memberships to pipeline_app, pipeline_member;
grant execute on function app.account_rename to pipeline_member;
grant execute on function app.organization_ids to pipeline_jobs;
grant execute on function app.is_active_seat to pipeline_public, pipeline_member;
grant execute on function app.person_recorded to pipeline_owner;

set local role pipeline_owner;
create trigger record_renamed after update of name on app.users
    for each row when (old.name is distinct from new.name) execute function app.person_recorded();


-- Files in chunks, which limit the memory of readers and writers. A file is written in the transaction of its record
-- and never changes: a new upload is a new row.

set local role pipeline_owner;

create table app.files (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    filename text not null check (length(filename) between 1 and 255),
    content_type text not null check (length(content_type) between 3 and 255),
    size bigint not null check (size >= 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    created_by bigint,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, created_by) references app.organization_users
);
comment on table app.files is 'Files from uploads and renderings.';
comment on column app.files.filename is 'Filename of a download.';
comment on column app.files.content_type is 'Media type, detected from the content.';
comment on column app.files.size is 'Size in bytes.';
comment on column app.files.sha256 is 'SHA-256 of the content, 64 hexadecimal digits.';
comment on column app.files.created_by is 'The user who uploaded it; null for files made by the service.';

call app.isolate('app.files', 'pipeline_member', 'pipeline_jobs');

-- A logo's URL has only its hash.
create index files_sha256 on app.files (sha256);

grant select, insert (organization_id, filename, content_type, size, sha256, created_by), delete
    on app.files to pipeline_member, pipeline_jobs;
grant select (organization_id, id, content_type, size, sha256) on app.files to pipeline_lookup;

alter table app.organizations add foreign key (id, logo_file_id) references app.files;

create table app.file_chunks (
    organization_id bigint not null references app.organizations (id),
    file_id bigint not null,
    position integer not null check (position >= 0),
    content bytea not null check (octet_length(content) between 1 and 1048576),
    primary key (organization_id, file_id, position),
    foreign key (organization_id, file_id) references app.files on delete cascade
);
comment on table app.file_chunks is 'The contents of files, at most 1 MiB in a row.';
comment on column app.file_chunks.position is 'Position in the file, from 0.';
comment on column app.file_chunks.content is 'The bytes.';

call app.isolate('app.file_chunks', 'pipeline_member', 'pipeline_jobs');

-- Uploads are compressed already.
alter table app.file_chunks alter column content set storage external;

grant select, insert (organization_id, file_id, position, content) on app.file_chunks to pipeline_member, pipeline_jobs;
grant select (organization_id, file_id, position, content) on app.file_chunks to pipeline_lookup;

-- A trigger keeps one row for each organization. Concurrent uploads wait for each other, so the sum is exact for the
-- quota.
create table app.storage_use (
    organization_id bigint primary key references app.organizations (id),
    bytes bigint not null check (bytes >= 0)
);
comment on table app.storage_use is 'The storage used by the files of an organization, including earlier versions.';
comment on column app.storage_use.bytes is 'The sum of the sizes of its files.';

call app.isolate('app.storage_use');

create policy member on app.storage_use for select to pipeline_member, pipeline_jobs using (true);
grant select on app.storage_use to pipeline_member, pipeline_jobs;
grant select, insert, update on app.storage_use to pipeline_lookup;

set local role pipeline_lookup;

create function app.storage_counted() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        insert into storage_use (organization_id, bytes) values (new.organization_id, new.size)
        on conflict (organization_id) do update set bytes = storage_use.bytes + excluded.bytes;
    else
        update storage_use set bytes = bytes - old.size where organization_id = old.organization_id;
    end if;
    return null;
end
$$;
comment on function app.storage_counted is 'Trigger: keeps storage_use. Files are only inserted and deleted.';

create function app.storage_total() returns table (bytes bigint, largest bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select coalesce(sum(s.bytes), 0)::bigint, coalesce(max(s.bytes), 0) from app.storage_use s
$$;
comment on function app.storage_total is
    'The size of all files, and of the largest organization''s files, in bytes, for monitoring.';

create function app.form_logo() returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select f.sha256 from app.organizations o join app.files f on f.organization_id = o.id and f.id = o.logo_file_id
    where o.id = nullif(current_setting('app.organization_id', true), '')::bigint
      and f.content_type in ('image/png', 'image/jpeg')
$$;
comment on function app.form_logo is 'The SHA-256 of the current organization''s logo.';

create function app.logo_by_sha256(p_sha256 text) returns table (content_type text, content bytea)
    language sql stable security definer set search_path = app, pg_temp as $$
    select f.content_type,
        (select string_agg(c.content, ''::bytea order by c.position) from app.file_chunks c
         where c.organization_id = f.organization_id and c.file_id = f.id)
    from app.files f join app.organizations o on o.id = f.organization_id and o.logo_file_id = f.id
    where f.sha256 = p_sha256 and f.content_type in ('image/png', 'image/jpeg')
    limit 1
$$;
comment on function app.logo_by_sha256 is 'The content of a logo by its SHA-256; other files are not found.';

grant execute on function app.storage_counted to pipeline_owner;
grant execute on function app.storage_total to pipeline_app;
grant execute on function app.form_logo to pipeline_public, pipeline_member;
grant execute on function app.logo_by_sha256 to pipeline_forms;

set local role pipeline_owner;
create trigger storage_counted after insert or delete on app.files
    for each row execute function app.storage_counted();


-- Record counts and search. Triggers insert into record_count_deltas and the worker sums it up; updates of a counter
-- row would wait for an import. LIKE is not leakproof, so under row-level security it cannot use the trigram index on
-- search_text. app.search_ids therefore is a definer function and compares the organization itself.

set local role pipeline_owner;

create table app.record_count_deltas (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null,
    delta bigint not null,
    primary key (organization_id, id)
);
comment on table app.record_count_deltas is
    'Changes of the number of records. Their sum by kind is the number of an organization''s records.';
comment on column app.record_count_deltas.kind is 'The table of the counted records.';
comment on column app.record_count_deltas.delta is 'The number of added records; negative for deleted ones.';

call app.isolate('app.record_count_deltas', 'pipeline_member', 'pipeline_jobs');

grant select on app.record_count_deltas to pipeline_member;
grant select, insert (organization_id, kind, delta), delete on app.record_count_deltas to pipeline_jobs;
grant insert (organization_id, kind, delta) on app.record_count_deltas to pipeline_lookup;

set local role pipeline_lookup;

create function app.records_counted() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    insert into app.record_count_deltas (organization_id, kind, delta)
    select organization_id, tg_argv[0], case tg_op when 'INSERT' then count(*) else -count(*) end
    from changed
    group by organization_id;
    return null;
end
$$;
comment on function app.records_counted is
    'Trigger (table): counts the records that a statement inserts or deletes. This also checks the foreign key to '
    'organizations, once for each statement.';
grant execute on function app.records_counted to pipeline_owner;

set local role pipeline_owner;

create procedure app.count_records(p_table regclass) language plpgsql as $procedure$
declare
    v_counted text := format('for each statement execute function app.records_counted(%L)',
                             (select relname from pg_class where oid = p_table));
begin
    execute format('create trigger count_inserted after insert on %s referencing new table as changed %s',
                   p_table, v_counted);
    execute format('create trigger count_deleted after delete on %s referencing old table as changed %s',
                   p_table, v_counted);
end
$procedure$;
comment on procedure app.count_records is 'Counts the records of a table (app.records_counted).';

create procedure app.recount(p_table regclass) language plpgsql as $procedure$
declare
    v_kind text := (select relname from pg_class where oid = p_table);
begin
    delete from app.record_count_deltas where kind = v_kind;
    execute format('insert into app.record_count_deltas (organization_id, kind, delta) '
                   'select organization_id, %L, count(*) from %s group by organization_id', v_kind, p_table);
end
$procedure$;
comment on procedure app.recount is
    'Counts the records of a table anew for all organizations, after rows were loaded without triggers. It blocks '
    'writes meanwhile.';

create function app.currency_filled() returns trigger language plpgsql as $$
begin
    if new.currency is null and tg_argv[0] = 'deals' then
        select o.currency into new.currency from app.organizations o where o.id = new.organization_id;
    elsif new.currency is null then
        select d.currency into new.currency from app.deals d
        where d.organization_id = new.organization_id and d.id = new.deal_id;
        new.currency := coalesce(new.currency, 'USD');
    end if;
    return new;
end
$$;
comment on function app.currency_filled is
    'Trigger (table): sets a missing currency: a deal''s from its organization, a quote''s from its deal.';

create function app.like_patterns(words text[]) returns text[]
    language sql immutable parallel safe
    return array(select app.like_pattern(app.plain(word)) from unnest(words) as word);
comment on function app.like_patterns is 'The LIKE patterns for plain texts that contain each word of a search.';

grant execute on function app.like_patterns to pipeline_member, pipeline_lookup;
grant execute on function app.like_pattern to pipeline_lookup;

set local role pipeline_lookup;

create function app.search_ids(p_kind text, p_words text[], p_tags text[] default null) returns bigint[]
    language plpgsql stable security definer set search_path = app, extensions, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    -- Related tables to search: {table: referring column}.
    v_others jsonb := case p_kind
        when 'contacts' then '{"companies": "company_id"}'
        when 'deals' then '{"companies": "company_id"}'
        when 'quotes' then '{"deals": "deal_id"}'
        when 'contracts' then '{"companies": "company_id", "deals": "deal_id"}'
        else '{}' end;
    v_statement text := format('select array_agg(r.id) from %I r where r.organization_id = %L', p_kind, v_organization);
    v_pattern text;
    v_digits text;
    v_word text;
    v_ids bigint[];
begin
    foreach v_word in array coalesce(p_words, '{}') loop
        v_pattern := like_pattern(plain(v_word));
        -- Telephone numbers are stored without punctuation.
        v_digits := like_pattern(regexp_replace(v_word, '[^0-9]', '', 'g'));
        v_statement := v_statement || case
            when v_others <> '{}' then format(
                ' and r.id = any(array(select o.id from %I o where o.organization_id = %L and o.search_text like %L%s))',
                p_kind, v_organization, v_pattern,
                (select string_agg(format(
                    ' union all select o.id from %I o where o.organization_id = %L and o.%I = any(array('
                    'select n.id from %I n where n.organization_id = %L and n.search_text like %L))',
                    p_kind, v_organization, other.value, other.key, v_organization, v_pattern), '')
                 from jsonb_each_text(v_others) as other))
            when p_kind = 'leads' and v_word ~ '^[+(]*[0-9][0-9()/.+-]*$' and v_digits <> v_pattern
                then format(' and (r.search_text like %L or r.search_text like %L)', v_pattern, v_digits)
            else format(' and r.search_text like %L', v_pattern) end;
    end loop;
    if p_tags is not null then
        v_statement := v_statement || format(' and r.tag_text like any (%L)', (
            select array_agg(like_pattern(',' || plain(tag) || ',')) from unnest(p_tags) as tag));
    end if;
    execute v_statement into v_ids;
    return coalesce(v_ids, '{}');
end
$$;
comment on function app.search_ids is
    'The ids of the current organization''s records of a kind that match all words. The words may be in the record''s '
    'own text, or in that of its company or deal. p_tags restricts leads to those with one of the tags. The statement '
    'is planned with the words for better estimates.';

grant execute on function app.search_ids to pipeline_member;


-- Invitations, and one-time email links for invitations and new passwords. Neither row nor response time of an
-- invitation reveals whether the address has an account. Its user_id becomes the id of a new user only. Lock order
-- against deadlocks: invitation, user, seat, link, session, token.

set local role pipeline_owner;

create table app.invitations (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null default nextval('app.users_id_seq'),
    email text not null check (length(email) >= 3 and length(email) <= 254 and octet_length(email) = length(email)),
    email_key text not null generated always as (app.email_key(email)) stored,
    name text check (length(name) between 1 and 255),
    role text not null default 'member' check (role in ('admin', 'member')),
    team_id bigint,
    open_team_id bigint generated always as (case when ended_at is null then team_id end) stored,
    invited_by bigint,
    invited_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '72 hours',
    outcome text check (outcome in ('accepted', 'declined')),
    ended_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, user_id),
    check ((outcome is null) = (ended_at is null)),
    constraint invitations_organization_id_team_id_fkey foreign key (organization_id, open_team_id)
        references app.teams,
    foreign key (organization_id, invited_by) references app.organization_users on delete set null (invited_by)
);
comment on table app.invitations is 'Invitations to a seat, open and ended.';
comment on column app.invitations.user_id is 'The user''s id, if the invitation leads to a new account.';
comment on column app.invitations.email is 'Email address of the recipient, in ASCII.';
comment on column app.invitations.email_key is 'The address in lower case, for finding an account.';
comment on column app.invitations.name is 'Name of the recipient, as the administrator entered it.';
comment on column app.invitations.role is 'Role of the seat: admin or member.';
comment on column app.invitations.team_id is 'Team of the seat.';
comment on column app.invitations.open_team_id is
    'team_id while the invitation is open, so that an ended invitation does not block deleting its team.';
comment on column app.invitations.invited_by is 'The administrator who last sent the invitation.';
comment on column app.invitations.invited_at is 'When the link was last sent.';
comment on column app.invitations.outcome is 'The result: accepted or declined; null while it is open.';
comment on column app.invitations.ended_at is 'When it was accepted or declined.';

call app.share('app.invitations');

-- An accepted invitation is recorded as a new user.
call app.record_changes('app.invitations', 'users', p_key => 'user_id', p_ended => 'ended_at');

-- One open invitation per address; also lists users.
create unique index invitations_open on app.invitations (organization_id, email_key) where ended_at is null;
-- Invitations of an address in all organizations.
create index invitations_person on app.invitations (email_key) where ended_at is null;
-- Lists a team's users and checks a team's deletion.
create index invitations_team on app.invitations (organization_id, team_id) where team_id is not null;
create index invitations_open_team on app.invitations (organization_id, open_team_id) where open_team_id is not null;

grant insert (organization_id, email, name, role, team_id, invited_by), update (name, role, team_id), delete
    on app.invitations to pipeline_admin;
grant delete on app.invitations to pipeline_jobs;
grant select, update (invited_by, invited_at, expires_at, outcome, ended_at) on app.invitations to pipeline_lookup;

-- The API's users: seats and open invitations.
create view app.user_records with (security_invoker = true) as
select
    seat.user_id as id, seat.organization_id, account.email, account.name, seat.role,
    case when seat.seat_active then 'active' else 'inactive' end as status, seat.seat_active, seat.team_id,
    team.name as team_name, cast(null as text) as invited_at, cast(null as text) as invitation_expires_at,
    app.iso(seat.created_at) as created_at, app.iso(greatest(seat.updated_at, account.updated_at)) as updated_at
from app.organization_users as seat
join app.users as account on account.id = seat.user_id
left join app.teams as team on team.organization_id = seat.organization_id and team.id = seat.team_id
union all
select
    invitation.user_id, invitation.organization_id, invitation.email, invitation.name, invitation.role,
    'invited', false, invitation.team_id, team.name, app.iso(invitation.invited_at), app.iso(invitation.expires_at),
    app.iso(invitation.created_at), app.iso(invitation.updated_at)
from app.invitations as invitation
left join app.teams as team on team.organization_id = invitation.organization_id and team.id = invitation.team_id
where invitation.ended_at is null;
comment on view app.user_records is 'Users as the API returns them: seats and open invitations.';
call app.present('app.user_records', 'pipeline_member', 'app.organization_users', 'app.users', 'app.invitations');
comment on column app.user_records.id is 'Identifier of the user; an invited user keeps it when accepting.';
comment on column app.user_records.email is 'Email address; for an invited user as the administrator entered it.';
comment on column app.user_records.name is 'Name; for an invited user as the administrator entered it.';
comment on column app.user_records.status is 'invited, active or inactive.';
comment on column app.user_records.team_name is 'Name of the team.';
comment on column app.user_records.invited_at is 'When the invitation was last sent; null for a seat.';
comment on column app.user_records.invitation_expires_at is 'When the invitation''s link expires; null for a seat.';
comment on column app.user_records.created_at is 'When the seat or the invitation was created.';
comment on column app.user_records.updated_at is 'When the seat, the person or the invitation was last changed.';

create table app.account_links (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null check (kind in ('activate', 'reset')),
    user_id bigint,
    invitation_id bigint,
    token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    mailed_at timestamptz,
    primary key (organization_id, id),
    constraint account_links_person check (
        (kind = 'activate') = (invitation_id is not null) and (kind = 'reset') = (user_id is not null)),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade,
    foreign key (organization_id, invitation_id) references app.invitations on delete cascade
);
comment on table app.account_links is
    'One-time links in emails. The worker creates the token when it sends the email; only its SHA-256 is stored. The '
    'organization is the sender of the email.';
comment on column app.account_links.kind is 'activate: accepts or declines an invitation; reset: sets a new password.';
comment on column app.account_links.user_id is 'The user, for reset.';
comment on column app.account_links.invitation_id is 'The invitation, for activate.';
comment on column app.account_links.token_hash is 'SHA-256 of the token; null until the email is sent.';
comment on column app.account_links.used_at is 'When it was used or replaced.';
comment on column app.account_links.mailed_at is
    'When its email was sent or given up. Afterwards it gets no new token.';

call app.isolate('app.account_links');

create index account_links_seat on app.account_links (organization_id, user_id);
-- For the hourly limit of a user.
create index account_links_user on app.account_links (user_id, created_at);
create index account_links_invitation on app.account_links (organization_id, invitation_id)
    where invitation_id is not null;
-- For deletion by the worker.
create index account_links_expiry on app.account_links (expires_at);

create policy jobs on app.account_links for select to pipeline_jobs using (true);
grant select (organization_id, id, kind, user_id, invitation_id, created_at, expires_at, used_at, mailed_at)
    on app.account_links to pipeline_jobs;
grant select, insert (organization_id, kind, user_id, invitation_id, token_hash, expires_at),
    update (token_hash, used_at, mailed_at), delete on app.account_links to pipeline_lookup;

set local role pipeline_lookup;

create function app.account_link(p_token_hash text)
    returns table (kind text, state text, user_id bigint, organization_id bigint, organization_name text,
                   branding jsonb, logo text, locale text, email text, name text, invited_by text, password_hash text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select l.kind,
        case
            when i.outcome is not null then i.outcome
            when l.used_at is not null then 'used'
            when l.expires_at <= now() then 'expired'
            else 'open'
        end,
        u.id, l.organization_id, o.name, o.branding,
        (select f.sha256 from app.files f where f.organization_id = o.id and f.id = o.logo_file_id
            and f.content_type in ('image/png', 'image/jpeg')),
        o.locale, coalesce(i.email, u.email), coalesce(i.name, u.name),
        (select b.name from app.users b where b.id = i.invited_by), u.password_hash
    from app.account_links l
    join app.organizations o on o.id = l.organization_id
    left join app.invitations i on i.organization_id = l.organization_id and i.user_id = l.invitation_id
    left join app.users u
        on u.id = coalesce(l.user_id, (select k.id from app.users k where k.email_key = i.email_key))
    where l.token_hash = p_token_hash
$$;
comment on function app.account_link is
    'The details of a link, with the account of the address if there is one. state is open, expired, used, accepted or '
    'declined. password_hash is set if the user has a password.';

create function app.account_link_issue(p_link_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_token text := replace(concat(gen_random_uuid(), gen_random_uuid()), '-', '');
begin
    update app.account_links l set token_hash = encode(sha256(convert_to(v_token, 'UTF8')), 'hex')
        where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and l.id = p_link_id and l.used_at is null and l.mailed_at is null and l.expires_at > now();
    return case when found then v_token end;
end
$$;
comment on function app.account_link_issue is
    'Creates a new token for the email of a link, and ends the previous token. Null if the email was sent or given up, '
    'or the link was used or has expired.';

create function app.account_link_mailed() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.account_links l set mailed_at = now()
        where l.organization_id = new.organization_id and l.id = new.link_id and l.mailed_at is null;
    return null;
end
$$;
comment on function app.account_link_mailed is
    'Trigger: after its email was sent or given up, a link gets no new token.';

create function app.invitation_send(p_id bigint, p_invited_by bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link bigint;
begin
    update app.invitations i
        set invited_by = p_invited_by, invited_at = now(), expires_at = now() + interval '72 hours'
        where i.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and i.user_id = p_id and i.ended_at is null;
    if not found then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and l.invitation_id = p_id and l.used_at is null;
    insert into app.account_links (organization_id, kind, invitation_id, expires_at)
        values (nullif(current_setting('app.organization_id', true), '')::bigint, 'activate', p_id,
                now() + interval '72 hours') returning id into v_link;
    insert into app.outbox (organization_id, event, key, payload)
        values (nullif(current_setting('app.organization_id', true), '')::bigint, 'account_link',
                'account_link:' || v_link, jsonb_build_object('link_id', v_link));
    return true;
end
$$;
comment on function app.invitation_send is
    'Creates a link for an open invitation and the event that sends it, and ends earlier links. False if no invitation '
    'is open.';

-- Only the functions below call the next two.

create function app.invitation_settle(p_organization_id bigint, p_id bigint, p_outcome text, p_account_id bigint)
    returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations;
begin
    if p_organization_id is null then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.organization_id = p_organization_id and l.invitation_id = p_id and l.used_at is null;
    update app.invitations i set outcome = p_outcome, ended_at = now()
        where i.organization_id = p_organization_id and i.user_id = p_id and i.ended_at is null
        returning i.* into v_invitation;
    if found and p_outcome = 'accepted' then
        insert into app.organization_users (organization_id, user_id, role, team_id)
        values (p_organization_id, p_account_id, v_invitation.role, v_invitation.team_id) on conflict do nothing;
    end if;
    return v_invitation.user_id is not null;
end
$$;
comment on function app.invitation_settle is
    'Ends an open invitation, and creates the seat if it is accepted. Returns whether it was open. The callers find '
    'the account.';

create function app.invitation_by_link(p_token_hash text) returns app.invitations
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link record;
    v_invitation app.invitations;
begin
    select l.organization_id, l.id, l.invitation_id into v_link from app.account_links l
        where l.token_hash = p_token_hash;
    select i.* into v_invitation from app.invitations i
        where i.organization_id = v_link.organization_id and i.user_id = v_link.invitation_id and i.ended_at is null
        for update;
    -- After this lock, the second of two uses sees the first.
    perform from app.account_links l
        where l.organization_id = v_link.organization_id and l.id = v_link.id
          and l.used_at is null and l.expires_at > now();
    return case when found then v_invitation end;
end
$$;
comment on function app.invitation_by_link is
    'The open invitation of a valid link, locked.';

create function app.invitation_activate(p_token_hash text, p_name text, p_password_hash text)
    returns table (user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations := app.invitation_by_link(p_token_hash);
    v_account bigint;
begin
    if v_invitation.user_id is null then
        return;
    end if;
    insert into app.users (id, email, name) overriding system value
        values (v_invitation.user_id, v_invitation.email, p_name)
        on conflict (email_key) do update set name = excluded.name where users.password_hash is null
        returning id into v_account;
    if v_account is not null then
        perform app.password_set(v_account, p_password_hash, null);
        perform app.invitation_settle(v_invitation.organization_id, v_invitation.user_id, 'accepted', v_account);
        return query select v_account, v_invitation.organization_id;
    end if;
end
$$;
comment on function app.invitation_activate is
    'Accepts an invitation as a new user: creates the account and the seat, and confirms the address. No row if the '
    'link is used or expired, or the user has a password already.';

create function app.invitation_join(p_token_hash text, p_account_id bigint, p_password_hash text)
    returns table (user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations := app.invitation_by_link(p_token_hash);
begin
    perform from app.users u where u.id = p_account_id and u.email_key = v_invitation.email_key
        and u.password_hash = p_password_hash for share;
    if found then
        perform app.invitation_settle(v_invitation.organization_id, v_invitation.user_id, 'accepted', p_account_id);
        return query select p_account_id, v_invitation.organization_id;
    end if;
end
$$;
comment on function app.invitation_join is
    'Accepts an invitation as an existing user: creates the seat. No row if the link is used or expired, or the '
    'password has changed since the check.';

create function app.invitation_decline(p_token_hash text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations := app.invitation_by_link(p_token_hash);
begin
    perform app.invitation_settle(v_invitation.organization_id, v_invitation.user_id, 'declined', null);
    return v_invitation.user_id is not null;
end
$$;
comment on function app.invitation_decline is 'Declines an invitation by its link. Returns whether it was open.';

create function app.invitations_of(p_user_id bigint)
    returns table (id bigint, organization_id bigint, organization_name text, role text, invited_by text,
                   invited_at timestamptz, expires_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select i.user_id, o.id, o.name, i.role, (select b.name from app.users b where b.id = i.invited_by),
        i.invited_at, i.expires_at
    from app.users u
    join app.invitations i on i.email_key = u.email_key and i.ended_at is null and i.expires_at > now()
    join app.organizations o on o.id = i.organization_id
    where u.id = p_user_id and u.confirmed_at is not null
    order by i.user_id
$$;
comment on function app.invitations_of is 'The open invitations to a user''s confirmed address, oldest first.';

create function app.invitation_answer(p_user_id bigint, p_id bigint, p_outcome text) returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := (
        select i.organization_id from app.invitations_of(p_user_id) as i where i.id = p_id);
begin
    -- The second of two responses finds it ended.
    return case when app.invitation_settle(v_organization, p_id, p_outcome, p_user_id) then v_organization end;
end
$$;
comment on function app.invitation_answer is
    'Accepts or declines an open invitation of a logged-in user, and returns its organization; null if there is none.';

grant execute on function app.account_link, app.invitation_activate, app.invitation_join, app.invitation_decline
    to pipeline_app;
grant execute on function app.account_link_issue to pipeline_jobs;
grant execute on function app.account_link_mailed to pipeline_owner;
grant execute on function app.invitation_send to pipeline_admin;
grant execute on function app.invitations_of, app.invitation_answer to pipeline_member;


-- Sessions, refresh tokens and passwords (docs/accounts.md); only the functions below read these tables. Ending a
-- session ends its refresh and access tokens. Each refresh token has its own organization, because two browser windows
-- may work in two.

set local role pipeline_owner;

-- A session may switch organization.
create table app.sessions (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity primary key,
    user_id bigint not null references app.users (id),
    client text not null default '' check (length(client) <= 200),
    address text not null default '' check (length(address) <= 100),
    family_hash text unique check (family_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
);
comment on table app.sessions is 'Login sessions. A session belongs to a user and may switch to another organization.';
comment on column app.sessions.organization_id is 'The current organization of the session.';
comment on column app.sessions.id is 'Identifier, given by the database; the sid of access tokens.';
comment on column app.sessions.client is 'User agent of the login, cut to 200 characters.';
comment on column app.sessions.address is 'Network address of the login.';
comment on column app.sessions.family_hash is
    'SHA-256 of the part that all refresh tokens of the session share. It identifies tokens after their rows are '
    'deleted.';
comment on column app.sessions.last_used_at is 'When its tokens were last refreshed.';
comment on column app.sessions.expires_at is 'When the session expires; a refresh does not extend it.';
comment on column app.sessions.ended_at is 'When it was ended before its expiry.';

call app.isolate('app.sessions');

create index sessions_user on app.sessions (user_id, id);
-- For deletion by the worker.
create index sessions_expiry on app.sessions (expires_at);

grant select, insert (organization_id, user_id, client, address, expires_at, family_hash),
    update (organization_id, last_used_at, ended_at), delete on app.sessions to pipeline_lookup;

create table app.refresh_tokens (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    session_id bigint not null references app.sessions (id) on delete cascade,
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    rotated_at timestamptz,
    primary key (organization_id, id)
);
comment on table app.refresh_tokens is 'Refresh tokens. Each use replaces the token by a new one.';
comment on column app.refresh_tokens.session_id is 'The session.';
comment on column app.refresh_tokens.token_hash is 'SHA-256 of the token; the token itself is not kept.';
comment on column app.refresh_tokens.rotated_at is
    'When it was used. Another use more than 10 seconds later ends the session.';

call app.isolate('app.refresh_tokens');

create index refresh_tokens_session on app.refresh_tokens (session_id);
-- For deletion by the worker.
create index refresh_tokens_expiry on app.refresh_tokens (expires_at);

grant select, insert (organization_id, session_id, token_hash, expires_at), update (organization_id, rotated_at), delete
    on app.refresh_tokens to pipeline_lookup;

set local role pipeline_lookup;

create function app.authenticate(p_user_id bigint, p_organization_id bigint, p_session_id bigint)
    returns table (user_id bigint, organization_id bigint, role text)
    language plpgsql stable security definer
    set search_path = app, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
    -- Runs in every request. One generic plan fits all.
    return query select m.user_id, m.organization_id, m.role
        from app.organization_users m join app.sessions s on s.id = p_session_id and s.user_id = m.user_id
        where m.organization_id = p_organization_id and m.user_id = p_user_id and m.seat_active
          and s.ended_at is null and s.expires_at > now();
end
$$;
comment on function app.authenticate is
    'The seat of a token''s user and organization. No row if the seat is inactive or the session has ended.';

create function app.session_start(p_user_id bigint, p_password_hash text, p_organization_id bigint, p_client text,
    p_address text, p_expires_at timestamptz, p_token_hash text, p_token_expires_at timestamptz,
    p_family_hash text default null)
    returns table(session_id bigint, organization_id bigint)
    language plpgsql security definer
    set search_path = app, pg_temp
    as $$
declare
    v_seat record;
    v_organization bigint;
    v_session bigint;
begin
    -- Orders this login and a concurrent reset or deactivation.
    perform from app.users u where u.id = p_user_id and u.password_hash = p_password_hash for share;
    if not found then
        return;
    end if;
    for v_seat in
        select m.organization_id from app.organization_users m
        where m.user_id = p_user_id and m.seat_active
          and (p_organization_id is null or m.organization_id = p_organization_id)
        order by m.chosen_at desc nulls last, m.organization_id
    loop
        select m.organization_id into v_organization from app.organization_users m
            where m.organization_id = v_seat.organization_id and m.user_id = p_user_id and m.seat_active for share;
        exit when found;
    end loop;
    if v_organization is null then
        return;
    end if;
    if p_organization_id is not null then
        update app.organization_users m set chosen_at = now()
            where m.organization_id = v_organization and m.user_id = p_user_id;
    end if;
    insert into app.sessions (organization_id, user_id, client, address, expires_at, family_hash)
        values (v_organization, p_user_id, left(p_client, 200), left(p_address, 100), p_expires_at, p_family_hash)
        returning id into v_session;
    if p_token_hash is not null then
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_organization, v_session, p_token_hash, least(p_token_expires_at, p_expires_at));
    end if;
    return query select v_session, v_organization;
end
$$;
comment on function app.session_start is
    'Starts a session in the given organization, else in the one last chosen. No row without an active seat, or if the '
    'password has changed since the check.';

create function app.refresh_token_rotate(p_token_hash text, p_new_token_hash text, p_new_expires_at timestamptz,
    p_session_id bigint, p_organization_id bigint, p_family_hash text default null)
    returns table(outcome text, session_id bigint, user_id bigint, organization_id bigint)
    language plpgsql security definer
    set search_path = app, pg_temp
    as $$
declare
    v_token app.refresh_tokens;
    v_session app.sessions;
    v_seated boolean;
    v_outcome text := 'rotated';
begin
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    -- The family finds the session of a deleted token.
    select * into v_session from app.sessions s
        where s.id = v_token.session_id or v_token.id is null and s.family_hash = p_family_hash;
    if v_session.id is null or v_session.id <> p_session_id then
        return query select 'unknown', null::bigint, null::bigint, null::bigint;
        return;
    end if;
    if p_organization_id is null then
        perform from app.organization_users m
            where m.organization_id = v_token.organization_id and m.user_id = v_session.user_id and m.seat_active
            for share;
    else
        perform from app.organization_users m
            where m.organization_id = p_organization_id and m.user_id = v_session.user_id and m.seat_active
            for no key update;
    end if;
    v_seated := found;
    -- Orders concurrent rotations: the second sees the first.
    select * into v_session from app.sessions s where s.id = v_session.id for update;
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    if v_session.ended_at is not null or v_session.expires_at <= now() then
        v_outcome := 'unknown';
    elsif v_token.id is null or v_token.rotated_at < now() - interval '10 seconds' then
        update app.sessions s set ended_at = now() where s.id = v_session.id;
        v_outcome := 'reused';
    elsif v_token.expires_at <= now() then
        v_outcome := 'expired';
    elsif not v_seated then
        v_outcome := 'no_seat';
    else
        if p_organization_id is not null then
            update app.organization_users m set chosen_at = now()
                where m.organization_id = p_organization_id and m.user_id = v_session.user_id;
            v_session.organization_id := p_organization_id;
        else
            v_session.organization_id := v_token.organization_id;
        end if;
        delete from app.refresh_tokens t
            where t.session_id = v_session.id and t.rotated_at < now() - interval '10 seconds';
        update app.refresh_tokens t set rotated_at = now()
            where t.organization_id = v_token.organization_id and t.id = v_token.id and t.rotated_at is null;
        update app.sessions s set last_used_at = now(), organization_id = v_session.organization_id
            where s.id = v_session.id;
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_session.organization_id, v_session.id, p_new_token_hash,
                    least(p_new_expires_at, v_session.expires_at));
    end if;
    return query select v_outcome, v_session.id, v_session.user_id, v_session.organization_id;
end
$$;
comment on function app.refresh_token_rotate is
    'Replaces a refresh token by a new one, optionally in another organization. The outcome is rotated, unknown, '
    'expired, no_seat, or reused, which ends the session. A repeat within 10 seconds is accepted, for a lost response. '
    'The caller also commits after reused, to keep the session ended.';

create function app.session_logout(p_token_hash text, p_family_hash text default null) returns void
    language sql security definer
    set search_path = app, pg_temp
    as $$
    update app.sessions s set ended_at = now()
    where s.ended_at is null
      and (s.id = (select t.session_id from app.refresh_tokens t where t.token_hash = p_token_hash)
           or s.family_hash = p_family_hash)
$$;
comment on function app.session_logout is
    'Ends the session of a refresh token, current or replaced. An unknown token has no effect.';

create function app.session_list(p_user_id bigint)
    returns table (id bigint, created_at timestamptz, last_used_at timestamptz, client text, address text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select s.id, s.created_at, s.last_used_at, s.client, s.address from app.sessions s
    where s.user_id = p_user_id and s.ended_at is null and s.expires_at > now()
$$;
comment on function app.session_list is 'A user''s open sessions.';

create function app.session_end(p_user_id bigint, p_session_id bigint) returns boolean
    language sql security definer set search_path = app, pg_temp as $$
    with ended as (
        update app.sessions s set ended_at = now()
        where s.id = p_session_id and s.user_id = p_user_id and s.ended_at is null and s.expires_at > now()
        returning 1)
    select exists (select from ended)
$$;
comment on function app.session_end is 'Ends an open session of a user; false if there is none.';

create function app.sessions_end(p_user_id bigint, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.sessions s set ended_at = now()
    where s.user_id = p_user_id and s.ended_at is null and s.id is distinct from p_except
$$;
comment on function app.sessions_end is 'Ends all sessions of a user except p_except.';

create function app.session_purge(p_before timestamptz) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with sessions as (
        delete from app.sessions where expires_at < p_before or ended_at < p_before returning 1),
    tokens as (delete from app.refresh_tokens where expires_at < p_before returning 1),
    links as (delete from app.account_links where expires_at < p_before returning 1)
    select (select count(*) from sessions) + (select count(*) from tokens) + (select count(*) from links)
$$;
comment on function app.session_purge is 'Deletes sessions, refresh tokens and links that ended before a time.';

create function app.seat_gone() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_other bigint;
begin
    select m.organization_id into v_other from app.organization_users m
        where m.user_id = old.user_id and m.seat_active and m.organization_id <> old.organization_id
        order by m.chosen_at desc nulls last, m.organization_id limit 1;
    if v_other is null then
        perform app.sessions_end(old.user_id, null);
    else
        update app.sessions s set organization_id = v_other
            where s.user_id = old.user_id and s.organization_id = old.organization_id and s.ended_at is null;
        update app.refresh_tokens t set organization_id = v_other
            from app.sessions s
            where s.id = t.session_id and s.user_id = old.user_id and s.ended_at is null
              and t.organization_id = old.organization_id;
    end if;
    return null;
end
$$;
comment on function app.seat_gone is
    'Trigger: switches the sessions of a removed seat to another organization of the user, or ends them.';

grant execute on function app.authenticate, app.session_start, app.refresh_token_rotate, app.session_logout
    to pipeline_app;
-- Authenticated transactions call these too, under another role.
grant execute on function app.session_list, app.session_end, app.sessions_end to pipeline_app, pipeline_member;
grant execute on function app.session_purge to pipeline_jobs;
grant execute on function app.seat_gone to pipeline_owner;

create function app.password_set(p_user_id bigint, p_password_hash text, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.users u set password_hash = p_password_hash, confirmed_at = coalesce(u.confirmed_at, now())
    where u.id = p_user_id;
    select app.sessions_end(p_user_id, p_except)
$$;
comment on function app.password_set is
    'Sets a password and ends all sessions except p_except. Only the functions here and the command line call it.';

create function app.password_hash(p_user_id bigint) returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.password_hash from app.users u where u.id = p_user_id
$$;
comment on function app.password_hash is 'The hash of a user''s password.';

create function app.password_change(p_user_id bigint, p_known_hash text, p_new_hash text, p_session_id bigint)
    returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    perform from app.users u where u.id = p_user_id and u.password_hash = p_known_hash for no key update;
    if not found then
        return false;
    end if;
    perform app.password_set(p_user_id, p_new_hash, p_session_id);
    return true;
end
$$;
comment on function app.password_change is
    'Replaces a password and ends the user''s other sessions. False if the password has changed since the check.';

create function app.password_forgot(p_email text, p_expires_at timestamptz) returns void
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_seat record;
    v_link bigint;
    v_known boolean;
begin
    -- Requests for one address run one after the other.
    perform pg_advisory_xact_lock(hashtextextended('password_forgot ' || app.email_key(p_email), 0));
    select m.organization_id, m.user_id into v_seat
        from app.users u join app.organization_users m on m.user_id = u.id and m.seat_active
        where u.email_key = app.email_key(p_email) order by m.chosen_at desc nulls last, m.organization_id limit 1;
    -- At most three links an hour, against flooding a mailbox.
    v_known := v_seat.user_id is not null and (
        select count(*) from app.account_links l where l.user_id = v_seat.user_id and l.kind = 'reset'
        and l.created_at > now() - interval '1 hour') < 3;
    if not v_known then
        select m.organization_id, m.user_id into v_seat from app.organization_users m limit 1;
    end if;
    if v_seat.user_id is null then
        return;
    end if;
    begin
        insert into app.account_links (organization_id, kind, user_id, expires_at)
            values (v_seat.organization_id, 'reset', v_seat.user_id, p_expires_at) returning id into v_link;
        insert into app.outbox (organization_id, event, key, payload)
            values (v_seat.organization_id, 'account_link', 'account_link:' || v_link,
                    jsonb_build_object('link_id', v_link));
        if not v_known then
            raise exception 'taken back' using errcode = 'PI009';
        end if;
    exception when sqlstate 'PI009' then
        -- The same writes as for a known address, so that the response time reveals nothing.
        perform pg_notify('pipeline_outbox', '');
    end;
end
$$;
comment on function app.password_forgot is
    'Creates a link for a new password and the event that sends it, if a user with an active seat has the address.';

create function app.password_reset(p_token_hash text, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link record;
begin
    select l.organization_id, l.id, l.user_id into v_link from app.account_links l where l.token_hash = p_token_hash;
    perform from app.users u where u.id = v_link.user_id for no key update;
    perform from app.account_links l
        where l.organization_id = v_link.organization_id and l.id = v_link.id
          and l.kind = 'reset' and l.used_at is null and l.expires_at > now();
    if not found then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.user_id = v_link.user_id and l.kind = 'reset' and l.used_at is null;
    perform app.password_set(v_link.user_id, p_password_hash, null);
    return true;
end
$$;
comment on function app.password_reset is
    'Sets a password by a link, and ends the user''s other links. False if the link is used or expired.';

create function app.login_recorded(p_session_id bigint, p_request_id text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    insert into app.changes (organization_id, type, record_id, action, actor_kind, actor_id, actor_name, request_id,
                             details)
    select s.organization_id, 'users', s.user_id, 'signed_in', 'user', s.user_id, u.name, p_request_id,
        jsonb_build_object('client', s.client, 'address', s.address)
    from app.sessions s join app.users u on u.id = s.user_id
    where s.id = p_session_id
$$;
comment on function app.login_recorded is 'Records the login of a new session for the organization''s audit.';

create function app.login_failed(p_email text, p_client text, p_address text, p_request_id text) returns void
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
        insert into app.changes (organization_id, type, record_id, action, actor_kind, request_id, details)
        select s.organization_id, 'users', s.user_id, 'sign_in_failed', 'system', p_request_id,
            jsonb_build_object('client', left(p_client, 200), 'address', left(p_address, 100))
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
comment on function app.login_failed is
    'Records a failed login for the audit of each organization in which the address has an active seat. The actor is '
    'system.';

grant execute on function app.password_hash, app.password_change, app.password_forgot, app.password_reset,
    app.login_recorded, app.login_failed
    to pipeline_app;

set local role pipeline_owner;
create trigger gone_deactivated after update of seat_active on app.organization_users
    for each row when (old.seat_active and not new.seat_active) execute function app.seat_gone();
create trigger gone_deleted after delete on app.organization_users
    for each row when (old.seat_active) execute function app.seat_gone();


-- API keys: credentials for programs, without a seat. Only the SHA-256 of a key is stored; 256 random bits make timing
-- of the look-up harmless. A revoked key keeps its row, because records show its name.

set local role pipeline_owner;

create table app.api_keys (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    prefix text not null check (prefix ~ '^pl_[0-9A-Za-z]{5}$'),
    key_hash text not null unique check (key_hash ~ '^[0-9a-f]{64}$'),
    role text not null default 'member' check (role in ('admin', 'member')),
    scopes text[] not null check (cardinality(scopes) > 0),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_by bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, created_by) references app.organization_users on delete set null (created_by)
);
comment on table app.api_keys is 'API keys for programs, including revoked ones.';
comment on column app.api_keys.name is 'Name of the key, shown on records that it creates.';
comment on column app.api_keys.prefix is 'The first 8 characters of the key, for recognition.';
comment on column app.api_keys.key_hash is 'SHA-256 of the key; the key itself is not stored.';
comment on column app.api_keys.role is
    'admin or member: the key has the rights of a seat with this role. It cannot change.';
comment on column app.api_keys.scopes is 'Scopes of the key, such as leads:read; all grants everything.';
comment on column app.api_keys.expires_at is 'When the key expires; null for never.';
comment on column app.api_keys.last_used_at is 'The minute in which it was last used.';
comment on column app.api_keys.revoked_at is 'When it was revoked.';

call app.isolate('app.api_keys', 'pipeline_member', 'pipeline_jobs');

-- Use of a key does not change updated_at.
call app.record_changes(
    'app.api_keys', 'api-keys', p_ended => 'revoked_at', p_touched_by => '{name, scopes, expires_at}');

-- Members see only the names of keys.
grant select (organization_id, id, name) on app.api_keys to pipeline_member, pipeline_jobs;
-- The worker checks whether a webhook's key may still read.
grant select (scopes, expires_at, revoked_at) on app.api_keys to pipeline_jobs;
grant
    select (prefix, role, scopes, expires_at, last_used_at, revoked_at, created_by, created_at, updated_at),
    insert (organization_id, name, prefix, key_hash, role, scopes, expires_at, created_by),
    update (name, scopes, expires_at, revoked_at)
    on app.api_keys to pipeline_admin;
grant select (organization_id, id, name, key_hash, role, scopes, expires_at, last_used_at, revoked_at),
    update (last_used_at)
    on app.api_keys to pipeline_lookup;

create function app.created_by_kind(created_by bigint, created_by_key bigint, by_form boolean default false) returns text
    language sql immutable parallel safe
    return case
        when by_form then 'prospect' when created_by_key is not null then 'key' when created_by is not null then 'user'
        else 'system'
    end;
comment on function app.created_by_kind is
    'The kind of a record''s creator: prospect for a form, else user, key, or system if both are null.';
grant execute on function app.created_by_kind to pipeline_member, pipeline_jobs;

create view app.api_key_records with (security_invoker = true) as
select
    key.id, key.organization_id, key.name, key.prefix, key.role, key.scopes, app.iso(key.expires_at) as expires_at,
    app.iso(key.last_used_at) as last_used_at, key.created_by,
    app.created_by_kind(key.created_by, null) as created_by_kind,
    (select person.name from app.users as person where person.id = key.created_by) as created_by_name,
    app.iso(key.created_at) as created_at, app.iso(key.updated_at) as updated_at
from app.api_keys as key
where key.revoked_at is null;
comment on view app.api_key_records is 'The keys that are not revoked, as the API returns them.';
call app.present('app.api_key_records', 'pipeline_admin', 'app.api_keys');
comment on column app.api_key_records.created_by_kind is 'user, or system after the administrator''s seat was removed.';

-- Here, because a key may have made a team.
create view app.team_records with (security_invoker = true) as
select
    team.id, team.organization_id, team.name,
    team.created_by, app.created_by_kind(team.created_by, team.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = team.created_by),
        (select key.name from app.api_keys as key where key.id = team.created_by_key)
    ) as created_by_name,
    app.iso(team.created_at) as created_at, app.iso(team.updated_at) as updated_at
from app.teams as team;
comment on view app.team_records is 'Teams as the API returns them.';
call app.present('app.team_records', 'pipeline_member', 'app.teams');

set local role pipeline_lookup;

create function app.authenticate_key(p_key_hash text)
    returns table (key_id bigint, organization_id bigint, role text, scopes text[], good boolean)
    language plpgsql stable security definer
    set search_path = app, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
    -- Runs in each request of a program. One plan fits all.
    return query select k.id, k.organization_id, k.role, k.scopes,
            k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        from app.api_keys k where k.key_hash = p_key_hash;
end
$$;
comment on function app.authenticate_key is
    'The key with a hash, and whether it is valid: neither revoked nor expired. No row for an unknown key.';

create function app.api_key_used(p_organization_id bigint, p_key_id bigint) returns void
    language plpgsql security definer
    set search_path = app, pg_temp as $$
declare
    v_minute timestamptz := date_trunc('minute', now());
begin
    perform from app.api_keys k
        where k.organization_id = p_organization_id and k.id = p_key_id and k.last_used_at is distinct from v_minute
        for no key update skip locked;
    if found then
        update app.api_keys k set last_used_at = v_minute
        where k.organization_id = p_organization_id and k.id = p_key_id;
    end if;
end
$$;
comment on function app.api_key_used is 'Stores the minute in which a key was used. Does nothing if the row is locked.';

grant execute on function app.authenticate_key, app.api_key_used to pipeline_app;


-- Companies and contacts. Each order of a list has an index that ends with id. Nulls are last in both directions, so
-- the descending order of a nullable key is sorted. The context fills created_by and created_by_key, here and in other
-- records. They have no foreign keys, so that the creator's seat can be removed.

set local role pipeline_owner;

create function app.company_key(name text) returns text
    language sql immutable parallel safe
    return (
        select coalesce(nullif(regexp_replace(words,
            '( (inc|incorporated|corp|corporation|co|company|ltd|limited|llc|llp|lp|plc|pty|gmbh|mbh|ag'
            '|kg|kgaa|ohg|ug|se|sa|sas|sarl|srl|spa|sl|bv|nv|oy|oyj|ab|as|asa|aps|kft|zrt|sro|kk))+$', ''),
                ''), words)
        from (select trim(regexp_replace(replace(regexp_replace(app.plain(name), '[.''’]', '', 'g'),
                                                 '&', ' and '),
                                         '[^[:alnum:]]+', ' ', 'g')) as words) as w);
comment on function app.company_key is
    'A company name for comparison: without case, accents, punctuation and legal suffixes; & becomes and.';

create function app.website_domain(address text) returns text
    language sql immutable parallel safe
    return substring(lower(trim(address) collate "C") from
        '^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\/?#@]*@)?(?:www\.)?([^\/?#:@\s]+\.[^\/?#:@\s]+)');
comment on function app.website_domain is
    'The domain of a domain, URL or email address, without www; null if there is none.';

grant execute on function app.company_key, app.website_domain
    to pipeline_app, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;

create table app.companies (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    legal_name text,
    registration_number text,
    vat_id text,
    email text check (app.has_ascii_domain(email)),
    phone text,
    website text,
    street text,
    city text,
    region text,
    postal_code text,
    country text,
    external_id text check (length(external_id) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    sort_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    name_key text collate "C" not null generated always as (app.company_key(name)) stored,
    website_domain text collate "C" generated always as (left(app.website_domain(website), 255)) stored,
    city_key text collate "C" generated always as (app.sort_key(city)) stored,
    country_key text collate "C" generated always as (app.sort_key(country)) stored,
    search_text text collate "C" not null generated always as (app.plain(
        name || E'\n' || coalesce(legal_name, '') || E'\n'
        || coalesce(app.website_domain(website), ''))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
);
comment on table app.companies is 'Companies that an organization sells to; the licensees of its contracts.';
comment on column app.companies.name is 'Name of the company.';
comment on column app.companies.legal_name is 'Legal name, used in contracts.';
comment on column app.companies.sort_key is 'Sort key of the name.';
comment on column app.companies.name_key is 'The name without case, accents, punctuation and legal form, for matching.';
comment on column app.companies.website_domain is 'Domain of the web site, for matching web sites and email addresses.';
comment on column app.companies.city_key is 'Sort key of the city.';
comment on column app.companies.country_key is 'Sort key of the country.';
comment on column app.companies.search_text is 'Searched text: names and domain, one per line.';

call app.share(
    'app.companies', 'pipeline_member', 'name', 'legal_name', 'registration_number', 'vat_id', 'email', 'phone',
    'website', 'street', 'city', 'region', 'postal_code', 'country', 'external_id');
call app.record_changes('app.companies', 'companies');

create unique index companies_external_id on app.companies (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index companies_sort on app.companies (organization_id, sort_key, id);
create index companies_city on app.companies (organization_id, city_key, id);
create index companies_country on app.companies (organization_id, country_key, id);
create index companies_created on app.companies (organization_id, created_at, id);
create index companies_updated on app.companies (organization_id, updated_at, id);
-- Matches for a lead's company.
create index companies_name_key on app.companies (organization_id, name_key);
create index companies_website_domain on app.companies (organization_id, website_domain);
create index companies_similar on app.companies using gin (organization_id, name_key extensions.gin_trgm_ops);

grant select (name_key) on app.companies to pipeline_lookup;

-- Search (app.search_ids).
create index companies_search_trigrams on app.companies
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text) on app.companies to pipeline_lookup;

call app.count_records('app.companies');

create view app.company_records with (security_invoker = true) as
select
    company.id, company.organization_id, company.name, company.legal_name, company.registration_number, company.vat_id,
    company.email, company.phone, company.website, company.street, company.city, company.region, company.postal_code,
    company.country, company.external_id, company.created_by,
    app.created_by_kind(company.created_by, company.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = company.created_by),
        (select key.name from app.api_keys as key where key.id = company.created_by_key)
    ) as created_by_name,
    app.iso(company.created_at) as created_at, app.iso(company.updated_at) as updated_at
from app.companies as company;
comment on view app.company_records is 'Companies as the API returns them.';
call app.present('app.company_records', 'pipeline_member', 'app.companies');

set local role pipeline_lookup;
create function app.company_similar(p_name text) returns table (id bigint, similarity real)
    language sql stable security definer set search_path = app, extensions, pg_temp
    set pg_trgm.similarity_threshold = 0.5 as $$
    select c.id, similarity(c.name_key, app.company_key(p_name)) from app.companies c
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and c.name_key % app.company_key(p_name)
    order by 2 desc, 1 limit 20
$$;
comment on function app.company_similar is
    'Companies of the current organization with a trigram similarity of at least 0.5. A definer function, because the '
    'operator is not leakproof and cannot use its index under row-level security.';
grant execute on function app.company_similar to pipeline_member;

set local role pipeline_owner;

create table app.contacts (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    first_name text not null check (length(first_name) between 1 and 255),
    last_name text check (length(last_name) <= 255),
    email text check (length(email) <= 255 and app.has_ascii_domain(email)),
    phone text,
    job_title text,
    company_id bigint,
    external_id text check (length(external_id) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name text not null generated always as (trim(first_name || ' ' || coalesce(last_name, ''))) stored,
    name_key text collate "C" not null
        generated always as (app.sort_key(trim(first_name || ' ' || coalesce(last_name, '')))) stored,
    email_key text collate "C" generated always as (app.email_key(email)) stored,
    search_text text collate "C" not null generated always as (app.plain(
        trim(first_name || ' ' || coalesce(last_name, '')) || E'\n' || coalesce(email, ''))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, company_id) references app.companies
);
comment on table app.contacts is 'People at the companies that an organization sells to.';
comment on column app.contacts.first_name is 'Given name.';
comment on column app.contacts.name is 'First and last name.';
comment on column app.contacts.search_text is
    'Searched text besides the company: name and email address, one per line.';

call app.share(
    'app.contacts', 'pipeline_member', 'first_name', 'last_name', 'email', 'phone', 'job_title', 'company_id',
    'external_id');
call app.record_changes('app.contacts', 'contacts');

create unique index contacts_external_id on app.contacts (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index contacts_name on app.contacts (organization_id, name_key, id);
create index contacts_created on app.contacts (organization_id, created_at, id);
create index contacts_updated on app.contacts (organization_id, updated_at, id);
-- Also for contacts with an email address.
create index contacts_email on app.contacts (organization_id, email_key, id);
create index contacts_company on app.contacts (organization_id, company_id);

-- Search (app.search_ids).
create index contacts_search_trigrams on app.contacts
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, company_id) on app.contacts to pipeline_lookup;

call app.count_records('app.contacts');

create view app.contact_records with (security_invoker = true) as
select
    contact.id, contact.organization_id, contact.first_name, contact.last_name, contact.name, contact.email,
    contact.phone, contact.job_title, contact.company_id, company.name as company_name, contact.external_id,
    contact.created_by,
    app.created_by_kind(contact.created_by, contact.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = contact.created_by),
        (select key.name from app.api_keys as key where key.id = contact.created_by_key)
    ) as created_by_name,
    app.iso(contact.created_at) as created_at, app.iso(contact.updated_at) as updated_at
from app.contacts as contact
left join app.companies as company
    on company.organization_id = contact.organization_id and company.id = contact.company_id;
comment on view app.contact_records is 'Contacts with the name of their company, as the API returns them.';
call app.present('app.contact_records', 'pipeline_member', 'app.contacts');


-- Deals, their stages and quotes. Columns named …_minor hold minor units of the currency. The net of a line is quantity
-- × unit price × (1 − discount), rounded once, half away from zero.

set local role pipeline_owner;

create table app.deal_stages (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    position integer not null default 0,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
);
comment on table app.deal_stages is 'The stages of an organization''s deals.';
comment on column app.deal_stages.name is 'Name of the stage.';
comment on column app.deal_stages.position is 'Position among the stages, ascending.';

call app.share('app.deal_stages', 'pipeline_member', 'name', 'position');
call app.record_changes('app.deal_stages', 'deal-stages');

create index deal_stages_position on app.deal_stages (organization_id, position, id);

create view app.deal_stage_records with (security_invoker = true) as
select
    stage.id, stage.organization_id, stage.name, stage.position,
    stage.created_by, app.created_by_kind(stage.created_by, stage.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = stage.created_by),
        (select key.name from app.api_keys as key where key.id = stage.created_by_key)
    ) as created_by_name,
    app.iso(stage.created_at) as created_at, app.iso(stage.updated_at) as updated_at
from app.deal_stages as stage;
comment on view app.deal_stage_records is 'Deal stages as the API returns them.';
call app.present('app.deal_stage_records', 'pipeline_member', 'app.deal_stages');

create table app.deals (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    title text not null check (length(title) between 1 and 255),
    value_minor bigint not null default 0,
    value_key bigint not null generated always as
        (round(value_minor * app.minor_unit(currency) * 1000)::bigint) stored,
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    stage_id bigint,
    company_id bigint,
    contact_id bigint,
    owner_id bigint,
    expected_close_date date,
    product_line text,
    external_id text check (length(external_id) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    title_key text collate "C" not null generated always as (app.sort_key(title)) stored,
    search_text text collate "C" not null generated always as (app.plain(title)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, stage_id) references app.deal_stages,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, owner_id) references app.organization_users
);
comment on table app.deals is 'Possible sales.';
comment on column app.deals.title is 'Title of the deal.';
comment on column app.deals.value_minor is 'Value in minor units of the currency.';
comment on column app.deals.value_key is 'The value in thousandths of the currency, for sorting.';
comment on column app.deals.stage_id is 'The current stage.';
comment on column app.deals.company_id is 'The buying company.';
comment on column app.deals.contact_id is 'The contact at the company.';
comment on column app.deals.owner_id is 'The user responsible for the deal.';
comment on column app.deals.expected_close_date is 'Expected closing date.';
comment on column app.deals.product_line is 'Slug of the product line; matches a configurator definition.';
comment on column app.deals.title_key is 'Sort key of the title.';
comment on column app.deals.search_text is 'Searched text besides the company: the title.';

call app.share(
    'app.deals', 'pipeline_member', 'title', 'value_minor', 'currency', 'stage_id', 'company_id', 'contact_id',
    'owner_id', 'expected_close_date', 'product_line', 'external_id');
call app.record_changes('app.deals', 'deals');

create unique index deals_external_id on app.deals (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index deals_title on app.deals (organization_id, title_key, id);
create index deals_value on app.deals (organization_id, value_key, id);
create index deals_closing on app.deals (organization_id, expected_close_date, id);
create index deals_created on app.deals (organization_id, created_at, id);
create index deals_updated on app.deals (organization_id, updated_at, id);
create index deals_stage on app.deals (organization_id, stage_id);
create index deals_owner on app.deals (organization_id, owner_id);
create index deals_company on app.deals (organization_id, company_id);
create index deals_contact on app.deals (organization_id, contact_id);

-- Search (app.search_ids).
create index deals_search_trigrams on app.deals
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, company_id) on app.deals to pipeline_lookup;

call app.count_records('app.deals');
create trigger fill before insert or update of currency on app.deals
    for each row execute function app.currency_filled('deals');

create view app.deal_records with (security_invoker = true) as
select
    deal.id, deal.organization_id, deal.title, app.money(deal.value_minor, deal.currency) as value, deal.currency, deal.stage_id,
    stage.name as stage_name, deal.company_id, company.name as company_name, deal.contact_id,
    contact.name as contact_name, deal.owner_id, owner.name as owner_name, deal.expected_close_date, deal.product_line,
    deal.external_id, deal.created_by,
    app.created_by_kind(deal.created_by, deal.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = deal.created_by),
        (select key.name from app.api_keys as key where key.id = deal.created_by_key)
    ) as created_by_name,
    app.iso(deal.created_at) as created_at, app.iso(deal.updated_at) as updated_at
from app.deals as deal
left join app.deal_stages as stage on stage.organization_id = deal.organization_id and stage.id = deal.stage_id
left join app.companies as company on company.organization_id = deal.organization_id and company.id = deal.company_id
left join app.contacts as contact on contact.organization_id = deal.organization_id and contact.id = deal.contact_id
left join app.users as owner on owner.id = deal.owner_id;
comment on view app.deal_records is 'Deals with the names of related records, as the API returns them.';
call app.present('app.deal_records', 'pipeline_member', 'app.deals');
comment on column app.deal_records.value is 'Value in the currency.';
comment on column app.deal_records.stage_name is 'Name of the stage.';
comment on column app.deal_records.contact_name is 'Name of the contact.';
comment on column app.deal_records.owner_name is 'Name of the owner.';

create table app.quotes (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    deal_id bigint not null,
    quote_number text not null check (length(quote_number) between 1 and 80),
    status text not null default 'draft' check (status in ('draft', 'sent', 'accepted', 'declined')),
    quote_date date,
    valid_until date,
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    discount_total_minor bigint not null default 0,
    tax_total_minor bigint not null default 0,
    payment_terms text,
    notes text,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    lines_revision integer not null default 1,
    serial bigint generated always as (cast(substring(quote_number from '^Q-([0-9]{1,9})$') as bigint)) stored,
    number_key text collate "C" not null generated always as (app.sort_key(quote_number)) stored,
    search_text text collate "C" not null generated always as (app.plain(quote_number)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, quote_number),
    foreign key (organization_id, deal_id) references app.deals
);
comment on table app.quotes is 'Quotes for deals.';
comment on column app.quotes.quote_number is 'Number, unique in the organization; Q-000001 and so on by default.';
comment on column app.quotes.status is 'draft, sent, accepted or declined.';
comment on column app.quotes.quote_date is 'Date of the quote.';
comment on column app.quotes.valid_until is 'Last day on which the quote is valid.';
comment on column app.quotes.discount_total_minor is 'Discount on the whole quote, in minor units.';
comment on column app.quotes.tax_total_minor is 'Taxes, in minor units.';
comment on column app.quotes.payment_terms is 'Terms of payment.';
comment on column app.quotes.lines_revision is 'The number of times the lines were replaced.';
comment on column app.quotes.serial is
    'The number in a quote number of the service''s own form; null for other quote numbers.';
comment on column app.quotes.number_key is 'Sort key of the number.';
comment on column app.quotes.search_text is 'Searched text besides the deal: the number.';

call app.share(
    'app.quotes', 'pipeline_member', 'deal_id', 'quote_number', 'status', 'quote_date', 'valid_until', 'currency',
    'discount_total_minor', 'tax_total_minor', 'payment_terms', 'notes', 'lines_revision');
call app.record_changes('app.quotes', 'quotes');
-- For the currency of recorded lines.
grant select (currency) on app.quotes to pipeline_lookup;

-- Orders of the list.
create index quotes_number on app.quotes (organization_id, number_key, id);
create index quotes_status on app.quotes (organization_id, status, id);
create index quotes_date on app.quotes (organization_id, quote_date, id);
create index quotes_valid on app.quotes (organization_id, valid_until, id);
create index quotes_created on app.quotes (organization_id, created_at, id);
create index quotes_updated on app.quotes (organization_id, updated_at, id);
create index quotes_deal on app.quotes (organization_id, deal_id);
-- The next number.
create index quotes_serial on app.quotes (organization_id, serial);

-- Search (app.search_ids).
create index quotes_search_trigrams on app.quotes
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, deal_id) on app.quotes to pipeline_lookup;

call app.count_records('app.quotes');
create trigger fill before insert or update of currency on app.quotes
    for each row execute function app.currency_filled('quotes');

create table app.quote_lines (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    quote_id bigint not null,
    position integer not null check (position >= 0),
    sku text,
    description text,
    platform text,
    license_type text,
    quantity bigint not null default 1 check (quantity between 0 and 10000000),
    unit_price_minor bigint not null default 0 check (unit_price_minor between 0 and 100000000000),
    discount_basis_points integer not null default 0 check (discount_basis_points between 0 and 10000),
    tax_basis_points integer check (tax_basis_points between 0 and 10000),
    net_minor bigint not null generated always as
        (round(quantity::numeric * unit_price_minor * (10000 - discount_basis_points) * 0.0001)::bigint) stored,
    primary key (organization_id, id),
    unique (organization_id, quote_id, position),
    foreign key (organization_id, quote_id) references app.quotes on delete cascade
);
comment on table app.quote_lines is 'The lines of quotes.';
comment on column app.quote_lines.quote_id is 'The quote.';
comment on column app.quote_lines.position is 'Position in the quote, from 0.';
comment on column app.quote_lines.sku is 'Article number.';
comment on column app.quote_lines.description is 'Description of the product.';
comment on column app.quote_lines.platform is 'Platform of the product.';
comment on column app.quote_lines.quantity is 'Quantity.';
comment on column app.quote_lines.unit_price_minor is 'Price per unit, in minor units.';
comment on column app.quote_lines.discount_basis_points is 'Discount in hundredths of a percent: 1250 is 12.5 %.';
comment on column app.quote_lines.tax_basis_points is 'Tax rate in hundredths of a percent; no total is computed from it.';
comment on column app.quote_lines.net_minor is 'Net amount of the line, in minor units.';

call app.share('app.quote_lines');

-- A changed quote gets new lines.
grant
    insert (organization_id, quote_id, position, sku, description, platform, license_type, quantity, unit_price_minor,
        discount_basis_points, tax_basis_points), delete
    on app.quote_lines to pipeline_member;

set local role pipeline_lookup;

create function app.quote_lines_recorded() returns trigger
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
        perform app.change_folded(v.organization_id, 'quotes', v.quote_id, 'lines',
            case when v_was then v_lines end, case when not v_was then v_lines end);
    end loop;
    return null;
end
$$;
comment on function app.quote_lines_recorded is
    'Trigger: records deleted and inserted lines as one change of their quote.';
grant execute on function app.quote_lines_recorded to pipeline_owner;

set local role pipeline_owner;
create trigger record_inserted after insert on app.quote_lines
    referencing new table as changed for each statement execute function app.quote_lines_recorded();
create trigger record_deleted after delete on app.quote_lines
    referencing old table as changed for each statement execute function app.quote_lines_recorded();

create view app.quote_records with (security_invoker = true) as
select
    quote.id, quote.organization_id, quote.deal_id, deal.title as deal_title, quote.quote_number, quote.status,
    quote.quote_date, quote.valid_until, quote.currency, app.money(content.net_minor, quote.currency) as subtotal,
    app.money(quote.discount_total_minor, quote.currency) as discount_total, app.money(quote.tax_total_minor, quote.currency) as tax_total,
    app.money(content.net_minor - quote.discount_total_minor + quote.tax_total_minor, quote.currency) as total,
    quote.payment_terms, quote.notes, content.lines,
    quote.created_by,
    app.created_by_kind(quote.created_by, quote.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = quote.created_by),
        (select key.name from app.api_keys as key where key.id = quote.created_by_key)
    ) as created_by_name,
    app.iso(quote.created_at) as created_at, app.iso(quote.updated_at) as updated_at
from app.quotes as quote
join app.deals as deal on deal.organization_id = quote.organization_id and deal.id = quote.deal_id
cross join lateral (
    select
        -- As numeric: 500 of the largest lines exceed a bigint.
        coalesce(sum(line.net_minor), 0) as net_minor,
        coalesce(
            json_agg(
                json_build_object(
                    'sku', line.sku,
                    'description', line.description,
                    'platform', line.platform,
                    'license_type', line.license_type,
                    'quantity', line.quantity,
                    'unit_price', app.money(line.unit_price_minor, quote.currency),
                    'discount_percent', app.percent(line.discount_basis_points),
                    'tax_rate', app.percent(line.tax_basis_points),
                    'net', app.money(line.net_minor, quote.currency)
                )
                order by line.position
            ),
            '[]'
        ) as lines
    from app.quote_lines as line
    where line.organization_id = quote.organization_id and line.quote_id = quote.id
) as content;
comment on view app.quote_records is 'Quotes with their lines and totals, as the API returns them.';
call app.present('app.quote_records', 'pipeline_member', 'app.quotes');
comment on column app.quote_records.subtotal is 'Sum of the lines.';
comment on column app.quote_records.discount_total is 'Discount on the whole quote.';
comment on column app.quote_records.tax_total is 'Total of taxes.';
comment on column app.quote_records.total is 'Subtotal minus discount plus taxes.';
comment on column app.quote_records.lines is 'The lines in their order.';


-- Leads. The policies for public forms are in 51_interview_invites.sql.

set local role pipeline_owner;

-- count_inserted checks the organization through record_count_deltas, once for each statement.
create table app.leads (
    organization_id bigint not null,
    id bigint generated always as identity,
    first_name text not null check (length(first_name) between 1 and 255),
    last_name text check (length(last_name) <= 255),
    email text check (length(email) <= 255 and app.has_ascii_domain(email)),
    phone text check (length(phone) <= 80),
    company text check (length(company) <= 255),
    job_title text check (length(job_title) <= 255),
    source text not null default 'manual' check (length(source) between 1 and 80),
    status text not null default 'new' check (status in ('new', 'contacted', 'qualified', 'disqualified')),
    notes text,
    tags text,
    assigned_to bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    disqualify_reason text,
    qualified_at timestamptz,
    disqualified_at timestamptz,
    external_id text check (length(external_id) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_by_form boolean not null default (
        nullif(current_setting('app.template_id', true), '') is not null
        or nullif(current_setting('app.invite_id', true), '') is not null),
    name text not null generated always as (trim(first_name || ' ' || coalesce(last_name, ''))) stored,
    name_key text collate "C" not null
        generated always as (app.sort_key(trim(first_name || ' ' || coalesce(last_name, '')))) stored,
    email_key text collate "C" generated always as (app.email_key(email)) stored,
    company_key text collate "C" generated always as (app.sort_key(company)) stored,
    source_key text collate "C" not null generated always as (app.sort_key(source)) stored,
    tag_text text collate "C" generated always as (
        ',' || regexp_replace(app.plain(tags), '\s*[,;]\s*', ',', 'g') || ',') stored,
    -- Separate lines, so that a word cannot match across fields.
    search_text text collate "C" not null generated always as (app.plain(
        first_name || ' ' || coalesce(last_name, '') || E'\n' || coalesce(email, '') || E'\n'
        || coalesce(company, '') || E'\n' || coalesce(job_title, '') || E'\n'
        || coalesce(regexp_replace(phone, '\D', '', 'g'), ''))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals
);
comment on table app.leads is 'Leads: prospects before the sale.';
comment on column app.leads.first_name is 'Given name, or the only name.';
comment on column app.leads.company is 'Name of the company, as entered.';
comment on column app.leads.source is 'Where the lead comes from; interview for one from a capture form.';
comment on column app.leads.status is 'new, contacted, qualified or disqualified.';
comment on column app.leads.tags is 'Tags for grouping leads, separated by commas or semicolons.';
comment on column app.leads.assigned_to is 'The user responsible for the lead.';
comment on column app.leads.contact_id is 'The contact of the qualification.';
comment on column app.leads.company_id is 'The company of the qualification.';
comment on column app.leads.deal_id is 'The deal of the qualification.';
comment on column app.leads.disqualify_reason is 'Reason for the disqualification.';
comment on column app.leads.qualified_at is 'When it was qualified.';
comment on column app.leads.disqualified_at is 'When it was disqualified.';
comment on column app.leads.created_by_form is 'Whether a prospect made it with a form.';
comment on column app.leads.name is 'First and last name.';
comment on column app.leads.company_key is 'Sort key of the company.';
comment on column app.leads.source_key is 'Sort key of the source.';
comment on column app.leads.tag_text is 'The tags, each between commas, for the filter by tag.';
comment on column app.leads.search_text is
    'Searched text: name, email address, company, position and the digits of the phone number.';

call app.share(
    'app.leads', 'pipeline_member',
    'first_name', 'last_name', 'email', 'phone', 'company', 'job_title', 'source', 'status', 'notes', 'tags',
    'assigned_to', 'contact_id', 'company_id', 'deal_id', 'disqualify_reason', 'qualified_at', 'disqualified_at',
    'external_id');

create unique index leads_external_id on app.leads (organization_id, external_id)
    where external_id is not null;

-- Orders of the list, also of a status or assignee.
create index leads_name on app.leads (organization_id, name_key, id);
create index leads_email on app.leads (organization_id, email_key, id);
create index leads_company_name on app.leads (organization_id, company_key, id);
create index leads_status on app.leads (organization_id, status, id);
create index leads_source on app.leads (organization_id, source_key, id, source);
create index leads_created on app.leads (organization_id, created_at, id);
create index leads_updated on app.leads (organization_id, updated_at, id);
-- Also lists the leads of an assignee by name.
create index leads_assigned on app.leads (organization_id, assigned_to, name_key, id);
-- Also for deletions of the referenced records.
create index leads_contact on app.leads (organization_id, contact_id) where contact_id is not null;
create index leads_company on app.leads (organization_id, company_id) where company_id is not null;
create index leads_deal on app.leads (organization_id, deal_id) where deal_id is not null;

-- Search (app.search_ids).
create index leads_search_trigrams on app.leads
    using gin (organization_id, search_text extensions.gin_trgm_ops, tag_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, tag_text) on app.leads to pipeline_lookup;

call app.count_records('app.leads');

call app.record_changes('app.leads', 'leads');

set local role pipeline_lookup;

create function app.lead_is_new(p_id bigint) returns boolean
    language plpgsql stable security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    v_transaction bigint := app.change_transaction(v_organization);
begin
    perform 1 from app.changes c
        where c.organization_id = v_organization and c.transaction_id = v_transaction
          and c.type = 'leads' and c.record_id = p_id and c.action = 'created';
    return found;
end
$$;
comment on function app.lead_is_new is
    'Whether this transaction created a lead of the current organization, from the record of change. A form may link '
    'only such a lead and cannot read leads.';
grant execute on function app.lead_is_new to pipeline_public;
set local role pipeline_owner;

create function app.lead_import_lock() returns boolean
    language sql volatile
    return pg_try_advisory_xact_lock(
        hashtextextended('lead_import', cast(nullif(current_setting('app.organization_id', true), '') as bigint)));
comment on function app.lead_import_lock is
    'Whether no other import into the current organization is running. If true, this transaction holds the lock until '
    'its end.';
grant execute on function app.lead_import_lock to pipeline_member;

create function app.team_of(p_user_id bigint) returns bigint[]
    language sql stable as $$
    select array(
        select mate.user_id
        from app.organization_users as seat
        join app.organization_users as mate
            on mate.organization_id = seat.organization_id
            and (mate.user_id = seat.user_id or mate.team_id = seat.team_id)
        where seat.user_id = p_user_id)
$$;
comment on function app.team_of is
    'The users of a user''s team in the current organization, including the user. Empty for an API key.';
grant execute on function app.team_of to pipeline_member;

create view app.lead_records with (security_invoker = true) as
select
    lead.id, lead.organization_id, lead.first_name, lead.last_name, lead.name, lead.email, lead.phone, lead.company,
    lead.company as company_name, lead.job_title, lead.source, lead.status, lead.notes, lead.tags, lead.assigned_to,
    assignee.name as assigned_to_name, lead.contact_id, lead.company_id, lead.deal_id, lead.disqualify_reason,
    app.iso(lead.qualified_at) as qualified_at, app.iso(lead.disqualified_at) as disqualified_at, lead.external_id,
    lead.created_by,
    app.created_by_kind(lead.created_by, lead.created_by_key, lead.created_by_form) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = lead.created_by),
        (select key.name from app.api_keys as key where key.id = lead.created_by_key)
    ) as created_by_name,
    app.iso(lead.created_at) as created_at, app.iso(lead.updated_at) as updated_at
from app.leads as lead
left join app.users as assignee on assignee.id = lead.assigned_to;
comment on view app.lead_records is 'Leads with the names of related records, as the API returns them.';
call app.present('app.lead_records', 'pipeline_member', 'app.leads');
comment on column app.lead_records.created_by_kind is 'Kind of the creator: user, key, prospect or system.';
comment on column app.lead_records.company_name is 'The same as company.';
comment on column app.lead_records.assigned_to_name is 'Name of the user responsible for the lead.';

-- Guards against formulas in spreadsheet cells (OWASP, "CSV Injection"), as pipeline/http/endpoints/csv_cells.py does. PostgreSQL
-- inlines the function's expression, so a million leads cost no calls.
do $do$
declare
    c_before constant text := '[''" \u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0'
        '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]*';
    c_formula constant text := c_before || '[=+@\uff0b\uff0d\uff1d\uff20-]';
begin
    execute format($function$
create function app.csv_text(value text) returns text
    language sql immutable parallel safe
    -- Cheap comparisons first, because most texts need no more.
    return case
        when
            value collate "C" like '%%,%%' or value collate "C" like '%%;%%' or value collate "C" like e'%%\t%%'
            or value collate "C" like e'%%\n%%' or value collate "C" like e'%%\r%%'
            then case when value ~ %L then regexp_replace(value, %L, '''', 'g') else value end
        when (value collate "C" < 'A' or value collate "C" > '~') and value ~ %L then '''' || value
        else value
    end$function$,
        '^' || c_before || '[\t\r]|(^|[,;\t\n\r])' || c_formula,
        '^(?=' || c_before || '[\t\r])|(^|(?<=[,;\t\n\r]))(?=' || c_formula || ')',
        '^' || c_formula);
end
$do$;
comment on function app.csv_text is
    'A text for a CSV file, with an apostrophe before any cell that a spreadsheet would read as a formula.';

grant execute on function app.csv_text to pipeline_member;


-- Interview templates and their versions. A version never changes (SQLSTATE PI002); an invite keeps its version.
-- Deleted templates keep their rows for their invites. A capture form sees the template in app.template_id if it is
-- enabled; a preview (app.preview) also sees a disabled one.

set local role pipeline_owner;

create table app.interview_templates (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    slug text collate "C" not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
    public_slug text check (public_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(public_slug) <= 80),
    lead_capture_enabled boolean not null default false,
    version_id bigint,
    deleted_at timestamptz,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    search_text text collate "C" not null generated always as (app.plain(name || ' ' || slug)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (public_slug is not null or not lead_capture_enabled)
);
comment on table app.interview_templates is 'Interview templates, for invites and lead-capture forms.';
comment on column app.interview_templates.name is 'Name of the template.';
comment on column app.interview_templates.slug is 'Short name, unique among the organization''s templates.';
comment on column app.interview_templates.public_slug is
    'Slug of the lead-capture form''s URL, unique over all organizations.';
comment on column app.interview_templates.lead_capture_enabled is 'Whether the lead-capture form is open.';
comment on column app.interview_templates.version_id is 'The current version, with pages and questions.';
comment on column app.interview_templates.search_text is 'Searched text: name and slug.';

call app.isolate('app.interview_templates', 'pipeline_member', 'pipeline_jobs');
call app.record_changes('app.interview_templates', 'interview-templates', p_ended => 'deleted_at');

-- Deleting a template frees its slug.
create unique index interview_templates_slug on app.interview_templates (organization_id, slug)
    where deleted_at is null;
create unique index interview_templates_public_slug on app.interview_templates (public_slug)
    where deleted_at is null and public_slug is not null;
-- Orders of the list, and the filter by update time.
create index interview_templates_name on app.interview_templates (organization_id, name_key, id)
    where deleted_at is null;
create index interview_templates_created on app.interview_templates (organization_id, created_at, id)
    where deleted_at is null;
create index interview_templates_updated on app.interview_templates (organization_id, updated_at, id)
    where deleted_at is null;

create policy public_form on app.interview_templates for select to pipeline_public
    using (id = nullif(current_setting('app.template_id', true), '')::bigint
           and (lead_capture_enabled or current_setting('app.preview', true) = 'on') and deleted_at is null);
grant select on app.interview_templates to pipeline_member, pipeline_jobs;
grant insert (organization_id, name, slug, public_slug, lead_capture_enabled, version_id),
    update (name, slug, public_slug, lead_capture_enabled, version_id, deleted_at)
    on app.interview_templates to pipeline_admin;
grant select (organization_id, id, version_id, lead_capture_enabled, deleted_at)
    on app.interview_templates to pipeline_public;
grant select (organization_id, id, public_slug, lead_capture_enabled, version_id, deleted_at)
    on app.interview_templates to pipeline_lookup;

create table app.interview_template_versions (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    template_id bigint not null,
    version integer not null check (version >= 1),
    name text not null,
    pages jsonb not null check (jsonb_typeof(pages) = 'array'),
    questions jsonb not null check (jsonb_typeof(questions) = 'array'),
    branding jsonb not null default '{}' check (jsonb_typeof(branding) = 'object'),
    thank_you jsonb not null default '{}' check (jsonb_typeof(thank_you) = 'object'),
    hints jsonb not null default '{}' check (jsonb_typeof(hints) = 'object'),
    field_map jsonb not null default '[]' check (jsonb_typeof(field_map) = 'array'),
    language text not null default 'en',
    translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object'),
    hidden_fields jsonb not null default '[]' check (jsonb_typeof(hidden_fields) = 'array'),
    embed_origins jsonb not null default '[]' check (jsonb_typeof(embed_origins) = 'array'),
    created_by bigint,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, template_id, version),
    unique (organization_id, template_id, id),
    foreign key (organization_id, template_id) references app.interview_templates,
    foreign key (organization_id, created_by) references app.organization_users
);
comment on table app.interview_template_versions is 'Versions of templates; docs/forms.md describes the objects.';
comment on column app.interview_template_versions.version is 'Number of the version, from 1.';
comment on column app.interview_template_versions.name is 'Name of the template in this version.';
comment on column app.interview_template_versions.pages is 'Pages with order, texts, conditions and questions.';
comment on column app.interview_template_versions.questions is 'Questions with types, texts and rules.';
comment on column app.interview_template_versions.branding is
    'Colors and logo of the form that differ from the organization''s.';
comment on column app.interview_template_versions.thank_you is 'Text shown after submitting.';
comment on column app.interview_template_versions.hints is
    'Lead fields filled by questions, and flags and tips for the rep; never public.';
comment on column app.interview_template_versions.field_map is
    'Rules for a configuration from the answers; never public.';
comment on column app.interview_template_versions.language is 'Language of the texts.';
comment on column app.interview_template_versions.translations is
    'Texts in other languages: an object for each language, with the texts by their place.';
comment on column app.interview_template_versions.hidden_fields is
    'Names of values that the URL of a form may carry; conditions can use them.';
comment on column app.interview_template_versions.embed_origins is
    'The origins of pages that may embed the form in a frame.';

call app.isolate('app.interview_template_versions', 'pipeline_member', 'pipeline_jobs');

-- Deferred, so that template and first version can be inserted in either order.
alter table app.interview_templates add constraint interview_templates_version
    foreign key (organization_id, id, version_id)
    references app.interview_template_versions (organization_id, template_id, id) deferrable initially deferred;

-- The policy public_form is in 51_interview_invites.sql.
grant select on app.interview_template_versions to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, template_id, version, name, pages, questions, branding, thank_you, hints, field_map,
        language, translations, hidden_fields, embed_origins, created_by)
    on app.interview_template_versions to pipeline_admin;
grant select (organization_id, id, template_id, name, pages, questions, branding, thank_you, hints, language,
    translations, hidden_fields, embed_origins)
    on app.interview_template_versions to pipeline_public;

create function app.version_frozen() returns trigger language plpgsql as $$
begin
    raise exception 'a template version is immutable' using errcode = 'PI002';
end
$$;
comment on function app.version_frozen is 'Trigger: refuses changes and deletion of a version.';
create trigger frozen before update or delete on app.interview_template_versions
    for each row execute function app.version_frozen();

create function app.version_made() returns trigger language plpgsql as $$
begin
    update app.interview_templates t set version_id = new.id
    where t.organization_id = new.organization_id and t.id = new.template_id;
    return null;
end
$$;
comment on function app.version_made is 'Trigger: makes the newest version the current one.';
create trigger made after insert on app.interview_template_versions
    for each row execute function app.version_made();

create view app.interview_template_records with (security_invoker = true) as
select
    template.id, template.organization_id, template.name, template.slug, template.public_slug,
    template.lead_capture_enabled, version.version, version.pages, version.questions, version.branding,
    version.thank_you, version.hints, version.field_map, version.language, version.translations, version.hidden_fields,
    version.embed_origins,
    template.created_by, app.created_by_kind(template.created_by, template.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = template.created_by),
        (select key.name from app.api_keys as key where key.id = template.created_by_key)
    ) as created_by_name,
    app.iso(template.created_at) as created_at, app.iso(template.updated_at) as updated_at
from app.interview_templates as template
join app.interview_template_versions as version
    on version.organization_id = template.organization_id and version.id = template.version_id
where template.deleted_at is null;
comment on view app.interview_template_records is
    'Templates that are not deleted, with their current version, as the API returns them.';
call app.present(
    'app.interview_template_records', 'pipeline_member', 'app.interview_templates', 'app.interview_template_versions');

set local role pipeline_lookup;
create function app.capture_by_slug(p_public_slug text)
    returns table (organization_id bigint, template_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select t.organization_id, t.id from app.interview_templates t
    where t.public_slug = p_public_slug and t.lead_capture_enabled and t.deleted_at is null
$$;
comment on function app.capture_by_slug is 'The organization and template of an open lead-capture form.';
grant execute on function app.capture_by_slug to pipeline_forms;


-- Interview invites, and responses of lead-capture forms. A public form sees only the invite of its token
-- (app.invite_token), its version, the lead's prefill fields and public columns of the organization. A capture form may
-- only insert a lead and its response. SQLSTATEs: PI001 the invite is submitted, PI003 it is expired.

set local role pipeline_owner;

create function app.invite_status(status text, expires_at timestamptz) returns text
    language sql stable parallel safe
    return case when status in ('pending', 'started') and expires_at <= now() then 'expired' else status end;
comment on function app.invite_status is
    'The status to show and filter by: an open invite after its expiry is expired.';

create function app.invite_statuses(shown text[]) returns text[]
    language sql immutable parallel safe
    return shown || case when 'expired' = any(shown) then array['pending', 'started'] else '{}' end;
comment on function app.invite_statuses is
    'The stored statuses of invites that may have one of the given shown statuses.';
grant execute on function app.invite_statuses to pipeline_member;

grant execute on function app.invite_status
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;

create function app.consents_merged(kept jsonb, answers jsonb, cleared text[], given jsonb) returns jsonb
    language sql stable parallel safe set search_path = app, pg_temp as $$
    select coalesce(jsonb_object_agg(key, record), '{}') from (
        -- Repeated consent to the same text keeps the first time.
        select key, record from jsonb_each(kept) as had (key, record)
        where had.key <> all (cleared) and answers -> had.key = 'true'
          and coalesce(given -> had.key ->> 'text' = had.record ->> 'text', true)
        union all
        select key, record || jsonb_build_object('given_at', app.iso(now())) from jsonb_each(given) as new (key, record)
        where (kept -> new.key ->> 'text') is distinct from (new.record ->> 'text')
    ) as merged
$$;
comment on function app.consents_merged is
    'The consents after new answers: new ones get the current time, withdrawn ones are removed, others stay.';
grant execute on function app.consents_merged to pipeline_public, pipeline_member;

create table app.interview_invites (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    template_id bigint not null,
    template_version_id bigint not null,
    lead_id bigint,
    deal_id bigint,
    origin text not null default 'invite' check (origin in ('invite', 'capture')),
    assigned_to bigint,
    token text not null unique check (token ~ '^[0-9a-f]{64}$'),
    recipient_email text check (length(recipient_email) <= 255 and app.has_ascii_domain(recipient_email)),
    recipient_name text check (length(recipient_name) <= 255),
    personal_note text,
    language text,
    send_email boolean not null default false,
    reminders integer[] not null default '{}' check (cardinality(reminders) <= 3),
    status text not null default 'pending' check (status in ('pending', 'started', 'submitted', 'expired')),
    expires_at timestamptz not null default now() + interval '30 days',
    sent_at timestamptz,
    reminded_at timestamptz,
    reminders_declined_at timestamptz,
    opened_at timestamptz,
    started_at timestamptz,
    submitted_at timestamptz,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    email_status text check (email_status in ('queued', 'sent', 'skipped', 'failed')),
    email_error text,
    copy_error text,
    answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
    consents jsonb not null default '{}' check (jsonb_typeof(consents) = 'object'),
    hidden_fields jsonb not null default '{}' check (jsonb_typeof(hidden_fields) = 'object'),
    rep_flags jsonb check (jsonb_typeof(rep_flags) = 'array'),
    revision integer not null default 0 check (revision >= 0),
    saved_at timestamptz,
    step text,
    tally jsonb check (jsonb_typeof(tally) = 'object'),
    name_key text collate "C" generated always as (app.sort_key(recipient_name)) stored,
    email_key text collate "C" generated always as (app.email_key(recipient_email)) stored,
    search_text text collate "C" not null generated always as (app.plain(
        coalesce(recipient_name, '') || E'\n' || coalesce(recipient_email, ''))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check ((status = 'submitted') = (submitted_at is not null)),
    foreign key (organization_id, template_id, template_version_id)
        references app.interview_template_versions (organization_id, template_id, id),
    foreign key (organization_id, lead_id) references app.leads on delete set null (lead_id),
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.interview_invites is
    'Interview invites of one prospect each, with answers, and responses of lead-capture forms.';
comment on column app.interview_invites.template_version_id is 'The version of the template.';
comment on column app.interview_invites.lead_id is
    'The lead. Its name, email address and company prefill the form. For a capture form''s response, the lead created '
    'by it.';
comment on column app.interview_invites.deal_id is 'The deal that receives the configuration.';
comment on column app.interview_invites.origin is 'invite, or capture for a response of a lead-capture form.';
comment on column app.interview_invites.assigned_to is
    'For a capture form to be continued later: the user of its link, who gets the lead.';
comment on column app.interview_invites.token is 'The credential of the public form: 64 hexadecimal digits.';
comment on column app.interview_invites.recipient_email is 'Email address of the prospect.';
comment on column app.interview_invites.recipient_name is 'Name of the prospect.';
comment on column app.interview_invites.personal_note is 'Text above the standard text of the invite email.';
comment on column app.interview_invites.language is
    'Language of the form; null for the browser''s language, else the template''s.';
comment on column app.interview_invites.send_email is 'Whether an invite email is sent.';
comment on column app.interview_invites.reminders is
    'Days after the invite email on which reminders are sent while no answer is saved.';
comment on column app.interview_invites.status is 'pending, started, submitted or expired.';
comment on column app.interview_invites.sent_at is 'When the invite email was sent.';
comment on column app.interview_invites.reminded_at is 'When the last reminder was sent.';
comment on column app.interview_invites.reminders_declined_at is 'When the prospect unsubscribed from reminders.';
comment on column app.interview_invites.opened_at is
    'When the form was first opened in a browser, except by link scanners.';
comment on column app.interview_invites.started_at is 'When the first answer was saved.';
comment on column app.interview_invites.submitted_at is 'When it was submitted.';
comment on column app.interview_invites.email_status is
    'Status of the invite email: queued, sent, skipped or failed; null without an email.';
comment on column app.interview_invites.email_error is 'Why the invite email failed.';
comment on column app.interview_invites.copy_error is
    'Why the requested copy of the answers was not sent to the prospect.';
comment on column app.interview_invites.consents is
    'The given consents: for each, the text shown and the time of agreement.';
comment on column app.interview_invites.hidden_fields is
    'Values from the URL of the form, by the name of the hidden field.';
comment on column app.interview_invites.rep_flags is 'Flags for the rep, set at submission; null before.';
comment on column app.interview_invites.revision is 'The number of saves of answers.';
comment on column app.interview_invites.saved_at is 'When answers were last saved.';
comment on column app.interview_invites.step is
    'Key of the page to continue on, or check-answers for the review; null before the first answer.';
comment on column app.interview_invites.tally is
    'The chosen values of submitted answers by question key, for statistics.';
comment on column app.interview_invites.search_text is 'Searched text: name and email address, one per line.';

call app.share('app.interview_invites');

-- Orders of the list.
create index interview_invites_expires on app.interview_invites (organization_id, expires_at, id);
create index interview_invites_name on app.interview_invites (organization_id, name_key, id);
create index interview_invites_email on app.interview_invites (organization_id, email_key, id);
create index interview_invites_created on app.interview_invites (organization_id, created_at, id);
create index interview_invites_updated on app.interview_invites (organization_id, updated_at, id);
-- The shown status depends on the expiry.
create index interview_invites_status on app.interview_invites (organization_id, status, expires_at);
-- Also for deletions of the referenced records.
create index interview_invites_template on app.interview_invites (organization_id, template_id, template_version_id);
create index interview_invites_lead on app.interview_invites (organization_id, lead_id);
create index interview_invites_deal on app.interview_invites (organization_id, deal_id);

grant
    insert (organization_id, template_id, template_version_id, lead_id, deal_id, origin, token, recipient_email,
        recipient_name, personal_note, language, send_email, reminders, status, expires_at, created_by, email_status),
    update (status, lead_id, deal_id, sent_at, email_status, email_error)
    on app.interview_invites to pipeline_member;
grant update (status, sent_at, reminded_at, email_status, email_error, copy_error)
    on app.interview_invites to pipeline_jobs;
grant delete on app.interview_invites to pipeline_admin;
grant select (token) on app.interview_invites to pipeline_lookup;

-- Search (app.search_ids).
create index interview_invites_search_trigrams on app.interview_invites
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text) on app.interview_invites to pipeline_lookup;

call app.count_records('app.interview_invites');

create view app.interview_invite_records with (security_invoker = true) as
select
    invite.id, invite.organization_id, invite.template_id, invite.lead_id, invite.deal_id, invite.origin, invite.token,
    invite.recipient_email, invite.recipient_name, invite.personal_note, invite.language, invite.send_email,
    invite.reminders, app.invite_status(invite.status, invite.expires_at) as status,
    app.iso(invite.expires_at) as expires_at, app.iso(invite.sent_at) as sent_at,
    app.iso(invite.reminded_at) as reminded_at, app.iso(invite.reminders_declined_at) as reminders_declined_at,
    app.iso(invite.opened_at) as opened_at, app.iso(invite.started_at) as started_at,
    app.iso(invite.submitted_at) as submitted_at, invite.email_status, invite.email_error, invite.created_by,
    app.created_by_kind(invite.created_by, invite.created_by_key, invite.origin = 'capture') as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = invite.created_by),
        (select api_key.name from app.api_keys as api_key where api_key.id = invite.created_by_key)
    ) as created_by_name,
    app.iso(invite.created_at) as created_at, app.iso(invite.updated_at) as updated_at
from app.interview_invites as invite;
comment on view app.interview_invite_records is 'Invites as the API returns them, without the URL of their form.';
call app.present('app.interview_invite_records', 'pipeline_member', 'app.interview_invites');
comment on column app.interview_invite_records.created_by_kind is 'Kind of the creator: user, key, prospect or system.';

call app.record_changes('app.interview_invites', 'interview-invites');

create function app.invite_guarded() returns trigger language plpgsql as $$
begin
    if old.status = 'submitted' and
       (new.answers, new.consents, new.hidden_fields, new.rep_flags, new.submitted_at, new.status, new.template_id, new.template_version_id)
       is distinct from
       (old.answers, old.consents, old.hidden_fields, old.rep_flags, old.submitted_at, old.status, old.template_id, old.template_version_id)
    then
        raise exception 'a submitted invite cannot change' using errcode = 'PI001';
    end if;
    if (old.status = 'expired' or (old.status in ('pending', 'started') and old.expires_at <= now()))
       and (new.answers is distinct from old.answers or new.status not in (old.status, 'expired')) then
        raise exception 'an expired invite cannot be answered' using errcode = 'PI003';
    end if;
    -- A form may link only its new lead.
    if current_user = 'pipeline_public' and new.lead_id is distinct from old.lead_id then
        -- Nested, because other roles may not call app.lead_is_new.
        if old.lead_id is not null or old.origin <> 'capture' or not app.lead_is_new(new.lead_id) then
            raise exception 'the lead of an invite is not the form''s to choose' using errcode = 'insufficient_privilege';
        end if;
    end if;
    return new;
end
$$;
comment on function app.invite_guarded is
    'Trigger: refuses changes of a submitted invite, answers to an expired one, and a form''s link to a lead that it '
    'did not create.';
-- Saves the call for saved answers.
create trigger guard before update on app.interview_invites for each row
    when (old.status in ('submitted', 'expired') or old.expires_at <= now() or new.lead_id is distinct from old.lead_id)
    execute function app.invite_guarded();

-- A form sees its invite, its version and its lead.
create policy public_form on app.interview_invites to pipeline_public
    using (token = nullif(current_setting('app.invite_token', true), ''));
grant select (organization_id, id, template_id, template_version_id, lead_id, origin, assigned_to, recipient_email, recipient_name, language,
    status, expires_at, opened_at, started_at, submitted_at, reminders_declined_at, copy_error, answers, consents, hidden_fields,
    rep_flags, revision, saved_at, updated_at),
    update (lead_id, status, opened_at, started_at, submitted_at, reminders_declined_at, answers, consents, hidden_fields, rep_flags,
        revision, saved_at, step, tally)
    on app.interview_invites to pipeline_public;

-- A form may add and delete files until the invite is submitted.
alter table app.files
    add column invite_id bigint default nullif(current_setting('app.invite_id', true), '')::bigint,
    add foreign key (organization_id, invite_id) references app.interview_invites on delete cascade;
comment on column app.files.invite_id is 'The invite of an uploaded file; null for other files.';
create index files_invite on app.files (organization_id, invite_id) where invite_id is not null;

create policy public_form on app.files for select to pipeline_public
    using (invite_id = nullif(current_setting('app.invite_id', true), '')::bigint
           and exists (select from app.interview_invites i
                       where i.organization_id = files.organization_id and i.id = files.invite_id));
create policy public_upload on app.files for insert to pipeline_public with check (
    created_by is null
    and exists (select from app.interview_invites i
                where i.organization_id = files.organization_id and i.id = files.invite_id
                  and i.status in ('pending', 'started') and i.expires_at > now()));
create policy public_removal on app.files for delete to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = files.organization_id and i.id = files.invite_id
                     and i.status in ('pending', 'started')));
grant select (organization_id, id, filename, content_type, size, sha256, invite_id),
    insert (organization_id, filename, content_type, size, sha256, created_by, invite_id), delete
    on app.files to pipeline_public;
create policy public_form on app.file_chunks for select to pipeline_public
    using (exists (select from app.files f
                   where f.organization_id = file_chunks.organization_id and f.id = file_chunks.file_id));
create policy public_upload on app.file_chunks for insert to pipeline_public with check (
    exists (select from app.files f
            join app.interview_invites i on i.organization_id = f.organization_id and i.id = f.invite_id
            where f.organization_id = file_chunks.organization_id and f.id = file_chunks.file_id
              and i.status in ('pending', 'started') and i.expires_at > now()));
grant select, insert (organization_id, file_id, position, content) on app.file_chunks to pipeline_public;
create policy public_form on app.storage_use for select to pipeline_public using (true);
grant select on app.storage_use to pipeline_public;

create policy public_form on app.interview_template_versions for select to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = interview_template_versions.organization_id
                     and i.template_version_id = interview_template_versions.id)
           or exists (select from app.interview_templates t
                      where t.organization_id = interview_template_versions.organization_id
                        and t.version_id = interview_template_versions.id));

create policy public_form on app.leads for select to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = leads.organization_id and i.lead_id = leads.id));
grant select (organization_id, id, first_name, last_name, name, email, company, phone, job_title)
    on app.leads to pipeline_public;

-- A capture form inserts a new lead.
grant usage on sequence app.leads_id_seq, app.interview_invites_id_seq to pipeline_public;
create policy public_capture on app.leads for insert to pipeline_public with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_templates t where t.organization_id = leads.organization_id));
grant insert (organization_id, first_name, last_name, email, phone, company, job_title, source, notes, tags,
        assigned_to)
    on app.leads to pipeline_public;

-- A capture form inserts the response to its lead.
create policy public_capture on app.interview_invites for insert to pipeline_public with check (
    origin = 'capture' and status = 'submitted'
    and app.lead_is_new(lead_id)
    and exists (select from app.interview_templates t
                where t.organization_id = interview_invites.organization_id
                  and t.id = interview_invites.template_id
                  and t.version_id = interview_invites.template_version_id));
grant insert (organization_id, template_id, template_version_id, lead_id, origin, assigned_to, token, recipient_email,
        recipient_name, language, send_email, email_status, status, started_at, submitted_at, answers, consents, hidden_fields, rep_flags,
        saved_at, step, tally)
    on app.interview_invites to pipeline_public;

-- A form to be continued later inserts an open invite.
create policy public_later on app.interview_invites for insert to pipeline_public with check (
    origin = 'capture' and status in ('pending', 'started') and lead_id is null
    and send_email and recipient_email is not null and recipient_name is null
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_templates t
                where t.organization_id = interview_invites.organization_id
                  and t.id = interview_invites.template_id
                  and t.version_id = interview_invites.template_version_id));
-- Submitting that invite inserts its lead.
create policy public_later on app.leads for insert to pipeline_public with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_invites i
                where i.organization_id = leads.organization_id and i.origin = 'capture' and i.lead_id is null
                  and i.status in ('pending', 'started') and i.expires_at > now()));

set local role pipeline_lookup;
create function app.invite_by_token(p_token text) returns table (organization_id bigint, invite_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select i.organization_id, i.id from app.interview_invites i where i.token = p_token
$$;
comment on function app.invite_by_token is 'The organization and invite of a token.';
grant execute on function app.invite_by_token to pipeline_forms;

set local role pipeline_owner;
-- Not a definer function: it sets the context for row-level security, then reads the invite. PostgreSQL checks policies
-- before a statement starts, so it takes two.
create function app.invite_enter(p_token text, p_request_id text) returns table (
    organization_id bigint, id bigint, template_id bigint, template_version_id bigint, recipient_email text, status text,
    makes_lead boolean, assigned_to bigint, language text, answers jsonb, hidden_fields jsonb, today date,
    organization_context text, database_role text
) language plpgsql as $$
declare
    v record;
begin
    select found.organization_id, found.invite_id into v from app.invite_by_token(p_token) as found;
    if v.invite_id is null then
        return;
    end if;
    perform set_config('app.organization_id', cast(v.organization_id as text), true),
        set_config('app.invite_id', cast(v.invite_id as text), true),
        set_config('app.invite_token', p_token, true),
        set_config('app.request_id', p_request_id, true),
        set_config('role', 'pipeline_public', true);
    return query
        select i.organization_id, i.id, i.template_id, i.template_version_id, i.recipient_email,
            app.invite_status(i.status, i.expires_at), i.origin = 'capture' and i.lead_id is null, i.assigned_to,
            i.language, i.answers, i.hidden_fields, cast(now() at time zone o.time_zone as date),
            cast(i.organization_id as text), 'pipeline_public'
        from app.interview_invites i join app.organizations o on o.id = i.organization_id
        where i.id = v.invite_id;
end
$$;
comment on function app.invite_enter is 'Opens the invite of a token, and returns its status, answers and assignments.';
grant execute on function app.invite_enter to pipeline_forms;


-- The product configurator. Submitted answers can seed a draft: product_line names the definition's slug, and the
-- template's field_map sets the rest.

set local role pipeline_owner;

create table app.configurator_definitions (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    slug text not null check (slug ~ '^[a-z0-9]+([_-][a-z0-9]+)*$' and length(slug) <= 80),
    active boolean not null default true,
    platform_keys text[] not null default '{}',
    feature_keys text[] not null default '{}',
    license_types text[] not null default '{}',
    labels jsonb not null default '{}' check (jsonb_typeof(labels) = 'object'),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, slug)
);
comment on table app.configurator_definitions is 'Product lines with the options of their configurations.';
comment on column app.configurator_definitions.name is 'Name of the product line.';
comment on column app.configurator_definitions.slug is
    'Short name, unique in the organization. The answer product_line refers to it.';
comment on column app.configurator_definitions.active is 'Whether new configurations may use the product line.';
comment on column app.configurator_definitions.platform_keys is 'Available platforms.';
comment on column app.configurator_definitions.feature_keys is 'Available features.';
comment on column app.configurator_definitions.license_types is 'Available kinds of licence.';
comment on column app.configurator_definitions.labels is
    'Display names of keys and licence types, for contracts and lists. A key without one is shown as it is.';

call app.share(
    'app.configurator_definitions', 'pipeline_admin',
    'name', 'slug', 'active', 'platform_keys', 'feature_keys', 'license_types', 'labels');
call app.record_changes('app.configurator_definitions', 'configurator-definitions');

create view app.configurator_definition_records with (security_invoker = true) as
select
    definition.id, definition.organization_id, definition.name, definition.slug, definition.active,
    definition.platform_keys, definition.feature_keys, definition.license_types, definition.labels,
    definition.created_by, app.created_by_kind(definition.created_by, definition.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = definition.created_by),
        (select key.name from app.api_keys as key where key.id = definition.created_by_key)
    ) as created_by_name,
    app.iso(definition.created_at) as created_at, app.iso(definition.updated_at) as updated_at
from app.configurator_definitions as definition;
comment on view app.configurator_definition_records is 'Configurator definitions as the API returns them.';
call app.present('app.configurator_definition_records', 'pipeline_member', 'app.configurator_definitions');

create table app.configurations (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    deal_id bigint not null,
    definition_id bigint not null,
    invite_id bigint,
    status text not null default 'draft' check (status in ('draft', 'final')),
    platform_keys text[] not null default '{}',
    feature_keys text[] not null default '{}',
    license_type text,
    quantity bigint check (quantity >= 0),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    -- Concurrent seeding of an invite creates one configuration.
    unique (organization_id, invite_id),
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, definition_id) references app.configurator_definitions,
    foreign key (organization_id, invite_id) references app.interview_invites
);
comment on table app.configurations is 'Configurations of deals.';
comment on column app.configurations.definition_id is 'The product line.';
comment on column app.configurations.invite_id is 'The invite whose answers seeded it.';
comment on column app.configurations.status is 'draft or final.';
comment on column app.configurations.platform_keys is 'Chosen platforms.';
comment on column app.configurations.feature_keys is 'Chosen features.';
comment on column app.configurations.quantity is 'Number of licences.';

call app.share(
    'app.configurations', 'pipeline_member',
    'deal_id', 'definition_id', 'status', 'platform_keys', 'feature_keys', 'license_type', 'quantity');
call app.record_changes('app.configurations', 'configurations');

-- Orders of the list.
create index configurations_status on app.configurations (organization_id, status, id);
create index configurations_created on app.configurations (organization_id, created_at, id);
create index configurations_definition on app.configurations (organization_id, definition_id);
create index configurations_deal on app.configurations (organization_id, deal_id);

grant insert (invite_id) on app.configurations to pipeline_member;
-- Deleting the invite clears it.
grant update (invite_id) on app.configurations to pipeline_admin;

call app.count_records('app.configurations');

create view app.configuration_records with (security_invoker = true) as
select
    configuration.id, configuration.organization_id, configuration.deal_id, deal.title as deal_title,
    configuration.definition_id, definition.name as definition_name, configuration.invite_id, configuration.status,
    configuration.platform_keys, configuration.feature_keys, configuration.license_type, configuration.quantity,
    configuration.created_by, app.created_by_kind(configuration.created_by, configuration.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = configuration.created_by),
        (select key.name from app.api_keys as key where key.id = configuration.created_by_key)
    ) as created_by_name,
    app.iso(configuration.created_at) as created_at, app.iso(configuration.updated_at) as updated_at
from app.configurations as configuration
join app.deals as deal on deal.organization_id = configuration.organization_id and deal.id = configuration.deal_id
join app.configurator_definitions as definition
    on definition.organization_id = configuration.organization_id and definition.id = configuration.definition_id;
comment on view app.configuration_records is
    'Configurations with the names of deal and definition, as the API returns them.';
call app.present('app.configuration_records', 'pipeline_member', 'app.configurations');
comment on column app.configuration_records.definition_name is 'Name of the product line.';


-- Counts for the statistics of templates. Requests append changes of an invite's facts (app.invite_facts), without
-- waiting; the worker sums them up. Deleting or erasing an invite corrects the counts. A day is the invite's creation
-- day in UTC, so no setting changes past counts.

set local role pipeline_owner;

create table app.interview_tallies (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    template_id bigint not null,
    day date not null,
    fact text not null,
    name text not null,
    value text not null,
    delta bigint not null,
    folded boolean not null default false,
    primary key (organization_id, id),
    foreign key (organization_id, template_id) references app.interview_templates
);
comment on table app.interview_tallies is
    'Changes of the number of a template''s invites, created on a day, that have a fact. The number is their sum.';
comment on column app.interview_tallies.day is 'The day (UTC) on which the invites were created.';
comment on column app.interview_tallies.fact is
    'invited, opened, started, submitted or expired; minutes (time to submit); left (last page of an unsubmitted '
    'invite); chosen (a value chosen for a question).';
comment on column app.interview_tallies.name is
    'The key of the page (empty for the first) or question; empty for other facts.';
comment on column app.interview_tallies.value is 'The number of minutes or the chosen value; empty for other facts.';
comment on column app.interview_tallies.delta is 'The change of the number of invites with the fact.';
comment on column app.interview_tallies.folded is 'Whether the row is a sum, to which the worker adds further changes.';

call app.isolate('app.interview_tallies', 'pipeline_member', 'pipeline_jobs');

-- For index-only scans.
create index interview_tallies_template on app.interview_tallies (organization_id, template_id, day, fact, name, value)
    include (delta);
-- Sums, and the changes to add to them.
create unique index interview_tallies_folded on app.interview_tallies
    (organization_id, template_id, day, fact, name, value) where folded;
create index interview_tallies_fresh on app.interview_tallies (organization_id, id) where not folded;

create policy public_form on app.interview_tallies for insert to pipeline_public with check (not folded);
grant select, insert (organization_id, template_id, day, fact, name, value, delta)
    on app.interview_tallies to pipeline_member;
grant select, insert (organization_id, template_id, day, fact, name, value, delta, folded), update (delta), delete
    on app.interview_tallies to pipeline_jobs;
grant insert (organization_id, template_id, day, fact, name, value, delta) on app.interview_tallies to pipeline_public;

create function app.invite_facts(invite app.interview_invites)
    returns table (fact text, name text, value text)
    language sql stable set search_path = app, pg_temp as $$
    select 'invited', '', '' where invite.origin = 'invite'
    union all select 'opened', '', '' where coalesce(invite.opened_at, invite.started_at, invite.submitted_at) is not null
    union all select 'started', '', '' where coalesce(invite.started_at, invite.submitted_at) is not null
    union all select 'submitted', '', '' where invite.submitted_at is not null
    union all select 'expired', '', '' where invite.status = 'expired'
    union all select 'left', coalesce(invite.step, ''), ''
    where invite.submitted_at is null and coalesce(invite.opened_at, invite.started_at) is not null
    -- Rounded to two digits from a hundred on, to limit the number of values.
    union all select 'minutes', '',
        cast(round(took.minutes, least(0, 1 - cast(floor(log(greatest(took.minutes, 1))) as integer))) as text)
    from (select round(extract(epoch from invite.submitted_at - least(invite.opened_at, invite.started_at)) / 60)
          as minutes) as took
    where took.minutes is not null
    union all select 'chosen', question.key, chosen.value
    from jsonb_each(invite.tally) as question cross join jsonb_array_elements_text(question.value) as chosen
$$;
comment on function app.invite_facts is 'The facts of an invite for the statistics of its template.';

create function app.invite_tallied() returns trigger language plpgsql as $$
begin
    insert into app.interview_tallies (organization_id, template_id, day, fact, name, value, delta)
    select invite.organization_id, invite.template_id, cast(invite.created_at at time zone 'UTC' as date),
        invite.fact, invite.name, invite.value, sum(invite.n)
    from (
        select new.organization_id, new.template_id, new.created_at, f.fact, f.name, f.value, 1 as n
        from app.invite_facts(new) as f where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.template_id, old.created_at, f.fact, f.name, f.value, -1
        from app.invite_facts(old) as f where tg_op <> 'INSERT'
    ) as invite
    group by 1, 2, 3, 4, 5, 6
    having sum(invite.n) <> 0;
    return null;
end
$$;
comment on function app.invite_tallied is 'Trigger: keeps the counts for the statistics of templates.';
grant execute on function app.invite_facts to pipeline_member, pipeline_jobs, pipeline_public;

create trigger tally_written after insert or delete on app.interview_invites
    for each row execute function app.invite_tallied();
create trigger tally_updated after update on app.interview_invites for each row
    when ((old.status, old.opened_at, old.started_at, old.submitted_at, old.step, old.tally)
          is distinct from (new.status, new.opened_at, new.started_at, new.submitted_at, new.step, new.tally))
    execute function app.invite_tallied();


-- Unfinished answers on public forms, and their files. Only the form with the draft's token sees them, for a day.

set local role pipeline_owner;

create table app.capture_drafts (
    organization_id bigint not null references app.organizations (id),
    token text not null check (length(token) = 64),
    template_id bigint not null,
    answers jsonb not null,
    agreed text not null,
    submitted boolean not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours',
    primary key (organization_id, token),
    foreign key (organization_id, template_id) references app.interview_templates on delete cascade
);
comment on table app.capture_drafts is 'Unfinished answers on public forms, kept for a day.';
comment on column app.capture_drafts.token is 'SHA-256 of the token in the address, in hexadecimal digits.';
comment on column app.capture_drafts.agreed is 'A hash of the texts of the consents that were shown.';
comment on column app.capture_drafts.submitted is 'Whether the answers were sent.';
comment on column app.capture_drafts.expires_at is 'When the draft is deleted.';

call app.isolate('app.capture_drafts', 'pipeline_jobs');

-- For deletion by the worker, and with the template.
create index capture_drafts_expiry on app.capture_drafts (organization_id, expires_at);
create index capture_drafts_template on app.capture_drafts (organization_id, template_id);

create policy public_form on app.capture_drafts to pipeline_public
    using (template_id = nullif(current_setting('app.template_id', true), '')::bigint
           and token = nullif(current_setting('app.draft_token', true), ''));
grant select (organization_id, token, template_id, answers, agreed, submitted, expires_at),
    insert (organization_id, token, template_id, answers, agreed),
    update (answers, agreed, submitted), delete
    on app.capture_drafts to pipeline_public;
grant select (organization_id, expires_at), delete on app.capture_drafts to pipeline_jobs;

-- A draft's files: deleted with it, unless a response takes them.
alter table app.files
    add column draft_token text default nullif(current_setting('app.draft_token', true), ''),
    add foreign key (organization_id, draft_token) references app.capture_drafts on delete cascade,
    add check (draft_token is null or invite_id is null);
comment on column app.files.draft_token is 'The draft of a public form with this file; null for other files.';
create index files_draft on app.files (organization_id, draft_token) where draft_token is not null;

create policy draft on app.files for select to pipeline_public
    using (draft_token = nullif(current_setting('app.draft_token', true), '')
           and exists (select from app.capture_drafts d
                       where d.organization_id = files.organization_id and d.token = files.draft_token));
create policy draft_upload on app.files for insert to pipeline_public with check (
    created_by is null
    and exists (select from app.capture_drafts d
                where d.organization_id = files.organization_id and d.token = files.draft_token
                  and not d.submitted and d.expires_at > now()));
create policy draft_removal on app.files for delete to pipeline_public
    using (exists (select from app.capture_drafts d
                   where d.organization_id = files.organization_id and d.token = files.draft_token
                     and not d.submitted));
create policy draft_upload on app.file_chunks for insert to pipeline_public with check (
    exists (select from app.files f
            join app.capture_drafts d on d.organization_id = f.organization_id and d.token = f.draft_token
            where f.organization_id = file_chunks.organization_id and f.id = file_chunks.file_id
              and not d.submitted and d.expires_at > now()));
grant select (draft_token) on app.files to pipeline_public;

grant select (draft_token, invite_id), update (draft_token, invite_id) on app.files to pipeline_lookup;
set local role pipeline_lookup;
create function app.draft_files_moved() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update files set draft_token = null, invite_id = new.id
    where organization_id = new.organization_id
      and draft_token = nullif(current_setting('app.draft_token', true), '');
    return null;
end
$$;
comment on function app.draft_files_moved is 'Trigger: moves the files of the current draft to its response.';
grant execute on function app.draft_files_moved to pipeline_owner;

set local role pipeline_owner;
create trigger draft_files_moved after insert on app.interview_invites
    for each row when (new.origin = 'capture')
    execute function app.draft_files_moved();


-- Contract templates: HTML with merge tags. Deleted ones keep their rows for contracts.

set local role pipeline_owner;

create table app.contract_templates (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    content text not null,
    number_prefix text not null default 'RO' check (number_prefix ~ '^[A-Z0-9][A-Z0-9-]{0,9}$'),
    default_term_months integer not null default 36 check (default_term_months between 1 and 1200),
    header_left text,
    header_center text,
    header_right text,
    footer_left text,
    footer_center text,
    footer_right text,
    logo_file_id bigint,
    language text,
    direction text check (direction in ('ltr', 'rtl')),
    missing_glyphs jsonb not null default '[]' check (jsonb_typeof(missing_glyphs) = 'array'),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    clauses text[] not null default '{}',
    revision integer not null default 1,
    deleted_at timestamptz,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    search_text text collate "C" not null generated always as (app.plain(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, logo_file_id) references app.files
);
comment on table app.contract_templates is 'Templates of contracts.';
comment on column app.contract_templates.name is 'Name of the template.';
comment on column app.contract_templates.content is 'The text: HTML with merge tags.';
comment on column app.contract_templates.number_prefix is 'Prefix of the contracts'' numbers.';
comment on column app.contract_templates.default_term_months is 'Default term of the contracts in months.';
comment on column app.contract_templates.header_left is 'Text at the top left of each page, with merge tags.';
comment on column app.contract_templates.header_center is 'Text at the top center of each page, with merge tags.';
comment on column app.contract_templates.header_right is 'Text at the top right of each page, with merge tags.';
comment on column app.contract_templates.footer_left is 'Text at the bottom left of each page, with merge tags.';
comment on column app.contract_templates.footer_center is 'Text at the bottom center of each page, with merge tags.';
comment on column app.contract_templates.footer_right is 'Text at the bottom right of each page, with merge tags.';
comment on column app.contract_templates.logo_file_id is 'The logo, a file.';
comment on column app.contract_templates.language is
    'Language of the contracts, a BCP 47 tag; null for the organization''s.';
comment on column app.contract_templates.direction is
    'Text direction of the contracts, ltr or rtl; null for the direction of the language.';
comment on column app.contract_templates.missing_glyphs is
    'Characters missing in all fonts when the template was saved: character, name and first place.';
comment on column app.contract_templates.warnings is
    'Parts of the last sent content that a template cannot keep: code and message.';
comment on column app.contract_templates.clauses is 'The keys of the clauses in the content.';
comment on column app.contract_templates.revision is 'The number of changes.';
comment on column app.contract_templates.search_text is 'Searched text: the name.';

call app.share('app.contract_templates');
call app.record_changes('app.contract_templates', 'contract-templates', p_ended => 'deleted_at');

-- Orders of the list, and the filter by update time.
create index contract_templates_name on app.contract_templates (organization_id, name_key, id)
    where deleted_at is null;
create index contract_templates_created on app.contract_templates (organization_id, created_at, id)
    where deleted_at is null;
create index contract_templates_updated on app.contract_templates (organization_id, updated_at, id)
    where deleted_at is null;
-- For deleting files.
create index contract_templates_logo on app.contract_templates (organization_id, logo_file_id);

grant
    insert (organization_id, name, content, number_prefix, default_term_months, header_left, header_center,
        header_right, footer_left, footer_center, footer_right, language, direction, missing_glyphs, warnings,
        clauses, logo_file_id),
    update (name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
        footer_center, footer_right, language, direction, missing_glyphs, warnings, clauses, logo_file_id, revision,
        deleted_at)
    on app.contract_templates to pipeline_admin;

create view app.contract_template_records with (security_invoker = true) as
select
    template.id, template.organization_id, template.name, template.content, template.number_prefix,
    template.default_term_months, template.header_left, template.header_center, template.header_right,
    template.footer_left, template.footer_center, template.footer_right, template.language, template.direction,
    template.missing_glyphs, template.warnings,
    case
        when logo.id is not null
            then json_build_object(
                'filename', logo.filename,
                'content_type', logo.content_type,
                'size', logo.size,
                'sha256', logo.sha256,
                'uploaded_at', app.iso(logo.created_at)
            )
    end as logo,
    template.created_by, app.created_by_kind(template.created_by, template.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = template.created_by),
        (select key.name from app.api_keys as key where key.id = template.created_by_key)
    ) as created_by_name,
    app.iso(template.created_at) as created_at, app.iso(template.updated_at) as updated_at
from app.contract_templates as template
left join app.files as logo on logo.organization_id = template.organization_id and logo.id = template.logo_file_id
where template.deleted_at is null;
comment on view app.contract_template_records is
    'Contract templates that are not deleted, as the API returns them; lists omit the content.';
call app.present('app.contract_template_records', 'pipeline_member', 'app.contract_templates');
comment on column app.contract_template_records.logo is
    'The logo: filename, content_type, size, sha256 and uploaded_at; null without one.';


-- Contracts, their numbers and documents. A contract stores its resolved content and layout, so it is independent of
-- its template. A counter row for each prefix gives numbers without gaps. Only administrators remove an executed copy
-- without a new one (SQLSTATE 42501).

set local role pipeline_owner;

create table app.contract_numbers (
    organization_id bigint not null references app.organizations (id),
    prefix text not null,
    last_number bigint not null check (last_number >= 1),
    primary key (organization_id, prefix)
);
comment on table app.contract_numbers is 'The last number for each prefix.';
comment on column app.contract_numbers.prefix is 'The prefix of the numbers.';
comment on column app.contract_numbers.last_number is 'The last number.';

call app.isolate('app.contract_numbers', 'pipeline_member');

grant select, insert (organization_id, prefix, last_number), update (last_number)
    on app.contract_numbers to pipeline_member;

create function app.contract_status(status text, termination_date date, today date) returns text
    language sql immutable parallel safe
    return case when status in ('active', 'executed')
        and termination_date < today then 'expired' else status end;
comment on function app.contract_status is
    'The status to show and filter by; today is the day in the organization''s time zone.';

create function app.organization_day() returns date
    language sql stable
    return (select cast(now() at time zone o.time_zone as date) from app.organizations as o);
comment on function app.organization_day is 'The current day in the time zone of the organization.';

create function app.contract_statuses(shown text[]) returns text[]
    language sql immutable parallel safe
    return shown || case when 'expired' = any(shown) then array['active', 'executed'] else '{}' end;
comment on function app.contract_statuses is
    'The stored statuses of contracts that may have one of the given shown statuses.';

grant execute on function app.contract_statuses, app.organization_day to pipeline_member;
grant execute on function app.contract_status to pipeline_app, pipeline_jobs, pipeline_member;

create table app.contracts (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    contract_number text collate "C" not null,
    name text not null check (length(name) between 1 and 600),
    status text not null default 'draft'
        check (status in ('draft', 'active', 'executed', 'expired', 'terminated', 'archived')),
    template_id bigint not null,
    deal_id bigint,
    company_id bigint,
    effective_date date not null,
    term_months integer not null check (term_months between 1 and 1200),
    termination_date date not null,
    content text not null,
    layout jsonb not null default '{}' check (jsonb_typeof(layout) = 'object'),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    unresolved_tags text[] not null default '{}',
    missing_glyphs jsonb not null default '[]' check (jsonb_typeof(missing_glyphs) = 'array'),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    edited boolean not null default false,
    edit_warnings jsonb not null default '[]' check (jsonb_typeof(edit_warnings) = 'array'),
    revision integer not null default 1 check (revision >= 1),
    executed_file_id bigint,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    search_text text collate "C" not null
        generated always as (app.plain(contract_number || E'\n' || name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, contract_number),
    foreign key (organization_id, template_id) references app.contract_templates,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, executed_file_id) references app.files,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.contracts is 'Contracts with their resolved content.';
comment on column app.contracts.contract_number is 'Number: the template''s prefix and at least six digits.';
comment on column app.contracts.name is 'Name of the contract.';
comment on column app.contracts.status is 'draft, active, executed, expired, terminated or archived.';
comment on column app.contracts.company_id is 'The licensee.';
comment on column app.contracts.effective_date is 'First day of the term.';
comment on column app.contracts.term_months is 'Length of the term in months.';
comment on column app.contracts.termination_date is 'Last day of the term.';
comment on column app.contracts.content is 'The content as HTML, with merge tags resolved.';
comment on column app.contracts.layout is
    'The layout of this revision: header and footer texts, language, direction, author, day and logo.';
comment on column app.contracts.fields is 'Values of the organization''s own fields, by key.';
comment on column app.contracts.unresolved_tags is 'Merge tags without a value.';
comment on column app.contracts.missing_glyphs is
    'Characters missing in all fonts when the content was made: character, name and first place.';
comment on column app.contracts.warnings is 'Warnings about the current executed copy: code and message.';
comment on column app.contracts.edited is 'Whether the text of this revision was edited by hand.';
comment on column app.contracts.edit_warnings is 'Warnings about the last edit: code and message.';
comment on column app.contracts.revision is 'Number of the revision; a change of inputs or texts increases it.';
comment on column app.contracts.executed_file_id is 'The file of the current signed copy.';
comment on column app.contracts.search_text is
    'Searched text besides the company and the deal: number and name, one per line.';

call app.share(
    'app.contracts', 'pipeline_member', 'name', 'status', 'template_id', 'deal_id', 'company_id', 'effective_date',
    'term_months', 'termination_date', 'fields', 'content', 'layout', 'unresolved_tags', 'missing_glyphs');
call app.record_changes('app.contracts', 'contracts');

-- Orders of the list; the unique key serves the order by number.
create index contracts_name on app.contracts (organization_id, name_key, id);
create index contracts_effective on app.contracts (organization_id, effective_date, id);
-- Also for contracts that end soon.
create index contracts_termination on app.contracts (organization_id, termination_date, id);
create index contracts_created on app.contracts (organization_id, created_at, id);
create index contracts_updated on app.contracts (organization_id, updated_at, id);
-- The shown status depends on the end of the term.
create index contracts_status on app.contracts (organization_id, status, termination_date);
-- Also for deletions of the referenced records.
create index contracts_template on app.contracts (organization_id, template_id);
create index contracts_deal on app.contracts (organization_id, deal_id);
create index contracts_company on app.contracts (organization_id, company_id);
create index contracts_executed_file on app.contracts (organization_id, executed_file_id);

grant insert (contract_number, created_by),
    update (edited, edit_warnings, revision, executed_file_id, warnings)
    on app.contracts to pipeline_member;
grant update (status) on app.contracts to pipeline_jobs;
grant select (revision) on app.contracts to pipeline_lookup;

-- Search (app.search_ids).
create index contracts_search_trigrams on app.contracts
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, company_id, deal_id) on app.contracts to pipeline_lookup;

call app.count_records('app.contracts');

create function app.contract_guarded() returns trigger language plpgsql as $$
begin
    if old.executed_file_id is not null and new.executed_file_id is null
       and not pg_has_role(current_user, 'pipeline_admin', 'usage') then
        raise exception 'only an administrator may remove an executed copy' using errcode = '42501';
    end if;
    return new;
end
$$;
comment on function app.contract_guarded is 'Trigger: only an administrator may remove an executed copy.';
create trigger guard before update on app.contracts for each row execute function app.contract_guarded();

create view app.contract_records with (security_invoker = true) as
select
    contract.id, contract.organization_id, contract.contract_number, contract.name,
    app.contract_status(
        contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
    ) as status,
    contract.template_id, contract.deal_id, deal.title as deal_title, contract.company_id, company.name as company_name,
    contract.effective_date, contract.term_months, contract.termination_date, contract.fields, contract.content,
    contract.unresolved_tags, contract.missing_glyphs,
    case
        when contract.status in ('active', 'executed') and contract.unresolved_tags <> '{}'
            then jsonb_build_array(jsonb_build_object(
                'code', 'unresolved_tags',
                'message', 'The contract is in force, and these tags had no value: '
                    || array_to_string(contract.unresolved_tags, ', ') || '.'))
        else '[]'
    end || contract.edit_warnings || contract.warnings as warnings,
    contract.edited, contract.revision,
    (
        select to_json(stored)
        from (
            select
                file.filename, file.content_type, file.size, file.sha256, app.iso(file.created_at) as uploaded_at
            from app.files as file
            where file.organization_id = contract.organization_id and file.id = contract.executed_file_id
        ) as stored
    ) as executed_file,
    contract.created_by,
    app.created_by_kind(contract.created_by, contract.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = contract.created_by),
        (select key.name from app.api_keys as key where key.id = contract.created_by_key)
    ) as created_by_name,
    app.iso(contract.created_at) as created_at, app.iso(contract.updated_at) as updated_at
from app.contracts as contract
join app.organizations as organization on organization.id = contract.organization_id
left join app.deals as deal on deal.organization_id = contract.organization_id and deal.id = contract.deal_id
left join app.companies as company
    on company.organization_id = contract.organization_id and company.id = contract.company_id;
comment on view app.contract_records is
    'Contracts with the shown status, as the API returns them; lists omit the content.';
call app.present('app.contract_records', 'pipeline_member', 'app.contracts');
comment on column app.contract_records.status is
    'draft, active, executed, expired, terminated or archived. An active or executed contract is expired after its '
    'term.';
comment on column app.contract_records.company_name is 'Name of the licensee.';
comment on column app.contract_records.warnings is
    'Warnings with code and message: unresolved_tags of an active or executed contract; for an edited text the parts '
    'that were removed, as in a template; for a PDF as executed copy '
    'number_not_in_copy, or number_not_checked if it has no text.';
comment on column app.contract_records.executed_file is
    'The signed copy: filename, content_type, size, sha256 and uploaded_at; null without one.';

create view app.listed_contracts with (security_invoker = true) as
select
    contract.id, contract.organization_id, contract.contract_number, contract.name, contract.status,
    contract.template_id, contract.deal_id, contract.deal_title, contract.company_id, contract.company_name,
    contract.effective_date, contract.term_months, contract.termination_date, contract.fields,
    contract.unresolved_tags, contract.missing_glyphs, contract.edited, contract.revision, contract.executed_file,
    contract.created_by, contract.created_by_kind, contract.created_by_name, contract.created_at, contract.updated_at
from app.contract_records as contract;
comment on view app.listed_contracts is 'Contracts without content and warnings, as lists return them.';
call app.present('app.listed_contracts', 'pipeline_member', 'app.contract_records');

create table app.contract_documents (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    contract_id bigint not null,
    revision integer not null,
    kind text not null check (kind in ('pdf', 'docx', 'executed')),
    file_id bigint not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, file_id) references app.files
);
comment on table app.contract_documents is
    'The files of contracts: rendered documents of each revision, and signed copies.';
comment on column app.contract_documents.revision is 'The revision of the document.';
comment on column app.contract_documents.kind is 'pdf, docx or executed.';

call app.isolate('app.contract_documents', 'pipeline_member', 'pipeline_jobs');

-- One rendering of a revision for each kind.
create unique index contract_documents_rendered
    on app.contract_documents (organization_id, contract_id, revision, kind) where kind <> 'executed';
create index contract_documents_contract on app.contract_documents (organization_id, contract_id);
-- For the foreign key.
create index contract_documents_file on app.contract_documents (organization_id, file_id);

grant select, insert (organization_id, contract_id, revision, kind, file_id)
    on app.contract_documents to pipeline_member, pipeline_jobs;
-- An erasure deletes documents with the person's name.
grant delete on app.contract_documents to pipeline_admin;
grant select (organization_id, contract_id, revision, kind) on app.contract_documents to pipeline_lookup;

set local role pipeline_lookup;

create function app.contract_rendered() returns trigger
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
        perform app.change_folded(new.organization_id, 'contracts', new.contract_id, 'documents', null,
            jsonb_build_array('docx', 'pdf'));
    end if;
    return null;
end
$$;
comment on function app.contract_rendered is
    'Trigger: records a change of the contract when its current revision has both documents.';
grant execute on function app.contract_rendered to pipeline_owner;

set local role pipeline_owner;
create trigger record_rendered after insert on app.contract_documents
    for each row execute function app.contract_rendered();

-- A failed rendering takes the full time limit; stored, it makes the next request fail at once.
create table app.contract_refusals (
    organization_id bigint not null references app.organizations (id),
    contract_id bigint not null,
    kind text not null check (kind in ('pdf', 'docx')),
    revision integer not null check (revision >= 1),
    code text not null check (code in ('document_too_complex', 'unavailable')),
    reason text not null,
    limits integer[] not null,
    until timestamptz not null,
    primary key (organization_id, contract_id, kind),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade
);
comment on table app.contract_refusals is 'Failed renderings of the newest attempted revision.';
comment on column app.contract_refusals.kind is 'pdf or docx.';
comment on column app.contract_refusals.revision is 'The attempted revision.';
comment on column app.contract_refusals.code is 'The error code of the response.';
comment on column app.contract_refusals.reason is 'The error message of the response.';
comment on column app.contract_refusals.limits is 'The limits of the attempt.';
comment on column app.contract_refusals.until is 'When the next attempt is allowed.';

call app.isolate('app.contract_refusals', 'pipeline_member', 'pipeline_jobs');

grant select, insert (organization_id, contract_id, kind, revision, code, reason, limits, until),
    update (revision, code, reason, limits, until)
    on app.contract_refusals to pipeline_member, pipeline_jobs;

-- Earlier contents, for comparing revisions.
create table app.contract_revisions (
    organization_id bigint not null references app.organizations (id),
    contract_id bigint not null,
    revision integer not null check (revision >= 1),
    content text not null,
    edited boolean not null default false,
    replaced_at timestamptz not null default now(),
    primary key (organization_id, contract_id, revision),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade
);
comment on table app.contract_revisions is 'Contents of contracts that later revisions have replaced.';
comment on column app.contract_revisions.revision is 'Number of the revision.';
comment on column app.contract_revisions.content is 'The content as HTML, with merge tags resolved.';
comment on column app.contract_revisions.edited is 'Whether the text was edited by hand.';
comment on column app.contract_revisions.replaced_at is 'When the next revision was created.';

call app.isolate('app.contract_revisions', 'pipeline_member');

grant select, insert (organization_id, contract_id, revision, content, edited)
    on app.contract_revisions to pipeline_member;
-- Only the erasure of a person updates a text.
grant update (content) on app.contract_revisions to pipeline_admin;

create function app.contract_made() returns trigger language plpgsql as $$
begin
    insert into app.outbox (organization_id, event, key, payload, request_id)
    values (new.organization_id, 'contract_documents', concat_ws(':', 'contract_documents', new.id, new.revision),
            jsonb_build_object('contract_id', new.id, 'revision', new.revision),
            nullif(current_setting('app.request_id', true), ''));
    return null;
end
$$;
comment on function app.contract_made is 'Trigger: raises the event for rendering the documents of a revision.';
-- Each statement that makes a text sets missing_glyphs. Erased texts are rendered on demand.
create trigger made after insert or update of missing_glyphs on app.contracts for each row
    when (current_user in ('pipeline_member', 'pipeline_admin')) execute function app.contract_made();

create function app.contract_kept() returns trigger language plpgsql as $$
begin
    if tg_argv[0] = 'revision' then
        insert into app.contract_revisions (organization_id, contract_id, revision, content, edited)
        values (old.organization_id, old.id, old.revision, old.content, old.edited);
    else
        insert into app.contract_documents (organization_id, contract_id, revision, kind, file_id)
        values (new.organization_id, new.id, new.revision, 'executed', new.executed_file_id);
    end if;
    return null;
end
$$;
comment on function app.contract_kept is 'Trigger: stores the replaced content of a revision, and each signed copy.';
create trigger keep_revision after update of revision on app.contracts for each row
    when (new.revision <> old.revision) execute function app.contract_kept('revision');
create trigger keep_executed after update of executed_file_id on app.contracts for each row
    when (new.executed_file_id is distinct from old.executed_file_id and new.executed_file_id is not null)
    execute function app.contract_kept('executed');


-- Own fields of contracts. A contract keeps its values in app.contracts.fields, by key.

set local role pipeline_owner;

create table app.contract_fields (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    key text not null check (key ~ '^[a-z](_?[a-z0-9])*_?$' and length(key) <= 40),
    label text not null check (length(label) between 1 and 255),
    type text not null check (type in ('text', 'number', 'money', 'date', 'yes_no', 'choice')),
    options text[] not null default '{}',
    "default" jsonb,
    required boolean not null default false,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, key)
);
comment on table app.contract_fields is 'Own fields of contracts.';
comment on column app.contract_fields.key is
    'Name in the tag {{Contract.fields.key}}, unique in the organization; fixed.';
comment on column app.contract_fields.label is 'Name for people.';
comment on column app.contract_fields.type is 'text, number, money, date, yes_no or choice; fixed.';
comment on column app.contract_fields.options is 'The values of a choice.';
comment on column app.contract_fields."default" is 'Value of contracts that are created without one.';
comment on column app.contract_fields.required is 'Whether an active contract needs a value.';

call app.share('app.contract_fields', 'pipeline_admin', 'key', 'label', 'type', 'options', '"default"', 'required');
call app.record_changes('app.contract_fields', 'contract-fields');

create view app.contract_field_records with (security_invoker = true) as
select
    field.id, field.organization_id, field.key, field.label, field.type, field.options, field."default", field.required,
    field.created_by, app.created_by_kind(field.created_by, field.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = field.created_by),
        (select key.name from app.api_keys as key where key.id = field.created_by_key)
    ) as created_by_name,
    app.iso(field.created_at) as created_at, app.iso(field.updated_at) as updated_at
from app.contract_fields as field;
comment on view app.contract_field_records is 'Own fields of contracts as the API returns them.';
call app.present('app.contract_field_records', 'pipeline_member', 'app.contract_fields');


-- Clauses that contract templates name by data-clause. Contracts store their resolved content, so they are independent
-- of later versions.

set local role pipeline_owner;

create table app.clauses (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    key text not null check (key ~ '^[a-z](_?[a-z0-9])*_?$' and length(key) <= 40),
    name text not null check (length(name) between 1 and 255),
    content text not null,
    language text,
    version integer not null default 1 check (version >= 1),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, key)
);
comment on table app.clauses is 'Clauses for contract templates.';
comment on column app.clauses.key is 'Name in data-clause, unique in the organization; fixed.';
comment on column app.clauses.name is 'Name for people.';
comment on column app.clauses.content is 'The text: HTML with merge tags.';
comment on column app.clauses.language is 'Language of the text, a BCP 47 tag; null for the template''s.';
comment on column app.clauses.version is 'Number of the version; each change increases it.';
comment on column app.clauses.warnings is 'Parts of the last sent content that a clause cannot keep: code and message.';

call app.share('app.clauses', 'pipeline_admin', 'key', 'name', 'content', 'language', 'warnings');
call app.record_changes('app.clauses', 'clauses');

grant update (version) on app.clauses to pipeline_admin;

create function app.clause_used() returns trigger language plpgsql as $$
begin
    if exists (
        select from app.contract_templates as template
        where template.organization_id = old.organization_id and template.deleted_at is null
          and old.key = any (template.clauses)) then
        raise exception 'a contract template holds the clause' using errcode = '23503', table = 'contract_templates';
    end if;
    return old;
end
$$;
comment on function app.clause_used is 'Trigger: refuses to delete a clause of a current template, like a foreign key.';
create trigger used before delete on app.clauses for each row execute function app.clause_used();

create view app.clause_records with (security_invoker = true) as
select
    clause.id, clause.organization_id, clause.key, clause.name, clause.content, clause.language, clause.version,
    clause.warnings,
    clause.created_by, app.created_by_kind(clause.created_by, clause.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = clause.created_by),
        (select key.name from app.api_keys as key where key.id = clause.created_by_key)
    ) as created_by_name,
    app.iso(clause.created_at) as created_at, app.iso(clause.updated_at) as updated_at
from app.clauses as clause;
comment on view app.clause_records is 'Clauses as the API returns them; lists omit the content.';
call app.present('app.clause_records', 'pipeline_member', 'app.clauses');


-- Signature requests. A request freezes a revision: while it is open, app.contract_out_for_signature refuses changes of
-- the contract (SQLSTATE PI004). A signer's page sees only the request of its token (app.signature_by_token).

set local role pipeline_owner;

create function app.signature_status(status text, expires_at timestamptz, signed_at timestamptz) returns text
    language sql stable parallel safe
    return case when status = 'sent' and signed_at is null and expires_at <= now() then 'expired' else status end;
comment on function app.signature_status is
    'The status to show: an open request after its expiry is expired, unless all have signed.';
grant execute on function app.signature_status
    to pipeline_member, pipeline_jobs, pipeline_public, pipeline_lookup;

create function app.content_digest(content text, layout jsonb) returns text
    language sql stable parallel safe
    return encode(sha256(convert_to(content || E'\n' || cast(layout as text), 'UTF8')), 'hex');
comment on function app.content_digest is 'SHA-256 of a contract''s content and layout, 64 hexadecimal digits.';
grant execute on function app.content_digest to pipeline_member, pipeline_jobs, pipeline_public;

create table app.signature_requests (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    contract_id bigint not null,
    revision integer not null check (revision >= 1),
    document_file_id bigint,
    document_sha256 text not null check (document_sha256 ~ '^[0-9a-f]{64}$'),
    content_sha256 text not null check (content_sha256 ~ '^[0-9a-f]{64}$'),
    status text not null default 'sent' check (status in ('sent', 'completed', 'declined', 'cancelled', 'expired')),
    message text check (length(message) <= 5000),
    language text not null,
    verify_email boolean not null default false,
    expires_at timestamptz not null,
    signed_at timestamptz,
    ended_at timestamptz,
    sealed_file_id bigint,
    seal jsonb check (jsonb_typeof(seal) = 'object'),
    error text,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check ((status = 'sent') = (ended_at is null)),
    check ((status = 'completed') = (sealed_file_id is not null)),
    check (document_file_id is not null or status not in ('sent', 'completed')),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, document_file_id) references app.files,
    foreign key (organization_id, sealed_file_id) references app.files,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.signature_requests is 'Requests to sign a revision of a contract.';
comment on column app.signature_requests.revision is 'The revision of the contract to sign.';
comment on column app.signature_requests.document_file_id is
    'The PDF that signers see; null after an erasure of its words.';
comment on column app.signature_requests.document_sha256 is 'SHA-256 of the PDF that signers see.';
comment on column app.signature_requests.content_sha256 is 'SHA-256 of the content and layout that signers see.';
comment on column app.signature_requests.status is 'sent, completed, declined, cancelled or expired.';
comment on column app.signature_requests.message is 'Text in the emails to the signers.';
comment on column app.signature_requests.language is 'Language of emails and pages.';
comment on column app.signature_requests.verify_email is 'Whether signers must enter a code from an email first.';
comment on column app.signature_requests.expires_at is 'When the request expires, unless all have signed.';
comment on column app.signature_requests.signed_at is 'When the last signer signed.';
comment on column app.signature_requests.ended_at is
    'When the request was completed, declined, cancelled or expired.';
comment on column app.signature_requests.sealed_file_id is 'The sealed PDF with all signatures.';
comment on column app.signature_requests.seal is 'Facts about the seal and its certificate.';
comment on column app.signature_requests.error is 'Why the signed contract could not be sealed.';

call app.isolate('app.signature_requests', 'pipeline_member', 'pipeline_jobs');
call app.record_changes(
    'app.signature_requests', 'signature-requests', p_parents => '{"contract_id": "contracts"}');

-- One open request for each contract.
create unique index signature_requests_open on app.signature_requests (organization_id, contract_id)
    where status = 'sent';
create index signature_requests_contract on app.signature_requests (organization_id, contract_id, id);
-- For the foreign keys.
create index signature_requests_document on app.signature_requests (organization_id, document_file_id);
create index signature_requests_sealed on app.signature_requests (organization_id, sealed_file_id)
    where sealed_file_id is not null;

grant select,
    insert (organization_id, contract_id, revision, document_file_id, document_sha256, content_sha256, message,
        language, verify_email, expires_at, created_by),
    update (status, ended_at, error)
    on app.signature_requests to pipeline_member;
-- Only the erasure of a person.
grant update (message, document_file_id) on app.signature_requests to pipeline_admin;
grant select, update (status, ended_at, sealed_file_id, seal, error) on app.signature_requests to pipeline_jobs;
grant select (organization_id, id, status, expires_at, signed_at, ended_at)
    on app.signature_requests to pipeline_lookup;

create table app.signature_signers (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    request_id bigint not null,
    name text not null check (length(name) between 1 and 255),
    email text not null check (length(email) <= 254 and app.has_ascii_domain(email)),
    email_key text collate "C" not null generated always as (app.email_key(email)) stored,
    party text not null check (party in ('licensee', 'licensor')),
    "order" integer not null default 1 check ("order" between 1 and 10),
    status text not null default 'waiting' check (status in ('waiting', 'sent', 'viewed', 'signed', 'declined')),
    viewed_at timestamptz,
    signed_at timestamptz,
    decline_reason text check (length(decline_reason) between 1 and 1000),
    signature_kind text check (signature_kind in ('typed', 'drawn')),
    signature_text text check (length(signature_text) between 1 and 255),
    drawing bytea check (octet_length(drawing) between 1 and 204800),
    consent text,
    consent_language text,
    address text check (length(address) <= 64),
    user_agent text check (length(user_agent) <= 500),
    verified_at timestamptz,
    reminded_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, request_id, id),
    check ((status = 'signed') = (signed_at is not null)),
    check ((status = 'signed') = (consent is not null and consent_language is not null and signature_kind is not null)),
    check ((signature_kind = 'drawn') = (drawing is not null)),
    check ((signature_kind is null) = (signature_text is null)),
    check ((status = 'declined') = (decline_reason is not null)),
    foreign key (organization_id, request_id) references app.signature_requests on delete cascade
);
comment on table app.signature_signers is 'The signers of requests, with their signatures.';
comment on column app.signature_signers.name is 'Name of the signer.';
comment on column app.signature_signers.party is 'The party that the signer signs for: licensee or licensor.';
comment on column app.signature_signers."order" is
    'Signers with a smaller number sign first; those with the same number sign in any order.';
comment on column app.signature_signers.status is 'waiting, sent, viewed, signed or declined.';
comment on column app.signature_signers.viewed_at is
    'When the page''s script reported the first view, or the signer opened the page by a code.';
comment on column app.signature_signers.signed_at is 'When the signer signed.';
comment on column app.signature_signers.decline_reason is 'Why the signer declined.';
comment on column app.signature_signers.signature_kind is 'typed or drawn.';
comment on column app.signature_signers.signature_text is 'The name as the signer typed it.';
comment on column app.signature_signers.drawing is 'The drawn signature, a PNG.';
comment on column app.signature_signers.consent is 'The consent text that the signer agreed to.';
comment on column app.signature_signers.consent_language is 'Language of the consent text.';
comment on column app.signature_signers.address is 'Network address of the signature.';
comment on column app.signature_signers.user_agent is 'User agent of the signature.';
comment on column app.signature_signers.verified_at is 'When the right code was last entered.';
comment on column app.signature_signers.reminded_at is 'When the signer was last reminded.';

call app.isolate('app.signature_signers', 'pipeline_member', 'pipeline_jobs');
call app.touch_changed('app.signature_signers');

-- A person's signatures.
create index signature_signers_email on app.signature_signers (organization_id, email_key);

grant select (organization_id, id, request_id, name, email, email_key, party, "order", status, viewed_at, signed_at,
        decline_reason, signature_kind, signature_text, drawing, consent, consent_language, address, user_agent,
        verified_at, reminded_at, created_at, updated_at)
    on app.signature_signers to pipeline_member, pipeline_jobs;
grant insert (organization_id, request_id, name, email, party, "order"), update (status, reminded_at)
    on app.signature_signers to pipeline_member;
grant delete on app.signature_signers to pipeline_admin;
grant update (status) on app.signature_signers to pipeline_jobs;
grant select (organization_id, id, request_id, status), update (verified_at)
    on app.signature_signers to pipeline_lookup;

create table app.signature_links (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    request_id bigint not null,
    signer_id bigint not null,
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, request_id, signer_id)
        references app.signature_signers (organization_id, request_id, id) on delete cascade
);
comment on table app.signature_links is
    'The links in emails to signers. The worker creates the token when it sends the email; only its SHA-256 is stored.';
comment on column app.signature_links.signer_id is 'The signer.';
comment on column app.signature_links.token_hash is 'SHA-256 of the token.';

call app.isolate('app.signature_links');

create index signature_links_signer on app.signature_links (organization_id, request_id, signer_id);

grant select, insert (organization_id, request_id, signer_id, token_hash) on app.signature_links to pipeline_lookup;

create table app.signature_codes (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    link_id bigint not null,
    browser_hash text not null check (browser_hash ~ '^[0-9a-f]{64}$'),
    code_hash text check (code_hash ~ '^[0-9a-f]{64}$'),
    expires_at timestamptz,
    tries integer not null default 0 check (tries between 0 and 5),
    verified_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, link_id) references app.signature_links on delete cascade
);
comment on table app.signature_codes is
    'The codes that browsers asked for. The right code opens the link in the browser that asked for it, for two hours.';
comment on column app.signature_codes.link_id is 'The link.';
comment on column app.signature_codes.browser_hash is 'SHA-256 of the secret in the browser''s cookie.';
comment on column app.signature_codes.code_hash is 'SHA-256 of the emailed code.';
comment on column app.signature_codes.tries is 'The number of wrong codes.';
comment on column app.signature_codes.verified_at is 'When the right code was entered.';

call app.isolate('app.signature_codes');

create index signature_codes_link on app.signature_codes (organization_id, link_id);

grant select, insert (organization_id, link_id, browser_hash),
    update (browser_hash, code_hash, expires_at, tries, verified_at)
    on app.signature_codes to pipeline_lookup;

create table app.signature_events (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    request_id bigint not null,
    signer_id bigint,
    event text not null check (event in ('sent', 'reminded', 'viewed', 'code_sent', 'verified', 'signed', 'declined',
        'cancelled', 'expired', 'completed')),
    at timestamptz not null default now(),
    address text check (length(address) <= 64),
    user_agent text check (length(user_agent) <= 500),
    primary key (organization_id, id),
    foreign key (organization_id, request_id) references app.signature_requests on delete cascade,
    foreign key (organization_id, request_id, signer_id)
        references app.signature_signers (organization_id, request_id, id) on delete cascade
);
comment on table app.signature_events is 'The events of requests, for the certificate. Rows are only inserted.';
comment on column app.signature_events.signer_id is 'The signer; null for an event of the whole request.';
comment on column app.signature_events.event is
    'sent, reminded, viewed, code_sent, verified, signed, declined, cancelled, expired or completed.';
comment on column app.signature_events.at is 'When it happened.';
comment on column app.signature_events.address is 'Network address of the signer.';
comment on column app.signature_events.user_agent is 'User agent of the signer.';

call app.isolate('app.signature_events', 'pipeline_member', 'pipeline_jobs');

create index signature_events_request on app.signature_events (organization_id, request_id, id);
create index signature_events_signer on app.signature_events (organization_id, request_id, signer_id);

grant select, insert (organization_id, request_id, signer_id, event)
    on app.signature_events to pipeline_member, pipeline_jobs;

create view app.signature_request_records with (security_invoker = true) as
select
    request.id, request.organization_id, request.contract_id, request.revision, request.document_sha256,
    app.signature_status(request.status, request.expires_at, request.signed_at) as status, request.message,
    request.language, request.verify_email, app.iso(request.expires_at) as expires_at,
    app.iso(request.signed_at) as signed_at, app.iso(request.ended_at) as ended_at, request.error,
    coalesce(signed.signers, '[]') as signers,
    request.created_by, app.created_by_kind(request.created_by, request.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = request.created_by),
        (select key.name from app.api_keys as key where key.id = request.created_by_key)
    ) as created_by_name,
    app.iso(request.created_at) as created_at,
    app.iso(greatest(request.updated_at, signed.updated_at)) as updated_at
from app.signature_requests as request
cross join lateral (
    select
        json_agg(
            json_build_object(
                'id', signer.id, 'name', signer.name, 'email', signer.email, 'party', signer.party,
                'order', signer."order", 'status', signer.status, 'viewed_at', app.iso(signer.viewed_at),
                'signed_at', app.iso(signer.signed_at), 'decline_reason', signer.decline_reason,
                'reminded_at', app.iso(signer.reminded_at))
            order by signer."order", signer.id
        ) as signers,
        max(signer.updated_at) as updated_at
    from app.signature_signers as signer
    where signer.organization_id = request.organization_id and signer.request_id = request.id
) as signed;
comment on view app.signature_request_records is 'Signature requests with their signers, as the API returns them.';
call app.present('app.signature_request_records', 'pipeline_member', 'app.signature_requests');
comment on column app.signature_request_records.signers is 'The signers, in their order.';
comment on column app.signature_request_records.updated_at is
    'When the request or one of its signers was last changed.';

create function app.contract_out_for_signature() returns trigger language plpgsql as $$
begin
    -- A signature under way may prevent the expiry: the next statement sees its result.
    perform 1 from app.signature_requests as request
        where request.organization_id = old.organization_id and request.contract_id = old.id and request.status = 'sent'
        for share;
    perform 1 from app.signature_requests as request
        where request.organization_id = old.organization_id and request.contract_id = old.id
          and app.signature_status(request.status, request.expires_at, request.signed_at) = 'sent';
    if found then
        raise exception 'the contract is out for signature' using errcode = 'PI004';
    end if;
    if tg_op = 'DELETE' then
        perform 1 from app.signature_requests as request
            where request.organization_id = old.organization_id and request.contract_id = old.id
              and request.status = 'completed';
        if found then
            raise exception 'the contract is signed' using errcode = 'PI005';
        end if;
        return old;
    end if;
    return new;
end
$$;
comment on function app.contract_out_for_signature is
    'Trigger: refuses to change or delete a contract with an open signature request, and to delete one that all have '
    'signed. Only the end of its term is stored.';
create trigger signing before update on app.contracts for each row
    when ((old.name, old.template_id, old.deal_id, old.company_id, old.effective_date, old.term_months,
           old.termination_date, old.content, old.layout, old.fields, old.revision, old.executed_file_id)
          is distinct from
          (new.name, new.template_id, new.deal_id, new.company_id, new.effective_date, new.term_months,
           new.termination_date, new.content, new.layout, new.fields, new.revision, new.executed_file_id)
          or (new.status <> old.status and new.status <> 'expired'))
    execute function app.contract_out_for_signature();
create trigger signing_deletion before delete on app.contracts
    for each row execute function app.contract_out_for_signature();

-- A signer's page sees its request, the contract and the two files. With the rights of the caller, so each function
-- finds what the policies show; a cluster allows no sub-select in a policy.
create function app.is_signing(p_organization_id bigint, p_request_id bigint, p_signer_id bigint default null)
    returns boolean language plpgsql stable as $$
begin
    perform 1 from app.signature_links as link
        where link.organization_id = p_organization_id and link.request_id = p_request_id
          and (p_signer_id is null or link.signer_id = p_signer_id);
    return found;
end
$$;
comment on function app.is_signing is 'Whether the open token is of this request, and of this signer if one is given.';

create function app.is_signing_link(p_organization_id bigint, p_link_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.signature_links as link
        where link.organization_id = p_organization_id and link.id = p_link_id;
    return found;
end
$$;
comment on function app.is_signing_link is 'Whether the open token is of this link.';

create function app.is_signing_opened(p_organization_id bigint, p_request_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.signature_requests as request
        where request.organization_id = p_organization_id and request.id = p_request_id and not request.verify_email;
    if not found then
        perform 1 from app.signature_codes as code
            where code.organization_id = p_organization_id and code.verified_at > now() - interval '2 hours';
    end if;
    return found;
end
$$;
comment on function app.is_signing_opened is
    'Whether the open token shows the request: without verify_email, or after a code in this browser.';

create function app.is_signed_contract(p_organization_id bigint, p_contract_id bigint) returns boolean
    language plpgsql stable as $$
declare
    v_request bigint;
begin
    select request.id into v_request from app.signature_requests as request
        where request.organization_id = p_organization_id and request.contract_id = p_contract_id;
    return found and app.is_signing_opened(p_organization_id, v_request);
end
$$;
comment on function app.is_signed_contract is 'Whether the open token shows this contract.';

create function app.is_signed_file(p_organization_id bigint, p_file_id bigint) returns boolean
    language plpgsql stable as $$
declare
    v_request bigint;
begin
    select request.id into v_request from app.signature_requests as request
        where request.organization_id = p_organization_id
          and p_file_id in (request.document_file_id, request.sealed_file_id);
    return found and app.is_signing_opened(p_organization_id, v_request);
end
$$;
comment on function app.is_signed_file is 'Whether the open token shows this PDF or sealed copy.';
grant execute on function app.is_signing, app.is_signing_link, app.is_signing_opened, app.is_signed_contract,
    app.is_signed_file to pipeline_public;

create policy public_signing on app.signature_links for select to pipeline_public
    using (token_hash = nullif(current_setting('app.signing_token', true), ''));
-- A browser's own codes.
create policy public_signing on app.signature_codes for select to pipeline_public
    using (browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), 'UTF8')), 'hex')
           and app.is_signing_link(organization_id, link_id));
create policy public_signing on app.signature_requests for select to pipeline_public
    using (app.is_signing(organization_id, id));
-- A signature or a refusal may end an open request.
create policy public_ending on app.signature_requests for update to pipeline_public
    using (status = 'sent' and app.is_signing(organization_id, id))
    with check (status in ('sent', 'declined') and app.is_signing_opened(organization_id, id));
create policy public_signing on app.signature_signers for select to pipeline_public
    using (app.is_signing(organization_id, request_id));
-- A signer changes its own row until it is signed or declined.
create policy public_signature on app.signature_signers for update to pipeline_public
    using (status in ('sent', 'viewed') and app.is_signing(organization_id, request_id, id)
           and app.is_signing_opened(organization_id, request_id))
    with check (status in ('sent', 'viewed', 'signed', 'declined'));
create policy public_signing on app.signature_events for insert to pipeline_public
    with check (signer_id is not null and app.is_signing(organization_id, request_id, signer_id));
create policy public_signing on app.contracts for select to pipeline_public
    using (app.is_signed_contract(organization_id, id));
create policy public_signing on app.files for select to pipeline_public using (app.is_signed_file(organization_id, id));
grant select (organization_id, id, request_id, signer_id, token_hash) on app.signature_links to pipeline_public;
grant select (organization_id, link_id, browser_hash, verified_at) on app.signature_codes to pipeline_public;
grant select (organization_id, id, contract_id, revision, document_file_id, document_sha256, content_sha256, status,
        message, language, verify_email, expires_at, signed_at, ended_at, sealed_file_id, updated_at),
    update (status, signed_at, ended_at)
    on app.signature_requests to pipeline_public;
grant select (organization_id, id, request_id, name, email, party, "order", status, viewed_at, signed_at,
        decline_reason, signature_kind, signature_text, drawing, consent, consent_language, verified_at, updated_at),
    update (status, viewed_at, signed_at, decline_reason, signature_kind, signature_text, drawing, consent,
        consent_language, address, user_agent)
    on app.signature_signers to pipeline_public;
grant insert (organization_id, request_id, signer_id, event, address, user_agent)
    on app.signature_events to pipeline_public;
grant select (organization_id, id, contract_number, name, content, layout, revision)
    on app.contracts to pipeline_public;

-- Completing a request executes its contract.
grant update (executed_file_id, warnings) on app.contracts to pipeline_jobs;

create function app.signatures_expire(p_contract_id bigint) returns integer
    language plpgsql set search_path = app, pg_temp as $$
declare
    v_id bigint;
    v_number integer := 0;
begin
    -- One contract's request is waited for.
    perform 1 from app.signature_requests r where r.contract_id = p_contract_id and r.status = 'sent' for update;
    for v_id in
        select r.id from app.signature_requests r
        where app.signature_status(r.status, r.expires_at, r.signed_at) = 'expired'
          and r.status = 'sent' and r.expires_at <= now()
          and (p_contract_id is null or r.contract_id = p_contract_id)
        for update skip locked
    loop
        update app.signature_requests r set status = 'expired', ended_at = r.expires_at where r.id = v_id;
        insert into app.signature_events (request_id, event) values (v_id, 'expired');
        insert into app.outbox (event, key, payload)
            values ('signature_ended', 'signature_ended:' || v_id, jsonb_build_object('request_id', v_id));
        v_number := v_number + 1;
    end loop;
    return v_number;
end
$$;
comment on function app.signatures_expire is
    'Expires overdue requests of a contract, or of all but locked ones, with their events. Returns the number.';
grant execute on function app.signatures_expire to pipeline_member, pipeline_jobs;

set local role pipeline_lookup;

create function app.signature_by_token(p_token_hash text)
    returns table (organization_id bigint, request_id bigint, signer_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select l.organization_id, l.request_id, l.signer_id from app.signature_links l where l.token_hash = p_token_hash
$$;
comment on function app.signature_by_token is 'The organization, request and signer of a token''s SHA-256.';
grant execute on function app.signature_by_token to pipeline_forms, pipeline_public;

create function app.signature_link_issue(p_signer_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_token text := replace(concat(gen_random_uuid(), gen_random_uuid()), '-', '');
begin
    insert into app.signature_links (organization_id, request_id, signer_id, token_hash)
    select s.organization_id, s.request_id, s.id, encode(sha256(convert_to(v_token, 'UTF8')), 'hex')
    from app.signature_signers s
    join app.signature_requests r on r.organization_id = s.organization_id and r.id = s.request_id
    where s.organization_id = v_organization and s.id = p_signer_id and s.status <> 'waiting'
      and app.signature_status(r.status, r.expires_at, r.signed_at) in ('sent', 'completed');
    return case when found then v_token end;
end
$$;
comment on function app.signature_link_issue is
    'Creates a token for an email to a signer; null if the request is neither open nor completed.';

create function app.signature_code_ask(p_browser_hash text, out code_id bigint, out result text)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_link bigint;
begin
    select l.id into v_link
    from app.signature_links l
    join app.signature_signers s
        on s.organization_id = l.organization_id and s.request_id = l.request_id and s.id = l.signer_id
    where l.organization_id = v_organization and l.token_hash = nullif(current_setting('app.signing_token', true), '')
    for update of s;
    -- The next statements see what a concurrent request stored.
    perform 1 from app.signature_codes c
        where c.organization_id = v_organization and c.link_id = v_link and c.browser_hash = p_browser_hash
          and c.verified_at is null and c.created_at > now() - interval '1 minute';
    if found then
        result := 'soon';
    elsif v_link is null
        or (select count(*) from app.signature_codes c
            where c.organization_id = v_organization and c.link_id = v_link) >= 20 then
        result := 'spent';
    else
        insert into app.signature_codes (organization_id, link_id, browser_hash)
        values (v_organization, v_link, p_browser_hash)
        returning id into code_id;
        result := 'asked';
    end if;
end
$$;
comment on function app.signature_code_ask is
    'Notes that a browser asks for a code: asked, soon (asked within a minute) or spent (twenty codes for the link).';
grant execute on function app.signature_code_ask to pipeline_public;

create function app.signature_code_issue(p_code_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    -- The first 48 bits of a version 4 UUID are random.
    v_code text := lpad(cast(cast(cast('x' || left(replace(cast(gen_random_uuid() as text), '-', ''), 12) as bit(48))
        as bigint) % 1000000 as text), 6, '0');
begin
    update app.signature_codes c
    -- The parameter, because a cluster calls no such function with a column in an update.
    set code_hash = encode(sha256(convert_to(p_code_id || ':' || v_code, 'UTF8')), 'hex'),
        expires_at = now() + interval '10 minutes', tries = 0
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and c.id = p_code_id and c.verified_at is null;
    return case when found then v_code end;
end
$$;
comment on function app.signature_code_issue is 'Creates the six digits for the email of a code; null after its use.';
grant execute on function app.signature_link_issue, app.signature_code_issue to pipeline_jobs;

create function app.signature_code_try(p_code text, p_browser_hash text) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
begin
    select c.organization_id, c.id, c.code_hash, c.expires_at, c.tries, s.id as signer_id into v
    from app.signature_links l
    join app.signature_signers s
        on s.organization_id = l.organization_id and s.request_id = l.request_id and s.id = l.signer_id
    join app.signature_codes c on c.organization_id = l.organization_id and c.link_id = l.id
    where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and l.token_hash = nullif(current_setting('app.signing_token', true), '')
      and c.browser_hash = encode(sha256(convert_to(current_setting('app.signing_secret', true), 'UTF8')), 'hex')
      and c.code_hash is not null and c.verified_at is null
    order by c.id desc
    limit 1
    for update of c;
    if not found or v.expires_at <= now() or v.tries >= 5 then
        return 'spent';
    end if;
    if v.code_hash = encode(sha256(convert_to(v.id || ':' || p_code, 'UTF8')), 'hex') then
        update app.signature_codes c set verified_at = now(), code_hash = null, browser_hash = p_browser_hash
            where c.organization_id = v.organization_id and c.id = v.id;
        update app.signature_signers s set verified_at = now()
            where s.organization_id = v.organization_id and s.id = v.signer_id;
        return 'right';
    end if;
    update app.signature_codes c set tries = c.tries + 1 where c.organization_id = v.organization_id and c.id = v.id;
    return 'wrong';
end
$$;
comment on function app.signature_code_try is
    'Compares an entered code with the newest of this browser: right, wrong, or spent after its expiry, its use or five '
    'wrong codes. The right one opens the link in the browser with the new secret.';
grant execute on function app.signature_code_try to pipeline_public;

create function app.signers_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
    v_was jsonb;
    v_now jsonb;
begin
    -- {id: former status} of each request. A cluster joins no table of a trigger with one of its own.
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
        perform app.change_folded(v.organization_id, 'signature-requests', v.request_id, 'signers', v_was, v_now);
    end loop;
    return null;
end
$$;
comment on function app.signers_recorded is 'Trigger: records the statuses of signers as a change of their request.';
grant execute on function app.signers_recorded to pipeline_owner;

set local role pipeline_owner;
create trigger record_signers after update on app.signature_signers
    referencing old table as former new table as changed
    for each statement execute function app.signers_recorded();


-- Notes and tasks. Each has one parent, a lead or a contract, and is deleted with it. Other links come from a lead's
-- qualification, or are the subjects of a task.

set local role pipeline_owner;

create table app.notes (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    content text not null check (length(content) >= 1),
    lead_id bigint,
    contract_id bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (num_nonnulls(lead_id, contract_id) = 1),
    foreign key (organization_id, lead_id) references app.leads on delete cascade,
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.notes is 'Notes on leads and contracts.';
comment on column app.notes.content is 'The text.';
comment on column app.notes.contact_id is 'The contact of the qualified lead.';
comment on column app.notes.company_id is 'The company of the qualified lead.';
comment on column app.notes.deal_id is 'The deal of the qualified lead.';

call app.share('app.notes', 'pipeline_member', 'content', 'contact_id', 'company_id', 'deal_id');
call app.record_changes(
    'app.notes', 'notes', p_parents => '{"lead_id": "leads", "contract_id": "contracts"}');

create index notes_lead on app.notes (organization_id, lead_id, id) where lead_id is not null;
create index notes_contract on app.notes (organization_id, contract_id, id) where contract_id is not null;
-- For deletions of the referenced records.
create index notes_contact on app.notes (organization_id, contact_id, id) where contact_id is not null;
create index notes_company on app.notes (organization_id, company_id, id) where company_id is not null;
create index notes_deal on app.notes (organization_id, deal_id, id) where deal_id is not null;

grant insert (lead_id, contract_id, created_by) on app.notes to pipeline_member;

create view app.note_records with (security_invoker = true) as
select
    note.id, note.organization_id, note.content, note.lead_id, note.contract_id, note.contact_id, note.company_id,
    note.deal_id, note.created_by,
    app.created_by_kind(note.created_by, note.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = note.created_by),
        (select key.name from app.api_keys as key where key.id = note.created_by_key)
    ) as created_by_name,
    app.iso(note.created_at) as created_at, app.iso(note.updated_at) as updated_at
from app.notes as note;
comment on view app.note_records is 'Notes as the API returns them.';
call app.present('app.note_records', 'pipeline_member', 'app.notes');

create table app.tasks (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    title text not null check (length(title) between 1 and 255),
    description text,
    due_date date,
    due_time text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$'),
    priority text not null default 'medium' check (priority in ('low', 'medium', 'high')),
    assigned_to bigint,
    lead_id bigint,
    contract_id bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (num_nonnulls(lead_id, contract_id) = 1),
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, lead_id) references app.leads on delete cascade,
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.tasks is 'Tasks for leads and contracts.';
comment on column app.tasks.title is 'Title of the task.';
comment on column app.tasks.description is 'Details of the task.';
comment on column app.tasks.due_date is 'Due date.';
comment on column app.tasks.due_time is 'Due time on that date, HH:MM or HH:MM:SS.';
comment on column app.tasks.priority is 'low, medium or high.';
comment on column app.tasks.assigned_to is 'The user to do the task.';
comment on column app.tasks.contact_id is 'A related contact.';
comment on column app.tasks.company_id is 'A related company.';
comment on column app.tasks.deal_id is 'A related deal.';

call app.share(
    'app.tasks', 'pipeline_member',
    'title', 'description', 'due_date', 'due_time', 'priority', 'assigned_to', 'contact_id', 'company_id', 'deal_id');
call app.record_changes(
    'app.tasks', 'tasks', p_parents => '{"lead_id": "leads", "contract_id": "contracts"}');

create index tasks_lead on app.tasks (organization_id, lead_id, id) where lead_id is not null;
create index tasks_contract on app.tasks (organization_id, contract_id, id) where contract_id is not null;
-- For deletions of the referenced records.
create index tasks_contact on app.tasks (organization_id, contact_id, id) where contact_id is not null;
create index tasks_company on app.tasks (organization_id, company_id, id) where company_id is not null;
create index tasks_deal on app.tasks (organization_id, deal_id, id) where deal_id is not null;
create index tasks_assigned_to on app.tasks (organization_id, assigned_to, id);

grant insert (lead_id, contract_id, created_by) on app.tasks to pipeline_member;

create view app.task_records with (security_invoker = true) as
select
    task.id, task.organization_id, task.title, task.description, task.due_date, task.due_time, task.priority,
    task.assigned_to, task.lead_id, task.contract_id, task.contact_id, task.company_id, task.deal_id, task.created_by,
    app.created_by_kind(task.created_by, task.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = task.created_by),
        (select key.name from app.api_keys as key where key.id = task.created_by_key)
    ) as created_by_name,
    app.iso(task.created_at) as created_at, app.iso(task.updated_at) as updated_at
from app.tasks as task;
comment on view app.task_records is 'Tasks as the API returns them.';
call app.present('app.task_records', 'pipeline_member', 'app.tasks');


-- Events for the worker (the outbox), and notifications. A trigger wakes the worker by NOTIFY; the worker also polls.
-- Unique keys make a repeated delivery harmless. The worker takes due events in turns among organizations
-- (app.outbox_lease), so a long backlog of one does not delay others.

set local role pipeline_owner;

create table app.outbox (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    event text not null check (length(event) between 1 and 80),
    key text not null check (length(key) between 1 and 255),
    payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
    request_id text check (length(request_id) <= 128),
    traceparent text check (length(traceparent) <= 55),
    queue text not null
        generated always as (case when event like '%\_documents' then 'documents' else 'mail' end) stored,
    created_at timestamptz not null default now(),
    begins_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    leased_until timestamptz,
    done_at timestamptz,
    error text,
    primary key (organization_id, id),
    unique (organization_id, key)
);
comment on table app.outbox is 'Events, open and closed.';
comment on column app.outbox.key is 'Identifies the event, so that it is raised once.';
comment on column app.outbox.payload is 'The values that the handler needs.';
comment on column app.outbox.request_id is 'The X-Request-Id of the request that raised the event.';
comment on column app.outbox.traceparent is 'The trace context of the request, if tracing is on.';
comment on column app.outbox.queue is 'The queue of the worker, derived from the event''s name.';
comment on column app.outbox.begins_at is
    'The first due time. The worker gives up an event that fails for a day after it.';
comment on column app.outbox.due_at is 'When it is due.';
comment on column app.outbox.leased_until is 'The end of a worker''s reservation; the event is due again afterwards.';
comment on column app.outbox.done_at is 'When it was handled or given up.';

call app.isolate('app.outbox', 'pipeline_jobs');

-- The first due events of each organization.
create index outbox_turns on app.outbox (queue, organization_id, due_at, id) where done_at is null;
-- Backlogs come and go within seconds, so statistics mislead the planner.
alter table app.outbox alter column organization_id set statistics 0;

-- Serving roles may only insert events.
create policy raise on app.outbox for insert to pipeline_member, pipeline_public with check (true);
grant insert (organization_id, event, key, payload, begins_at, due_at, request_id, traceparent)
    on app.outbox to pipeline_member, pipeline_public, pipeline_jobs;
grant select, update (attempts, due_at, leased_until, done_at, error), delete on app.outbox to pipeline_jobs;
grant select (organization_id, id, due_at, leased_until, done_at, request_id, traceparent, queue),
    insert (organization_id, event, key, payload), update (leased_until) on app.outbox to pipeline_lookup;

create function app.outbox_lock(p_id bigint) returns bigint
    language sql immutable parallel safe
    return hashtextextended('outbox', p_id);
comment on function app.outbox_lock is
    'The key of the advisory lock held while an event is handled. A row lock would assign a transaction id, and a slow '
    'mail server would then delay the change feed (pg_snapshot_xmin).';
grant execute on function app.outbox_lock to pipeline_jobs, pipeline_lookup;

create function app.outbox_wake() returns trigger language plpgsql as $$
begin
    perform pg_notify('pipeline_outbox', '');
    return null;
end
$$;
comment on function app.outbox_wake is 'Trigger: wakes the worker when the transaction commits.';
create trigger wake after insert on app.outbox for each statement execute function app.outbox_wake();

set local role pipeline_lookup;

create function app.outbox_lease(p_queue text, p_limit integer, p_each integer, p_lease interval)
    returns table (organization_id bigint, id bigint, request_id text, traceparent text)
    language sql volatile security definer
    -- Statistics miss a sudden backlog. These settings force a scan of outbox_turns by organization.
    set enable_seqscan = off set enable_bitmapscan = off set enable_incremental_sort = off
    set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
    set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    with recursive waiting as (
        (select o.organization_id from app.outbox o
         where o.queue = p_queue and o.done_at is null order by o.organization_id, o.due_at, o.id limit 1)
        union all
        select (select o.organization_id from app.outbox o
                where o.queue = p_queue and o.done_at is null and o.organization_id > w.organization_id
                order by o.organization_id, o.due_at, o.id limit 1)
        from waiting w where w.organization_id is not null),
    turns as materialized (
        select w.organization_id, first.id, first.turn
        from waiting w
        cross join lateral (
            select o.id, row_number() over (order by o.due_at, o.id) as turn from app.outbox o
            where o.queue = p_queue and o.organization_id = w.organization_id
                and o.done_at is null and o.due_at <= now()
            order by o.due_at, o.id limit p_each) first),
    due as materialized (
        select free.organization_id, free.id from (
            select o.organization_id, o.id from turns t
            join app.outbox o on o.organization_id = t.organization_id and o.id = t.id
            where o.done_at is null and (o.leased_until is null or o.leased_until <= now())
            -- Random, so that no organization is always last.
            order by t.turn, random() offset 0) free
        -- Skips events that are being handled or reserved.
        where pg_try_advisory_xact_lock(app.outbox_lock(free.id)) limit p_limit)
    update app.outbox o set leased_until = now() + p_lease
    from due where o.organization_id = due.organization_id and o.id = due.id
        -- Another worker may have committed meanwhile.
        and o.done_at is null and (o.leased_until is null or o.leased_until <= now())
    returning o.organization_id, o.id, o.request_id, o.traceparent
$$;
comment on function app.outbox_lease is
    'Reserves due events of a queue in turns among organizations, at most p_each for each.';

create function app.outbox_backlog() returns table (queue text, waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select q.queue, count(o.id), cast(coalesce(extract(epoch from now() - min(o.due_at)), 0) as double precision)
    from (values ('documents'), ('mail')) q (queue)
    left join app.outbox o on o.queue = q.queue and o.done_at is null and o.due_at <= now()
    group by q.queue order by q.queue
$$;
comment on function app.outbox_backlog is
    'The number of due events of each queue, and the age of the oldest in seconds.';

grant execute on function app.outbox_lease to pipeline_jobs;
grant execute on function app.outbox_backlog to pipeline_app;

set local role pipeline_owner;

create table app.notifications (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    user_id bigint not null,
    event text not null check (length(event) between 1 and 80),
    effect_key text not null,
    title text not null,
    body text not null default '',
    data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
    read_at timestamptz,
    digest_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, user_id, effect_key),
    foreign key (organization_id, user_id) references app.organization_users
);
comment on table app.notifications is 'Notifications of users in the application.';
comment on column app.notifications.event is 'The event, for instance lead_captured.';
comment on column app.notifications.effect_key is
    'The key of the event, so that a repeated delivery creates no second notification.';
comment on column app.notifications.title is 'Title, one line.';
comment on column app.notifications.body is 'More text.';
comment on column app.notifications.data is 'Ids of related records.';
comment on column app.notifications.read_at is 'When the user read it.';
comment on column app.notifications.digest_at is
    'The end of the hour of its digest email; null if it has its own email.';

call app.isolate('app.notifications', 'pipeline_jobs');

-- A user's notifications, all and unread.
create index notifications_user on app.notifications (organization_id, user_id, id);
create index notifications_unread on app.notifications (organization_id, user_id, id) where read_at is null;
-- The notifications of a digest.
create index notifications_digest on app.notifications (organization_id, user_id, digest_at)
    where digest_at is not null;

create policy own on app.notifications to pipeline_member
    using (user_id = nullif(current_setting('app.user_id', true), '')::bigint);
grant select, update (read_at) on app.notifications to pipeline_member;
grant select, insert (organization_id, user_id, event, effect_key, title, body, data), update (digest_at)
    on app.notifications to pipeline_jobs;

create view app.notification_records with (security_invoker = true) as
select
    notification.id, notification.organization_id, notification.event, notification.title, notification.body,
    notification.data, app.iso(notification.read_at) as read_at, app.iso(notification.created_at) as created_at,
    app.iso(coalesce(notification.read_at, notification.created_at)) as updated_at
from app.notifications as notification;
comment on view app.notification_records is 'Notifications as the API returns them, limited to the caller''s own.';
call app.present('app.notification_records', 'pipeline_member', 'app.notifications');
comment on column app.notification_records.updated_at is 'When it was read, else when it was created.';


-- Emails and their limits. An email is sent at most once: the sender commits transmitting_at before the content,
-- because the outcome may stay unknown. claims lets a slow sender notice that another has taken over.

set local role pipeline_owner;

create table app.emails (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    direction text not null default 'outbound' check (direction in ('outbound', 'inbound')),
    status text not null default 'queued' check (status in ('queued', 'sending', 'sent', 'skipped', 'failed')),
    effect_key text,
    message_id text,
    from_email text not null,
    from_name text,
    reply_to_email text,
    to_email text not null check (app.has_ascii_domain(to_email)),
    to_name text,
    subject text not null,
    body_text text,
    body_html text,
    error text,
    lead_id bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    invite_id bigint,
    invite_part text check (invite_part in ('invite', 'reminder', 'copy', 'notification')),
    link_id bigint,
    signer_id bigint,
    signer_part text check (signer_part in ('sign', 'reminder', 'code', 'completed', 'ended')),
    code_id bigint,
    unsubscribe_url text,
    attachment bytea check (octet_length(attachment) <= 16777216),
    to_email_key text collate "C" not null generated always as (app.email_key(to_email)) stored,
    claims integer not null default 0 check (claims >= 0),
    transmitting_at timestamptz,
    unanswered integer not null default 0 check (unanswered >= 0),
    sent_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, effect_key),
    check ((invite_id is null) = (invite_part is null)),
    check ((signer_id is null) = (signer_part is null)),
    check ((code_id is null) = (signer_part is distinct from 'code')),
    foreign key (organization_id, lead_id) references app.leads on delete set null (lead_id),
    foreign key (organization_id, contact_id) references app.contacts on delete set null (contact_id),
    foreign key (organization_id, company_id) references app.companies on delete set null (company_id),
    foreign key (organization_id, deal_id) references app.deals on delete set null (deal_id),
    foreign key (organization_id, invite_id) references app.interview_invites,
    foreign key (organization_id, link_id) references app.account_links on delete cascade,
    foreign key (organization_id, signer_id) references app.signature_signers on delete cascade,
    foreign key (organization_id, code_id) references app.signature_codes on delete cascade
);
comment on table app.emails is 'Outbound and inbound emails.';
comment on column app.emails.direction is 'outbound or inbound.';
comment on column app.emails.status is 'queued, sending, sent, skipped or failed.';
comment on column app.emails.effect_key is 'The key of the event, so that a repeated delivery creates no second email.';
comment on column app.emails.message_id is 'The Message-ID header; a resend with a new link or code adds ".again".';
comment on column app.emails.from_email is 'Address of the sender.';
comment on column app.emails.from_name is 'Name of the sender.';
comment on column app.emails.reply_to_email is 'Address for replies.';
comment on column app.emails.to_email is 'Address of the recipient.';
comment on column app.emails.to_name is 'Name of the recipient.';
comment on column app.emails.subject is 'Subject line.';
comment on column app.emails.body_text is 'Content as plain text.';
comment on column app.emails.body_html is 'Content as HTML.';
comment on column app.emails.invite_part is
    'invite (first email with the link), reminder (the link again) or copy (a copy of the answers); null without an '
    'invite.';
comment on column app.emails.link_id is 'The link in the email; the email is deleted with it.';
comment on column app.emails.signer_id is 'The signer of the email; the email is deleted with it.';
comment on column app.emails.signer_part is
    'sign (first email with the link), reminder, code (to confirm the address), completed (with a link to the signed '
    'copy) or ended (declined or cancelled); null without a signer.';
comment on column app.emails.code_id is 'The code in the email; null without a code.';
comment on column app.emails.unsubscribe_url is 'The URL for one-click unsubscription (RFC 8058).';
comment on column app.emails.attachment is 'An attached PDF; deleted when the email is sent or given up.';
comment on column app.emails.to_email_key is 'The key of the recipient''s address.';
comment on column app.emails.claims is 'The number of attempts.';
comment on column app.emails.transmitting_at is
    'When transmission of the content began. Without a result, it is unknown whether the server accepted the email.';
comment on column app.emails.unanswered is 'The number of attempts without a response after the content.';
comment on column app.emails.sent_at is 'When the mail server accepted it.';

call app.isolate('app.emails', 'pipeline_member', 'pipeline_jobs');

create trigger touch before update on app.emails for each row execute function app.touch();
create trigger link_mailed after update of status on app.emails for each row
    when (new.link_id is not null and new.status in ('sent', 'skipped', 'failed'))
    execute function app.account_link_mailed();

create index emails_lead on app.emails (organization_id, lead_id, id);
create index emails_to on app.emails (organization_id, to_email_key);
-- For deletions of the referenced records.
create index emails_contact on app.emails (organization_id, contact_id) where contact_id is not null;
create index emails_company on app.emails (organization_id, company_id) where company_id is not null;
create index emails_deal on app.emails (organization_id, deal_id) where deal_id is not null;
create index emails_invite on app.emails (organization_id, invite_id) where invite_id is not null;
create index emails_link on app.emails (organization_id, link_id) where link_id is not null;
create index emails_signer on app.emails (organization_id, signer_id) where signer_id is not null;
create index emails_code on app.emails (organization_id, code_id) where code_id is not null;

grant select, update (contact_id, company_id, deal_id) on app.emails to pipeline_member;
grant delete on app.emails to pipeline_admin;
grant select,
    insert (organization_id, direction, status, effect_key, message_id, from_email, from_name, reply_to_email, to_email,
        to_name, subject, body_text, body_html, lead_id, contact_id, company_id, deal_id, invite_id, invite_part, link_id,
        signer_id, signer_part, code_id, unsubscribe_url, attachment, sent_at),
    update (status, message_id, error, attachment, claims, transmitting_at, unanswered, sent_at)
    on app.emails to pipeline_jobs;

create table app.mail_days (
    organization_id bigint not null references app.organizations (id),
    day date not null,
    kind text not null check (kind in ('invited', 'asked')),
    used integer not null default 1 check (used > 0),
    primary key (organization_id, day, kind)
);
comment on table app.mail_days is 'The number of emails of an organization on a day, by kind.';
comment on column app.mail_days.day is 'The day.';
comment on column app.mail_days.kind is
    'invited: emails sent by users; asked: emails requested by prospects, with a separate quota.';

call app.isolate('app.mail_days', 'pipeline_member', 'pipeline_jobs');

grant select, insert (organization_id, day, kind, used), update (used)
    on app.mail_days to pipeline_member, pipeline_jobs;
grant delete on app.mail_days to pipeline_jobs;

create table app.mail_hours (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null,
    ends_at timestamptz not null,
    used integer not null default 1 check (used > 0),
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
);
comment on table app.mail_hours is
    'The number of captured leads that a user got single emails about in the current hour.';
comment on column app.mail_hours.ends_at is 'When the hour ends.';

call app.isolate('app.mail_hours', 'pipeline_jobs');

grant select, insert (organization_id, user_id, ends_at, used), update (ends_at, used)
    on app.mail_hours to pipeline_jobs;


-- Webhooks, their secrets and deliveries. The worker creates a delivery for each subscribed change, up to 500 open
-- ones. Only the first open delivery of a record has a next_attempt_at, to keep their order. The sender commits
-- started_at before sending; after 15 seconds without a result another may try.

set local role pipeline_owner;

create table app.webhooks (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    url text not null check (length(url) between 1 and 2048),
    events text[] not null check (cardinality(events) > 0),
    description text check (length(description) <= 255),
    active boolean not null default true,
    paused_at timestamptz,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, created_by) references app.organization_users on delete set null (created_by),
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.webhooks is 'Endpoints that receive changes.';
comment on column app.webhooks.url is 'URL of the receiver; messages are POST requests.';
comment on column app.webhooks.events is 'The events to send, such as lead.created.';
comment on column app.webhooks.description is 'Description of the webhook.';
comment on column app.webhooks.active is 'Whether messages are created and sent.';
comment on column app.webhooks.paused_at is
    'When the service paused the webhook; null after it was activated again.';
comment on column app.webhooks.deleted_at is 'When it was deleted. The row and its deliveries are removed later.';

call app.isolate('app.webhooks', 'pipeline_admin', 'pipeline_jobs');

create index webhooks_active on app.webhooks (organization_id, id) where active and deleted_at is null;

call app.record_changes('app.webhooks', 'webhooks', p_ended => 'deleted_at');

grant
    select, insert (organization_id, url, events, description, active, created_by),
    update (url, events, description, active, paused_at, deleted_at)
    on app.webhooks to pipeline_admin;
grant select, update (active, paused_at), delete on app.webhooks to pipeline_jobs;
grant select (organization_id, id, active, paused_at, created_by_key, deleted_at) on app.webhooks to pipeline_lookup;

-- Separate, because the worker's frequent writes would block an administrator's change.
create table app.webhook_states (
    organization_id bigint not null references app.organizations (id),
    webhook_id bigint not null,
    after_transaction bigint not null default cast(cast(pg_snapshot_xmin(app.changes_snapshot()) as text) as bigint),
    after_id bigint not null default 0,
    since pg_snapshot not null default app.changes_snapshot(),
    failing_since timestamptz,
    primary key (organization_id, webhook_id),
    foreign key (organization_id, webhook_id) references app.webhooks on delete cascade
);
comment on table app.webhook_states is 'The position of each webhook in the record of change, and its failures.';
comment on column app.webhook_states.after_transaction is
    'The transaction of the last processed change; the next transaction by default.';
comment on column app.webhook_states.after_id is 'The last processed change of that transaction.';
comment on column app.webhook_states.since is
    'The snapshot at which the webhook became active; earlier changes are not sent.';
comment on column app.webhook_states.failing_since is
    'The first failure since the last success; null if there is none.';

call app.isolate('app.webhook_states', 'pipeline_admin', 'pipeline_jobs');

grant
    select, insert (organization_id, webhook_id), update (after_transaction, after_id, since, failing_since)
    on app.webhook_states to pipeline_admin;
grant select, update (after_transaction, after_id, failing_since) on app.webhook_states to pipeline_jobs;
grant select on app.webhook_states to pipeline_lookup;

create table app.webhook_secrets (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    webhook_id bigint not null,
    secret text not null check (secret ~ '^whsec_[0-9A-Za-z+/]{43}=$'),
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, webhook_id) references app.webhooks on delete cascade
);
comment on table app.webhook_secrets is
    'The secrets that sign messages: the current one of each webhook, and the previous one for a day. Serving roles '
    'may insert and delete secrets but cannot read them (docs/security.md).';
comment on column app.webhook_secrets.secret is 'The secret; only the worker reads it.';
comment on column app.webhook_secrets.expires_at is
    'When a replaced secret expires; null for the current one.';

call app.isolate('app.webhook_secrets', 'pipeline_admin', 'pipeline_jobs');

create index webhook_secrets_webhook on app.webhook_secrets (organization_id, webhook_id, expires_at);

grant
    select (organization_id, id, webhook_id, expires_at), insert (organization_id, webhook_id, secret),
    update (expires_at), delete
    on app.webhook_secrets to pipeline_admin;
grant select, delete on app.webhook_secrets to pipeline_jobs;

create table app.webhook_deliveries (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    webhook_id bigint not null,
    message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
    event text not null check (length(event) between 1 and 80),
    record_type text not null,
    record_id bigint not null,
    request_id text check (length(request_id) <= 128),
    body text,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    started_at timestamptz,
    code integer,
    duration_ms integer,
    error text,
    answer text,
    completed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, webhook_id) references app.webhooks on delete cascade,
    check (status = 'pending' or next_attempt_at is null),
    check (status = 'delivered' or body is not null)
);
comment on table app.webhook_deliveries is 'Messages to webhooks, open and closed.';
comment on column app.webhook_deliveries.id is
    'Identifier, given by the database. It orders the messages about a record.';
comment on column app.webhook_deliveries.message_id is 'The header webhook-id, the same for every attempt.';
comment on column app.webhook_deliveries.record_type is 'The type of the record, such as leads.';
comment on column app.webhook_deliveries.record_id is 'The record.';
comment on column app.webhook_deliveries.request_id is 'The X-Request-Id of the request that made the change.';
comment on column app.webhook_deliveries.body is
    'The message as JSON, exactly as it is signed and sent; null after a large message is delivered.';
comment on column app.webhook_deliveries.status is 'pending, delivered or failed; failed messages are not retried.';
comment on column app.webhook_deliveries.next_attempt_at is
    'When the next attempt is due; null for closed deliveries and behind an earlier open one of the record.';
comment on column app.webhook_deliveries.leased_until is
    'The end of a sender''s reservation; the delivery is due again afterwards.';
comment on column app.webhook_deliveries.started_at is 'When the current attempt began.';
comment on column app.webhook_deliveries.code is 'The status code of the last response; null without a response.';
comment on column app.webhook_deliveries.duration_ms is 'The duration of the last attempt in milliseconds.';
comment on column app.webhook_deliveries.answer is 'The first kilobyte of the last response.';
comment on column app.webhook_deliveries.completed_at is 'When it was delivered or given up.';

call app.isolate('app.webhook_deliveries', 'pipeline_admin', 'pipeline_jobs');

create trigger touch before update on app.webhook_deliveries for each row execute function app.touch();

create function app.delivery_queued() returns trigger language plpgsql as $$
begin
    -- Until this insert commits, closing the first open delivery waits and then finds this one.
    perform from app.webhook_deliveries d
        where d.organization_id = new.organization_id and d.webhook_id = new.webhook_id
          and d.record_type = new.record_type and d.record_id = new.record_id and d.status = 'pending'
        order by d.id limit 1 for update;
    new.next_attempt_at := case when not found then now() end;
    return new;
end
$$;
comment on function app.delivery_queued is
    'Trigger: makes a message due now, or after the earlier open ones about its record (webhook_deliveries_open).';
create trigger queue before insert on app.webhook_deliveries for each row
    when (new.status = 'pending' and new.next_attempt_at is null) execute function app.delivery_queued();

create index webhook_deliveries_webhook on app.webhook_deliveries (organization_id, webhook_id, id);
-- The due deliveries of each webhook.
create index webhook_deliveries_due on app.webhook_deliveries (organization_id, webhook_id, next_attempt_at, id)
    where next_attempt_at is not null;
create index webhook_deliveries_open on app.webhook_deliveries (organization_id, webhook_id, record_type, record_id, id)
    where status = 'pending';
-- Old closed deliveries, for deletion.
create index webhook_deliveries_completed on app.webhook_deliveries (organization_id, completed_at)
    where completed_at is not null;

grant
    select, insert (organization_id, webhook_id, event, record_type, record_id, request_id, body, next_attempt_at),
    update (status, attempts, next_attempt_at, completed_at)
    on app.webhook_deliveries to pipeline_admin;
grant
    select, insert (organization_id, webhook_id, event, record_type, record_id, request_id, body, next_attempt_at),
    update (body, status, attempts, next_attempt_at, leased_until, started_at, code, duration_ms, error, answer,
        completed_at), delete
    on app.webhook_deliveries to pipeline_jobs;
grant
    select (organization_id, id, webhook_id, request_id, next_attempt_at, leased_until, started_at),
    update (leased_until)
    on app.webhook_deliveries to pipeline_lookup;

create view app.webhook_records with (security_invoker = true) as
select
    webhook.id, webhook.organization_id, webhook.url, webhook.events, webhook.description, webhook.active,
    app.iso(webhook.paused_at) as paused_at, app.iso(state.failing_since) as failing_since, webhook.created_by,
    app.created_by_kind(webhook.created_by, webhook.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = webhook.created_by),
        (select key.name from app.api_keys as key where key.id = webhook.created_by_key)
    ) as created_by_name,
    app.iso(webhook.created_at) as created_at, app.iso(webhook.updated_at) as updated_at
from app.webhooks as webhook
join app.webhook_states as state
    on state.organization_id = webhook.organization_id and state.webhook_id = webhook.id
where webhook.deleted_at is null;
comment on view app.webhook_records is 'Webhooks that are not deleted, as the API returns them.';
call app.present('app.webhook_records', 'pipeline_admin', 'app.webhooks', 'app.webhook_states');
comment on column app.webhook_records.created_by_kind is
    'Kind of the creator: user, key, or system after the administrator''s seat was removed.';

create view app.webhook_delivery_records with (security_invoker = true) as
select
    delivery.id, delivery.organization_id, delivery.webhook_id, delivery.message_id, delivery.event,
    delivery.record_type, delivery.record_id, delivery.status, delivery.attempts,
    app.iso(delivery.next_attempt_at) as next_attempt_at, delivery.code, delivery.duration_ms, delivery.error,
    delivery.answer, app.iso(delivery.completed_at) as completed_at, app.iso(delivery.created_at) as created_at,
    app.iso(delivery.updated_at) as updated_at
from app.webhook_deliveries as delivery
join app.webhooks as webhook
    on webhook.organization_id = delivery.organization_id and webhook.id = delivery.webhook_id
where webhook.deleted_at is null;
comment on view app.webhook_delivery_records is 'Deliveries as the API returns them, without the message body.';
call app.present('app.webhook_delivery_records', 'pipeline_admin', 'app.webhook_deliveries');

-- The records in messages.
grant select on app.lead_records, app.note_records, app.task_records, app.contract_records, app.deal_records,
    app.company_records, app.contact_records, app.quote_records, app.interview_invite_records,
    app.signature_request_records to pipeline_jobs;

set local role pipeline_lookup;

create function app.webhook_lease(p_limit integer, p_each integer, p_lease interval)
    returns table (organization_id bigint, id bigint, request_id text)
    language sql volatile security definer
    -- As in app.outbox_lease, for webhook_deliveries_due.
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_material = off set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    with recursive waiting as (
        (select d.organization_id, d.webhook_id from app.webhook_deliveries d where d.next_attempt_at is not null
         order by d.organization_id, d.webhook_id limit 1)
        union all
        select next.organization_id, next.webhook_id
        from waiting w
        cross join lateral (
            select d.organization_id, d.webhook_id from app.webhook_deliveries d
            where d.next_attempt_at is not null
                and (d.organization_id, d.webhook_id) > (w.organization_id, w.webhook_id)
            order by d.organization_id, d.webhook_id limit 1) next),
    -- A delivery in flight still counts as one of the first due ones.
    places as materialized (
        select w.organization_id, first.*
        from waiting w
        cross join lateral (
            select s.failing_since is not null as failing from app.webhooks h
            join app.webhook_states s on s.organization_id = h.organization_id and s.webhook_id = h.id
            where h.organization_id = w.organization_id and h.id = w.webhook_id
                and h.active and h.deleted_at is null) hook
        cross join lateral (
            select d.id, coalesce(d.leased_until > now(), false)
                or coalesce(d.started_at > now() - interval '15 seconds', false) as in_hand,
                row_number() over (order by d.next_attempt_at, d.id) as place
            from app.webhook_deliveries d
            where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id and d.next_attempt_at <= now()
            order by d.next_attempt_at, d.id limit case when hook.failing then 1 else 5 end) first),
    turns as (
        select p.*, row_number() over (partition by p.organization_id order by p.in_hand desc, p.place, p.id) as turn
        from places p),
    due as materialized (
        select t.organization_id, t.id from turns t
        where t.turn <= p_each and not t.in_hand order by t.turn, random() limit p_limit)
    update app.webhook_deliveries d set leased_until = now() + p_lease
    from due where d.organization_id = due.organization_id and d.id = due.id
        and (d.leased_until is null or d.leased_until <= now()) and d.next_attempt_at <= now()
    returning d.organization_id, d.id, d.request_id
$$;
comment on function app.webhook_lease is
    'Reserves due deliveries in turns among organizations. Limits on reserved and running deliveries: p_each for an '
    'organization, 5 for a webhook, 1 for a failing webhook.';

create function app.webhook_backlog() returns table (waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select count(d.id), cast(coalesce(extract(epoch from now() - min(d.next_attempt_at)), 0) as double precision)
    from app.webhook_deliveries d
    join app.webhooks h on h.organization_id = d.organization_id and h.id = d.webhook_id
    where d.next_attempt_at <= now() and h.active and h.deleted_at is null
$$;
comment on function app.webhook_backlog is 'The number of due deliveries, and the age of the oldest in seconds.';

create function app.webhooks_counted() returns table (state text, webhooks bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select s.state, count(h.state) from (values ('failing'), ('paused'), ('working')) s (state)
    left join (
        select case when h.paused_at is not null then 'paused' when f.failing_since is null then 'working'
            else 'failing' end as state
        from app.webhooks h
        join app.webhook_states f on f.organization_id = h.organization_id and f.webhook_id = h.id
        where h.deleted_at is null and (h.active or h.paused_at is not null)) h on h.state = s.state
    group by s.state order by s.state
$$;
comment on function app.webhooks_counted is
    'The number of working, failing and paused webhooks of all organizations, without those that a user deactivated.';

grant execute on function app.webhook_lease to pipeline_jobs;
grant execute on function app.webhook_backlog, app.webhooks_counted to pipeline_app;

create function app.webhooks_behind() returns table (organization_id bigint, webhook_id bigint)
    language sql stable security definer
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    select h.organization_id, h.id from app.webhooks h
    join app.webhook_states s on s.organization_id = h.organization_id and s.webhook_id = h.id
    where h.active and h.deleted_at is null and (
        exists (
            select from app.changes c
            where c.organization_id = h.organization_id
                and (c.transaction_id, c.id) > (s.after_transaction, s.after_id)
                and c.transaction_id
                    < cast(cast(pg_snapshot_xmin(app.changes_snapshot(h.organization_id)) as text) as bigint))
        -- No change tells of an expiry.
        or exists (
            select from app.api_keys k
            where k.organization_id = h.organization_id and k.id = h.created_by_key and k.expires_at <= now()))
    order by random()
$$;
comment on function app.webhooks_behind is
    'The active webhooks with unprocessed changes or an expired API key, in random order.';
grant execute on function app.webhooks_behind to pipeline_jobs;


-- Stored responses for repeated requests. The policies compare the scope, so only the original caller gets a response.

set local role pipeline_owner;

create table app.idempotency_keys (
    organization_id bigint not null references app.organizations (id),
    scope text not null check (length(scope) between 1 and 120),
    key text not null check (length(key) between 1 and 255),
    request_hash text not null,
    status integer not null,
    headers jsonb not null,
    body bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours',
    primary key (organization_id, scope, key)
);
comment on table app.idempotency_keys is 'Stored responses by the client''s key.';
comment on column app.idempotency_keys.scope is 'The caller: user:7, key:5 (an API key), invite:12 or capture:3.';
comment on column app.idempotency_keys.key is 'The Idempotency-Key header.';
comment on column app.idempotency_keys.request_hash is
    'Hash of the request. Another request with the same key is refused.';
comment on column app.idempotency_keys.status is 'Status of the response.';
comment on column app.idempotency_keys.headers is 'Headers of the response.';
comment on column app.idempotency_keys.body is 'Body of the response.';

call app.isolate('app.idempotency_keys', 'pipeline_jobs');

-- For deletion by the worker.
create index idempotency_keys_expiry on app.idempotency_keys (organization_id, expires_at);

create policy own on app.idempotency_keys to pipeline_member
    using (scope in ('user:' || nullif(current_setting('app.user_id', true), ''),
                     'key:' || nullif(current_setting('app.key_id', true), '')));
create policy public_form on app.idempotency_keys to pipeline_public
    using (scope = 'capture:' || nullif(current_setting('app.template_id', true), '')
           or scope = 'invite:' || nullif(current_setting('app.invite_id', true), '')
           and exists (select from app.interview_invites i
                       where i.organization_id = idempotency_keys.organization_id
                         and i.id = nullif(current_setting('app.invite_id', true), '')::bigint));
grant select, insert (organization_id, scope, key, request_hash, status, headers, body), delete
    on app.idempotency_keys to pipeline_member, pipeline_public;
grant select (organization_id, expires_at), delete on app.idempotency_keys to pipeline_jobs;


-- Erases a person's data outside the records, such as events, stored responses and webhook messages; sql/personal/
-- erases the records. Serving roles have no rights here, so definer functions compare the organization themselves.

set local role pipeline_owner;

grant select (payload), delete on app.outbox to pipeline_lookup;
grant select (organization_id, id, user_id, effect_key, title, body, data, created_at), delete on app.notifications
    to pipeline_lookup;
grant select (organization_id, effect_key), delete on app.emails to pipeline_lookup;
grant select (organization_id, scope, headers, body), update (request_hash, status, headers, body)
    on app.idempotency_keys to pipeline_lookup;
grant select (organization_id, answers), delete on app.capture_drafts to pipeline_lookup;
grant select (record_type, record_id, status, body, error, answer), update (body, error, answer, started_at)
    on app.webhook_deliveries to pipeline_lookup;

create function app.words_erased(value text, patterns text[]) returns text
    language sql immutable parallel safe
    return regexp_replace(regexp_replace(value, patterns[1], '[erased]', 'g'), patterns[2], '[erased]', 'g');
comment on function app.words_erased is 'A text with every match of two patterns replaced by [erased].';
grant execute on function app.words_erased to pipeline_admin;

create function app.layout_erased(value jsonb, patterns text[]) returns jsonb
    language sql immutable parallel safe
    return (
        select coalesce(jsonb_object_agg(part.key, case jsonb_typeof(part.value)
            when 'string' then to_jsonb(app.words_erased(part.value #>> '{}', patterns)) else part.value end), '{}')
        from jsonb_each(value) as part);
comment on function app.layout_erased is
    'A contract''s layout or own fields, with app.words_erased applied to their texts.';
grant execute on function app.layout_erased to pipeline_admin;

create function app.values_erased(value jsonb) returns jsonb
    language sql immutable parallel safe
    return (select jsonb_object_agg(field, jsonb_build_object('old', null, 'new', null))
            from jsonb_object_keys(value) as field);
comment on function app.values_erased is 'The changed fields with null for both values.';

create function app.message_erased(body text, record_id bigint, status text) returns text
    language sql stable parallel safe
    return case when status <> 'delivered' then cast(
        jsonb_set(cast(body as jsonb), '{data}', jsonb_build_object('id', record_id)) as text) end;
comment on function app.message_erased is
    'A webhook message reduced to the record''s id, as for a deleted record; null for a delivered one.';
grant execute on function app.values_erased, app.message_erased to pipeline_lookup;

set local role pipeline_lookup;

create function app.person_notifications(p_leads bigint[], p_invites bigint[])
    returns table (id bigint, title text, body text, created_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select n.id, n.title, n.body, n.created_at from app.notifications n
    where n.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[]))
$$;
comment on function app.person_notifications is
    'The notifications of all users of the current organization about these leads and invites.';

create function app.changes_erase(p_type text, p_record_ids bigint[], p_patterns text[] default null) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with told as (
        -- Without started_at, the response to a message in flight is not stored.
        update app.webhook_deliveries d
        set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
        where d.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and d.record_type = p_type and d.record_id = any (p_record_ids)
          and (p_patterns is null or d.body ~ any (p_patterns) or d.answer ~ any (p_patterns)
               or d.error ~ any (p_patterns))),
    erased as (
        update app.changes c set changed = app.values_erased(c.changed)
        where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and c.type = p_type and c.record_id = any (p_record_ids) and c.changed <> '{}'
          and (p_patterns is null or cast(c.changed as text) ~ any (p_patterns))
        returning 1)
    select count(*) from erased
$$;
comment on function app.changes_erase is
    'Erases the values in recorded changes and webhook messages of these records, or only values that match a pattern. '
    'Field names and times stay. Returns the number of changes. Index changes_record.';

create function app.traces_erase(
    p_leads bigint[], p_invites bigint[], p_emails bigint[], p_requests bigint[], p_paths text[], p_words text[],
    p_sought text[]
) returns void
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_events bigint[] := array(
        select o.id from outbox o where o.organization_id = v_organization
            and (o.payload ->> 'lead_id' = any(p_leads::text[]) or o.payload ->> 'invite_id' = any(p_invites::text[])
                 or o.payload ->> 'email_id' = any(p_emails::text[]))
        order by o.id);
begin
    -- Before any other lock, because this waits for running events.
    perform pg_advisory_xact_lock(app.outbox_lock(event)) from unnest(v_events) event;
    delete from outbox o where o.organization_id = v_organization and o.id = any(v_events);
    -- The emails of these notifications; their subjects have the contract's name.
    delete from emails e using notifications n
    where n.organization_id = v_organization and n.data ->> 'request_id' = any(p_requests::text[])
        and e.organization_id = v_organization and e.effect_key = n.effect_key || ':' || n.user_id;
    delete from notifications n where n.organization_id = v_organization
        and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[])
             or n.data ->> 'request_id' = any(p_requests::text[]));
    -- Not deleted: a repeated request must not create the record again.
    update idempotency_keys k set request_hash = '', status = 404, headers = '{}', body = ''
    where k.organization_id = v_organization
        and (k.scope in (select 'invite:' || invite from unnest(p_invites) invite)
             or substring(k.headers ->> 'Location' from '/api(/[a-z-]+/[0-9]+)') = any(p_paths)
             or exists (select from unnest(p_words) word where position(convert_to(word, 'UTF8') in k.body) > 0));
    delete from capture_drafts d where d.organization_id = v_organization
        and exists (select from unnest(p_words) word where position(lower(word) in lower(d.answers::text)) > 0);
    -- Includes earlier deleted records of the person.
    update changes c set changed = app.values_erased(c.changed)
    where c.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word where position(lower(word) in lower(c.changed::text)) > 0);
    update webhook_deliveries d
    set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
    where d.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word
                    where position(lower(word) in lower(concat_ws(' ', d.body, d.answer, d.error))) > 0);
    -- Search words of an export may contain the name.
    update changes c set details = jsonb_set(c.details, '{filter,search}', 'null')
    where c.organization_id = v_organization and c.action = 'exported'
        and exists (select from unnest(p_sought) word,
                        regexp_split_to_table(lower(c.details #>> '{filter,search}'), '\s+') part
                    where part = lower(word) or length(part) > 2 and position(part in lower(word)) > 0);
end
$$;
comment on function app.traces_erase is
    'Deletes the events of these leads, invites and emails, and the notifications of leads, invites and signature '
    'requests. Blanks stored responses about these paths (/leads/7) or with one of the words, and deletes drafts of '
    'public forms with one. Also blanks these words in recorded changes and webhook messages, and exports'' searches for '
    'one of p_sought or a part of it.';

grant execute on function app.person_notifications, app.changes_erase, app.traces_erase to pipeline_admin;


-- Ends overdue sessions. A stolen login could lift its own timeouts and hold locks for ever. Ending a login's sessions
-- needs its rights, so the function has its own owner: other functions do not get them.

set local role pipeline_owner;
grant usage, create on schema app to pipeline_watch;
set local role pipeline_watch;

create function app.overdue_end() returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with overdue as materialized (
        select a.pid from pg_stat_activity a
        where a.datname = current_database() and a.usename in ('pipeline_app', 'pipeline_forms', 'pipeline_jobs')
          and a.xact_start < now() - case a.usename
              when 'pipeline_jobs' then interval '60 minutes' else interval '15 minutes' end
    )
    select count(*) from overdue where pg_terminate_backend(overdue.pid)
$$;
comment on function app.overdue_end is
    'Ends the sessions of the service''s logins with a transaction older than any timeout of the service. Returns '
    'their number.';

revoke execute on function app.overdue_end from public;
grant execute on function app.overdue_end to pipeline_jobs;

set local role pipeline_owner;
revoke all on schema app from pipeline_watch;

set local role none;


-- Ends the set-up: from here on only pipeline_owner may create objects.

set local role pipeline_owner;
revoke create on schema app from pipeline_lookup;
set local role none;
