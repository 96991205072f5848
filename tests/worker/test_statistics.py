"""The planner's statistics of a table name each organization with many records."""

import pytest

from pipeline.worker.jobs import run

MANY = 1000
KINDS = ("companies", "configurations", "contacts", "contracts", "deals", "interview_invites", "leads", "quotes")
LEADS = "insert into app.leads (organization_id, first_name) select %s, 'Pat' from generate_series(1, %s)"
# As after an analysis of records of all organizations.
KNOWN = """
select pg_restore_attribute_stats(
    'schemaname', 'app', 'relname', %s::text, 'attname', 'organization_id', 'inherited', false, 'null_frac', 0::real,
    'avg_width', 8, 'n_distinct', count(*)::real, 'most_common_vals', array_agg(id)::text,
    'most_common_freqs', array_agg((1.0 / (select count(*) from app.organizations))::real))
from app.organizations"""
LISTED = """
select %s = any(most_common_vals::text::bigint[]) from pg_stats
where schemaname = 'app' and tablename = 'leads' and attname = 'organization_id'"""


@pytest.fixture(params=["leads"])
def unknown(request, new_organization, superuser):
    """An organization that is not in the statistics of a table, where another is."""
    new_organization()
    assert superuser.execute(KNOWN, [request.param]).fetchone() == (True,)
    yield new_organization()
    superuser.execute(f"analyze app.{request.param}")


def test_an_organization_with_many_new_leads_gets_statistics(unknown, owner, superuser, jobs, settings):
    owner.execute(LEADS, [unknown.id, MANY])
    assert superuser.execute(LISTED, [unknown.id]).fetchone() == (False,)
    assert run(jobs, settings, "renew_statistics") == 1
    assert superuser.execute(LISTED, [unknown.id]).fetchone() == (True,)
    assert run(jobs, settings, "renew_statistics") == 0


def test_an_organization_with_few_leads_needs_none(unknown, owner, jobs, settings):
    owner.execute(LEADS, [unknown.id, 10])
    assert run(jobs, settings, "renew_statistics") == 0


@pytest.mark.parametrize("unknown", KINDS, indirect=True)
def test_each_counted_kind_is_watched(request, unknown, owner):
    kind = request.node.callspec.params["unknown"]
    count = "insert into app.record_count_deltas (organization_id, kind, delta) values (%s, %s, %s)"
    with owner.transaction(force_rollback=True):
        owner.execute(count, [unknown.id, kind, MANY])
        owner.execute("set local role pipeline_lookup")
        assert (kind,) in owner.execute("select app.tables_to_analyze()").fetchall()
