"""The list of leads: what tests/records/test_list_filters.py, which tries every filter and order, does not ask."""

import re
from urllib.parse import quote

import psycopg
import pytest

from pipeline.api.pagination import bounded_search
from pipeline.database import Database, queries
from pipeline.validation.errors import Problem

LEADS = [
    {"first_name": "Zoë", "last_name": "Ångström", "email": "zoe@acme.example", "company": "Müller & Söhne"},
    {"first_name": "Bob", "last_name": "Zoephel", "job_title": "Sells 100% Cotton_Sales", "phone": "+49 (30) 123-456"},
    {"first_name": "Eve", "company": "24/7 Support", "phone": "040 777"},
]


@pytest.fixture
def add(organization):
    return lambda first_name, **values: organization.insert("leads", first_name=first_name, **values)


def listed(api, query=""):
    """(first names on the page, in their order; the total)."""
    answer = api.get(f"/api/leads?{query}", status=200).json
    return [lead["first_name"] for lead in answer["data"]], answer["total"]


def names(api, query=""):
    return listed(api, query)[0]


def test_pages_are_cut_by_page_and_per_page_and_linked(member, add):
    for letter in "edcba":
        add(letter)
    answer = member.get("/api/leads?per_page=2&page=2&source=manual", status=200)
    assert [lead["first_name"] for lead in answer.json["data"]] == ["c", "d"]
    assert [answer.json[name] for name in ("current_page", "last_page", "per_page", "total")] == [2, 3, 2, 5]
    links = dict(reversed(pair) for pair in re.findall(r'<([^>]+)>; rel="(\w+)"', answer.headers["Link"]))
    url = "https://pipeline.example/api/leads?per_page=2&source=manual&page={}"
    assert links == {"first": url.format(1), "prev": url.format(1), "next": url.format(3), "last": url.format(3)}
    assert listed(member, "page=1000000000000") == ([], 5)


def test_dates_are_whole_days_of_the_organizations_time_zone(organization, member, add, owner):
    owner.execute("update app.organizations set time_zone = 'Asia/Tokyo' where id = %s", (organization.id,))
    for moment in ("2026-03-01T14:59:59Z", "2026-03-01T15:00:00Z", "2026-03-02T14:59:59.999999Z", "2026-03-02T15:00Z"):
        add(moment[8:16], created_at=moment)
    assert names(member, "date_from=2026-03-02&date_to=2026-03-02") == ["01T15:00", "02T14:59"]
    assert names(member, "date_from=2026-03-02") == ["01T15:00", "02T14:59", "02T15:00"]
    assert names(member, "date_to=2026-03-01") == ["01T14:59"]


def test_scope_is_me_my_team_or_the_company(organization, member, add):
    users = organization.users
    team = organization.insert("teams", name="Sales")
    for name in ("member", "colleague", "admin"):
        add(name, assigned_to=users[name])
    add("nobody")
    everybody = ["admin", "colleague", "member", "nobody"]
    assert names(member, "scope=company") == names(member) == everybody
    assert names(member, "scope=me") == names(member, "scope=team") == ["member"]
    for name in ("member", "colleague"):
        organization.admin.patch(f"/api/users/{users[name]}", {"team_id": team}, status=200)
    assert names(member, "scope=team") == ["colleague", "member"]
    assert names(organization.admin, "scope=team") == ["admin"]
    assert names(member, f"scope=team&assigned_to={users['admin']}") == []


def test_text_sorts_without_case_and_accents_and_nulls_stand_last(member, add):
    leads = (("emil", None, None), ("Émile", "B", "b@x"), ("EMILE", "a", "A@x"), ("Zoe", None, "c@x"))
    for first, last, email in leads:
        add(first, last_name=last, email=email)
    assert names(member) == ["emil", "EMILE", "Émile", "Zoe"]
    assert names(member, "sort_dir=DESC") == ["Zoe", "Émile", "EMILE", "emil"]
    assert names(member, "sort_by=email") == ["EMILE", "Émile", "Zoe", "emil"]
    assert names(member, "sort_by=email&sort_dir=DESC") == ["Zoe", "Émile", "EMILE", "emil"]


def test_nothing_of_another_organization_is_listed_or_counted(new_organization, member, add):
    stranger = new_organization()
    stranger.insert("leads", first_name="theirs", source="fair", assigned_to=stranger.users["member"])
    add("ours", source="fair")
    for query in ("", "source=fair", "search=ours", "sort_by=assigned_to_name", "scope=company", "sort_by=email"):
        assert listed(member, query) == (["ours"], 1)
    for query in ("search=theirs", "search=th", f"assigned_to={stranger.users['member']}", "search=%25rs"):
        assert listed(member, query) == ([], 0)


def test_a_transaction_that_is_rolled_back_does_not_cost_the_connection_its_plans(organization, settings):
    database, user_id = Database(settings.database_url, size=1), organization.users["member"]
    session_id = organization.session(user_id)
    for _ in range(14):
        connection = database.begin()
        with queries.on(connection):
            queries.authenticate(user_id=user_id, organization_id=organization.id, session_id=session_id)
            queries.lead_get(id=1)
        database.end(connection, commit=False)
    reused = "select generic_plans from pg_prepared_statements where statement like '-- lead_get%'"
    with database.transaction() as connection:
        assert [row["generic_plans"] > 0 for row in connection.execute(reused)] == [True]
    database.close()


@pytest.fixture
def found(organization, member):
    for lead in LEADS:
        organization.insert("leads", **lead)

    def search(text):
        answer = member.get(f"/api/leads?search={quote(text)}", status=200).json
        assert answer["total"] == len(answer["data"])
        return [lead["first_name"] for lead in answer["data"]]

    return search


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("zoe", ["Bob", "Zoë"]),
        ("ångström zoë", ["Zoë"]),
        ("zoe muller", ["Zoë"]),
        ("zoe nobody", []),
        ("zoe zoe zoe", ["Bob", "Zoë"]),
        ("acme.example", ["Zoë"]),
        ("100%", ["Bob"]),
        ("%", ["Bob"]),
        ("_", ["Bob"]),
        ("c%n", []),
        ("\\", []),
        ("z", ["Bob", "Zoë"]),
        ("oz", []),
        ("examplemuller", []),
        ("4930123456", ["Bob"]),
        ("+49 (30) 123-456", ["Bob"]),
        ("24/7", ["Eve"]),
        ("'", []),
        ("  ", ["Bob", "Eve", "Zoë"]),
    ],
)
def test_a_search_finds_what_holds_every_word(found, text, names):
    assert found(text) == names


@pytest.mark.parametrize(
    ("asked", "raised"),
    [
        ({"search": ["e"]}, Problem),
        ({"tag": ["vip"]}, Problem),
        ({"search": None, "tag": None}, psycopg.errors.QueryCanceled),
    ],
)
def test_only_a_search_is_too_broad_when_a_list_or_an_export_takes_too_long(owner, asked, raised):
    with owner.transaction(force_rollback=True):
        owner.execute("set local statement_timeout = 5")
        with pytest.raises(raised), bounded_search(asked):
            owner.execute("select pg_sleep(9)")
