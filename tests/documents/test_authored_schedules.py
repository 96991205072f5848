"""Schedules of a Word file keep their own headers, footers, notes, numbers and pictures."""

import re

import pytest

from development.linters import validate
from tests.contracts.word_files import word_file
from tests.documents.numbered import item, numbered
from tests.documents.test_authored import FILES, parts
from tests.documents.test_authored_copy import COPY, DOCX, lines, made

MAIN = word_file("Main", header="Head of {{Contract.number}}")


def test_a_schedule_has_its_own_headers_or_those_before_it():
    shown = lines(made(COPY, MAIN, FILES["notes"], word_file("Plain"), word_file("Last", header="Annex")))
    headed = [
        line for line in shown if line in ("HeadofRO-000042", "MainRO-000042", "AnnexRO-000042", "Annex", "Plain")
    ]
    assert headed == ["HeadofRO-000042", "MainRO-000042", "AnnexRO-000042", "Plain", "Annex"]


def test_notes_of_all_schedules_are_in_one_order():
    shown = " ".join(lines(made(COPY, FILES["notes"], FILES["notes"], FILES["licence of Word"])))
    assert re.findall(r"([0-9i]+)(?:Asdefined|Until|Of2026)", shown) == ["1", "i", "2", "ii", "3"]


def test_a_schedule_counts_its_clauses_anew():
    file = numbered(item(1, 0), item(1, 1))
    assert lines(made(COPY, file, file)) == 2 * ["1.item10", "1.1item11"]


def test_a_header_s_picture_comes_with_it():
    joined = parts(made(DOCX, MAIN, FILES["letterhead"], FILES["letterhead"]))
    targets = [
        re.findall(rb'media/[^"]+', content) for name, content in joined.items() if "header" in name and "rels" in name
    ]
    assert len(targets) == 2
    assert all(f"word/{target.decode()}" in joined for found in targets for target in found)


@pytest.mark.parametrize("name", ["notes", "letterhead", "licence of Word"])
def test_joining_adds_no_fault(name, tmp_path):
    files = {"own": FILES[name], "joined": made(DOCX, MAIN, FILES[name])}
    for stem, content in files.items():
        (tmp_path / f"{stem}.docx").write_bytes(content)
    own, joined = ({*validate(tmp_path / f"{stem}.docx")} for stem in files)
    assert joined <= own
