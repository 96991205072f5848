"""No statement of one organization reads or writes another's rows."""

import pytest
from psycopg import errors

from tests.database.conftest import here, named

ROLES = ("pipeline_member", "pipeline_admin", "pipeline_public", "pipeline_jobs")
EMPTIED = dict.fromkeys(("organization_id", "user_id", "invite_id", "template_id"), "")
TABLES = "select relname from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'"
READABLE = f"{TABLES} and has_any_column_privilege(oid, 'select')"


def counts(connection, tables=READABLE):
    """{table: the number of rows that are seen}"""
    names = [name for (name,) in connection.execute(tables).fetchall()]
    return {name: connection.execute(f"select count(*) from app.{name}").fetchone()[0] for name in names}


def test_both_organizations_have_a_row_in_every_table(owner):
    assert [name for name, rows in counts(owner, TABLES).items() if rows < 2] == [], "seed.sql lacks these tables"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("context", [{}, EMPTIED], ids=["no context", "an emptied context"])
def test_without_a_context_no_role_sees_a_row(acting, role, context):
    with acting(role, **context) as connection:
        assert set(counts(connection).values()) == {0}


def test_without_a_context_the_owner_of_the_tables_sees_no_row_either(owner):
    owner.execute("set local role pipeline_owner")
    assert set(counts(owner, TABLES).values()) == {0}


@pytest.mark.parametrize("role", ["pipeline_member", "pipeline_admin", "pipeline_jobs"])
def test_with_a_context_a_role_sees_the_rows_of_that_organization_alone(acting, world, role):
    with acting(role, "acme") as connection:
        for name in counts(connection).keys() - {"idempotency_keys"}:
            key = {"organizations": "id", "users": "id"}.get(name, "organization_id")
            expected = world["acme"]["users" if name == "users" else "organizations"]
            assert connection.execute(f"select distinct {key} from app.{name}").fetchall() == [(expected,)], name


COLUMNS = """
select relname, array_remove(array_agg(attname::text), 'organization_id')
from pg_class c join pg_attribute a on a.attrelid = c.oid
where relnamespace = 'app'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    and has_column_privilege(%s, c.oid, attnum, 'insert') group by 1"""


@pytest.mark.parametrize("role", ["pipeline_admin", "pipeline_jobs"])
def test_no_row_can_be_inserted_into_another_organization(owner, world, role):
    here(owner, world)
    owner.execute(named(world, "select set_config('app.user_id', 'acme.users', true)"))
    for table, columns in owner.execute(COLUMNS, (role,)).fetchall():
        names = ", ".join(f'"{name}"' for name in columns)
        # A copy that the role itself need not read: of what it inserts, it may read little.
        copy = f"select {names} from app.{table} where organization_id = acme.organizations limit 1"
        owner.execute(named(world, f"create temporary table row as {copy}"))
        owner.execute(f"grant select on row to {role}; set local role {role}")
        # Not that of another table, which a trigger writes to.
        said = f'row-level security policy "organization" for table "{table}"'
        into = f"insert into app.{table} (organization_id, {names}) select globex.organizations, {names} from row"
        with pytest.raises(errors.InsufficientPrivilege, match=said), owner.transaction():
            owner.execute(named(world, into))
        owner.execute("reset role; drop table row")


@pytest.mark.parametrize("statement", ["update app.leads set notes = 'x'", "delete from app.leads"])
def test_another_organizations_row_can_be_neither_changed_nor_deleted(acting, world, statement):
    with acting("pipeline_admin", "acme") as connection:
        assert connection.execute(named(world, f"{statement} where id = globex.leads")).rowcount == 0


def test_a_public_form_sees_its_own_invite_version_lead_and_nothing_else(acting, world):
    with acting("pipeline_public", "acme", invite_id=world["acme"]["interview_invites"]) as connection:
        seen = {name: rows for name, rows in counts(connection).items() if rows}
    own = ("organizations", "interview_invites", "interview_template_versions", "leads", "storage_use")
    assert seen == dict.fromkeys(own, 1)


def test_a_public_form_reads_the_own_fields_of_leads_alone(owner, world):
    here(owner, world)
    owner.execute("insert into app.fields (kind, key, label, type) values ('lead', 'erp', 'ERP', 'text')")
    owner.execute("set local role pipeline_public")
    assert owner.execute("select kind from app.fields").fetchall() == [("lead",)]


@pytest.mark.parametrize("table", ["sessions", "refresh_tokens", "signature_links", "signature_codes"])
def test_whatever_a_later_policy_and_grant_may_show_is_of_the_organization_alone(owner, world, table):
    """No member reads these tables today."""
    owner.execute(f"grant select on app.{table} to pipeline_member")
    owner.execute(f"create policy later on app.{table} to pipeline_member using (true)")
    made = here(owner, world)
    owner.execute("set local role pipeline_member")
    assert owner.execute(f"select distinct organization_id from app.{table}").fetchall() == [(made,)]
