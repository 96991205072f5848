"""Files of sql/ are read anew at SIGHUP: all of them or none, after PostgreSQL has read each statement."""

import shutil
from contextlib import closing

import pytest
import structlog

from pipeline.database import Database, queries, renewal
from pipeline.database.queries import SQL

TEAMS = "records/teams.sql"
LEADS = "leads/list.sql"
COLUMNS = "    lead.id,\n    iso(lead.created_at) as created_at,\n"


@pytest.fixture
def change(tmp_path, monkeypatch):
    """change(file, old, new): in a copy of the files, which the service reads until the end of the test."""
    folder = tmp_path / "sql"
    shutil.copytree(SQL, folder)
    list(queries)
    known = queries._named
    monkeypatch.setattr(queries, "_folder", folder)

    def replace(file, old, new):
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new))

    yield replace
    queries._named = known


@pytest.fixture
def renew(wsgi, jobs):
    """renew(): what SIGHUP does in a web process and in a worker; whether the files are used, and the log's lines."""
    registry = wsgi.registry

    def run():
        with structlog.testing.capture_logs() as lines:
            web = renewal.renew((registry.app, renewal.APP), (registry.forms, renewal.FORMS))
            return web and renewal.renew((jobs, renewal.JOBS)), lines

    return run


def test_a_changed_file_is_used_by_the_next_request(change, renew, admin):
    admin.post("/api/teams", {"name": "Sales"}, status=201)
    change(TEAMS, "team.organization_id is not null", "team.organization_id is null")
    assert len(admin.get("/api/teams", status=200).json["data"]) == 1
    assert renew()[0]
    assert admin.get("/api/teams", status=200).json["data"] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (TEAMS, "from team_records as", "from team_record as", r'team_list: relation "team_record" does not exist'),
        (TEAMS, "--:name team_list", "--:name team_lisd", r"teams.sql: team_list: is gone"),
        (TEAMS, "cast(:id as bigint)", "cast(:ids as bigint)", "the parameter id is gone; the parameter ids is new"),
        (TEAMS, "team.id = cast(:id as bigint)", "team.name = :id", "the parameter id is text instead of bigint"),
        (TEAMS, "(*) from filtered", "(*)::text from filtered", "the column total is text instead of bigint"),
        (TEAMS, "team_delete :affected", "team_delete :many", "the kind of result is rows instead of rowcount"),
        (TEAMS, "sort_by=name", "sort_by=title", "team_list: the mark sort_by no longer knows name"),
        (TEAMS, "returning id;", "returning id; --? a b", r"team_insert: 'a b' is no condition"),
        (LEADS, COLUMNS, f"    lead.notes as more,\n{COLUMNS}", "lead_export: the column more is new"),
        (LEADS, COLUMNS, "".join(COLUMNS.splitlines(True)[::-1]), "lead_export: the columns have another order"),
    ],
)
def test_a_broken_file_keeps_the_old_statements_and_says_file_line_and_name(change, renew, admin, file, old, new, said):
    change(file, old, new)
    used, (line,) = renew()
    assert not used
    assert line["log_level"] == "error"
    assert said in line["error"]
    assert f"sql/{file}:" in line["error"]
    admin.get("/api/teams", status=200)


def test_a_database_that_is_away_is_no_fault_of_the_files(login_url):
    with closing(Database(login_url("pipeline_jobs"), 1)) as away:
        pass
    with structlog.testing.capture_logs() as lines:
        assert not renewal.renew((away, renewal.JOBS))
    assert "the pool" in lines[0]["error"]
