"""Plans of lists at many rows, as the service's roles: orders and selective filters use an index."""

import psycopg
import pytest

from pipeline.database import queries
from tests.database.crowd import database, fill
from tests.database.lists import ALWAYS, LISTS, UNSEARCHED, few, known, orders, read, scanned, walk
from tests.support import session

# As many as let PostgreSQL prefer an index; test_recorded_plans.py has more.
BIG = 8_000


@pytest.fixture(scope="module")
def crowd_url(server_url, database_name):
    """crowd_url(role): the URL of the crowd's database, which is its own."""
    with database(server_url, f"{database_name}_lists") as url:
        yield url


@pytest.fixture(scope="module")
def crowd(crowd_url):
    """Ids of an organization with BIG records of each kind; a thousand times smaller ones stand beside it."""
    with psycopg.connect(crowd_url("postgres"), autocommit=True) as connection:
        ids = fill(connection, BIG)
        return {**ids, "session": session(connection, ids["user"], ids["organization"])}


def authenticate(crowd):
    """Begin the context of the crowd's user."""
    queries.authenticate(organization_id=crowd["organization"], user_id=crowd["user"], session_id=crowd["session"])


@pytest.fixture(scope="module")
def plan(crowd, crowd_url):
    """plan(name, **parameters): every node of a list's executed plan."""
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)

        def run(name, **parameters):
            asked = {key: known(value, crowd) for key, value in parameters.items()}
            query = getattr(queries, name)
            values = {"search": None, "tag": None, "limit": 25, "offset": 0} | ALWAYS.get(name, {}) | asked
            values = {key: value for key, value in values.items() if key in query.parameters}
            (found,) = query.explained("analyze, format json", **values)
            return list(walk(found[0]["Plan"]))

        yield run


@pytest.mark.parametrize("name", LISTS)
def test_a_step_of_a_walk_is_read_from_the_primary_key(plan, name):
    assert read(plan(name, after_id=BIG // 2)) <= 100
    assert read(plan(name, ids=[BIG // 2, BIG // 2 + 1])) <= 100


@pytest.mark.parametrize(("name", "sort_by", "sort_dir"), [(name, *order) for name in LISTS for order in orders(name)])
def test_the_first_page_of_an_order_is_read_from_its_index(plan, name, sort_by, sort_dir):
    assert read(plan(name, sort_by=sort_by, sort_dir=sort_dir)) <= 100


@pytest.mark.parametrize(("name", "asked"), [(name, asked) for name in LISTS for asked in few(name)])
def test_a_filter_that_leaves_few_records_reads_few_in_every_order(plan, name, asked):
    for sort_by in getattr(queries, name).words("sort_by"):
        nodes = plan(name, **{asked: few(name)[asked]}, sort_by=sort_by, sort_dir="ASC")
        assert scanned(nodes) == set()
        assert read(nodes) <= BIG / 20


@pytest.mark.parametrize("name", [name for name in LISTS if name not in UNSEARCHED])
def test_a_rare_word_reads_few_records_in_every_order(plan, name):
    for sort_by in getattr(queries, name).words("sort_by"):
        assert read(plan(name, search=["4711"], sort_by=sort_by, sort_dir="ASC")) <= BIG / 100


def test_a_list_is_planned_with_its_values_each_time(crowd, crowd_url):
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        for _ in range(10):
            queries.lead_list(sort_by="name", sort_dir="ASC", limit=25, offset=0)
        prepared = "select count(*) from pg_prepared_statements where statement like '-- lead_list%'"
        assert connection.execute(prepared).fetchone() == (0,)
