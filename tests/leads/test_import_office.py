"""Exports go through LibreOffice itself without a loss."""

import pytest

from tests.documents.support import Office
from tests.leads.csv_files import everything, exported, imported, stored, table
from tests.leads.origins import FILES

COLUMNS = "id, first_name, last_name, email, phone, company, job_title, notes, tags, external_id, source, status"
# Texts that a spreadsheet reads as numbers, formulas or dates.
ODD = {
    "phone": "00491701234567",
    "external_id": "0012",
    "job_title": "=1+1",
    "tags": "0815, 1/2",
    "notes": 'Line\n"two"; 1,5 \t€',
}
# Comma, quote, UTF-8.
TEXT = "44,34,76"
SAVED = (f"csv:Text - txt - csv (StarCalc):{TEXT}", "xlsx")


@pytest.fixture
def through_office(tmp_path):
    """through_office(rows): the CSV file and the workbook in which LibreOffice saves rows that it has opened as CSV."""
    office = Office(tmp_path)

    def save(rows):
        source = tmp_path / "leads.csv"
        source.write_text(table(rows, list(rows[0])), encoding="utf-8-sig", newline="")
        office.converted([source], "ods", f"--infilter=CSV:{TEXT}")
        return [office.converted([source.with_suffix(".ods")], kind)[0] for kind in SAVED]

    return save


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_an_export_that_libreoffice_has_saved_loses_doubles_and_reverts_nothing(
    organization, admin, through_office, name
):
    imported(admin, FILES[name])
    admin.post("/api/leads", {"first_name": "Odd", **ODD}, status=201)
    before = stored(organization, COLUMNS)
    first, changed, odd = exported(admin)
    admin.patch(f"/api/leads/{changed['id']}", {"phone": "030 99"}, status=200)
    text, workbook = through_office([{**first, "email": "jürgen@new.example", "notes": ""}, changed, odd])
    query = "?on_duplicate=update&blank=clear"
    assert everything(imported(admin, text, query)) == [0, 1, 1, 0, 1, 0]
    assert everything(imported(admin, workbook, query)) == [0, 0, 2, 0, 1, 0]
    after = [list(row) for row in stored(organization, COLUMNS)]
    assert (after[0][3], after[0][7], after[1][4]) == ("jürgen@new.example", None, "030 99")
    after[0][3], after[0][7], after[1][4] = before[0][3], before[0][7], before[1][4]
    assert [tuple(row) for row in after] == before
