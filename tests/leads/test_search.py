"""Search: every word must occur somewhere, without case and accents."""

from urllib.parse import quote

import psycopg
import pytest

from pipeline.database import Database, queries
from pipeline.http.endpoints.pagination import bounded_search, list_page
from pipeline.validation.errors import Problem

LEADS = [
    {"first_name": "Zoë", "last_name": "Ångström", "email": "zoe@acme.example", "company": "Müller & Söhne"},
    {"first_name": "Bob", "last_name": "Zoephel", "job_title": "Sells 100% Cotton_Sales", "phone": "+49 (30) 123-456"},
    {"first_name": "Eve", "company": "24/7 Support", "phone": "040 777"},
]


@pytest.fixture
def found(organization, member):
    """found(text, **query): the first names found, in their order."""
    for lead in LEADS:
        organization.insert("leads", **lead)

    def search(text, query=""):
        answer = member.get(f"/api/leads?search={quote(text)}&{query}", status=200).json
        assert answer["total"] == len(answer["data"])
        return [lead["first_name"] for lead in answer["data"]]

    return search


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("zoe", ["Bob", "Zoë"]),
        ("ANGSTROM", ["Zoë"]),
        ("ångström zoë", ["Zoë"]),
        ("zoe muller", ["Zoë"]),
        ("zoe nobody", []),
        ("zoe zoe zoe", ["Bob", "Zoë"]),
        ("acme.example", ["Zoë"]),
        ("sales", ["Bob"]),
        ("100%", ["Bob"]),
        ("cotton_s", ["Bob"]),
        ("%", ["Bob"]),
        ("_", ["Bob"]),
        ("c%n", []),
        ("\\", []),
        ("z", ["Bob", "Zoë"]),
        ("oz", []),
        ("4930123456", ["Bob"]),
        ("+49 (30) 123-456", ["Bob"]),
        ("30123", ["Bob"]),
        ("24/7", ["Eve"]),
        ("40777", ["Eve"]),
        ("'", []),
        ("  ", ["Bob", "Eve", "Zoë"]),
    ],
)
def test_a_search_finds_what_holds_every_word(found, text, names):
    assert found(text) == names


def test_a_word_does_not_reach_from_one_field_into_the_next(organization, found):
    organization.insert("leads", first_name="Tim", email="abc@x.example", company="Def")
    assert found("exampledef") == []


def test_another_organizations_leads_are_never_found(new_organization, found):
    new_organization().insert("leads", first_name="Stranger", phone="0171 5555")
    assert [found(text) for text in ("stranger", "ra", "01715555")] == [[], [], []]


def test_a_search_that_takes_longer_than_a_statement_may_is_too_broad(organization, owner, settings):
    owner.execute(
        "insert into app.leads (organization_id, first_name) select %s, 'Lee ' || i from generate_series(1, 20000) i",
        (organization.id,),
    )
    user, database = organization.users["member"], Database(settings.database_url, size=1)
    query = {"page": 1, "per_page": 25, "sort_by": "name", "sort_dir": "ASC", "search": "e", "tag": None}
    session_id = organization.session(user)

    def search():
        with database.transaction() as connection:
            queries.authenticate(user_id=user, organization_id=organization.id, session_id=session_id)
            connection.execute("set local statement_timeout = 5")
            list_page(query, queries.lead_list)

    with pytest.raises(Problem) as raised:
        search()
    database.close()
    assert (raised.value.code, raised.value.status) == ("search_too_broad", 422)


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
