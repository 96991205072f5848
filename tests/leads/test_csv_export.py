import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.api.exports import csv_export
from pipeline.validation.types import is_visible
from tests.http.target import assert_problem
from tests.leads.csv_files import exported, imported, stored

# {a text: its cell}
FORMULAS = {
    "=1+1": "'=1+1",
    "'=1": "''=1",
    "Eve;=cmd|x": "Eve;'=cmd|x",
    "Eve,-1": "Eve,'-1",
    "Eve\t@x": "Eve\t'@x",
    "Eve\n+1": "Eve\n'+1",
    "a;'=1": "a;''=1",
    'a;"=1"': 'a;\'"=1"',
    "a; =1;=2": "a;' =1;'=2",
    "\uff1d1": "'\uff1d1",
    "\uff20x": "'\uff20x",
    "a;\u3000=1": "a;'\u3000=1",
}
OTHERS = ["1+1", "'x", "a=b", "'", "a;b", "a, b - c", "x;'y"]
ODD = ['"', '""', "a\r\nb", "a\rb", "\\.", "\\N", "null", "e\u0301", "😀", "''=1", '";"=1']
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12).filter(is_visible)
CELL = st.sampled_from([*FORMULAS, *OTHERS, *ODD]) | TEXT
LEAD = st.fixed_dictionaries(
    {"first_name": CELL},
    optional={name: CELL for name in ("last_name", "phone", "company", "job_title", "notes", "tags", "source")}
    | {"email": st.sampled_from(["a@x.example", "b@x.example", "+a@x.example"]), "status": st.just("contacted")}
    | {"external_id": st.sampled_from(["=7", "8"])},
)
FORMULA = re.compile('[\\s"]*[=+\\-@\uff0b\uff0d\uff1d\uff20]')


@pytest.mark.parametrize(("text", "cell"), [*FORMULAS.items(), *((text, text) for text in OTHERS)])
def test_no_part_of_a_cell_is_a_formula_and_other_texts_stay_as_they_are(admin, text, cell):
    admin.post("/api/leads", {"first_name": "Pat", "notes": text}, status=201)
    assert exported(admin)[0]["notes"] == cell


@settings(max_examples=20)
@given(leads=st.lists(LEAD, min_size=1, max_size=6), split_at=st.sampled_from(",;\t"))
def test_no_spreadsheet_finds_a_formula_wherever_it_splits(new_organization, leads, split_at):
    organization = new_organization()
    for lead in leads:
        organization.member.post("/api/leads", lead)
    text = organization.admin.get("/api/leads/export").body.decode("utf-8-sig")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=split_at)
    cells = [cell for row in rows for cell in row] + re.split(f"[{split_at}\r\n]", text)
    assert [cell for cell in cells if FORMULA.match(cell)] == []


@settings(max_examples=15)
@given(leads=st.lists(st.tuples(LEAD, st.sampled_from(["member", "colleague", None])), max_size=6))
def test_importing_ones_own_export_changes_nothing(new_organization, leads):
    organization = new_organization()
    for lead, person in leads:
        organization.member.post("/api/leads", {**lead, "assigned_to": organization.users.get(person)})
    organization.deactivate("colleague")
    before = stored(organization, "to_jsonb(leads)")
    export = organization.admin.get("/api/leads/export").body
    for mode, result in (("skip", "skipped"), ("update", "unchanged")):
        report = imported(organization.member, export, f"?on_duplicate={mode}")
        assert report[result] == report["total"] == len(before)
        assert stored(organization, "to_jsonb(leads)") == before


def test_a_client_that_accepts_no_csv_is_told_so(admin):
    admin.get("/api/leads/export", headers={"Accept": "image/png"}, status=406)


def started(api):
    """The chunks of an export whose reader has taken the first one."""
    request = api.app.RequestClass.blank("/api/leads/export", headers=api.headers)
    chunks = api.app.app(request.environ, lambda *_: None)
    next(iter(chunks))
    return chunks


def test_a_reader_that_hangs_up_frees_the_connection(organization, admin):
    organization.owner.execute(
        "insert into app.leads (organization_id, first_name, notes) "
        "select %s, 'Pat', repeat('x', 2000) from generate_series(1, 1500)",
        (organization.id,),
    )
    for _ in range(30):  # more often than the pool has connections
        started(admin).close()
    assert len(exported(admin)) == 1_500


def test_an_organization_has_one_export_at_once_and_the_next_when_it_is_read(new_organization):
    first, second = new_organization().admin, new_organization().admin
    chunks = started(first)
    assert_problem(first.get("/api/leads/export"), 429, "busy")
    assert exported(second) == []
    list(chunks)
    chunks.close()
    assert exported(first) == []


def test_an_export_that_fails_gives_its_slot_back(monkeypatch, admin):
    monkeypatch.setattr(csv_export, "header_line", None)
    admin.get("/api/leads/export", status=500)
    monkeypatch.undo()
    assert exported(admin) == []
