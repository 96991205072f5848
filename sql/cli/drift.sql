--:name search_only :scalar
--:doc Search names in this schema only.
select set_config('search_path', quote_ident(cast(:schema as text)), true) as search_path;

--:name schema_parts :many
--:doc All parts of the schema by kind, name and definition; whole catalogs.
with relation as (
    select
        class.oid,
        class.relkind,
        class.relpersistence,
        -- As text, because a concatenation with the type name is cut to 63 bytes.
        cast(class.relname as text) as name,
        class.reloptions,
        class.relrowsecurity,
        class.relforcerowsecurity,
        class.relowner,
        coalesce(class.relacl, acldefault('r', class.relowner)) as rights
    from pg_class as class
    where class.relnamespace = to_regnamespace('app') and class.relkind in ('r', 'p', 'v', 'm', 'f')
),

routine as (
    select
        routine.oid,
        cast(cast(routine.oid as regprocedure) as text) as name,
        routine.proowner,
        coalesce(routine.proacl, acldefault('f', routine.proowner)) as rights
    from pg_proc as routine
    where routine.pronamespace = to_regnamespace('app')
),

ours as (
    select
        role.oid,
        role.rolname,
        role.rolcanlogin,
        role.rolinherit,
        role.rolsuper,
        role.rolcreaterole,
        role.rolcreatedb,
        role.rolreplication,
        role.rolbypassrls
    from pg_roles as role
    where role.rolname in (
        'pipeline_owner', 'pipeline_lookup', 'pipeline_watch', 'pipeline_member', 'pipeline_admin',
        'pipeline_public', 'pipeline_app', 'pipeline_forms', 'pipeline_jobs'
    )
),

-- Parts of the server with changed rights.
taken as (
    select cast(cast(routine.oid as regprocedure) as text) as name, routine.proacl as rights
    from pg_proc as routine
    where routine.pronamespace = to_regnamespace('pg_catalog') and routine.proacl is not null
    union all
    select 'the table ' || cast(cast(class.oid as regclass) as text), class.relacl
    from pg_class as class
    left join pg_init_privs as first
        on first.objoid = class.oid and first.classoid = cast('pg_class' as regclass) and first.objsubid = 0
    where
        class.relnamespace in (to_regnamespace('pg_catalog'), to_regnamespace('information_schema'))
        and class.relacl is distinct from first.initprivs
    union all
    select 'the parameter ' || own.parname, own.paracl
    from pg_parameter_acl as own
    union all
    select 'the database', coalesce(own.datacl, acldefault('d', own.datdba))
    from pg_database as own
    where own.datname = current_database()
    union all
    select 'the language ' || own.lanname, own.lanacl
    from pg_language as own
),

-- For objects of the server, only the rights of public and our roles count.
held as (
    select relation.name, relation.rights, true as ours from relation
    union all
    select class.relname, coalesce(class.relacl, acldefault('s', class.relowner)), true
    from pg_class as class
    where class.relnamespace = to_regnamespace('app') and class.relkind = 'S'
    union all
    select routine.name, routine.rights, true from routine
    union all
    select taken.name, taken.rights, false from taken
    union all
    select relation.name || '.' || own.attname, own.attacl, true
    from pg_attribute as own
    inner join relation on relation.oid = own.attrelid
    where own.attacl is not null
    union all
    select 'the schema ' || namespace.nspname, namespace.nspacl, namespace.nspname = 'app'
    from pg_namespace as namespace
    where namespace.nspname in ('app', 'extensions', 'public')
)

select
    case relation.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind,
    relation.name,
    concat_ws(
        ', ',
        'of ' || cast(cast(relation.relowner as regrole) as text),
        case when relation.relrowsecurity then 'row-level security enabled' end,
        case when relation.relforcerowsecurity then 'forced' end,
        case when relation.relpersistence = 'u' then 'unlogged' end,
        'with the rows of ' || (
            select string_agg(cast(cast(child.inhrelid as regclass) as text), ', ' order by child.inhrelid)
            from pg_inherits as child
            where child.inhparent = relation.oid
        ),
        -- The operator owns the vacuum settings.
        array_to_string(
            array(
                select option.value
                from unnest(relation.reloptions) as option (value)
                where not starts_with(option.value, 'autovacuum_')
            ),
            ', '
        ),
        case when relation.relkind in ('v', 'm') then E'\n' || pg_get_viewdef(relation.oid) end
    ) as definition
