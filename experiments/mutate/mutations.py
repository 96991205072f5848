"""Every way in which one protection of the schema can be lost, read from the catalog of a migrated database.

A mutation is a name, `kind: what`, and the statements, for a superuser, that take the one protection away.
"""

from typing import NamedTuple

from experiments.mutate.predicates import PREDICATES

# Each answers names and statements.
ROW_SECURITY = """
select format('%s: %s', kind, relname), format('alter table app.%I %s row level security', relname, lost)
from pg_class cross join (values ('not forced', 'no force'), ('not enabled', 'disable')) as change (kind, lost)
where relnamespace = 'app'::regnamespace and relkind = 'r'"""
# Where nobody whom the policy binds may insert, there is nothing to check: nobody can update what conditions are about.
POLICIES = """
with policies as (
    select tablename as name, policyname as policy, qual, with_check, exists (
        select from unnest(array['pipeline_admin', 'pipeline_public', 'pipeline_jobs']) as role
        join unnest(roles) as bound on bound = 'public' or pg_has_role(role, nullif(bound, 'public'), 'usage')
        where has_any_column_privilege(role, 'app.' || tablename, 'insert')) as writable
    from pg_policies where schemaname = 'app')
select format('policy dropped: %s.%s', name, policy), format('drop policy %I on app.%I', policy, name) from policies
union all
select format('policy opened (%s): %s.%s', clause, name, policy),
    format('alter policy %I on app.%I %s (true)', policy, name, clause)
from policies
cross join lateral (values ('using', qual), ('with check', case when writable then with_check end))
    as part (clause, condition)
where condition <> 'true'"""
# A person may sit in several organizations; other ids are unique by themselves.
FOREIGN_KEYS = """
with keys as (
    select conname as name, conrelid::regclass as own, confrelid::regclass::text as target,
        format('alter table %s drop constraint %I', conrelid::regclass, conname) as lost,
        regexp_match(
            pg_get_constraintdef(oid), '\\(\\w+, ([^)]*)\\) REFERENCES [\\w.]+\\(\\w+, ([^)]*)\\)(.*)$') as part
    from pg_constraint
    where contype = 'f' and connamespace = 'app'::regnamespace and cardinality(conkey) > 1),
loose as (
    select name, format('alter table %s add constraint %I foreign key (%s)', own, name, part[1]) as made,
        case when target = 'app.organization_users' then lost
        else format('%s; create unique index on %s (%s)', lost, target, part[2]) end as before,
        case when target = 'app.organization_users' then 'app.users (id)'
        else format('%s (%s)', target, part[2]) end || part[3] as after
    from keys)
select 'foreign key dropped: ' || name, lost from keys
union all
select 'foreign key without organization: ' || name, format('%s; %s references %s', before, made, after) from loose"""
# Not the keys of ids: the database gives each id once, whatever the key says.
UNIQUE_KEYS = """
with keys as (
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition,
        case when k.conname is null then format('drop index app.%I', c.relname)
        else format('alter table %s drop constraint %I', i.indrelid::regclass, k.conname) end as lost
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
    where i.indisunique and c.relnamespace = 'app'::regnamespace
        and pg_get_indexdef(i.indexrelid) !~ '\\((organization_id, )?id\\)'
        and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid))
select 'key dropped: ' || name, lost from keys
union all
select 'key without organization: ' || name, lost || '; ' || replace(definition, '(organization_id, ', '(')
from keys where definition like '%(organization_id, %'"""
# What one role may do with a table and another may not: a right of its own for each verb and table.
RIGHTS = """
with roles (held, given) as (values
    ('pipeline_admin', 'pipeline_member'), ('pipeline_member', 'pipeline_public'),
    ('pipeline_member', 'pipeline_jobs'), ('pipeline_jobs', 'pipeline_member'),
    ('pipeline_member', 'pipeline_app'), ('pipeline_public', 'pipeline_forms')),
wider as (
    select given, verb, c.relname as name,
        format(' (%s)', string_agg(quote_ident(a.attname), ', ' order by a.attnum)) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join roles
    cross join unnest(array['select', 'insert', 'update']) as verb
    where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
        and has_column_privilege(held, c.oid, a.attnum, verb)
        and not has_column_privilege(given, c.oid, a.attnum, verb)
    group by given, verb, c.relname
    union all
    select given, 'delete', c.relname, null
    from pg_class c cross join roles
    where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
        and has_table_privilege(held, c.oid, 'delete') and not has_table_privilege(given, c.oid, 'delete'))
select distinct format('granted: %s on %s to %s', verb, name, given),
    format('grant %s%s on app.%I to %s', verb, columns, name, given)
from wider"""
# Who may not call a function that sees past one organization.
EXECUTABLE = """
with forbidden as (
    select oid::regprocedure as name, role from pg_proc
    cross join unnest(array['pipeline_app', 'pipeline_forms', 'pipeline_jobs', 'pipeline_member', 'pipeline_public'])
        as role
    where pronamespace = 'app'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
        and not has_function_privilege(role, oid, 'execute'))
select format('executable: %s by %s', name, given), format('grant execute on function %s to %s', name, given)
from (select name, role from forbidden union select name, 'public' from forbidden) as barred (name, given)"""
PINNED = """
select format('search path not pinned: %s', oid::regprocedure),
    format('alter function %s reset search_path', oid::regprocedure)
from pg_proc where pronamespace = 'app'::regnamespace and prosecdef"""
TRIGGERS = """
select format('trigger dropped: %s.%s', tgrelid::regclass, tgname),
    format('drop trigger %I on %s', tgname, tgrelid::regclass)
from pg_trigger join pg_class c on c.oid = tgrelid
where c.relnamespace = 'app'::regnamespace and not tgisinternal"""
CATALOG = (ROW_SECURITY, POLICIES, FOREIGN_KEYS, UNIQUE_KEYS, RIGHTS, EXECUTABLE, PINNED, TRIGGERS)
FUNCTIONS = """
select proname, pg_get_functiondef(oid) from pg_proc
where pronamespace = 'app'::regnamespace and prokind = 'f'"""


