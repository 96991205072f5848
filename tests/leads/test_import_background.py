import csv
import io

import psycopg
import pytest

from pipeline.leads.imports import background
from pipeline.worker import jobs as periodic
from tests.leads.csv_files import FORM, imported, multipart, stored
from tests.mail.delivery import Worker

# The last row has a cell that is left out.
LONG = "first_name,email\n" + "Pat,\n" * 5_000 + "Kim,kim@\n"
ASYNC = {"Content-Type": FORM, "Prefer": "wait=10, respond-async"}
ENDED = "update app.lead_imports set expires_at = now() - interval '1 second' where organization_id = %s"


@pytest.fixture
def worker(organization, jobs, settings):
    return Worker(jobs, settings, organization.id)


def accepted(api, content=LONG, query="?on_duplicate=create", status=202):
    """The path of an import in the background."""
    form = multipart(content.encode())
    answer = api.request("POST", f"/api/leads/import{query}", raw=form, headers=ASYNC, status=status)
    return path_of(answer.headers["Location"]) if status == 202 else answer


def path_of(url):
    return url.removeprefix("https://pipeline.example")


def record_at(api, path, *names):
    record = api.get(path, status=200).json
    return [record[name] for name in names]


def rows_of(api, report):
    answer = api.get(path_of(report["rows_url"]), status=200)
    return list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline="")))


def kept(organization, table="files"):
    """The number of the organization's rows in a table."""
    return len(organization.rows()[table])


def test_a_long_import_goes_on_after_its_response(organization, member, worker):
    path = accepted(member)
    assert record_at(member, path, "state", "done", "total", "report") == ["waiting", 0, 5_001, None]
    assert (stored(organization), worker.run()) == ([], [])
    state, done, report = record_at(member, path, "state", "done", "report")
    assert (state, done, report["imported"], len(report["rows"])) == ("done", 5_001, 5_001, 1_000)
    assert [row["row"] for row in rows_of(member, report)] == [str(row) for row in range(2, 5_003)]
    assert stored(organization, "distinct created_by, 1 as id") == [(organization.users["member"], 1)]


def test_an_import_that_was_interrupted_starts_again_and_stores_nothing_twice(
    monkeypatch, organization, member, worker
):
    path = accepted(member)
    with monkeypatch.context() as broken:
        broken.setattr(background.reports, "kept_rows", interrupted)
        assert worker.run() == ["OperationalError: the worker was killed"]
    assert (stored(organization), record_at(member, path, "state", "done")) == ([], ["running", 5_000])
    assert (worker.run(), record_at(member, path, "state")) == ([], ["done"])
    assert stored(organization, "count(*), 1 as id") == [(5_001, 1)]


def interrupted(*_arguments):
    raise psycopg.OperationalError("the worker was killed")


def test_beside_another_import_it_waits(organization, member, worker, owner):
    path = accepted(member)
    with owner.transaction():
        owner.execute("select set_config('app.organization_id', %s, true)", (str(organization.id),))
        owner.execute("select app.lead_import_lock()")
        assert "Another import" in worker.run()[0]
    assert (worker.run(), record_at(member, path, "state")) == ([], ["done"])


def test_a_failure_is_told_and_imports_nothing(organization, member, worker, owner):
    path = accepted(member)
    content = "update app.file_chunks set content = 'phone' where organization_id = %s"
    owner.execute(content, (organization.id,))
    worker.run()
    state, error = record_at(member, path, "state", "error")
    assert (state, error.split(". ")[0]) == ("failed", "Has no column first_name")
    assert (stored(organization), kept(organization)) == ([], 0)


@pytest.mark.parametrize(("content", "status"), [("first_name\nPat\n", 200), ("phone\n1\n", 422)])
def test_a_short_file_and_an_unreadable_one_are_answered_at_once(organization, member, content, status):
    accepted(member, content, status=status)
    assert (kept(organization, "lead_imports"), kept(organization)) == (0, 0)


def test_only_some_imports_wait(organization, member):
    for _ in range(background.MOST_OPEN):
        organization.insert("lead_imports", state="waiting", total=1)
    assert accepted(member, status=429).json["code"] == "busy"


def test_results_that_are_not_listed_are_at_a_link_for_a_day(organization, member, owner, jobs, settings):
    file = "first_name,status\n" + "Pat,\n" * 1_001 + ",new\n"
    report = imported(member, file, "?on_duplicate=create&result=failed,created")
    rows = rows_of(member, report)
    assert (len(rows), rows[0]["row"], rows[-1]["result"]) == (1_002, "2", "failed")
    assert imported(member, file, "?on_duplicate=create&result=failed")["rows_url"] is None
    owner.execute(ENDED, (organization.id,))
    periodic.run(jobs, settings, "purge_lead_imports")
    member.get(path_of(report["rows_url"]), status=404)
    assert kept(organization) == 0


def test_the_reports_of_imports_forget_an_erased_person(organization, member, worker):
    lead = member.post("/api/leads", {"first_name": "Kim", "email": "kim@x.example"}, status=201).json
    path = accepted(member, LONG.replace("kim@\n", '"kim@x.example; kim@y.example"\n'))
    worker.run()
    assert "kim@y.example" in str(record_at(member, path, "report"))
    organization.admin.post(f"/api/leads/{lead['id']}/erase", {"confirm": "kim@x.example"}, status=200)
    assert "kim@" not in str(record_at(member, path, "report"))


@pytest.mark.parametrize("file", [LONG.replace("kim@\n", "k\0@\n"), LONG.replace("email", "Sh\0e")])
def test_a_character_that_no_text_may_have_is_shown_as_a_question_mark(member, worker, file):
    path = accepted(member, file)
    assert (worker.run(), record_at(member, path, "state")) == ([], ["done"])
    (warning,) = record_at(member, path, "report")[0]["warnings"]
    assert (warning.get("value"), warning["column"]) in [("k?@", "email"), (None, "Sh?e")]


def test_a_dry_run_in_the_background_reads_the_columns_of_the_fields_that_an_import_makes(admin, worker):
    path = accepted(admin, LONG.replace("email", "Hall"), "?create_fields=true&dry_run=true")
    assert (worker.run(), record_at(admin, path, "state")) == ([], ["done"])
    assert record_at(admin, path, "report")[0]["warnings"] == []
    assert admin.get("/api/fields").json["total"] == 0