from relation
union all
select
    'column',
    relation.name || '.' || own.attname,
    concat_ws(
        ' ',
        format_type(own.atttypid, own.atttypmod),
        'collate ' || nullif(own_collation.collname, 'default'),
        case when own.attnotnull then 'not null' end,
        case own.attidentity when 'a' then 'always as identity' when 'd' then 'by default as identity' end,
        case own.attgenerated when 's' then 'stored' when 'v' then 'virtual' end,
        'default ' || pg_get_expr(standard.adbin, standard.adrelid)
    )
from pg_attribute as own
inner join relation on relation.oid = own.attrelid
left join pg_attrdef as standard on standard.adrelid = own.attrelid and standard.adnum = own.attnum
left join pg_collation as own_collation on own_collation.oid = own.attcollation
where own.attnum > 0 and not own.attisdropped
union all
select
    'constraint',
    relation.name || '.' || own.conname,
    pg_get_constraintdef(own.oid) || case
        when exists (select from pg_trigger where tgconstraint = own.oid and tgenabled <> 'O')
            then ' (triggers not enabled)'
        else ''
    end
from pg_constraint as own
inner join relation on relation.oid = own.conrelid
union all
select
    'index',
    class.relname,
    pg_get_indexdef(own.indexrelid) || case when own.indisvalid then '' else ' (half-built)' end
from pg_index as own
inner join relation on relation.oid = own.indrelid
inner join pg_class as class on class.oid = own.indexrelid
where
    not exists (
        select from pg_constraint as rule
        where rule.conindid = own.indexrelid and rule.contype in ('p', 'u', 'x')
    )
union all
select
    'statistics',
    own.stxname,
    pg_get_statisticsobjdef(own.oid)
from pg_statistic_ext as own
inner join relation on relation.oid = own.stxrelid
union all
select
    'policy',
    relation.name || '.' || own.polname,
    concat_ws(
        ' ',
        case when own.polpermissive then 'as permissive' else 'as restrictive' end,
        'for ' || case own.polcmd
            when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all'
        end,
        'to ' || (
            select string_agg(coalesce(role.rolname, 'public'), ', ' order by role.rolname)
            from unnest(own.polroles) as who (oid)
            left join pg_roles as role on role.oid = who.oid
        ),
        'using (' || pg_get_expr(own.polqual, own.polrelid) || ')',
        'with check (' || pg_get_expr(own.polwithcheck, own.polrelid) || ')'
    )
from pg_policy as own
inner join relation on relation.oid = own.polrelid
union all
select
    'trigger',
    relation.name || '.' || own.tgname,
    pg_get_triggerdef(own.oid, true) || case own.tgenabled when 'O' then '' else ' (not enabled)' end
from pg_trigger as own
inner join relation on relation.oid = own.tgrelid
where not own.tgisinternal
union all
select
    'function',
    routine.name,
    'of ' || cast(cast(routine.proowner as regrole) as text) || E'\n' || case
        when kind.prokind = 'a' then 'aggregate' else pg_get_functiondef(routine.oid)
    end
from routine
inner join pg_proc as kind on kind.oid = routine.oid
union all
select
    'rule',
    relation.name || '.' || own.rulename,
    pg_get_ruledef(own.oid) || case own.ev_enabled when 'O' then '' else ' (not enabled)' end
from pg_rewrite as own
inner join relation on relation.oid = own.ev_class
where own.rulename <> '_RETURN'
union all
select
    'sequence',
    class.relname,
    concat_ws(
        ' ',
        format_type(own.seqtypid, null),
        'from', own.seqstart, 'by', own.seqincrement, 'between', own.seqmin, 'and', own.seqmax,
        'in steps of', own.seqcache,
        case when own.seqcycle then 'cycle' end
    )
from pg_sequence as own
inner join pg_class as class on class.oid = own.seqrelid
where class.relnamespace = to_regnamespace('app')
union all
select
    'type',
    own.typname,
    concat_ws(
        ' ',
        'of ' || cast(cast(own.typowner as regrole) as text),
        case when own.typbasetype <> 0 then format_type(own.typbasetype, own.typtypmod) end,
        case when own.typnotnull then 'not null' end,
        'default ' || own.typdefault,
        (
            select string_agg(quote_literal(label.enumlabel), ', ' order by label.enumsortorder)
            from pg_enum as label
            where label.enumtypid = own.oid
        ),
        (
            select string_agg(pg_get_constraintdef(rule.oid), ' ' order by rule.conname)
            from pg_constraint as rule
            where rule.contypid = own.oid
        ),
        (
            select
                string_agg(
                    part.attname || ' ' || format_type(part.atttypid, part.atttypmod), ', ' order by part.attnum
                )
            from pg_attribute as part
            inner join pg_class as class on class.oid = part.attrelid and class.relkind = 'c'
            where part.attrelid = own.typrelid and part.attnum > 0 and not part.attisdropped
        )
    )
