"""Plans at many rows, as the service's roles: no list sorts or reads a whole organization, and none changes unseen."""

import itertools
from functools import partial

import psycopg
import pytest

from pipeline.database import queries
from tests.database import shapes
from tests.database.crowd import database, fill
from tests.database.lists import (
    ALWAYS,
    CHANGED,
    FILTERS,
    SEARCHED,
    known,
    read,
    reads_rows,
    scanned,
    sorted_rows,
    variants,
    walk,
)
from tests.support import session

BIG = 40_000
VARIANTS = list(variants())
# The lists of few rows; of what one record has, mostly little; and of the audit, which has its own ways.
SHORT = (
    "api_key_list configurator_definition_list deal_stage_list session_list team_list user_list webhook_list "
    "lead_email_list note_list task_list audit_list audit_list_narrowed audit_list_of_one"
)
# Most of the crowd's leads were made since, and changed last.
MOSTLY = "2026-01-04T11:20Z"
# How leads are found whose order goes together with their last change.
APART = {"name": "apart", "email": "apart", "company_name": "apart", "created_at": "older"}
INVITES_APART = dict.fromkeys(("created_at", "expires_at", "recipient_name", "recipient_email"), "apart")
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
        sessions = {name: session(connection, ids["user"], ids[name]) for name in ("organization", "small")}
    return {**ids, "sessions": sessions}


def authenticate(crowd, organization="organization"):
    """Begin the context of the crowd's user."""
    queries.authenticate(
        organization_id=crowd[organization], user_id=crowd["user"], session_id=crowd["sessions"][organization]
    )


@pytest.fixture(scope="module")
def plan(crowd, crowd_url):
    """plan(name, **parameters): every node of a list's executed plan."""
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)

        def run(name, **parameters):
            asked = {key: known(value, crowd) for key, value in parameters.items()}
            values = {"patterns": None, "alternatives": None, "near": True, "limit": 25, "offset": 0}
            values |= ALWAYS.get(name, {}) | asked
            query = getattr(queries, name)
            values = {key: value for key, value in values.items() if key in query.parameters}
            (found,) = query.explained("analyze, format json", **values)
            return list(walk(found[0]["Plan"]))

        yield run


@pytest.mark.parametrize(("name", "asked", "sort_by", "sort_dir"), VARIANTS, ids=str)
def test_no_variant_of_a_list_reads_a_whole_table_or_sorts_it(plan, name, asked, sort_by, sort_dir):
    nodes = plan(name, **asked, sort_by=sort_by, sort_dir=sort_dir)
    assert scanned(nodes) == set()
    assert sorted_rows(nodes) < BIG / 8
    if not asked:
        assert read(nodes) <= BIG / 10


