--:name schema_parts :many
--:doc All parts of the schema by kind, name and definition; whole catalogs.
with relation as (
    select
        class.oid,
        class.relkind,
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

-- Functions of the server with changed rights.
taken as (
    select cast(cast(routine.oid as regprocedure) as text) as name, routine.proacl as rights
    from pg_proc as routine
    where routine.pronamespace = to_regnamespace('pg_catalog') and routine.proacl is not null
),

-- For objects of the server, only the rights of public and our roles count.
held as (
    select relation.name, relation.rights, true as ours from relation
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
    union all
    select 'the database', own.datacl, false
    from pg_database as own
    where own.datname = current_database()
    union all
    select 'the language ' || own.lanname, own.lanacl, false
    from pg_language as own
)

select
    case relation.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind,
    relation.name,
    concat_ws(
        ', ',
        'of ' || cast(cast(relation.relowner as regrole) as text),
        case when relation.relrowsecurity then 'row-level security enabled' end,
        case when relation.relforcerowsecurity then 'forced' end,
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
        'collate ' || own_collation.collname,
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
    pg_get_constraintdef(own.oid)
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
        case when own.polpermissive then 'permissive' else 'restrictive' end,
        'for ' || cast(own.polcmd as text),
        'to ' || (
            select string_agg(coalesce(role.rolname, 'public'), ', ' order by role.rolname)
            from unnest(own.polroles) as who (oid)
            left join pg_roles as role on role.oid = who.oid
        ),
        'using ' || pg_get_expr(own.polqual, own.polrelid),
        'check ' || pg_get_expr(own.polwithcheck, own.polrelid)
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
    'of ' || cast(cast(routine.proowner as regrole) as text) || E'\n' || pg_get_functiondef(routine.oid)
from routine
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
