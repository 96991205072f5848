"""No statement of one organization reads or writes another's rows."""

import pytest
from psycopg import errors, sql

from tests.database.conftest import here

ROLES = ("pipeline_member", "pipeline_admin", "pipeline_public", "pipeline_jobs")
EMPTIED = dict.fromkeys(("organization_id", "user_id", "invite_id", "template_id"), "")


def tables(catalog):
    rows = catalog.execute("select relname from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'")
    return [row["relname"] for row in rows]


def readable(connection):
    return [
        name
        for (name,) in connection.execute("""select relname from pg_class
        where relnamespace = 'app'::regnamespace and relkind = 'r'
            and has_any_column_privilege(oid, 'select')""")
    ]


FILE = "insert into app.files (filename, content_type, size, sha256) values ('a', 'text/plain', 1, repeat('a', 64))"


def count(connection, table):
    return connection.execute(sql.SQL("select count(*) from app.{}").format(sql.Identifier(table))).fetchone()[0]


def test_both_organizations_have_a_row_in_every_table(catalog, world):
    for table in tables(catalog):
        assert catalog.execute(f"select count(*) as n from app.{table}").fetchone()["n"] >= 2, f"seed.sql lacks {table}"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("context", [{}, EMPTIED], ids=["no context", "an emptied context"])
def test_without_a_context_no_role_sees_a_row(acting, role, context):
    with acting(role, **context) as connection:
        names = readable(connection)
        assert names
        assert {name: count(connection, name) for name in names} == dict.fromkeys(names, 0)


@pytest.mark.parametrize("role", ["pipeline_member", "pipeline_admin", "pipeline_jobs"])
def test_with_a_context_a_role_sees_the_rows_of_that_organization_alone(acting, world, role):
    with acting(role, "acme") as connection:
        for name in readable(connection):
            key = {"organizations": "id", "users": "id"}.get(name, "organization_id")
            expected = world["acme"]["users" if name == "users" else "organizations"]
            if name != "idempotency_keys":
                found = connection.execute(f"select distinct {key} from app.{name}").fetchall()
                assert found == [(expected,)], name


def test_without_a_context_the_owner_of_the_tables_sees_no_row_either(owner, catalog):
    owner.execute("set local role pipeline_owner")
    assert {count(owner, name) for name in tables(catalog)} == {0}


def insertable(connection, role):
    """(table, columns but organization_id) for each table of which a role may insert rows."""
    return connection.execute(
        """select relname, array_remove(array_agg(attname::text), 'organization_id')
           from pg_class c join pg_attribute a on a.attrelid = c.oid
           where relnamespace = 'app'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
               and has_column_privilege(%s, c.oid, attnum, 'insert') group by 1""",
        (role,),
    ).fetchall()


@pytest.mark.parametrize("role", ["pipeline_admin", "pipeline_jobs"])
def test_no_row_can_be_inserted_into_another_organization(owner, world, role):
    tables = insertable(owner, role)
    assert tables
    acme = world["acme"]
    for name in ("organizations", "users"):
        owner.execute("select set_config(%s, %s, true)", (f"app.{name[:-1]}_id", str(acme[name])))
    for table, columns in tables:
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        # A copy that the role itself need not read: of what it inserts, it may read little.
        owner.execute(
            sql.SQL("create temporary table row as select {} from app.{} where organization_id = %s limit 1").format(
                names, sql.Identifier(table)
            ),
            (acme["organizations"],),
        )
        owner.execute(sql.SQL("grant select on row to {}; set local role {}").format(*[sql.Identifier(role)] * 2))
        # Not that of another table, which a trigger writes to.
        said = f'row-level security policy "organization" for table "{table}"'
        with pytest.raises(errors.InsufficientPrivilege, match=said), owner.transaction():
            owner.execute(
                sql.SQL("insert into app.{} (organization_id, {names}) select %s, {names} from row").format(
                    sql.Identifier(table), names=names
                ),
                (world["globex"]["organizations"],),
            )
        owner.execute("reset role; drop table row")


def test_another_organizations_row_can_be_neither_changed_nor_deleted(acting, world):
    with acting("pipeline_admin", "acme") as connection:
        row = (world["globex"]["leads"],)
        assert connection.execute("update app.leads set notes = 'x' where id = %s", row).rowcount == 0
        assert connection.execute("delete from app.leads where id = %s", row).rowcount == 0


@pytest.mark.parametrize(
    ("role", "wanted"),
    [
        ("pipeline_public", "pipeline_member"),
        ("pipeline_jobs", "pipeline_admin"),
        ("pipeline_member", "pipeline_owner"),
        ("pipeline_member", "pipeline_lookup"),
    ],
)
def test_a_login_may_not_take_a_role_that_is_not_its_own(acting, role, wanted):
    with acting(role) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(f"set local role {wanted}")