@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
@pytest.mark.parametrize(
    ("name", "sort_by"),
    [
        ("deal_list", "stage_name"),
        ("deal_list", "owner_name"),
        ("configuration_list", "definition_name"),
        ("lead_list", "assigned_to_name"),
        ("lead_list", "source"),
        ("contract_list", "status"),
    ],
)
def test_a_far_page_by_a_shared_name_sorts_nothing_that_stands_before_it(plan, name, sort_by, sort_dir):
    nodes = plan(name, sort_by=sort_by, sort_dir=sort_dir, near=None, far=True, offset=BIG * 9 // 10)
    assert scanned(nodes) == set()
    assert sorted_rows(nodes) <= 100
    # Of the names before the page nothing is read: how many records each has is kept.
    assert name == "contract_list" or read(nodes) <= BIG / 4


@pytest.mark.parametrize("name", [name for name in SEARCHED if "updated_since" in getattr(queries, name).parameters])
def test_few_records_that_have_changed_lately_are_sorted_without_reading_the_others(plan, name):
    for sort_by in getattr(queries, name).words("sort_by"):
        nodes = plan(name, updated_since=CHANGED, few=True, total=1_000, sort_by=sort_by, sort_dir="ASC")
        assert read(nodes) <= BIG / 10


@pytest.mark.parametrize("sort_by", ["source", "updated_at"])
def test_few_leads_of_an_assignee_are_sorted_without_reading_their_rows(plan, sort_by):
    nodes = plan("lead_list", assigned_to="user", few=True, sort_by=sort_by, sort_dir="ASC")
    fetched = [node["Actual Rows"] * node["Actual Loops"] for node in nodes if reads_rows(node, "leads")]
    assert max(fetched) <= 25


@pytest.mark.parametrize("name", [name for name in FILTERS if "counting" in getattr(queries, name).parameters])
def test_few_records_are_counted_first_and_stand_in_the_order_that_many_have(crowd, crowd_url, name):
    query = getattr(queries, name)
    filters = {"definition_id": crowd["definition"]} if name == "configuration_list" else {"updated_since": CHANGED}
    page = {**filters, **ALWAYS.get(name, {}), "sort_by": query.words("sort_by")[0], "sort_dir": "ASC", "limit": 25}
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        counted = query(**filters, counting=True)
        many, few = query(**page, offset=0), query(**page, offset=0, few=True, **counted)
    assert counted == {"total": many["total"]}
    assert few == many
    assert many["total"] > 100


@pytest.mark.parametrize(
    ("name", "filters"),
    [
        ("lead_list", {"assigned_to": "user"}),
        ("lead_list", {"updated_since": CHANGED}),
        ("lead_list", {"updated_since": CHANGED, "status": "contacted"}),
        ("interview_invite_list", {"updated_since": CHANGED}),
        ("interview_invite_list", {"updated_since": CHANGED, "status": "submitted"}),
    ],
    ids=str,
)
def test_few_records_stand_in_every_order_as_many_do(crowd, crowd_url, name, filters):
    query = getattr(queries, name)
    page = ALWAYS.get(name, {}) | {key: known(value, crowd) for key, value in filters.items()} | {"limit": 25}
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        for sort_by, sort_dir in itertools.product(query.words("sort_by"), ("ASC", "DESC")):
            order = {"sort_by": sort_by, "sort_dir": sort_dir, "offset": 50}
            assert query(**page, **order, few=True) == query(**page, **order)


@pytest.mark.parametrize("filters", [{}, {"status": "contacted"}, {"created_from": "2026-01-02T00:00Z"}], ids=str)
def test_leads_whose_order_goes_together_with_their_last_change_stand_as_all_do(crowd, crowd_url, filters):
    change = "update leads set notes = 'called' where id % 200 = 7"
    assert_apart_as_all(crowd, crowd_url, queries.lead_list, APART, filters, change)


@pytest.mark.parametrize("filters", [{}, {"status": "submitted"}], ids=str)
def test_invites_whose_order_goes_together_with_their_last_change_stand_as_all_do(crowd, crowd_url, filters):
    change = "update interview_invites set email_error = 'away' where id % 200 = 7"
    asked = ALWAYS["interview_invite_list"] | filters
    assert_apart_as_all(crowd, crowd_url, queries.interview_invite_list, INVITES_APART, asked, change)


def assert_apart_as_all(crowd, crowd_url, query, ways, asked, change):
    """Each page of what has changed since is the same in the way of its order, when some of the others change, too."""
    asked = {"updated_since": MOSTLY, "limit": 25, **asked}
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        connection.execute(change)
        for (sort_by, way), sort_dir, offset in itertools.product(ways.items(), ("ASC", "DESC"), (0, 75, 300)):
            page = asked | {"sort_by": sort_by, "sort_dir": sort_dir, "near": offset < 100 or None, "offset": offset}
            total = query(**page)["total"]
            assert query(**page, total=total, **{way: True}) == query(**page)
        connection.rollback()


def counted_in(crowd, crowd_url, count, orders):
    """{(order, direction): what `count` tells of what most have changed since}."""
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        return {
            (sort_by, sort_dir): count(updated_since=MOSTLY, sort_by=sort_by, sort_dir=sort_dir)
            for sort_by, sort_dir in itertools.product(orders, ("ASC", "DESC"))
        }


def test_a_few_of_the_first_leads_tell_whether_the_order_goes_together_with_the_last_change(crowd, crowd_url):
    counted = counted_in(crowd, crowd_url, queries.lead_count, ("created_at", "name"))
    assert {order: (one["few"], one.get("older")) for order, one in counted.items()} == {
        ("created_at", "ASC"): (None, True),
        ("created_at", "DESC"): (None, None),
        ("name", "ASC"): (None, None),
        ("name", "DESC"): (None, None),
    }


def test_a_few_of_the_first_invites_tell_it_too(crowd, crowd_url):
    count = partial(queries.interview_invite_list, counting=True, **ALWAYS["interview_invite_list"])
    counted = counted_in(crowd, crowd_url, count, ("created_at", "recipient_name"))
    assert {order: one["apart"] for order, one in counted.items()} == {
        ("created_at", "ASC"): True,
        ("created_at", "DESC"): None,
        ("recipient_name", "ASC"): None,
        ("recipient_name", "DESC"): None,
    }


@pytest.mark.parametrize(
    ("table", "sort_by", "way"),
    [
        *(("lead", sort_by, way) for sort_by, way in APART.items()),
        *(("interview_invite", sort_by, way) for sort_by, way in INVITES_APART.items()),
    ],
)
def test_records_that_stand_before_all_that_have_changed_are_not_looked_up(plan, table, sort_by, way):
    page = {"updated_since": CHANGED, "total": 1_000, way: True, "sort_by": sort_by, "sort_dir": "ASC"}
    looked_up = (f"{table}_changes_pkey", f"{table}s_pkey")
    found = [node for node in plan(f"{table}_list", **page) if node.get("Index Name") in looked_up]
    assert 0 < sum(node["Actual Rows"] * node["Actual Loops"] for node in found) <= 300


def test_filters_of_what_has_changed_lately_are_counted_without_a_look_at_the_leads(plan):
    nodes = plan("lead_count", updated_since=MOSTLY, status="contacted", source="web", sort_by="updated_at")
    assert {node["Relation Name"] for node in nodes if "Relation Name" in node} == {"lead_changes"}
    assert {node["Node Type"] for node in nodes if "Relation Name" in node} == {"Index Only Scan"}


@pytest.mark.parametrize(
    "filters", [{"assigned_to": "user"}, {"patterns": ["%1a%"]}, {"patterns": ["%1a%"], "status": "contacted"}], ids=str
)
def test_gathered_leads_stand_in_every_order_as_all_do(crowd, crowd_url, filters):
    asked = {key: known(value, crowd) for key, value in filters.items()}
    gathered = {"common": "patterns" in asked or None, "gathered": asked.keys() != {"patterns"} or None}
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        for sort_by, sort_dir in itertools.product(queries.lead_list.words("sort_by"), ("ASC", "DESC")):
            page = {"alternatives": None, "sort_by": sort_by, "sort_dir": sort_dir, "limit": 25, "offset": 50, **asked}
            assert queries.lead_list(**page, **gathered) == queries.lead_list(**page)


@pytest.mark.parametrize("sort_by", ["email", "company_name"])
def test_gathered_leads_are_found_in_their_order_without_reading_rows(plan, sort_by):
    nodes = plan("lead_list", assigned_to="user", gathered=True, sort_by=sort_by, sort_dir="ASC")
    assert max(node["Actual Rows"] * node["Actual Loops"] for node in nodes if reads_rows(node, "leads")) <= 25


@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
def test_where_none_of_the_gathered_leads_has_an_address_those_that_have_one_are_not_read(plan, sort_dir):
    nodes = plan("lead_list", source="rare", gathered=True, sort_by="email", sort_dir=sort_dir)
    assert read(nodes) <= BIG / 4


def test_nobodys_leads_are_not_looked_through_for_a_teams(plan):
    assert read(plan("lead_list", assignees=["user"], total=1, sort_by="assigned_to_name", sort_dir="ASC")) <= 2_000


@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
def test_leads_by_source_are_read_where_such_leads_are(plan, sort_dir):
    page = {"statuses": ["contacted"], "source": "web", "total": 1, "sort_by": "source", "sort_dir": sort_dir}
    assert read(plan("lead_list", **page)) <= 2_000


@pytest.mark.parametrize("name", SEARCHED)
def test_a_rare_word_is_looked_up_among_the_trigrams(plan, name):
    sort_by = getattr(queries, name).words("sort_by")[0]
    nodes = plan(name, patterns=["%4711%"], rare=True, sort_by=sort_by, sort_dir="ASC")
    assert read(nodes) < BIG / 100


@pytest.mark.parametrize("name", SEARCHED)
def test_statistics_tell_a_rare_word_from_a_frequent_one(crowd, crowd_url, name):
    kind, frequent = SEARCHED[name], {"quote_list": "q", "contract_list": "con"}.get(name, "e")
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        assert queries.search_words(words=["4711"], kind=kind)["rare"]
        assert not queries.search_words(words=[frequent], kind=kind)["rare"]


@pytest.mark.parametrize("sort_by", queries.lead_list.words("sort_by"))
def test_a_plan_that_a_small_organization_has_prepared_does_not_serve_a_big_one(crowd, crowd_url, sort_by):
    with psycopg.connect(crowd_url("pipeline_app"), autocommit=True) as connection, queries.on(connection):
        for organization in ("small", "organization"):
            for _ in range(14):
                connection.execute("begin")
                authenticate(crowd, organization)
                queries.lead_list(sort_by=sort_by, sort_dir="ASC", limit=25, offset=0, near=True)
                connection.execute("commit")
        prepared = connection.execute(
            "select generic_plans, statement from pg_prepared_statements where statement like '-- lead_list%'"
        ).fetchall()
    assert {text.split("\n")[0].rpartition(" ")[2] for _, text in prepared} == {
        str(crowd["small"]),
        str(crowd["organization"]),
    }
    assert sort_by in ("assigned_to_name", "source") or all(generic > 0 for generic, _ in prepared)


@pytest.mark.parametrize("name", FILTERS)
def test_the_first_page_of_a_list_keeps_its_plan_in_every_order(crowd, crowd_url, name):
    query = getattr(queries, name)
    page = {"limit": 25, "offset": 0, "near": True, **ALWAYS.get(name, {})}
    with psycopg.connect(crowd_url("pipeline_app")) as connection, queries.on(connection):
        authenticate(crowd)
        # Prepared after five times, after five more planned without the values.
        for sort_by, sort_dir, _ in itertools.product(query.words("sort_by"), ("ASC", "DESC"), range(12)):
            query(**page, sort_by=sort_by, sort_dir=sort_dir)
        planned = connection.execute(
            "select generic_plans > 0, split_part(statement, chr(10), 1) from pg_prepared_statements"
            " where starts_with(statement, '-- ' || %s || ':')",
            [name],
        ).fetchall()
    assert len(planned) == 2 * len(query.words("sort_by"))
    assert [told for kept, told in planned if not kept] == []


def test_every_list_that_may_be_long_says_when_its_page_is_near():
    """Of a limit that is a parameter a plan expects a tenth of all rows: with many it would be made each time."""
    without = {query.name for query in queries if "offset" in query.parameters and "near" not in query.parameters}
    assert without == set(SHORT.split())


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
