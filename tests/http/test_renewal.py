"""Files of sql/ are read anew at SIGHUP: all of them or none, after PostgreSQL has read each statement."""

import shutil
from contextlib import closing

import pytest
import structlog

from pipeline.database import Database, queries, renewal
from pipeline.database.queries import SQL
from pipeline.database.statements import StatementError


@pytest.fixture
def teams(tmp_path, monkeypatch):
    """teams.sql of a copy of all files, which the service reads; afterwards it reads its own again."""
    shutil.copytree(SQL, tmp_path / "sql")
    list(queries)
    known = queries._named
    monkeypatch.setattr(queries, "_folder", tmp_path / "sql")
    yield tmp_path / "sql" / "records" / "teams.sql"
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


LIST = "from team_records as team"


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_every_statement_of_the_release_can_be_read_by_every_login(wsgi, jobs):
    registry = wsgi.registry
    renewal.check_statements((registry.app, renewal.APP), (registry.forms, renewal.FORMS), (jobs, renewal.JOBS))


def test_a_changed_file_is_used_by_the_next_request(teams, renew, admin):
    admin.post("/api/teams", {"name": "Sales"}, status=201)
    change(teams, "team.organization_id is not null", "team.organization_id is null")
    assert len(admin.get("/api/teams", status=200).json["data"]) == 1
    assert renew()[0]
    assert admin.get("/api/teams", status=200).json["data"] == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (LIST, "from team_record as team", r'team_list: relation "team_record" does not exist'),
        ("--:name team_list", "--:name team_lisd", r"teams.sql: team_list: is gone"),
        ("cast(:id as bigint)", "cast(:ids as bigint)", "team_get: the parameter id is gone; the parameter ids is new"),
        ("team.id = cast(:id as bigint)", "team.name = :id", "team_get: the parameter id is text instead of bigint"),
        ("(*) from filtered", "(*)::text from filtered", "team_list: the column total is text instead of bigint"),
        ("team_delete :affected", "team_delete :many", "team_delete: the kind of result is rows instead of rowcount"),
        ("sort_by=name", "sort_by=title", "team_list: the mark sort_by no longer knows name"),
        ("returning id;", "returning id; --? a b", r"team_insert: 'a b' is no condition"),
    ],
)
def test_a_broken_file_keeps_the_old_statements_and_says_file_line_and_name(teams, renew, admin, old, new, said):
    change(teams, old, new)
    used, (line,) = renew()
    assert not used
    assert line["log_level"] == "error"
    assert said in line["error"]
    assert "sql/records/teams.sql:" in line["error"]
    admin.get("/api/teams", status=200)


def test_a_column_that_the_release_reads_and_the_file_has_not_stops_the_start_too(teams, wsgi):
    change(teams, "as total", "as number")
    queries._named = None
    with pytest.raises(StatementError, match=r"records/teams\.sql:1, team_list: the column total is gone"):
        renewal.check_statements((wsgi.registry.app, renewal.APP))


def test_an_export_has_no_further_column_and_no_other_order(teams, renew):
    leads = teams.parents[1] / "leads" / "list.sql"
    change(leads, "    lead.id,\n", "    lead.id, lead.notes as more,\n")
    assert "lead_export: the column more is new" in renew()[1][0]["error"]
    change(
        leads,
        "    lead.id, lead.notes as more,\n    iso(lead.created_at) as created_at,\n",
        "    iso(lead.created_at) as created_at,\n    lead.id,\n",
    )
    assert "lead_export: the columns have another order" in renew()[1][0]["error"]


def test_a_newer_schema_may_give_a_record_more_columns(teams, renew):
    change(teams, "select team.*\nfrom", "select team.*, 1 as newer\nfrom")
    assert renew()[0]


def test_the_line_is_that_of_the_file(teams, wsgi):
    change(teams, "from team_records as team", "from team_record as team")
    number = next(n for n, text in enumerate(teams.read_text().split("\n"), 1) if "team_record as team" in text)
    queries._named = None
    with pytest.raises(StatementError, match=rf"records/teams\.sql:{number}, team_list: "):
        renewal.check_statements((wsgi.registry.app, renewal.APP))


def test_a_database_that_is_away_is_no_fault_of_the_files(login_url):
    with closing(Database(login_url("pipeline_jobs"), 1)) as away:
        pass
    with structlog.testing.capture_logs() as lines:
        assert not renewal.renew((away, renewal.JOBS))
    assert "the pool" in lines[0]["error"]
