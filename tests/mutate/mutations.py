"""Every way in which one protection of the schema can be lost, read from the catalog of a migrated database.

A mutation is a name, `kind: what`, and the statements, for a superuser, that take the one protection away.
"""

import re
from typing import NamedTuple

from psycopg.rows import namedtuple_row

from tests.mutate.predicates import PREDICATES

TABLES = "select relname as name from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r' order by 1"
# Where nobody whom the policy binds may insert, there is nothing to check: nobody can update what conditions are about.
POLICIES = """
select tablename as table, policyname as policy, qual, with_check, exists (
        select from unnest(array['pipeline_admin', 'pipeline_public', 'pipeline_jobs']) as role
        join unnest(roles) as bound on bound = 'public' or pg_has_role(role, nullif(bound, 'public'), 'usage')
        where has_any_column_privilege(role, 'app.' || tablename, 'insert')) as writable
from pg_policies where schemaname = 'app' order by 1, 2"""
FOREIGN_KEYS = """
select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
from pg_constraint where contype = 'f' and connamespace = 'app'::regnamespace and cardinality(conkey) > 1
order by 1, 2"""
# Not the keys of ids: the database gives each id once, whatever the key says.
UNIQUE_KEYS = """
select i.indrelid::regclass::text as table, c.relname as name, k.conname as constraint,
    pg_get_indexdef(i.indexrelid) as definition, exists (
        select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid) as referred
from pg_index i
join pg_class c on c.oid = i.indexrelid
left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
where i.indisunique and c.relnamespace = 'app'::regnamespace
    and pg_get_indexdef(i.indexrelid) !~ '\\((organization_id, )?id\\)'
order by 1, 2"""
# What one role may do with a table and another may not: a right of its own for each verb and table.
WIDER = """
with roles (held, given) as (values
    ('pipeline_admin', 'pipeline_member'), ('pipeline_member', 'pipeline_public'),
    ('pipeline_member', 'pipeline_jobs'), ('pipeline_jobs', 'pipeline_member'),
    ('pipeline_member', 'pipeline_app'), ('pipeline_public', 'pipeline_forms'))
select r.given, v.verb, c.relname as table, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
cross join roles r
cross join unnest(array['select', 'insert', 'update']) as v (verb)
where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
    and has_column_privilege(r.held, c.oid, a.attnum, v.verb)
    and not has_column_privilege(r.given, c.oid, a.attnum, v.verb)
group by 1, 2, 3
union
select r.given, 'delete', c.relname, null
from pg_class c cross join roles r
where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
    and has_table_privilege(r.held, c.oid, 'delete') and not has_table_privilege(r.given, c.oid, 'delete')
order by 1, 2, 3"""
# Who may not call a function that sees past one organization.
EXECUTABLE = """
select oid::regprocedure::text as name, role from pg_proc
cross join unnest(array['pipeline_app', 'pipeline_forms', 'pipeline_jobs', 'pipeline_member', 'pipeline_public'])
    as role
where pronamespace = 'app'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
    and not has_function_privilege(role, oid, 'execute')
order by 1, 2"""
PINNED = """
select oid::regprocedure::text as name from pg_proc
where pronamespace = 'app'::regnamespace and prosecdef order by 1"""
TRIGGERS = """
select tgrelid::regclass::text as table, tgname as name from pg_trigger
join pg_class c on c.oid = tgrelid
where c.relnamespace = 'app'::regnamespace and not tgisinternal order by 1, 2"""
FUNCTIONS = """
select proname as name, pg_get_functiondef(oid) as definition from pg_proc
where pronamespace = 'app'::regnamespace and prokind = 'f'"""


