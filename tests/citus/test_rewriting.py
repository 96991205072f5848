"""The schema as it is written for Citus still fits and does the same; on PostgreSQL alone, and rolled back."""

import re

import psycopg
import pytest

from tests.citus import catalog
from tests.citus.distribution import BEFORE, GLOBAL, rewrite


@pytest.fixture(scope="module")
def rewritten(owner_url):
    """A superuser's connection to the schema rewritten, in a transaction that is rolled back."""
    with psycopg.connect(owner_url) as connection, connection.transaction(force_rollback=True):
        connection.execute("set local check_function_bodies = off")
        connection.execute(BEFORE.read_text())
        rewrite(connection)
        yield connection


def test_no_policy_is_restrictive_and_each_asks_for_the_organization(rewritten):
    assert rewritten.execute(catalog.POLICIES, ["RESTRICTIVE"]).fetchall() == []
    for table, _, using, checked in rewritten.execute(catalog.POLICIES, ["PERMISSIVE"]).fetchall():
        bound = "app.routed_organization()" if table not in GLOBAL else "app."
        assert all(bound in condition for condition in (using, checked) if condition is not None)


def test_no_function_is_left_that_citus_could_not_plan(rewritten):
    assert rewritten.execute(catalog.IN_SQL).fetchall() == []
    for (definition,) in rewritten.execute(catalog.ON_TRANSITION_TABLES).fetchall():
        assert not re.search(r"insert into [^;]*\) *select|(from|using) changed\s+where", definition)


def test_changes_are_recorded_and_counted_as_before(rewritten):
    made = "insert into app.organizations (name, slug) values ('Moved', 'moved') returning id"
    organization = rewritten.execute(made).fetchone()[0]
    rewritten.execute(
        "insert into app.leads (organization_id, first_name) select %s, name from unnest(array['Ann', 'Bo']) as name",
        [organization],
    )
    rewritten.execute("update app.leads set first_name = 'Cy' where organization_id = %s", [organization])
    rewritten.execute("delete from app.leads where organization_id = %s", [organization])
    changes = "select action, count(*) from app.changes where organization_id = %s and type = 'leads' group by action"
    assert dict(rewritten.execute(changes, [organization]).fetchall()) == {"created": 2, "updated": 2, "deleted": 2}
    deltas = "select delta from app.record_count_deltas where organization_id = %s and kind = 'leads' order by id"
    assert [delta for (delta,) in rewritten.execute(deltas, [organization])] == [2, -2]
    kept = "select count(*) from app.lead_changes where organization_id = %s"
    assert rewritten.execute(kept, [organization]).fetchone() == (0,)