from pg_type as own
left join pg_class as class on class.oid = own.typrelid
where
    own.typnamespace = to_regnamespace('app')
    and (own.typtype in ('e', 'd', 'r') or (own.typtype = 'c' and class.relkind = 'c'))
union all
select
    'schema',
    own.nspname,
    'of ' || cast(cast(own.nspowner as regrole) as text)
from pg_namespace as own
where own.nspname = 'app'
union all
select
    'extension',
    own.extname,
    'in ' || cast(cast(own.extnamespace as regnamespace) as text)
from pg_extension as own
where own.extname in ('btree_gin', 'pg_trgm', 'unaccent')
union all
-- Objects of other kinds, such as operators; in the schema of the extensions, objects of no extension.
select
    object.type,
    object.identity,
    ''
from pg_depend as own
cross join lateral pg_identify_object(own.classid, own.objid, 0) as object
where
    own.refclassid = cast('pg_namespace' as regclass)
    and case own.refobjid
        when to_regnamespace('app')
            then cast(cast(own.classid as regclass) as text) not in (
                'pg_class', 'pg_proc', 'pg_type', 'pg_statistic_ext', 'pg_publication_namespace'
            )
        when to_regnamespace('extensions')
            then not exists (
                select from pg_depend as part
                where part.classid = own.classid and part.objid = own.objid and part.deptype = 'e'
            )
        else false
    end
union all
select
    'cast',
    format_type(own.castsource, null) || ' as ' || format_type(own.casttarget, null),
    concat_ws(' ', own.castcontext, 'by', nullif(own.castfunc, 0))
from pg_cast as own
where
    own.oid >= 16384
    and not exists (
        select from pg_depend as part
        where part.classid = cast('pg_cast' as regclass) and part.objid = own.oid and part.deptype = 'e'
    )
union all
-- Providers keep event triggers of other kinds.
select
    'event trigger',
    own.evtname,
    'at login' || case own.evtenabled when 'O' then '' else ' (not enabled)' end
from pg_event_trigger as own
where own.evtevent = 'login'
union all
select
    'setting',
    own.name,
    current_setting(own.name)
from
    unnest(
        array[
            'gin_fuzzy_search_limit', 'row_security', 'session_replication_role', 'standard_conforming_strings',
            'transform_null_equals'
        ]
    ) as own (name)
union all
select
    'default rights',
    concat_ws(
        ' ',
        case own.defaclobjtype
            when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types'
            else 'others'
        end,
        'of', ours.rolname
    ),
    array_to_string(own.defaclacl, ', ')
from pg_default_acl as own
inner join ours on ours.oid = own.defaclrole
where own.defaclnamespace = 0
union all
-- The operator owns the limits and the planner's settings of the logins.
select
    'role',
    ours.rolname,
    concat_ws(
        ', ',
        case when ours.rolcanlogin then 'login' else 'no login' end,
        case when ours.rolinherit then 'inherits' end,
        case when ours.rolsuper then 'superuser' end,
        case when ours.rolcreaterole then 'creates roles' end,
        case when ours.rolcreatedb then 'creates databases' end,
        case when ours.rolreplication then 'replicates' end,
        case when ours.rolbypassrls then 'bypasses row-level security' end,
        (
            select
                'member of ' || string_agg(
                    distinct concat_ws(
                        ' ',
                        cast(cast(own.roleid as regrole) as text),
                        case when own.admin_option then 'with admin' end,
                        -- PostgreSQL 15 lacks these columns.
                        case to_jsonb(own) ->> 'inherit_option' when 'true' then 'with inherit' end,
                        case to_jsonb(own) ->> 'set_option' when 'false' then 'without set' end
                    ), ', '
                )
            from pg_auth_members as own
            where own.member = ours.oid
        ),
        (
            select string_agg(setting.value, ', ' order by setting.value)
            from pg_db_role_setting as own
            inner join pg_database as place on place.datname = current_database()
            cross join lateral unnest(own.setconfig) as setting (value)
            where
                own.setrole in (ours.oid, 0) and own.setdatabase in (place.oid, 0)
                and setting.value ~ '^(search_path|role|row_security|session_replication_role|\w+_libraries|app\.\w+)='
        )
    )
from ours
union all
select
    'grant',
    lower(entry.privilege_type) || ' on ' || held.name || ' to ' || coalesce(role.rolname, 'public'),
    case when bool_or(entry.is_grantable) then 'may be passed on' else '' end
from held
cross join lateral aclexplode(held.rights) as entry
left join pg_roles as role on role.oid = entry.grantee
where held.ours or entry.grantee = 0 or role.rolname like 'pipeline\_%'
group by held.name, entry.privilege_type, role.rolname;
