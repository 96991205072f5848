"""What the distribution asks the catalog."""

TABLES = """
select c.relname, case c.relname when 'organizations' then 'id' else 'organization_id' end as key
from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' order by c.oid"""
FOREIGN_KEYS = """
select conrelid::regclass::text, conname, pg_get_constraintdef(oid), confdelsetcols is not null
from pg_constraint where contype = 'f' and connamespace = 'app'::regnamespace order by oid"""
# Unique over all organizations: no shard can know that.
UNIQUE_ALONE = """
select i.indrelid::regclass::text, i.indexrelid::regclass::text,
    (select conname from pg_constraint where conindid = i.indexrelid and contype = 'u')
from pg_index i join pg_class c on c.oid = i.indrelid
where c.relnamespace = 'app'::regnamespace and i.indisunique and not c.relname = any(%s) and not exists (
    select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    and a.attname = case c.relname when 'organizations' then 'id' else 'organization_id' end)"""
POLICIES = """
select tablename, policyname, qual, with_check from pg_policies
where schemaname = 'app' and permissive = %s order by tablename, policyname"""
# Functions in SQL: Citus plans no statement in them that has a parameter.
IN_SQL = """
select p.prorettype::regtype::text, p.proretset, p.prosrc, pg_get_functiondef(p.oid)
from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = 'app'::regnamespace and l.lanname = 'sql' and p.prosqlbody is null
    and p.prosrc ~* '\\m(from|update|insert|delete)\\M'"""
ON_TRANSITION_TABLES = """
select distinct pg_get_functiondef(p.oid) from pg_proc p join pg_trigger t on t.tgfoid = p.oid
where p.pronamespace = 'app'::regnamespace and coalesce(t.tgnewtable, t.tgoldtable) is not null"""
DEFAULTS = """
select distinct a.attrelid::regclass::text, x.grantee::regrole::text, (
    select string_agg(quote_ident(d.attname), ', ') from pg_attribute d
    where d.attrelid = a.attrelid and d.attnum > 0 and d.attgenerated = '' and (d.atthasdef or d.attidentity <> ''))
from pg_attribute a cross join aclexplode(a.attacl) x join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and x.privilege_type = 'INSERT'"""
OBJECTS = """
select definition, kind, name, owner from (
    select p.oid, pg_get_functiondef(p.oid) as definition, case prokind when 'p' then 'procedure' else 'function' end
        as kind, p.oid::regprocedure::text as name, p.proowner::regrole::text as owner
    from pg_proc p where p.pronamespace = 'app'::regnamespace
    union all
    select c.oid, format('create or replace view %s with (%s) as %s', c.oid::regclass,
        array_to_string(c.reloptions, ', '), pg_get_viewdef(c.oid)), 'view', c.oid::regclass::text,
        c.relowner::regrole::text
    from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'v') as object
order by oid"""
GRANTS = """
select format('grant %s on %s %s to %s', x.privilege_type, kind, name,
    case x.grantee when 0 then 'public' else x.grantee::regrole::text end)
from (
    select case prokind when 'p' then 'procedure' else 'function' end as kind, oid::regprocedure::text as name,
        proacl as acl from pg_proc where pronamespace = 'app'::regnamespace
    union all
    select case relkind when 'S' then 'sequence' else 'table' end, oid::regclass::text, relacl
    from pg_class where relnamespace = 'app'::regnamespace and relkind in ('S', 'v')) as object, aclexplode(acl) as x"""
WITH_A_PLAN_OF_THEIR_OWN = """
select oid::regprocedure::text from pg_proc
where pronamespace = 'app'::regnamespace and proconfig::text like '%plan_cache_mode%'"""
