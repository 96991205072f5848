"""What a role may write: the Admin rule holds in the database too."""

import pytest
from psycopg import errors

ADMIN_WRITES = (
    "organizations",
    "organization_users",
    "teams",
    "interview_templates",
    "interview_template_versions",
    "contract_templates",
    "configurator_definitions",
    "users",
)
NOBODY_WRITES = ("id", "created_at", "updated_at")


@pytest.mark.parametrize("table", ADMIN_WRITES)
def test_a_member_has_no_right_to_write_what_administrators_write(catalog, table):
    rights = catalog.execute(
        """select has_any_column_privilege('pipeline_member', t, 'insert')
        or has_any_column_privilege('pipeline_member', t, 'update')
        or has_table_privilege('pipeline_member', t, 'delete') as member,
        has_any_column_privilege('pipeline_admin', t, 'insert, update') as admin
        from (select 'app.' || %s as t) as named""",
        (table,),
    ).fetchone()
    assert rights == {"member": False, "admin": True}


def test_a_member_may_write_only_the_tables_of_daily_work(catalog):
    rows = catalog.execute("""select relname from pg_class
        where relnamespace = 'app'::regnamespace and relkind = 'r'
        and has_any_column_privilege('pipeline_member', oid, 'insert')""")
    assert not {row["relname"] for row in rows} & set(ADMIN_WRITES)


def test_no_request_may_write_an_id_or_a_timestamp_that_the_database_keeps(catalog):
    rows = catalog.execute(
        """select attrelid::regclass::text as name, attname from pg_attribute a
        join pg_class c on c.oid = attrelid and c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
        cross join unnest(array['pipeline_member', 'pipeline_admin', 'pipeline_public', 'pipeline_jobs'])
            as role
        where attname = any(%s) and has_column_privilege(role, attrelid, attname, 'insert, update')""",
        (list(NOBODY_WRITES),),
    ).fetchall()
    assert rows == []


def test_no_request_may_truncate_or_define_triggers(catalog):
    rows = catalog.execute("""select relname, role from pg_class
        cross join unnest(array['pipeline_member', 'pipeline_admin', 'pipeline_public', 'pipeline_jobs'])
            as role
        where relnamespace = 'app'::regnamespace and relkind = 'r'
        and has_table_privilege(role, pg_class.oid, 'truncate, trigger, references')""").fetchall()
    assert rows == []


def test_a_member_cannot_insert_a_template_and_an_administrator_can(acting):
    statement = "insert into app.interview_templates (name, slug) values ('X', 'x')"
    with acting("pipeline_admin", "acme") as connection:
        assert connection.execute(statement).rowcount == 1
    with acting("pipeline_member", "acme") as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(statement)


def test_only_an_administrator_may_take_an_executed_copy_away(acting):
    statement = "update app.contracts set executed_file_id = null"
    with acting("pipeline_admin", "acme") as connection:
        assert connection.execute(statement).rowcount == 1
    with acting("pipeline_member", "acme") as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(statement)


def test_a_member_sees_only_their_own_notifications(acting, world):
    with acting("pipeline_member", "acme", user_id=world["globex"]["users"]) as connection:
        assert connection.execute("select count(*) from app.notifications").fetchone() == (0,)
    with acting("pipeline_member", "acme") as connection:
        assert connection.execute("select count(*) from app.notifications").fetchone() == (1,)


def test_a_public_form_may_change_its_answers_and_not_its_recipient(acting, world):
    invite = world["acme"]["interview_invites"]
    with acting("pipeline_public", "acme", invite_id=invite) as connection:
        saved = connection.execute(
            "update app.interview_invites set answers = answers || '{\"a\": 1}', "
            "status = 'started', revision = revision + 1 returning answers"
        ).fetchall()
        assert saved == [({"a": 1},)]
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute("update app.interview_invites set recipient_email = 'x@example.com'")
