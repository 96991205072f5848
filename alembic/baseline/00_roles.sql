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
