"""Cells of an import are judged by the type of their column, and the size of a header is bounded."""

import pytest

from pipeline.leads import csv_rows
from pipeline.leads.csv_format import COLUMNS
from pipeline.validation import Text, Url, optional
from tests.leads.csv_files import send
from tests.support import codes


@pytest.mark.parametrize(
    ("typ", "code"),
    [(Url(), "invalid_url"), (Text(pattern="[0-9]+"), "invalid_format"), (Text(min_length=9), "too_short")],
)
def test_a_column_of_another_type_is_read_by_its_type(monkeypatch, typ, code):
    monkeypatch.setitem(csv_rows._NODES, "job_title", optional(typ))
    reader = csv_rows.RowReader(2, {"first_name": 0, "job_title": 1}, {}, set())
    values, errors = reader.read(2, ["Pat", "no url"])
    assert [(error.column, error.code) for error in errors] == [("job_title", code)]
    assert values[COLUMNS.index("first_name")] == "Pat"


def test_a_file_has_a_thousand_columns_at_most(member):
    header = ",".join(["first_name", *(f"c{number}" for number in range(1_000))])
    answer = send(member, f"{header}\nPat\n", status=422).json
    assert (answer["code"], answer["detail"]) == (
        "invalid_csv",
        "The file has 1,001 columns; it may have at most 1,000.",
    )
    assert send(member, f"{header.rpartition(',')[0]}\nPat\n", status=200).json["imported"] == 1


def test_a_header_has_64_kilobytes_at_most(member):
    answer = send(member, "first_name" + "," * 400_000 + "\nPat\n", status=422)
    assert answer.json["detail"] == "The header may have at most 65,536 characters."
    assert codes(answer) == [("file", "invalid_csv")]
