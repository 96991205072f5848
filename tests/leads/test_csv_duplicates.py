import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.http.target import assert_problem
from tests.leads.csv_files import counts, everything, imported, results, send, stored, table
from tests.support import advisory_lock, held_up

FILE = "first_name,last_name,email\nPat,One,pat@x.example\nKim,Two,kim@x.example\n"


def test_a_duplicate_is_skipped_whatever_the_case_of_its_address(organization, member):
    member.post("/api/leads", {"first_name": "Old", "email": "PAT@x.example"}, status=201)
    assert counts(imported(member, FILE + "Kim,Three,KIM@x.example\n")) == (1, 0, 2, 0)
    assert [row[:2] for row in stored(organization)] == [("Old", None), ("Kim", "Two")]


def test_update_changes_what_the_row_says_and_keeps_the_rest(organization, member):
    lead = member.post("/api/leads", {"first_name": "Old", "email": "pat@x.example", "phone": "1"}, status=201).json
    report = imported(member, "email,first_name,phone,company\npat@x.example,New,,X\n", "?on_duplicate=update")
    assert counts(report) == (0, 1, 0, 0)
    assert results(report, "lead_id") == [(2, "updated", lead["id"])]
    assert stored(organization, "first_name, phone, company") == [("New", "1", "X")]


def test_update_leaves_leads_alone_that_share_an_address(organization, member):
    for name in ("First", "Second"):
        member.post("/api/leads", {"first_name": name, "email": "pat@x.example"}, status=201)
    assert counts(imported(member, FILE, "?on_duplicate=update")) == (1, 0, 1, 0)
    assert stored(organization, "first_name") == [("First",), ("Second",), ("Kim",)]


def test_update_takes_the_rows_of_one_address_together(organization, member):
    file = "first_name,last_name,email\nPat,One,pat@x.example\nPat,,pat@x.example\nPatricia,,PAT@x.example\n"
    assert counts(imported(member, file, "?on_duplicate=update")) == (1, 2, 0, 0)
    assert [row[:2] for row in stored(organization)] == [("Patricia", "One")]


def test_leads_of_another_organization_are_no_duplicates(new_organization):
    first, second = new_organization(), new_organization()
    imported(first.member, FILE)
    assert counts(imported(second.member, FILE, "?on_duplicate=update")) == (2, 0, 0, 0)


@pytest.fixture
def leaver(organization, member):
    """The address of somebody whose seat was switched off, and who keeps two leads, one without an address."""
    for lead in ({"first_name": "Pat", "email": "pat@x.example"}, {"first_name": "Kim"}):
        member.post("/api/leads", {**lead, "assigned_to": organization.users["colleague"]}, status=201)
    member.post("/api/leads", {"first_name": "Lee", "email": "lee@x.example"}, status=201)
    organization.deactivate("colleague")
    return f"colleague@{organization.name}.example"


@pytest.mark.parametrize(
    ("mode", "row", "expected"),
    [
        ("skip", "Pat,pat@x.example,", (0, 0, 1, 0)),
        ("skip", "Kim,,", (0, 0, 1, 0)),
        ("skip", "New,new@x.example,", (1, 0, 0, 0)),
        ("update", "Patricia,pat@x.example,", (0, 1, 0, 0)),
        ("update", "Kim,,", (0, 0, 0, 0)),
        ("update", "Lee,lee@x.example,", (0, 0, 0, 0)),
        ("create", "Pat,pat@x.example,", (1, 0, 0, 0)),
    ],
)
def test_an_inactive_seat_keeps_its_leads_and_gets_no_other(member, leaver, mode, row, expected):
    file = f"first_name,email,assigned_to\n{row}{leaver}\n"
    for dry_run in ("true", "false"):
        assert counts(imported(member, file, f"?on_duplicate={mode}&dry_run={dry_run}")) == expected


COLUMNS = {
    "first_name": st.sampled_from(["Pat", "Kim", "=1+1", "Zoë", "'quoted", " "]),
    "email": st.sampled_from(["", "a@x.example", "A@X.example", "b@x.example", "not an address"]),
    "company": st.sampled_from(["", "Acme"]),
    "external_id": st.sampled_from(["", "7", "8"]),
}


@settings(max_examples=20)
@given(st.lists(st.fixed_dictionaries(COLUMNS), max_size=12), st.sampled_from(["skip", "update", "create"]))
def test_the_counts_add_up_and_a_second_import_adds_nothing(new_organization, rows, mode):
    organization = new_organization()
    file = table(rows, list(COLUMNS))
    report = imported(organization.member, file, f"?on_duplicate={mode}")
    assert sum(everything(report)) == report["total"]
    assert len(stored(organization)) == report["imported"]
    assert imported(organization.member, file)["imported"] == 0


def test_beside_an_import_of_another_process_one_is_told_that_it_is_busy(organization, member):
    with advisory_lock(organization.owner, "lead_import", organization.id):
        assert_problem(send(member, FILE), 429, "busy")
    assert stored(organization) == []
    imported(member, FILE)


CUT = "select pg_terminate_backend(pid) from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))"


@pytest.mark.parametrize(
    ("meanwhile", "status", "left"), [("select", 200, [("Pat", "2"), ("Kim", None)]), (CUT, 503, [("Old", "2")])]
)
def test_update_keeps_what_somebody_else_is_changing_and_leaves_nothing_when_its_connection_is_cut(
    organization, owner, member, meanwhile, status, left
):
    member.post("/api/leads", {"first_name": "Old", "email": "pat@x.example", "phone": "1"}, status=201)
    changed = "update app.leads set phone = '2' where organization_id = %s", [organization.id]
    update = functools.partial(send, member, FILE, "?on_duplicate=update")
    assert held_up(owner, *changed, update, meanwhile=lambda: owner.execute(meanwhile)).status_int == status
    assert stored(organization, "first_name, phone") == left


@pytest.fixture
def lead(member):
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
