"""Catalog queries of the distribution."""

TABLES = """
select c.relname, case c.relname when 'organizations' then 'id' else 'organization_id' end as key
from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' order by c.oid"""
FOREIGN_KEYS = """
select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
from pg_constraint where contype = 'f' and connamespace = 'app'::regnamespace order by oid"""
# Unique over all organizations: no shard can check that.
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
# Citus cannot plan their statements with parameters.
IN_SQL = """
select p.prorettype::regtype::text, p.proretset, p.prosrc, pg_get_functiondef(p.oid)
from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = 'app'::regnamespace and l.lanname = 'sql' and p.prosqlbody is null
    and p.prosrc ~* '\\m(from|update|insert|delete)\\M'"""
# Statements with transition tables or several rows would need another node.
OF_TRIGGERS = """
select distinct pg_get_functiondef(p.oid) from pg_proc p join pg_trigger t on t.tgfoid = p.oid
where p.pronamespace = 'app'::regnamespace
    and (coalesce(t.tgnewtable, t.tgoldtable) is not null or p.prosrc ~ 'insert into [^;]*\\)\\s*select')"""
# Functions with a table's row as argument.
OF_ROWS = """
select p.oid::regprocedure::text, c.oid::regclass::text, pg_get_functiondef(p.oid),
    (select string_agg(distinct x.grantee::regrole::text, ', ') from aclexplode(p.proacl) x)
from pg_proc p join pg_type y on y.oid = p.proargtypes[0] join pg_class c on c.oid = y.typrelid
where p.pronamespace = 'app'::regnamespace and c.relkind = 'r' and p.prokind = 'f'"""
OF_THE_CONTEXT = """
select pg_get_functiondef(p.oid) from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = 'app'::regnamespace and l.lanname = 'plpgsql' and p.prokind = 'f'
    and p.proname <> 'routed_organization' and position(%s in p.prosrc) > 0"""
WITH_A_PATH = """
select p.oid::regprocedure::text from pg_proc p
where p.pronamespace = 'app'::regnamespace and p.prokind = 'f' and p.proconfig::text like '%search_path%'"""
DEFAULTS = """
select distinct a.attrelid::regclass::text, x.grantee::regrole::text, (
    select string_agg(quote_ident(d.attname), ', ') from pg_attribute d
    where d.attrelid = a.attrelid and d.attnum > 0 and d.attgenerated = '' and (d.atthasdef or d.attidentity <> ''))
from pg_attribute a cross join aclexplode(a.attacl) x join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and x.privilege_type = 'INSERT'"""
IDENTITIES = """
select c.oid::regclass::text, a.attname, s.seqrelid::regclass::text, s.seqmin, s.seqmax,
    coalesce(pg_sequence_last_value(s.seqrelid) + 1, s.seqstart),
    (select string_agg(x.grantee::regrole::text, ', ') from pg_class q cross join aclexplode(q.relacl) x
     where q.oid = s.seqrelid and x.privilege_type = 'USAGE')
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_depend d on d.refobjid = c.oid and d.refobjsubid = a.attnum and d.deptype = 'i'
    and d.classid = 'pg_class'::regclass
join pg_sequence s on s.seqrelid = d.objid
where c.relnamespace = 'app'::regnamespace and a.attidentity <> '' and not c.relname = any(%s)"""
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
WORKERS = """
select nodename, nodeport from pg_dist_node where groupid <> 0 and isactive and noderole = 'primary' order by nodeid"""
OF_NOBODY = """
select c.relname from pg_class c
where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relname = any(%s)
    and c.relname <> 'organizations' and not exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull and not a.attisdropped)
order by c.relname"""
BUSY = "select count(*) from pg_stat_activity where usename = any(%s) and datname = current_database()"
# Each server runs them on its own shards.
BY_SHARD = """
select p.prosrc, pg_get_functiondef(p.oid), coalesce(p.proargnames[1:p.pronargs], '{}') from pg_proc p
where p.pronamespace = 'app'::regnamespace
    and p.proname in ('outbox_lease', 'webhook_lease', 'webhooks_behind', 'organization_ids')"""
