"""An import finds leads by their ids in another system, and by address only those without one."""

import pytest

from tests.leads.csv_files import counts, imported, stored


@pytest.fixture
def lead(member):
    """lead(**fields): make a lead that is called Old."""
    return lambda **fields: member.post("/api/leads", {"first_name": "Old", **fields}, status=201)


def update(api, rows, query="?on_duplicate=update"):
    return counts(imported(api, "external_id,first_name,email\n" + rows, query))


def shown(organization):
    return stored(organization, "first_name, email, external_id")


def test_an_external_id_finds_its_lead_before_an_address_does(organization, member, lead):
    lead(external_id="7", email="old@x.example")
    lead(email="new@x.example")
    assert update(member, "7,New,new@x.example\n") == (0, 1, 0, 0)
    assert shown(organization) == [("New", "new@x.example", "7"), ("Old", "new@x.example", None)]


def test_a_lead_without_an_external_id_gets_it_by_its_address(organization, member, lead):
    lead(email="pat@x.example")
    assert update(member, "7,Pat,pat@x.example\n8,Kim,PAT@x.example\n") == (1, 1, 0, 0)
    assert shown(organization) == [("Pat", "pat@x.example", "7"), ("Kim", "PAT@x.example", "8")]


@pytest.mark.parametrize("mode", ["skip", "update"])
def test_a_lead_with_another_external_id_is_no_match(organization, member, lead, mode):
    lead(external_id="7", email="pat@x.example")
    assert update(member, "8,Kim,pat@x.example\n", f"?on_duplicate={mode}") == (1, 0, 0, 0)
    assert shown(organization) == [("Old", "pat@x.example", "7"), ("Kim", "pat@x.example", "8")]


def test_skip_leaves_leads_and_later_rows_with_the_same_external_id_out(organization, member, lead):
    lead(external_id="7")
    assert update(member, "7,Pat,\n8,Kim,\n8,Lee,lee@x.example\n", "?on_duplicate=skip") == (1, 0, 2, 0)
    assert shown(organization) == [("Old", None, "7"), ("Kim", None, "8")]


@pytest.mark.parametrize(
    "row", [",Kim,pat@x.example\n8,Pat,pat@x.example\n", "8,Pat,pat@x.example\n,Kim,pat@x.example\n"]
)
def test_a_row_without_an_external_id_goes_with_the_rows_of_its_address(organization, member, lead, row):
    lead(external_id="8", email="old@x.example")
    assert update(member, row) == (0, 2, 0, 0)
    assert [row[1:] for row in shown(organization)] == [("pat@x.example", "8")]


def test_rows_of_one_external_id_are_taken_together(organization, member):
    assert update(member, "7,Pat,\n7,Kim,pat@x.example\n") == (1, 1, 0, 0)
    assert shown(organization) == [("Kim", "pat@x.example", "7")]


@pytest.mark.parametrize("dry_run", ["true", "false"])
def test_create_refuses_rows_with_a_taken_external_id(member, lead, dry_run):
    lead(external_id="7")
    rows = "external_id,first_name\n7,Pat\n8,Kim\n8,Lee\n"
    report = imported(member, rows, f"?on_duplicate=create&dry_run={dry_run}")
    assert counts(report) == (1, 0, 0, 2)
    assert [(error["row"], error["code"], error["value"]) for error in report["errors"]] == [
        (2, "external_id_taken", "7"),
        (4, "external_id_taken", "8"),
    ]
