"""The list of leads: what tests/records/test_list_filters.py, which tries every filter and order, does not ask."""

import re

import pytest

from pipeline.database import Database, queries


@pytest.fixture
def add(organization):
    """add(first_name, **values): a lead written directly; returns its id."""
    return lambda first_name, **values: organization.insert("leads", first_name=first_name, **values)


def listed(api, query=""):
    """(first names on the page, in their order; the total)."""
    answer = api.get(f"/api/leads?{query}", status=200).json
    return [lead["first_name"] for lead in answer["data"]], answer["total"]


def names(api, query=""):
    """The first names on the page, in their order."""
    return listed(api, query)[0]


def test_a_listed_lead_is_the_lead_without_notes_and_tasks(organization, member):
    body = {"first_name": "Zoë", "last_name": "Å", "email": "z@example.com", "assigned_to": organization.users["admin"]}
    lead = member.post("/api/leads", body, status=201).json
    del lead["note_entries"], lead["note_count"], lead["tasks"], lead["task_count"]
    assert member.get("/api/leads", status=200).json["data"] == [lead]


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


def test_scope_is_me_my_team_or_the_company(organization, member, add, owner):
    users = organization.users
    team = organization.insert("teams", name="Sales")
    for name in ("member", "colleague", "admin"):
        add(name, assigned_to=users[name])
    add("nobody")
    everybody = ["admin", "colleague", "member", "nobody"]
    assert names(member, "scope=company") == names(member) == everybody
    assert names(member, "scope=me") == names(member, "scope=team") == ["member"]
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
