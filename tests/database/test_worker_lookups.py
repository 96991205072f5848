import pytest

from tests.database.conftest import ask, here


@pytest.fixture
def erased(owner, world):
    """erased(call): (messages, filters, values) of acme and of globex, after a function has erased for acme."""
    owner.execute("""update app.webhook_deliveries set body = '{"data": "ada@x.example"}', record_type = 'leads'""")
    owner.execute("""update app.changes set action = 'exported', details = '{"filter": {"search": "ada"}}',
        type = 'leads', record_id = 1, changed = '{"email": {"old": "ada@x.example", "new": null}}'""")

    def run(call, *values):
        here(owner, world)
        ask(owner, call, *values)
        return [
            owner.execute(
                "select array(select distinct body from app.webhook_deliveries where organization_id = o.id), "
                "array(select distinct details #>> '{filter,search}' from app.changes where organization_id = o.id), "
                "array(select distinct changed #>> '{email,old}' from app.changes where organization_id = o.id) "
                "from app.organizations o where o.id = %s",
                [world[slug]["organizations"]],
            ).fetchone()
            for slug in ("acme", "globex")
        ]

    return run


TOLD, VALUE = '{"data": "ada@x.example"}', "ada@x.example"
KEPT = ([TOLD], ["ada"], [VALUE])


def test_words_are_erased_from_messages_exports_and_changes_of_this_organization_alone(erased):
    traces = "traces_erase('{}', '{}', '{}', '{}', '{}', '{ada@x.example}', '{Ada}')"
    assert erased(traces) == [(['{"data": {"id": 1}}'], [None], [None]), KEPT]


@pytest.mark.parametrize(("kind", "message", "value"), [("leads", '{"data": {"id": 1}}', None), ("deals", TOLD, VALUE)])
def test_what_is_told_of_records_of_a_type_is_erased_in_this_organization_alone(erased, kind, message, value):
    assert erased("changes_erase(%s, '{1}')", kind) == [([message], ["ada"], [value]), KEPT]


def test_changes_are_forgotten_in_their_own_organization_alone(owner, world):
    kept = "select count(*) from app.changes where organization_id = %s"
    acme, globex = [here(owner, world)], [world["globex"]["organizations"]]
    owner.execute("update app.changes set transaction_id = 1, at = at - interval '500 days'")
    before = owner.execute(kept, globex).fetchone()
    assert ask(owner, "changes_purge(400)") > 0
    assert owner.execute(kept, acme).fetchone() == (0,)
    assert owner.execute(kept, globex).fetchone() == before


def test_only_what_is_due_and_in_nobodys_hands_is_handed_over(owner, world):
    organization = world["acme"]["organizations"]
    owner.execute("update app.outbox set done_at = now()")
    owner.execute(
        "insert into app.outbox (organization_id, event, key, due_at, leased_until) values "
        "(%(id)s, 'told', 'due', now(), null), (%(id)s, 'told', 'leased', now(), now() + interval '1 minute'), "
        "(%(id)s, 'told', 'later', now() + interval '1 minute', null)",
        {"id": organization},
    )
    due = owner.execute("select id from app.outbox where key = 'due' and organization_id = %s", [organization])
    expected = due.fetchall()
    assert owner.execute("select id from app.outbox_lease('mail', 9, 9, '1s')").fetchall() == expected


def test_the_backlog_is_what_is_due_and_not_delivered(owner, world):
    owner.execute("update app.outbox set done_at = now(), due_at = now() - interval '1 hour'")
    owner.execute(
        "insert into app.outbox (organization_id, event, key, due_at) values "
        "(%(id)s, 'told', 'due', now() - interval '5 seconds'), (%(id)s, 'told', 'later', now() + interval '1 minute')",
        {"id": world["acme"]["organizations"]},
    )
    backlog = owner.execute("select * from app.outbox_backlog()").fetchall()
    assert backlog == [("documents", 0, 0), ("mail", 1, 5)]
