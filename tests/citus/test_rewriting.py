"""The schema as it is written for Citus still fits and does the same; on PostgreSQL alone, and rolled back."""

import re

import psycopg
import pytest

from pipeline.database.cluster import catalog
from pipeline.database.cluster.distribution import FOLDER, GLOBAL, rewrite
from pipeline.database.cluster.rewriting import CONTEXT

ORGANIZATION = "insert into app.organizations (name, slug) values ('Acme', %s) returning id"


@pytest.fixture(scope="module")
def rewritten(owner_url):
    """A superuser's connection to the schema rewritten, in a transaction that is rolled back."""
    with psycopg.connect(owner_url) as connection, connection.transaction(force_rollback=True):
        connection.execute("set local check_function_bodies = off")
        for file in sorted(FOLDER.glob("*.sql")):
            connection.execute(file.read_text())
        rewrite(connection)
        # What Citus has of its own: the number of the server, and which shards are on which.
        connection.execute("create temporary table pg_dist_local_group as select 1 as groupid")
        connection.execute(
            "create temporary table pg_dist_placement as select 7 as shardid, g as groupid from generate_series(1, 2) g"
        )
        connection.execute("grant select on pg_dist_local_group, pg_dist_placement to public")
        connection.execute(
            "create or replace function app.shard_of(p_organization_id bigint) returns bigint language sql return 7"
        )
        yield connection


def test_no_policy_is_restrictive_and_each_asks_for_the_organization(rewritten):
    assert rewritten.execute(catalog.POLICIES, ["RESTRICTIVE"]).fetchall() == []
    for table, _, using, checked in rewritten.execute(catalog.POLICIES, ["PERMISSIVE"]).fetchall():
        bound = "app.routed_organization()" if table not in GLOBAL else "app."
        conditions = [condition for condition in (using, checked) if condition is not None]
        assert all(bound in condition and "SELECT" not in condition for condition in conditions), (table, conditions)


def test_no_function_is_left_that_citus_could_not_plan(rewritten):
    assert rewritten.execute(catalog.IN_SQL).fetchall() == []
    assert rewritten.execute(catalog.OF_ROWS).fetchall() == []
    for (definition,) in rewritten.execute(catalog.OF_THE_CONTEXT, [CONTEXT]).fetchall():
        assert definition.count(CONTEXT) == 1
    for (definition,) in rewritten.execute(catalog.OF_TRIGGERS).fetchall():
        assert not re.search(r"insert into [^;]*\) *select|(from|using) changed\s+where", definition)


def test_changes_are_recorded_and_counted_as_before(rewritten):
    organization = rewritten.execute(ORGANIZATION, ["moved"]).fetchone()[0]
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


def test_after_a_move_to_a_server_that_has_counted_less_changes_still_come_after_those_before(rewritten):
    organization = rewritten.execute(ORGANIZATION, ["elsewhere"]).fetchone()[0]
    place = "select pg_snapshot_xmin(app.changes_snapshot(%s))::text::bigint"
    told = "select transaction_id from app.changes where organization_id = %s order by id desc limit 1"
    numbers = rewritten.execute(place, [organization]).fetchone() + rewritten.execute(told, [organization]).fetchone()
    rewritten.execute("update pg_dist_local_group set groupid = 2")
    numbers += rewritten.execute(place, [organization]).fetchone()
    rewritten.execute("update app.organizations set name = 'Here' where id = %s", [organization])
    numbers += rewritten.execute(told, [organization]).fetchone()
    assert list(numbers) == sorted(numbers)
    assert [number >> 44 for number in numbers] == [1, 1, 2, 2]


def test_what_is_unique_over_all_organizations_is_refused_by_the_name_of_its_constraint(rewritten):
    organization = rewritten.execute(ORGANIZATION, ["taken"]).fetchone()[0]
    assert rewritten.execute("select app.organization_of('organization', 'taken')").fetchone() == (organization,)
    with pytest.raises(psycopg.errors.UniqueViolation) as error, rewritten.transaction():
        rewritten.execute(ORGANIZATION, ["taken"])
    assert error.value.diag.constraint_name == "organizations_slug_key"
    rewritten.execute("update app.organizations set slug = 'free' where id = %s", [organization])
    assert rewritten.execute("select app.organization_of('organization', 'taken')").fetchone() == (None,)


def test_what_refers_to_a_deleted_lead_refers_to_nothing(rewritten):
    organization = rewritten.execute(ORGANIZATION, ["gone"]).fetchone()[0]
    lead = "insert into app.leads (organization_id, first_name) values (%s, 'Ann') returning id"
    lead_id = rewritten.execute(lead, [organization]).fetchone()[0]
    email = (
        "insert into app.emails (organization_id, lead_id, effect_key, direction, subject, from_email, to_email)"
        " values (%s, %s, 'one', 'outbound', 'Hello', 'a@b.example', 'c@d.example') returning id"
    )
    rewritten.execute(email, [organization, lead_id])
    rewritten.execute("delete from app.leads where organization_id = %s", [organization])
    left = "select lead_id from app.emails where organization_id = %s"
    assert rewritten.execute(left, [organization]).fetchone() == (None,)
