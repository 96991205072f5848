-- The roles, and what each login starts its sessions with.
--
-- Roles belong to the whole cluster: several databases share them, and two of these may be set up at the same
-- moment. So a role is made only when it is missing and changed only when it differs; whoever runs this file tries
-- it again when another database's set-up was faster. What each role is for stands in docs/database.md.
--
-- Everything in the schema app belongs to pipeline_owner, the functions that see past one organization to
-- pipeline_lookup, and the one that ends sessions to pipeline_watch. So every other file says whose its statements
-- are (`set local role`), whoever connects.

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
        -- It may end their sessions, for which it has their rights too (90_logins.sql); so it does nothing else.
        ('pipeline_app', 'pipeline_watch'),
        ('pipeline_forms', 'pipeline_watch'),
        ('pipeline_jobs', 'pipeline_watch')
    ) as m (role, member) loop
        if not exists (select from pg_auth_members
                       where roleid = wanted.role::regrole and member = wanted.member::regrole) then
            execute format('grant %I to %I', wanted.role, wanted.member);
        end if;
    end loop;

    -- jit off: compiling costs more than these statements run.
    -- No parallel workers: starting them costs more than they save, and a request would take the cores of others.
    -- random_page_cost for solid-state disks: with the default a frequent word is counted over the whole table.
    for wanted in
        select login, setting, value
        from unnest(array['pipeline_app', 'pipeline_forms', 'pipeline_jobs']) as login, lateral (values
            ('search_path', 'app, extensions, pg_catalog, pg_temp'),
            ('TimeZone', 'UTC'),
            -- What serves requests may reuse plans: planning is most of the cost of a page. A statement whose values
            -- decide its plan is not prepared (sql/README.md).
            ('plan_cache_mode', case login when 'pipeline_jobs' then 'force_custom_plan' else 'auto' end),
            ('jit', 'off'),
            ('max_parallel_workers_per_gather', '0'),
            ('random_page_cost', '1.1'),
            -- Imports and exports take more, each for its own transaction.
            ('statement_timeout', case login when 'pipeline_jobs' then '10min' else '5s' end),
            ('lock_timeout', case login when 'pipeline_jobs' then '5s' else '2s' end),
            ('idle_in_transaction_session_timeout',
             case login when 'pipeline_jobs' then '5min' else '30s' end)
        ) as s (setting, value)
        -- A restore leaves the logins that the server has as they are: other databases use them, too.
        where login = any (made) or current_setting('app.keep_logins', true) is distinct from 'on'
    loop
        if not exists (select from pg_roles where rolname = wanted.login
                       and rolconfig @> array[wanted.setting || '=' || wanted.value]) then
            -- A list of schemas stands unquoted, everything else as a literal.
            execute format(case wanted.setting when 'search_path' then 'alter role %I set %I to %s'
                           else 'alter role %I set %I to %L' end, wanted.login, wanted.setting, wanted.value);
        end if;
    end loop;

    if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant pipeline_owner, pipeline_lookup, pipeline_watch to %I', current_user);
    end if;
end
$roles$;
