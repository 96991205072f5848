"""An import's handling of rows for existing leads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.http.target import assert_problem
from tests.leads.csv_files import counts, imported, send, stored, table
from tests.support import advisory_lock, wait_until_waiting
from tests.waiting import SECONDS

FILE = "first_name,last_name,email\nPat,One,pat@x.example\nKim,Two,kim@x.example\n"
WORDS = st.sampled_from(["Pat", "Kim", "=1+1", "Zoë", "'quoted", " "])
EMAILS = st.sampled_from(["", "a@x.example", "A@X.example", "b@x.example", "not an address"])
IDS = st.sampled_from(["", "7", "8"])
COLUMNS = {"first_name": WORDS, "email": EMAILS, "company": WORDS, "external_id": IDS}
ROWS = st.lists(st.fixed_dictionaries(COLUMNS), max_size=12)
QUICK = settings(max_examples=20)


def test_the_same_file_a_second_time_imports_nothing(organization, member):
    assert counts(imported(member, FILE + "Lee,NoAddress,\n")) == (3, 0, 0, 0)
    assert counts(imported(member, FILE + "Lee,NoAddress,\n")) == (0, 0, 3, 0)


def test_a_duplicate_is_skipped_whatever_the_case_of_its_address(organization, member):
    member.post("/api/leads", {"first_name": "Old", "email": "PAT@x.example"}, status=201)
    assert counts(imported(member, FILE + "Kim,Three,KIM@x.example\n")) == (1, 0, 2, 0)
    assert [row[:2] for row in stored(organization)] == [("Old", None), ("Kim", "Two")]


def test_update_changes_what_the_row_says_and_keeps_the_rest(organization, member):
    lead = member.post("/api/leads", {"first_name": "Old", "email": "pat@x.example", "phone": "1"}, status=201).json
    report = imported(member, "email,first_name,phone,company\npat@x.example,New,,X\n", "?on_duplicate=update")
    assert counts(report) == (0, 1, 0, 0)
    assert (report["imported_ids"], report["updated_ids"]) == ([], [lead["id"]])
    after = member.get(f"/api/leads/{lead['id']}").json
    assert (after["first_name"], after["phone"], after["company"]) == ("New", "1", "X")


def test_update_leaves_a_lead_alone_that_says_the_same(member):
    imported(member, FILE)
    before = member.get("/api/leads").json
    assert counts(imported(member, FILE, "?on_duplicate=update")) == (0, 0, 2, 0)
    assert member.get("/api/leads").json == before


def test_update_leaves_leads_alone_that_share_an_address(member):
    for name in ("First", "Second"):
        member.post("/api/leads", {"first_name": name, "email": "pat@x.example"}, status=201)
    assert counts(imported(member, FILE, "?on_duplicate=update")) == (1, 0, 1, 0)
    assert sorted(lead["first_name"] for lead in member.get("/api/leads").json["data"]) == ["First", "Kim", "Second"]


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
    """Whose two leads (one without an address) were theirs before their seat was switched off; their address."""
    for lead in ({"first_name": "Pat", "email": "pat@x.example"}, {"first_name": "Kim"}):
        member.post("/api/leads", {**lead, "assigned_to": organization.users["colleague"]}, status=201)
    organization.deactivate("colleague")
    return f"colleague@{organization.name}.example"


@pytest.mark.parametrize(
    ("mode", "row", "expected"),
    [
        ("skip", "Pat,pat@x.example,", (0, 0, 1, 0)),
        ("skip", "Kim,,", (0, 0, 1, 0)),
        ("skip", "New,new@x.example,", (0, 0, 0, 1)),
        ("update", "Pat,pat@x.example,", (0, 0, 1, 0)),
        ("update", "Patricia,pat@x.example,", (0, 1, 0, 0)),
        ("update", "Kim,,", (0, 0, 1, 0)),
        ("update", "New,new@x.example,", (0, 0, 0, 1)),
        ("create", "Pat,pat@x.example,", (0, 0, 0, 1)),
    ],
)
def test_an_inactive_seat_keeps_its_leads_and_gets_no_other(member, leaver, mode, row, expected):
    file = f"first_name,email,assigned_to\n{row}{leaver}\n"
    for dry_run in ("true", "false"):
        assert counts(imported(member, file, f"?on_duplicate={mode}&dry_run={dry_run}")) == expected


def test_update_gives_no_lead_to_an_inactive_seat(organization, member, leaver):
    member.post("/api/leads", {"first_name": "Lee", "email": "lee@x.example"}, status=201)
    before = stored(organization, "to_jsonb(leads)")
    file = f"first_name,email,assigned_to,status\nLee,lee@x.example,{leaver},\nAnn,,,lost\nBob,,{leaver},\n"
    report = imported(member, file, "?on_duplicate=update")
    assert [(error["row"], error["code"], error["value"]) for error in report["errors"]] == [
        (2, "unknown_reference", leaver),
        (3, "invalid_choice", "lost"),
        (4, "unknown_reference", leaver),
    ]
    assert stored(organization, "to_jsonb(leads)") == before


@QUICK
@given(rows=ROWS, mode=st.sampled_from(["skip", "update", "create"]))
def test_the_four_counts_add_up_and_a_second_import_adds_nothing(new_organization, rows, mode):
    organization = new_organization()
    file = table(rows, list(COLUMNS))
    report = imported(organization.member, file, f"?on_duplicate={mode}")
    assert sum(counts(report)) == report["total"]
    assert len(stored(organization)) == report["imported"]
    assert imported(organization.member, file)["imported"] == 0


def test_of_several_imports_at_once_one_is_made_and_the_others_are_told_that_it_is_busy(organization, member):
    file = "first_name,email\n" + "".join(f"Pat,pat{number}@x.example\n" for number in range(2000))
    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(lambda _: send(member, file).status_int, range(4)))
    assert set(statuses) == {200, 429}
    assert len(stored(organization)) == 2000
    assert counts(imported(member, file)) == (0, 0, 2000, 0)


def test_an_import_of_another_process_is_not_waited_for(organization, member):
    with advisory_lock(organization.owner, "lead_import", organization.id):
        assert_problem(send(member, FILE), 429, "busy")
    assert stored(organization) == []
    imported(member, FILE)


def test_update_keeps_what_somebody_else_is_just_changing(organization, member, owner_url):
    lead = member.post("/api/leads", {"first_name": "Old", "email": "pat@x.example", "phone": "1"}, status=201).json
    with ThreadPoolExecutor(1) as pool, psycopg.connect(organization.server(owner_url)) as other:
        other.execute("update app.leads set phone = '2' where id = %s", (lead["id"],))
        report = pool.submit(imported, member, FILE, "?on_duplicate=update")
        wait_until_waiting(other)
        other.commit()
        assert counts(report.result()) == (1, 1, 0, 0)
    after = member.get(f"/api/leads/{lead['id']}").json
    assert (after["first_name"], after["phone"]) == ("Pat", "2")


@pytest.mark.parametrize("moment", ["copy pg_temp", "insert into leads"])
def test_an_import_whose_connection_is_cut_leaves_nothing(organization, member, owner, owner_url, moment):
    file = "first_name,email\n" + "".join(f"Pat,pat{number}@x.example\n" for number in range(10_000))
    watching, killed = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        killing = pool.submit(cut, organization.server(owner_url), moment, watching, killed)
        assert watching.wait(SECONDS)
        answer = send(member, file)
        killed.set()
        assert killing.result() == 1
    assert answer.status_int == 503
    assert stored(organization) == []
    assert counts(imported(member, file)) == (10_000, 0, 0, 0)


def cut(url, moment, watching, killed):
    """End the server process of the import once it runs the statement; returns how many were ended."""
    ended = 0
    with psycopg.connect(url, autocommit=True) as connection:
        watching.set()
        while not ended and not killed.is_set():
            ended = connection.execute(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity"
                " where datname = current_database() and state = 'active' and query like %s",
                (f"-- lead_import_%\n{moment}%",),
            ).fetchone()[0]
    return ended
