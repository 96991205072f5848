"""Rules for every table, key, function and role, checked in the live catalog."""

import pytest

CONTEXT = "NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint"

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
# Tables without organization_id, and why.
SHARED_TABLES = {"organizations": "is the organization", "users": "one person over all organizations"}

# Tables of persons, who may belong to several organizations.
PERSONAL = ("app.users", "app.sessions")

COLUMNS_OF = """array(select a.attname::text from unnest({key}) with ordinality k (n, place)
    join pg_attribute a on a.attrelid = {table} and a.attnum = k.n order by place)"""


def test_every_table_belongs_to_an_organization_or_to_the_listed_shared_ones(catalog):
    rows = catalog.execute("""select relname from pg_class
        where relnamespace = 'app'::regnamespace and relkind = 'r'
        and not exists (select from pg_attribute
            where attrelid = pg_class.oid and attname = 'organization_id')""")
    assert {row["relname"] for row in rows} == set(SHARED_TABLES)


def test_every_table_has_row_level_security_enabled_and_forced(catalog):
    rows = catalog.execute("""select relname from pg_class where relnamespace = 'app'::regnamespace
        and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)""").fetchall()
    assert rows == [], "enable and force row level security on these tables"


def test_every_view_reads_with_the_rights_of_its_reader(catalog):
    rows = catalog.execute("""select relname from pg_class where relnamespace = 'app'::regnamespace and
        (relkind = 'm' or (relkind = 'v' and 'security_invoker=true' <> all(coalesce(reloptions, '{}'))))""").fetchall()
    assert rows == [], "create these views with (security_invoker = true); no view can be materialized"


def test_every_table_has_the_one_restrictive_policy_that_confines_everybody_to_the_organization(catalog):
    rows = catalog.execute("""
        select c.relname, p.permissive, p.roles::text, p.cmd, p.qual, p.with_check
        from pg_class c left join pg_policies p on p.tablename = c.relname and p.schemaname = 'app'
             and p.permissive = 'RESTRICTIVE'
        where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p')""").fetchall()
    assert rows
    for row in rows:
        name = row["relname"]
        column = "id" if name == "organizations" else "organization_id"
        assert (row["cmd"], row["roles"]) == ("ALL", "{public}"), f"{name}: for all, to public"
        if name == "users":
            assert CONTEXT in row["qual"], "users: visible by a seat in the current organization"
        else:
            assert row["qual"] == f"({column} = ({CONTEXT})", f"{name}: exactly this, or no index serves it"
        assert row["with_check"] == row["qual"], f"{name}: the check equals the condition"


def test_every_key_and_foreign_key_leads_with_organization_id(catalog):
    columns = COLUMNS_OF.format(key="i.indkey::smallint[]", table="i.indrelid")
    rows = catalog.execute(f"""select c.relname as name, {columns} as columns
        from pg_index i join pg_class c on c.oid = i.indrelid
        where i.indisunique and c.relnamespace = 'app'::regnamespace""").fetchall()
    exceptions = {f"{row['name']}.{row['columns'][0]}" for row in rows if row["columns"][0] != "organization_id"}
    assert exceptions == set(GLOBAL_KEYS), "a key that crosses organizations needs its reason here"


def test_every_foreign_key_leads_with_organization_id(catalog):
    columns = COLUMNS_OF.format(key="conkey", table="conrelid")
    rows = catalog.execute(f"""select conrelid::regclass::text as name, confrelid::regclass::text as target,
        {columns} as columns from pg_constraint where contype = 'f' and connamespace = 'app'::regnamespace
        and conparentid = 0""").fetchall()
    wrong = [
        row
        for row in rows
        if row["columns"][0] != "organization_id"
        and row["target"] not in PERSONAL
        and row["name"] != "app.organizations"
    ]
    assert rows
    assert wrong == [], "a foreign key does not obey row-level security; lead it with organization_id"


def test_every_foreign_key_is_backed_by_an_index_unless_it_names_a_seat_a_key_or_the_organization(catalog):
    rows = catalog.execute("""select conrelid::regclass::text as name, conname from pg_constraint k
        where contype = 'f' and connamespace = 'app'::regnamespace
        and confrelid not in ('app.organizations'::regclass, 'app.organization_users'::regclass,
            'app.users'::regclass, 'app.api_keys'::regclass)
        and conrelid <> 'app.organizations'::regclass
        and not exists (select from pg_index i where i.indrelid = k.conrelid
                        and ((i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey
                             or i.indisunique and k.conkey @> i.indkey::smallint[]))""").fetchall()
    assert rows == [], "without an index each deletion of the target reads the whole table"


def test_each_role_has_the_attributes_it_needs_and_no_more(catalog):
    rows = catalog.execute("""select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb
        from pg_roles where rolname like 'pipeline\\_%'""").fetchall()
    assert {row["rolname"] for row in rows if row["rolbypassrls"]} == {"pipeline_lookup"}
    assert {row["rolname"] for row in rows if row["rolcanlogin"]} == {"pipeline_app", "pipeline_forms", "pipeline_jobs"}
    assert not [row for row in rows if row["rolsuper"] or row["rolcreaterole"] or row["rolcreatedb"]]


def test_every_security_definer_function_pins_its_search_path_and_belongs_to_the_lookup_role(catalog):
    rows = catalog.execute("""select proname, proowner::regrole::text as owner, proconfig from pg_proc
        where pronamespace = 'app'::regnamespace and prosecdef""").fetchall()
    assert rows
    for row in rows:
        path = [setting for setting in row["proconfig"] or [] if setting.startswith("search_path=")]
        assert path, f"{row['proname']}: pin its search_path"
        assert path[0].endswith("pg_temp"), f"{row['proname']}: pg_temp last"
        # What ends sessions has the logins' rights; nothing that a request calls has them.
        owner = "pipeline_watch" if row["proname"] == "overdue_end" else "pipeline_lookup"
        assert row["owner"] == owner, row["proname"]


@pytest.mark.parametrize(("table", "column"), [("users", "password_hash"), ("api_keys", "key_hash")])
def test_the_hashes_of_passwords_and_keys_are_readable_by_the_lookup_role_alone(catalog, table, column):
    rows = catalog.execute(
        """select rolname from pg_roles where not rolsuper and rolname not like 'pg\\_%%'
        and has_column_privilege(oid, 'app.' || %s, %s, 'select') and rolname <> 'pipeline_owner'""",
        (table, column),
    )
    assert [row["rolname"] for row in rows] == ["pipeline_lookup"]


def test_every_table_view_column_and_function_says_what_it_is(catalog):
    rows = catalog.execute("""
        select c.oid::regclass::text as name, obj_description(c.oid, 'pg_class') as words from pg_class c
        where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v')
        union all
        select c.oid::regclass || '.' || a.attname, col_description(c.oid, a.attnum)
        from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v')
        where c.relnamespace = 'app'::regnamespace and a.attnum > 0 and not a.attisdropped
        union all
        select oid::regprocedure::text, obj_description(oid, 'pg_proc') from pg_proc
        where pronamespace = 'app'::regnamespace""").fetchall()
    assert len(rows) > 500
    silent = [row["name"] for row in rows if not (row["words"] or "").endswith(".")]
    assert silent == [], "comment on these in sql/schema, with a sentence; app.present comments a view's columns"
