"""GET /contracts/{id}/redline: the differences of two revisions."""

import pytest

from tests.contracts.test_templates import PATH
from tests.documents.support import W, word_xml
from tests.http.target import assert_problem
from tests.support import codes


@pytest.fixture
def revised(admin, member, new_template, new_contract):
    """A contract in its third revision: its texts say One, Two and Three."""
    template = new_template(content="<p>Number One of all</p>")
    contract = new_contract(template_id=template["id"])
    for word in ("Two", "Three"):
        admin.put(f"{PATH}/{template['id']}", {"content": f"<p>Number {word} of all</p>"}, status=200)
        member.put(f"/api/contracts/{contract['id']}/regenerate", status=200)
    return f"/api/contracts/{contract['id']}/redline"


def changes(response):
    """The words deleted and inserted."""
    body = word_xml(response.body)
    return tuple("".join(mark.itertext()) for kind in ("del", "ins") for mark in body.iter(f"{W}{kind}"))


@pytest.mark.parametrize(
    ("query", "expected", "name"),
    [
        ("", ("Two", "Three"), "2-3"),
        ("?from=1", ("One", "Three"), "1-3"),
        ("?from=1&to=2", ("One", "Two"), "1-2"),
        ("?from=3&to=1", ("Three", "One"), "3-1"),
        ("?from=2&to=2", (), "2-2"),
    ],
)
def test_any_two_revisions_are_compared(member, revised, query, expected, name):
    response = member.get(revised + query, status=200)
    assert changes(response) == expected
    assert f"RO-000001-{name}.docx" in response.headers["Content-Disposition"]


def test_a_revision_that_there_is_not_is_named(member, revised):
    assert codes(member.get(f"{revised}?from=4&to=9", status=422)) == [
        ("from", "unknown_reference"),
        ("to", "unknown_reference"),
    ]
    assert codes(member.get(f"{revised}?to={2**31}", status=422)) == [("to", "out_of_range")]
    assert_problem(member.get("/api/contracts/999999999/redline"), 404, "not_found")


def test_a_contract_that_was_never_changed_has_nothing_to_show(member, contract):
    assert changes(member.get(f"/api/contracts/{contract['id']}/redline", status=200)) == ()