# What no statement can tell from the schema as it is: {name of the mutation: why}. They are not tried.
EQUIVALENT = {
    "foreign key without organization: interview_templates_version": "a version's own key binds it to its template, "
    "whose id this key holds too",
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
    return [mutation for mutation in _all(connection) if mutation.name not in EQUIVALENT]


def _all(connection):
    with connection.cursor(row_factory=namedtuple_row) as cursor:

        def rows(query):
            return cursor.execute(query).fetchall()

        return [
            *row_security(rows(TABLES)),
            *policies(rows(POLICIES)),
            *foreign_keys(rows(FOREIGN_KEYS)),
            *unique_keys(rows(UNIQUE_KEYS)),
            *grants(rows(WIDER)),
            *definers(rows(EXECUTABLE), rows(PINNED)),
            *(
                Mutation(f"trigger dropped: {t.table}.{t.name}", f"drop trigger {t.name} on {t.table}")
                for t in rows(TRIGGERS)
            ),
            *predicates({row.name: row.definition for row in rows(FUNCTIONS)}),
        ]


def row_security(tables):
    for table in tables:
        yield Mutation(f"not forced: {table.name}", f"alter table app.{table.name} no force row level security")
        yield Mutation(f"not enabled: {table.name}", f"alter table app.{table.name} disable row level security")


def policies(found):
    for p in found:
        name = f"{p.table}.{p.policy}"
        yield Mutation(f"policy dropped: {name}", f"drop policy {p.policy} on app.{p.table}")
        for clause, condition in (("using", p.qual), ("with check", p.with_check if p.writable else None)):
            if condition not in (None, "true"):
                yield Mutation(
                    f"policy opened ({clause}): {name}", f"alter policy {p.policy} on app.{p.table} {clause} (true)"
                )


def foreign_keys(found):
    for key in found:
        columns, target, referred, actions = re.fullmatch(
            r"FOREIGN KEY \(\w+, (.*?)\) REFERENCES ([\w.]+)\(\w+, (.*?)\)(.*)", key.definition
        ).groups()
        drop = f"alter table {key.table} drop constraint {key.name}"
        yield Mutation(f"foreign key dropped: {key.name}", drop)
        # A person may sit in several organizations; other ids are unique by themselves.
        if target == "app.organization_users":
            target, referred, unique = "app.users", "id", ""
        else:
            unique = f"; create unique index on {target} ({referred})"
        loose = f"add constraint {key.name} foreign key ({columns}) references {target} ({referred}){actions}"
        yield Mutation(
            f"foreign key without organization: {key.name}", f"{drop}{unique}; alter table {key.table} {loose}"
        )


def unique_keys(found):
    for key in found:
        if key.referred:
            continue
        drop = (
            f"alter table {key.table} drop constraint {key.constraint}"
            if key.constraint
            else f"drop index app.{key.name}"
        )
        yield Mutation(f"key dropped: {key.name}", drop)
        if "(organization_id, " in key.definition:
            loose = key.definition.replace("(organization_id, ", "(")
            yield Mutation(f"key without organization: {key.name}", f"{drop}; {loose}")


def grants(found):
    for wider in found:
        columns = f" ({wider.columns})" if wider.columns else ""
        yield Mutation(
            f"granted: {wider.verb} on {wider.table} to {wider.given}",
            f"grant {wider.verb}{columns} on app.{wider.table} to {wider.given}",
        )


def definers(executable, pinned):
    for name in sorted({function.name for function in executable}):
        yield Mutation(f"executable: {name} by public", f"grant execute on function {name} to public")
    for function in executable:
        statement = f"grant execute on function {function.name} to {function.role}"
        yield Mutation(f"executable: {function.name} by {function.role}", statement)
    for function in pinned:
        yield Mutation(f"search path not pinned: {function.name}", f"alter function {function.name} reset search_path")


def predicates(definitions):
    for function, changes in PREDICATES.items():
        for text, instead, meaning in changes:
            if text not in definitions.get(function, ""):
                raise Stale(f"app.{function} does not hold {text!r}")
            yield Mutation(f"predicate lost: {function}: {meaning}", definitions[function].replace(text, instead))
