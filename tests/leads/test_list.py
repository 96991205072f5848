"""The list of leads: filters, scope, totals, pages."""

import re

import pytest

from pipeline.database import Database, queries
from tests.support import codes


@pytest.fixture
def add(organization):
    """add(first_name, **values): a lead written directly; returns its id."""
    return lambda first_name, **values: organization.insert("leads", first_name=first_name, **values)


def listed(api, query="", status=200):
    return api.get(f"/api/leads?{query}", status=status).json


def names(api, query=""):
    """The first names on the page, in their order."""
    return [lead["first_name"] for lead in listed(api, query)["data"]]


def test_a_listed_lead_is_the_lead_without_notes_and_tasks(organization, member):
    body = {"first_name": "Zoë", "last_name": "Å", "email": "z@example.com", "assigned_to": organization.users["admin"]}
    lead = member.post("/api/leads", body, status=201).json
    del lead["note_entries"], lead["note_count"], lead["tasks"], lead["task_count"]
    assert listed(member)["data"] == [lead]


def test_pages_are_cut_by_page_and_per_page_and_linked(member, add):
    for letter in "edcba":
        add(letter)
    answer = member.get("/api/leads?per_page=2&page=2&source=manual", status=200)
    assert [lead["first_name"] for lead in answer.json["data"]] == ["c", "d"]
    assert [answer.json[name] for name in ("current_page", "last_page", "per_page", "total")] == [2, 3, 2, 5]
    links = dict(reversed(pair) for pair in re.findall(r'<([^>]+)>; rel="(\w+)"', answer.headers["Link"]))
    url = "https://pipeline.example/api/leads?per_page=2&source=manual&page={}"
    assert links == {"first": url.format(1), "prev": url.format(1), "next": url.format(3), "last": url.format(3)}


@pytest.mark.parametrize("sort_by", ["name", "assigned_to_name"])
def test_the_pages_go_on_beyond_the_hundredth_lead(organization, member, owner, sort_by):
    owner.execute(
        "insert into app.leads (organization_id, first_name)"
        " select %s, lpad(i::text, 3, '0') from generate_series(1, 130) i",
        (organization.id,),
    )
    found = [name for page in range(1, 7) for name in names(member, f"sort_by={sort_by}&page={page}")]
    assert found == [f"{number:03d}" for number in range(1, 131)]
    assert len(names(member, "per_page=100&page=2")) == 30


def test_a_page_past_the_end_is_empty(member, add):
    add("a")
    answer = listed(member, "page=1000000000000")
    assert (answer["data"], answer["total"], answer["last_page"]) == ([], 1, 1)


@pytest.mark.parametrize(
    "query",
    [
        "page=0",
        "per_page=0",
        "per_page=101",
        "page=x",
        "status=won",
        "sort_by=id",
        "sort_dir=asc",
        "scope=all",
        "date_from=2026-02-30",
        "date_to=tomorrow",
        "assigned_to=me",
        "color=red",
        "page=99999999999999999999",
    ],
)
def test_a_bad_parameter_is_refused_by_name(member, query):
    answer = member.get(f"/api/leads?{query}", status=422)
    assert [name for name, _ in codes(answer)] == [query.split("=")[0]]
    assert answer.json["errors"][0]["location"] == "query"


def test_dates_are_whole_days_of_the_organizations_time_zone(organization, member, add, owner):
    owner.execute("update app.organizations set time_zone = 'Asia/Tokyo' where id = %s", (organization.id,))
    for moment in ("2026-03-01T14:59:59Z", "2026-03-01T15:00:00Z", "2026-03-02T14:59:59.999999Z", "2026-03-02T15:00Z"):
        add(moment[8:16], created_at=moment)
    assert names(member, "date_from=2026-03-02&date_to=2026-03-02") == ["01T15:00", "02T14:59"]
    assert names(member, "date_from=2026-03-02") == ["01T15:00", "02T14:59", "02T15:00"]
    assert names(member, "date_to=2026-03-01") == ["01T14:59"]
    assert names(member, "date_to=9999-12-31&date_from=1900-01-01&sort_by=created_at&per_page=1") == ["01T14:59"]


@pytest.mark.parametrize("asked", ["", "status=new&"])
@pytest.mark.parametrize(("first", "last"), [(1, 2), (2, 4), (2, 8), (1, 10), (9, 10), (0, 11)])
def test_the_total_of_some_days_is_exact_whether_they_are_most_days_or_few(member, add, asked, first, last):
    for day in range(1, 11):
        add(f"{day:02}", created_at=f"2026-03-{day:02}T12:00Z", status=("new", "contacted")[day % 2])
    wanted = [f"{day:02}" for day in range(1, 11) if first <= day <= last and not (asked and day % 2)]
    days = [f"{'date_from' if n == first else 'date_to'}=2026-03-{n:02}" for n in (first, last) if n not in (0, 11)]
    answer = member.get(f"/api/leads?{asked}{'&'.join(days)}", status=200).json
    assert ([lead["first_name"] for lead in answer["data"]], answer["total"]) == (wanted, len(wanted))


def test_scope_is_me_my_team_or_the_company(organization, member, add, owner):
    users = organization.users
    team = organization.insert("teams", name="Sales")
    for name in ("member", "colleague", "admin"):
        add(name, assigned_to=users[name])
    add("nobody")
    everybody = ["admin", "colleague", "member", "nobody"]
    assert names(member, "scope=company") == names(member) == everybody
    assert names(member, "scope=me") == ["member"]
    assert names(member, "scope=team") == ["member"]
    owner.execute(
        "update app.organization_users set team_id = %s where organization_id = %s and user_id = any(%s)",
        (team, organization.id, [users["member"], users["colleague"]]),
    )
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


def test_the_assignees_name_sorts_over_leads_of_namesakes_by_their_name(organization, member, add, owner):
    users = organization.users
    owner.execute("update app.users set name = 'Same' where id = any(%s)", ([users["member"], users["colleague"]],))
    for first, person in (("1", "member"), ("2", "colleague"), ("3", None), ("4", "member"), ("5", "admin")):
        add(first, assigned_to=users[person] if person else None)
    assert names(member, "sort_by=assigned_to_name") == ["5", "1", "2", "4", "3"]
    assert names(member, "sort_by=assigned_to_name&sort_dir=DESC") == ["4", "2", "1", "5", "3"]


def test_nothing_of_another_organization_is_listed_or_counted(new_organization, member, add):
    stranger = new_organization()
    stranger.insert("leads", first_name="theirs", source="fair", assigned_to=stranger.users["member"])
    add("ours", source="fair")
    theirs = stranger.users["member"]
    for query in ("", "source=fair", "search=ours", "sort_by=assigned_to_name", "scope=company", "sort_by=email"):
        assert (names(member, query), listed(member, query)["total"]) == (["ours"], 1)
    for query in ("search=theirs", "search=th", f"assigned_to={theirs}", "search=%25rs"):
        assert (names(member, query), listed(member, query)["total"]) == ([], 0)


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
