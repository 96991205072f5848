"""Rules for every table, key, function and role, checked in the live catalog."""

import pytest

# Unique over all organizations, and why.
GLOBAL_KEYS = {
    "organizations.slug": "names the organization itself",
    "organizations.id": "is the organization",
    "users.id": "a person may belong to several organizations",
    "users.email_key": "the address logs in before an organization is known",
    "sessions.id": "a session belongs to a person, and works in one of their organizations after the other",
    "sessions.family_hash": "the family is all that an old refresh token presents",
    "account_links.token_hash": "the token is all that the page of the link presents",
    "refresh_tokens.token_hash": "the token is all that a refresh presents",
    "api_keys.key_hash": "the key is all that a program presents",
    "interview_invites.token": "the token is all that a public form presents",
    "signature_links.token_hash": "the token is all that a signer's page presents",
    "interview_templates.public_slug": "the slug is all that a capture form presents",
}
# What a key or a foreign key begins with.
FIRST = "(select attname from pg_attribute where attrelid = {table} and attnum = {key})"
SERVING = "rolname ~ '^pipeline_(member|admin|public|jobs|app|forms)$'"
# {rule: what breaks it}. Tables of persons, who may belong to several organizations, are users and sessions.
RULES = {
    "every table but those of organizations and persons has organization_id": """
        select relname from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'
        and relname not in ('organizations', 'users') and not exists (
            select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id')""",
    "row-level security is enabled and forced": """
        select relname from pg_class where relnamespace = 'app'::regnamespace
        and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)""",
    "a view has (security_invoker = true), and none is materialized": """
        select relname from pg_class where relnamespace = 'app'::regnamespace and (
            relkind = 'm' or relkind = 'v' and 'security_invoker=true' <> all(coalesce(reloptions, '{}')))""",
    # Exactly this condition, or no index serves it; users are visible by a seat in the organization.
    "one restrictive policy confines everybody to the organization, also in what they write": """
        select relname, qual from pg_class
        left join pg_policies on tablename = relname and schemaname = 'app' and permissive = 'RESTRICTIVE'
        cross join (
            select $$NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint$$) as context (here)
        where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not coalesce(
            cmd = 'ALL' and roles = '{public}' and with_check = qual and case relname
                when 'users' then strpos(qual, here) > 0
                when 'organizations' then qual = '(id = (' || here || ')'
                else qual = '(organization_id = (' || here || ')' end, false)""",
    "a foreign key leads with organization_id, as it does not obey row-level security": f"""
        select conrelid::regclass, conname from pg_constraint
        where contype = 'f' and connamespace = 'app'::regnamespace and conparentid = 0
        and confrelid not in ('app.users'::regclass, 'app.sessions'::regclass)
        and conrelid <> 'app.organizations'::regclass
        and {FIRST.format(table="conrelid", key="conkey[1]")} <> 'organization_id'""",
    # Without an index each deletion of the target reads the whole table.
    "a foreign key has an index unless it names a seat, a person, a key or the organization": """
        select conrelid::regclass, conname from pg_constraint k
        where contype = 'f' and connamespace = 'app'::regnamespace
        and confrelid not in ('app.organizations'::regclass, 'app.organization_users'::regclass,
            'app.users'::regclass, 'app.api_keys'::regclass)
        and conrelid <> 'app.organizations'::regclass
        and not exists (select from pg_index i where i.indrelid = k.conrelid
                        and ((i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey
                             or i.indisunique and k.conkey @> i.indkey::smallint[]))""",
    # What ends sessions has the logins' rights, what analyzes tables the owner's; nothing that a request calls does.
    "a function beyond one organization pins its search path, pg_temp last, and belongs to the look-ups": """
        select proname from pg_proc where pronamespace = 'app'::regnamespace and prosecdef and not (
            exists (select from unnest(proconfig) as setting where setting ~ '^search_path=.*pg_temp$')
            and proowner::regrole::text = case proname
                when 'overdue_end' then 'pipeline_watch' when 'statistics_renew' then 'pipeline_owner'
                else 'pipeline_lookup' end)""",
    "the look-ups alone read the hashes of passwords and keys": """
        select rolname, hash from pg_roles
        cross join (values ('app.users', 'password_hash'), ('app.api_keys', 'key_hash')) as given (holder, hash)
        where not rolsuper and rolname !~ '^pg_' and rolname not in ('pipeline_owner', 'pipeline_lookup')
        and has_column_privilege(oid, holder, hash, 'select')""",
    "no request writes what the database keeps": f"""
        select relname, rolname, attname from pg_roles cross join pg_class
        join pg_attribute on attrelid = pg_class.oid and attname in ('id', 'created_at', 'updated_at')
        where relnamespace = 'app'::regnamespace and relkind = 'r' and {SERVING}
        and has_column_privilege(rolname, attrelid, attname, 'insert, update')""",
    "no request writes all rows at once": f"""
        select relname, rolname from pg_roles cross join pg_class
        where relnamespace = 'app'::regnamespace and relkind = 'r' and {SERVING}
        and has_table_privilege(rolname, pg_class.oid, 'truncate, trigger, references')""",
    # app.present comments a view's columns.
    "a sentence in sql/schema comments each table, view, column and function": """
        select name from (
            select c.oid::regclass::text, obj_description(c.oid, 'pg_class') from pg_class c
            where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v')
            union all
            select c.oid::regclass || '.' || a.attname, col_description(c.oid, a.attnum)
            from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v')
            where c.relnamespace = 'app'::regnamespace and a.attnum > 0 and not a.attisdropped
            union all
            select oid::regprocedure::text, obj_description(oid, 'pg_proc') from pg_proc
            where pronamespace = 'app'::regnamespace) as told (name, words)
        where coalesce(words, '') not like '%.'""",
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_of_the_schema_holds(catalog, rule):
    assert catalog.execute(RULES[rule]).fetchall() == [], rule


def test_every_key_leads_with_organization_id_but_those_that_are_listed(catalog):
    first = FIRST.format(table="indrelid", key="indkey[0]")
    rows = catalog.execute(f"""select distinct relname || '.' || {first} as name from pg_index
        join pg_class on pg_class.oid = indrelid where indisunique and relnamespace = 'app'::regnamespace
        and {first} <> 'organization_id'""")
    assert {row["name"] for row in rows} == set(GLOBAL_KEYS), "a key that crosses organizations needs its reason here"


def test_each_role_has_the_attributes_it_needs_and_no_more(catalog):
    rows = catalog.execute("""select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb
        from pg_roles where rolname like 'pipeline\\_%'""").fetchall()
    assert {row["rolname"] for row in rows if row["rolbypassrls"]} == {"pipeline_lookup"}
    assert {row["rolname"] for row in rows if row["rolcanlogin"]} == {"pipeline_app", "pipeline_forms", "pipeline_jobs"}
    assert not [row for row in rows if row["rolsuper"] or row["rolcreaterole"] or row["rolcreatedb"]]
