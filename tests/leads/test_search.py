"""Search: every word must occur somewhere, without case and accents."""

from urllib.parse import quote

import psycopg
import pytest

from pipeline.http.endpoints.pagination import bounded_search
from pipeline.validation.errors import Problem

LEADS = [
    {"first_name": "Zoë", "last_name": "Ångström", "email": "zoe@acme.example", "company": "Müller & Söhne"},
    {"first_name": "Bob", "last_name": "Zoephel", "job_title": "Sells 100% Cotton_Sales", "phone": "+49 (30) 123-456"},
    {"first_name": "Eve", "company": "24/7 Support", "phone": "040 777"},
]


@pytest.fixture
def found(organization, member):
    """found(text): the first names found, in their order."""
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
        ("4930123456", ["Bob"]),
        ("+49 (30) 123-456", ["Bob"]),
        ("24/7", ["Eve"]),
        ("'", []),
        ("  ", ["Bob", "Eve", "Zoë"]),
    ],
)
def test_a_search_finds_what_holds_every_word(found, text, names):
    assert found(text) == names


def test_a_word_does_not_reach_from_one_field_into_the_next(organization, found):
    organization.insert("leads", first_name="Tim", email="abc@x.example", company="Def")
    assert found("exampledef") == []


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