# What no statement can tell from the schema as it is: {name of the mutation: why}. They are not tried.
EQUIVALENT = {
    "foreign key without organization: interview_templates_version": "a version's own key binds it to its template, "
    "whose id this key holds too",
    "foreign key without organization: signature_events_organization_id_request_id_signer_id_fkey": "another key binds "
    "the request to the organization, and this one the signer to the request",
    "predicate lost: changes_purge: this organization's changes": "the deletion compares the organization, too",
    "predicate lost: invitation_send: this organization's links": "a link's key binds it to an invitation of its own "
    "organization, whose id is given once",
    "key dropped: changes_pkey": "the database gives each id once",
    "key without organization: changes_pkey": "the database gives each id once",
    **{
        f"search path not pinned: app.{function}": "all that it names it names with its schema, and no operator"
        for function in ("organization_ids()", "invitation_activate(text,text,text)", "invitation_decline(text)")
    },
    "policy opened (with check): interview_tallies.public_form": "the role may not write the one column that it checks",
}


class Mutation(NamedTuple):
    """One protection less: `statement` takes it away, `name` says which one it is."""

    name: str
    statement: str


class Stale(Exception):
    """A row of PREDICATES names what is no longer in its function."""


def mutations(connection):
    """All mutations of the schema that the connection's database has but the EQUIVALENT, as a list of Mutation."""
    found = [Mutation(*row) for query in CATALOG for row in connection.execute(query + " order by 1")]
    found += predicates(dict(connection.execute(FUNCTIONS)))
    return [mutation for mutation in found if mutation.name not in EQUIVALENT]


def predicates(definitions):
    for function, meaning, text, *instead in PREDICATES:
        if text not in definitions.get(function, ""):
            raise Stale(f"app.{function} does not hold {text!r}")
        without = definitions[function].replace(text, "".join(instead))
        yield Mutation(f"predicate lost: {function}: {meaning}", without)
