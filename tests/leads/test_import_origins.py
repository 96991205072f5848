"""Files of other programs come in whole, and go through an export and a spreadsheet without a loss."""

import csv
import io
from datetime import datetime

import openpyxl
import pytest

from tests.leads.csv_files import everything, exported, imported, stored
from tests.leads.origins import FILES, people

COLUMNS = "first_name, last_name, email, phone, company, notes"
TIMES = ("created_at", "updated_at")


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_program_is_imported_whole(organization, member, name):
    report = imported(member, FILES[name])
    assert (everything(report), report["errors"]) == ([2, 0, 0, 0, 0, 0], [])
    assert {warning["code"] for warning in report["warnings"]} <= {"unread_column"}
    assert stored(organization, COLUMNS) == people(name)
    assert everything(imported(member, FILES[name], "?on_duplicate=update")) == [0, 0, 2, 0, 0, 0]


def libreoffice(rows):
    """A CSV file by the defaults of LibreOffice: UTF-8 without a mark, quotes where they are needed."""
    text = io.StringIO()
    csv.writer(text, "unix", quoting=csv.QUOTE_MINIMAL).writerows([rows[0], *(row.values() for row in rows)])
    return text.getvalue().encode()


def workbook(rows):
    """A workbook in which numbers and times are cells of their own kind, without fractions of milliseconds."""
    book = openpyxl.Workbook()
    book.active.append(list(rows[0]))
    for row in rows:
        times = {name: datetime.fromisoformat(row[name]).replace(tzinfo=None) for name in TIMES}
        book.active.append([*({**row, **times, "id": int(row["id"])}).values()])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("saved", [libreoffice, workbook])
def test_an_export_that_a_spreadsheet_has_saved_loses_doubles_and_reverts_nothing(organization, admin, saved):
    for file in FILES.values():
        imported(admin, file)
    before = stored(organization, f"id, {COLUMNS}")
    first, changed, *others = exported(admin)
    admin.patch(f"/api/leads/{changed['id']}", {"phone": "030 99"}, status=200)
    edited = [{**first, "email": "jürgen@new.example", "notes": ""}, changed, *others]
    report = imported(admin, saved(edited), "?on_duplicate=update&blank=clear")
    assert everything(report) == [0, 1, len(others), 0, 1, 0]
    after = stored(organization, f"id, {COLUMNS}")
    assert [row[0] for row in after] == [row[0] for row in before]
    assert (after[0][3], after[0][6], after[1][4], after[2:]) == ("jürgen@new.example", None, "030 99", before[2:])
