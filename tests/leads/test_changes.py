"""When a lead was changed last stands beside it, so that a change of a field that no index holds writes no index."""

import psycopg
import pytest

from pipeline.database import queries
from pipeline.leads.csv_format import COLUMNS
from tests.support import session

NOTHING = dict.fromkeys(COLUMNS)


@pytest.fixture
def updated(organization, owner, login_url):
    """updated(ids, **fields): (updates, HOT ones) of leads, changed one after the other as the application's role."""
    user = organization.users["member"]
    with psycopg.connect(organization.server(login_url("pipeline_app"))) as connection, queries.on(connection):
        queries.authenticate(
            organization_id=organization.id, user_id=user, session_id=session(owner, user, organization.id)
        )

        def counted():
            return connection.execute(
                "select n_tup_upd, n_tup_hot_upd from pg_stat_xact_all_tables where relid = 'leads'::regclass"
            ).fetchone()

        def run(ids, **fields):
            # Behind a pooler the server process may still have in hand what others' transactions have counted.
            before = counted()
            for id in ids:
                queries.lead_update(id=id, **{**NOTHING, "first_name": "Lee", "source": "web", "notes": "", **fields})
            return tuple(now - earlier for now, earlier in zip(counted(), before, strict=True))

        yield run


@pytest.fixture
def leads(organization, owner):
    """Ids of two hundred leads, written at once as an import does."""
    rows = owner.execute(
        "insert into app.leads (organization_id, first_name, source)"
        " select %s, 'Lee', 'web' from generate_series(1, 200) returning id",
        (organization.id,),
    ).fetchall()
    return [id for (id,) in rows]


def test_nine_of_ten_changes_of_a_field_that_no_index_holds_are_hot(updated, leads):
    changes, hot = updated(leads[::10], notes="Called, wants a quote.")
    assert changes == 20
    assert hot >= 0.9 * changes


def test_a_change_of_a_name_is_not_hot(updated, leads):
    assert updated(leads[:1], first_name="Kim") == (1, 0)


def test_what_was_changed_since_and_in_which_order_follows_every_way_to_write_a_lead(organization, member, owner):
    first, second, third = (organization.insert("leads", first_name=name) for name in "abc")
    since = owner.execute("select clock_timestamp()").fetchone()[0].isoformat().replace("+00:00", "Z")
    member.put(f"/api/leads/{second}", {"first_name": "b", "notes": "n"}, status=200)
    member.put(f"/api/leads/{first}/disqualify", {"reason": "r"}, status=200)
    member.delete(f"/api/leads/{third}", status=204)
    created = member.post("/api/leads", {"first_name": "d"}, status=201).json["id"]
    for sort_dir, expected in (("ASC", [second, first, created]), ("DESC", [created, first, second])):
        answer = member.get(f"/api/leads?updated_since={since}&sort_by=updated_at&sort_dir={sort_dir}", status=200).json
        assert ([lead["id"] for lead in answer["data"]], answer["total"]) == (expected, 3)
    left = owner.execute("select count(*) from app.lead_changes where organization_id = %s", (organization.id,))
    assert left.fetchone()[0] == 3


def test_what_lists_filter_by_stands_beside_the_last_change(organization, member, owner):
    made = member.post("/api/leads", {"first_name": "a", "source": "fair"}, status=201).json["id"]
    beside = "select status, source, assigned_to from app.lead_changes where lead_id = %s"
    assert owner.execute(beside, (made,)).fetchone() == ("new", "fair", None)
    member.put(
        f"/api/leads/{made}",
        {"first_name": "a", "source": "web", "assigned_to": organization.users["member"]},
        status=200,
    )
    member.put(f"/api/leads/{made}/disqualify", {"reason": "r"}, status=200)
    assert owner.execute(beside, (made,)).fetchone() == ("disqualified", "web", organization.users["member"])
