"""Plans at many rows, as the service's roles: orders and selective filters go by an index, and none changes unseen."""

import psycopg
import pytest

from pipeline.database import queries
from tests.database import shapes
from tests.database.crowd import database, fill
from tests.database.lists import ALWAYS, LISTS, UNSEARCHED, few, known, orders, read, scanned, walk
from tests.support import session

BIG = 40_000
# Filling takes its time.
pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
def crowd_url(server_url, database_name):
    """crowd_url(role): the URL of the crowd's database, which is its own."""
    with database(server_url, f"{database_name}_crowd") as url:
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


@pytest.fixture(scope="module")
def planner(crowd, crowd_url):
    """Plans every query."""
    planner = shapes.Planner(crowd_url, crowd)
    yield planner
    planner.close()


# Between two indexes that cost the same the choice may be another in another database.
@pytest.mark.long
@pytest.mark.parametrize("place", shapes.places())
def test_every_query_goes_about_its_work_as_recorded(planner, place, request):
    found = planner.shapes(place)
    if request.config.getoption("record_plans"):
        shapes.record(place, found)
    if changes := shapes.changes(place, found):
        pytest.fail(f"If this is as it should be, make plans takes it over.\n\n{changes}", pytrace=False)


def test_no_shapes_are_kept_of_a_file_that_is_gone():
    assert shapes.recorded_places() - set(shapes.places()) == set()


def test_a_plan_that_is_another_is_shown_as_a_diff_that_names_query_and_file(planner):
    found = planner.shapes("leads/leads")
    assert shapes.changes("leads/leads", found) == ""
    found["lead_delete (pipeline_admin)"] = "    Delete on leads lead\n      ->  Seq Scan on leads lead"
    told = shapes.changes("leads/leads", found).split("\n")
    assert told[:3] == [
        "lead_delete (pipeline_admin)",
        "--- sql/leads/leads.sql as recorded in tests/database/plans/leads/leads.txt",
        "+++ sql/leads/leads.sql now",
    ]
    assert "-      ->  Index Scan using leads_pkey on leads lead" in told
    assert "+      ->  Seq Scan on leads lead" in told
