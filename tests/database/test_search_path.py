"""Functions beyond one organization run no code of their callers, whatever the search path."""

import psycopg
import pytest

from tests.database.conftest import here, named
from tests.database.test_told import RECORDED

# Beside each of the server's functions and operators that the functions name, one of the caller's that fails.
HOSTILE = r"""
create schema hostile;
grant usage on schema hostile to public;
do $$
declare
    v record;
    v_body text := 'language plpgsql as $body$ begin raise ''the caller ran'' using errcode = ''PI666''; end $body$';
    v_types oid[] := cast('{bigint,integer,text,name,boolean,jsonb,json,timestamptz,interval,text[]}' as regtype[]);
begin
    for v in
        select p.proname, pg_get_function_identity_arguments(p.oid) as given,
            case when p.proretset then 'setof ' else '' end || format_type(p.prorettype, null) as result
        from pg_proc p
        where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind in ('f', 'a') and p.provariadic = 0
            and cast(p.proargtypes as oid[]) <@ v_types and p.prorettype = any(v_types)
            and exists (
                select from pg_proc own where own.pronamespace = 'app'::regnamespace and own.prosecdef
                    and own.prosrc ~ ('\m' || p.proname || '\('))
    loop
        execute format('create function hostile.%I(%s) returns %s ', v.proname, v.given, v.result) || v_body;
    end loop;
    for v in
        select o.oprname, format_type(o.oprleft, null) as lefts, format_type(o.oprright, null) as rights,
            format_type(o.oprresult, null) as result, 'hostile.by_' || o.oid as function
        from pg_operator o
        where o.oprnamespace = 'pg_catalog'::regnamespace and o.oprleft = any(v_types) and o.oprright = any(v_types)
    loop
        execute format('create function %s(%s, %s) returns %s ', v.function, v.lefts, v.rights, v.result) || v_body;
        execute format('create operator hostile.%s (leftarg = %s, rightarg = %s, function = %s)',
            v.oprname, v.lefts, v.rights, v.function);
    end loop;
end $$
"""
# What a look-up is called with, by the name of a parameter or by its type.
VALUES = {
    "p_email": "(select email from app.users where id operator(pg_catalog.=) acme.users)",
    "p_kind": "'leads'",
    "p_organization_id": "acme.organizations",
    "p_outcome": "'declined'",
    "p_queue": "'mail'",
    "p_token_hash": "null",
    "p_type": "'leads'",
    "bigint": "acme.users",
    "boolean": "false",
    "bigint[]": "array[1]",
    "integer": "31",
    "interval": "'1s'",
    "jsonb": "'{}'",
    "jsonpath": "'$'",
    "text": "'x'",
    "text[]": "array['angstr']",
    "timestamp with time zone": "pg_catalog.now()",
}
LOOK_UPS = """
select proname, array(
    select array[proargnames[place], format_type(kind, null)]
    from unnest(proargtypes) with ordinality as given (kind, place)
    where place <= pronargs - pronargdefaults order by place)
from pg_proc where pronamespace = 'app'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype"""
# What makes a trigger's function look at a row of the organization's.
CHANGES = RECORDED | {
    "contract_documents": "kind = 'pdf'",
    "emails": "status = 'sent', link_id = acme.account_links",
    "files": "filename = 'X'",
    "interview_invites": "origin = 'capture'",
    # One seat, so that there is another one to look at.
    "organization_users": "seat_active = user_id operator(pg_catalog.<>) acme.users",
    "quote_lines": "position = 7",
    "signature_signers": "name = 'X'",
    "users": "name = 'X'",
}
OF_ACME = {
    "organizations": "id operator(pg_catalog.=) acme.organizations",
    "users": "id operator(pg_catalog.=) acme.users",
}
# Lets the search path begin with what is hostile.
REACH = "set local search_path = hostile, pg_catalog"
# Those with their callers' rights run what these wish, and what refers to a row that goes is another test's.
OTHERS = """
select tgname from pg_trigger join pg_proc p on p.oid = tgfoid where tgrelid = %s::regclass and not prosecdef"""
COMPUTING = """
select cast(oid as regprocedure) from pg_proc
where pronamespace = 'app'::regnamespace and prokind = 'f' and provolatile = 'i' and not prosecdef"""
COLUMNS = """
select string_agg(quote_ident(attname), ', ') from pg_attribute
where attrelid = %s::regclass and attnum > 0 and attgenerated = '' and not attisdropped"""


@pytest.fixture(scope="module")
def hostile(owner_url, world):
    """The superuser's connection in acme, beside functions and operators of a caller that fail."""
    with psycopg.connect(owner_url) as connection:
        connection.execute(HOSTILE)
        # What tables and indexes compute, they compute with the rights of whoever writes: so by their search path, too.
        for (function,) in connection.execute(COMPUTING).fetchall():
            connection.execute(f"alter function {function} set search_path = ''")
        # There is an invitation that the person may answer, and a code that a signer may enter.
        connection.execute(
            named(world, "update app.invitations set email = 'rep@acme.example' where user_id = globex.invitations")
        )
        connection.execute("update app.signature_codes set code_hash = repeat('0', 64)")
        here(connection, world)
        yield connection
        connection.rollback()


def test_no_look_up_runs_anything_of_its_callers_search_path(hostile, world):
    for name, parameters in hostile.execute(LOOK_UPS).fetchall():
        values = ", ".join(VALUES.get(parameter) or VALUES[kind] for parameter, kind in parameters)
        with hostile.transaction(force_rollback=True):
            hostile.execute(REACH)
            hostile.execute(named(world, f"select * from app.{name}({values})"))


@pytest.mark.parametrize("table", CHANGES)
def test_a_trigger_runs_nothing_of_its_callers_search_path(hostile, world, table):
    name, own = f"app.{table}", OF_ACME.get(table, "organization_id operator(pg_catalog.=) acme.organizations")
    with hostile.transaction(force_rollback=True):
        for (trigger,) in hostile.execute(OTHERS, [name]).fetchall():
            hostile.execute(f'alter table {name} disable trigger "{trigger}"')
        (columns,) = hostile.execute(COLUMNS, [name]).fetchone()
        for statement in (
            REACH,
            f"update {name} set {CHANGES[table]} where {own}",
            f"create temporary table kept as select {columns} from {name} where {own}",
            f"delete from {name} where {own}",
            f"insert into {name} ({columns}) overriding system value select * from kept",
        ):
            hostile.execute(named(world, statement))
