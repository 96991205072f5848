"""Each field that clients write of a lead, as bodies and files have it. A new field needs no line here."""

import pytest

from pipeline.leads.imports.columns import COLUMNS
from tests.leads.csv_files import FORM, exported, imported, multipart, table
from tests.mail.delivery import Worker

TYPED = {
    "first_name": "Ada",
    "email": "ada@acme.example",
    "phone": "030 1234",
    "status": "contacted",
    "external_id": "7",
}


@pytest.fixture
def row(organization):
    """row(word): a value of each column of Ada, in most with the word; `rep` is her assignee."""

    def make(word, rep="member"):
        seat = {"assigned_to": f"{rep}@{organization.name}.example"}
        return {column: f"{column} {word}" for column in COLUMNS} | TYPED | seat

    return make


def test_each_field_is_stored_replaced_and_recorded(row, admin, organization):
    bodies = [row(word) | {"assigned_to": organization.users[word]} for word in ("member", "colleague")]
    id = admin.post("/api/leads", bodies[0], status=201).json["id"]
    assert admin.get(f"/api/leads/{id}", status=200).json.items() >= bodies[0].items()
    changed = admin.put(f"/api/leads/{id}", bodies[1], status=200).json
    assert changed.items() >= bodies[1].items()
    recorded = admin.get(f"/api/audit?type=leads&id={id}", status=200).json["data"]
    different = {field for field in COLUMNS if bodies[0][field] != bodies[1][field]}
    assert different <= {field for change in recorded for field in change["changed"] or ()}


@pytest.mark.parametrize("mode", ["skip", "update", "create"])
def test_each_column_comes_and_goes_by_csv(row, admin, mode):
    imported(admin, table([row("new")], COLUMNS), f"?on_duplicate={mode}")
    (lead,) = exported(admin)
    assert lead.items() >= row("new").items()
    report = imported(admin, table([lead], [*lead]), "?on_duplicate=update")
    assert report["unchanged"] == 1


def test_each_column_is_replaced_by_csv(row, admin):
    imported(admin, table([row("old")], COLUMNS))
    imported(admin, table([row("new", rep="colleague")], COLUMNS), "?on_duplicate=update")
    (lead,) = exported(admin)
    assert lead.items() >= row("new", rep="colleague").items()


@pytest.mark.parametrize("blank", ["keep", "clear"])
def test_a_blank_cell_keeps_or_clears_each_column(row, admin, blank):
    imported(admin, table([row("old")], COLUMNS))
    cells = dict.fromkeys(COLUMNS, "") | {"external_id": "7"}
    imported(admin, table([cells], COLUMNS), f"?on_duplicate=update&blank={blank}")
    never_blank = {column: row("old")[column] for column in ("first_name", "source", "status")}
    (lead,) = exported(admin)
    assert lead.items() >= (row("old") if blank == "keep" else cells | never_blank).items()


def test_of_several_rows_of_a_person_the_last_filled_cell_of_each_column_counts(row, admin):
    rows = [row("first"), row("second", rep="colleague"), {"external_id": "7"}]
    imported(admin, table(rows, COLUMNS), "?on_duplicate=update")
    (lead,) = exported(admin)
    assert lead.items() >= row("second", rep="colleague").items()


def test_a_conflict_names_each_column_that_differs(row, admin):
    imported(admin, table([row("old")], COLUMNS))
    (lead,) = exported(admin)
    admin.patch(f"/api/leads/{lead['id']}", {"notes": "Changed."}, status=200)
    changed = lead | {column: f"{value} new" for column, value in row("old").items() if column not in TYPED}
    (result,) = imported(admin, table([changed], [*lead]), "?on_duplicate=update")["rows"]
    assert result["result"] == "conflict"
    differing = [column for column in COLUMNS if column not in (*TYPED, "assigned_to")]
    assert result["reason"].endswith(f"Differs in {', '.join(differing)}.")


def test_each_column_comes_by_a_large_file(row, admin, organization, jobs, settings):
    file = table([row("new") | {"external_id": str(number)} for number in range(5_001)], COLUMNS)
    headers = {"Content-Type": FORM, "Prefer": "respond-async"}
    form = multipart(file.encode())
    admin.request("POST", "/api/leads/import?on_duplicate=create", raw=form, headers=headers, status=202)
    assert Worker(jobs, settings, organization.id).run() == []
    assert exported(admin)[0].items() >= (row("new") | {"external_id": "0"}).items()
