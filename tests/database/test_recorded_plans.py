"""No plan of a query changes unseen: each is compared with the recorded one, among many rows."""

import difflib

import psycopg
import pytest

from tests.database import shapes
from tests.database.crowd import database, fill

MANY = 40_000


@pytest.fixture(scope="module")
def planner(server_url, database_name):
    """Plans every query in the organization of MANY records of each kind."""
    with database(server_url, f"{database_name}_crowd") as url:
        with psycopg.connect(url("postgres"), autocommit=True) as connection:
            planner = shapes.Planner(url, fill(connection, MANY))
        yield planner
        planner.close()


# Between two indexes that cost the same the choice may be another in another database.
@pytest.mark.long
@pytest.mark.parametrize("place", shapes.places())
def test_every_query_goes_about_its_work_as_recorded(planner, place, request):
    now, path = shapes.written(planner.shapes(place)), shapes.recorded(place)
    if request.config.getoption("record_plans"):
        path.unlink(missing_ok=True)
        if now:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(now)
    before = path.read_text() if path.exists() else ""
    told = difflib.unified_diff(before.splitlines(), now.splitlines(), str(path), f"sql/{place}.sql now", lineterm="")
    assert before == now, "\n".join(["If this is as it should be, make plans takes it over.", "", *told])


def test_no_shapes_are_kept_of_a_file_that_is_gone():
    assert shapes.recorded_places() - set(shapes.places()) == set()