def test_a_public_form_sees_its_own_invite_version_lead_and_nothing_else(acting, world):
    invite = world["acme"]["interview_invites"]
    with acting("pipeline_public", "acme", invite_id=invite) as connection:
        seen = {name: count(connection, name) for name in readable(connection)}
    assert {name for name, rows in seen.items() if rows} == {
        "organizations",
        "interview_invites",
        "interview_template_versions",
        "leads",
        "storage_use",
    }
    assert set(seen.values()) <= {0, 1}


def test_a_public_form_puts_files_into_its_own_open_invite_alone(acting, world):
    invite, add = world["acme"]["interview_invites"], FILE
    other = world["globex"]["interview_invites"]
    with acting("pipeline_public", "acme", invite_id=invite) as connection:
        connection.execute(add)
        assert connection.execute("delete from app.files where invite_id is distinct from %s", (invite,)).rowcount == 0
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(add.replace("sha256)", "sha256, invite_id)").replace("64))", f"64), {other})"))
    with (
        acting("pipeline_public", "acme", template_id=world["acme"]["interview_templates"]) as connection,
        pytest.raises(errors.InsufficientPrivilege),
    ):
        connection.execute(add)


def test_a_public_form_removes_and_fills_the_files_of_its_own_open_invite_alone(acting, world):
    add = "insert into app.file_chunks (file_id, position, content) values (%s, 0, 'x')"
    with acting("pipeline_public", "acme", invite_id=world["acme"]["interview_invites"]) as connection:
        connection.execute(FILE)
        assert connection.execute("delete from app.files").rowcount == 1
        (own,) = connection.execute(FILE + " returning id").fetchone()
        connection.execute(add, (own,))
        assert count(connection, "file_chunks") == 1
        with pytest.raises(errors.InsufficientPrivilege), connection.transaction():
            connection.execute(add, (world["acme"]["files"],))
        connection.execute("update app.interview_invites set status = 'submitted', submitted_at = now()")
        assert connection.execute("delete from app.files").rowcount == 0


def test_a_public_form_of_another_organizations_invite_sees_nothing(acting, world):
    with acting("pipeline_public", "acme", invite_id=world["globex"]["interview_invites"]) as connection:
        assert count(connection, "interview_invites") == 0
        assert count(connection, "interview_template_versions") == 0


def test_a_capture_form_sees_its_template_without_an_invite(acting, world):
    with acting("pipeline_public", "acme", template_id=world["acme"]["interview_templates"]) as connection:
        assert count(connection, "interview_template_versions") == 1
        assert count(connection, "interview_invites") == 0


def test_answers_kept_for_a_repeated_request_are_seen_by_whoever_made_it_and_by_the_worker(acting, owner, world):
    user, stranger = world["acme"]["users"], world["globex"]["users"]
    for role, seen in (("pipeline_member", {user: 1, stranger: 0}), ("pipeline_jobs", {user: 1, stranger: 1})):
        for person, rows in seen.items():
            with acting(role, "acme", user_id=person) as connection:
                assert count(connection, "idempotency_keys") == rows, role


def keep_answer(connection, scope):
    connection.execute(
        "insert into app.idempotency_keys (scope, key, request_hash, status, headers, body) "
        "values (%s, 'mine', 'h', 201, '{}', '')",
        (scope,),
    )


def test_an_answer_is_kept_for_the_caller_alone(acting, world):
    user, invite = world["acme"]["users"], world["acme"]["interview_invites"]
    for role, own, other, settings in (
        ("pipeline_member", f"user:{user}", f"user:{user + 1}", {}),
        ("pipeline_public", f"invite:{invite}", f"invite:{invite + 1}", {"invite_id": invite}),
    ):
        with acting(role, "acme", **settings) as connection:
            keep_answer(connection, own)
            assert count(connection, "idempotency_keys") >= 1
            with pytest.raises(errors.InsufficientPrivilege):
                keep_answer(connection, other)


@pytest.mark.parametrize("table", ["sessions", "refresh_tokens", "signature_links", "signature_codes"])
def test_whatever_a_later_policy_and_grant_may_show_is_of_the_organization_alone(owner, world, table):
    """No member reads these tables today."""
    owner.execute(f"grant select on app.{table} to pipeline_member")
    owner.execute(f"create policy later on app.{table} to pipeline_member using (true)")
    made = here(owner, world)
    owner.execute("set local role pipeline_member")
    assert owner.execute(f"select distinct organization_id from app.{table}").fetchall() == [(made,)]
