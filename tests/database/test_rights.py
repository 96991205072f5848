import pytest
from psycopg import errors

from tests.database import shapes
from tests.database.asked import NAMES

SERVING = "rolname ~ '^pipeline_(member|admin|public|jobs|app|forms)$'"


@pytest.fixture(scope="module")
def planner(login_url, world):
    made = world["acme"]
    planner = shapes.Planner(login_url, {"tables": made, **{name: made[table] for name, table in NAMES.items()}})
    yield planner
    planner.close()


@pytest.mark.parametrize("place", shapes.places())
def test_each_statement_may_be_sent_by_somebody(planner, place):
    planner.shapes(place)


@pytest.mark.parametrize(
    ("columns", "may"),
    [
        ("in ('id', 'created_at', 'updated_at')", "has_column_privilege(rolname, attrelid, attname, 'insert, update')"),
        ("is not null", "has_table_privilege(rolname, attrelid, 'truncate, trigger, references')"),
    ],
    ids=["what the database keeps", "all rows at once"],
)
def test_no_request_may_write_what_is_not_its_to_write(catalog, columns, may):
    rows = catalog.execute(f"""select distinct relname, rolname from pg_roles cross join pg_class
        join pg_attribute on attrelid = pg_class.oid and attname {columns}
        where relnamespace = 'app'::regnamespace and relkind = 'r' and {SERVING} and {may}""").fetchall()
    assert rows == []


@pytest.mark.parametrize(
    "statement",
    [
        "insert into app.interview_templates (name, slug) values ('X', 'x')",
        "update app.contracts set executed_file_id = null",
    ],
)
def test_only_an_administrator_makes_a_template_and_takes_an_executed_copy_away(acting, statement):
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


def capture(connection, **changes):
    """Add a lead and its response as a capture form does, with some values changed."""
    connection.execute("insert into app.leads (first_name, source) values ('Pat', 'interview')")
    values = {"origin": "'capture'", "status": "'submitted'", "lead_id": "currval('app.leads_id_seq')", **changes}
    connection.execute(
        "insert into app.interview_invites (template_id, template_version_id, lead_id, origin, token, status, "
        "submitted_at) select id, version_id, {lead_id}, {origin}, repeat('c', 64), {status}, now() "
        "from app.interview_templates".format(**values)
    )


@pytest.fixture
def form(acting, world):
    """A connection of the public form that acme's template has."""
    with acting("pipeline_public", "acme", template_id=world["acme"]["interview_templates"]) as connection:
        yield connection


def test_a_capture_form_may_add_a_lead_with_its_response_and_read_no_lead(form):
    capture(form)
    assert form.execute("select count(*) from app.leads").fetchone() == (0,)


def test_a_capture_form_that_is_continued_later_makes_its_lead_then(form):
    form.execute(
        "insert into app.interview_invites (template_id, template_version_id, origin, token, status, send_email, "
        "recipient_email) select id, version_id, 'capture', repeat('d', 64), 'started', true, 'pat@x.example' "
        "from app.interview_templates"
    )
    for name, value in {"template_id": "", "invite_token": "d" * 64}.items():
        form.execute("select set_config('app.' || %s, %s, true)", (name, value))
    assert form.execute("insert into app.leads (first_name, source) values ('Pat', 'interview')").rowcount


@pytest.mark.parametrize(
    "change", [{"origin": "'invite'"}, {"lead_id": "(select currval('app.leads_id_seq') - 1)"}, {"lead_id": "{leads}"}]
)
def test_a_capture_form_adds_no_invite_but_the_response_of_its_own_new_lead(form, world, change):
    with pytest.raises(errors.InsufficientPrivilege):
        capture(form, **{column: value.format(**world["acme"]) for column, value in change.items()})


@pytest.mark.parametrize(
    ("column", "value"),
    [("status", "null"), ("contact_id", "null"), ("disqualify_reason", "null"), ("assigned_to", "{users}")],
    ids=["a status", "a contact", "a reason", "another organization's seat"],
)
def test_a_capture_form_does_not_choose_what_sales_decides(form, world, column, value):
    insert = f"insert into app.leads (first_name, source, {column}) values ('Pat', 'interview', {value})"
    with pytest.raises(errors.InsufficientPrivilege):
        form.execute(insert.format(**world["globex"]))


def test_the_form_of_an_invite_adds_no_lead(acting, world):
    form = {"invite_id": world["acme"]["interview_invites"]}
    with acting("pipeline_public", "acme", **form) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute("insert into app.leads (first_name, source) values ('Eve', 'interview')")
