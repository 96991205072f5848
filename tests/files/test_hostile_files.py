"""Files with active content are refused with a reason, whatever tool made them; others are accepted."""

import importlib
import io
import secrets

import pytest

from pipeline.files import active_content
from pipeline.files.content import MORE_MEDIA_TYPES
from pipeline.files.inspection import NAMES
from tests.contracts.test_signed_content import verdict
from tests.documents.support import Office
from tests.files import harmless, hostile_office, hostile_pdf
from tests.support import interview

HOSTILE = {**{what: ("a.pdf", *made) for what, made in hostile_pdf.FILES.items()}, **hostile_office.FILES}
# Of each kind of file.
SAMPLE = ["a program in a revision that a later one hides", "a template that climbs out of a drive"]
SAMPLE += ["a formula of DDE", "a program in a cell"]


def refusal(content, filename):
    """What a file is refused for, or None."""
    return getattr(verdict(content, filename, MORE_MEDIA_TYPES), "detail", None)


def obstacle(content, filename):
    """What is found in a file, in this process: an upload's own takes longer to start than to read."""
    kind = filename.rpartition(".")[2]
    inspector = importlib.import_module(f"{active_content.__name__}.{NAMES[kind]}")
    return inspector.inspect(io.BytesIO(content), kind)


@pytest.mark.parametrize("what", HOSTILE)
def test_an_obstacle_is_found_in_a_file_that_has(what):
    filename, make, reason = HOSTILE[what]
    assert reason in obstacle(make(), filename)


@pytest.mark.parametrize("filename", [name for name in harmless.FILES if not name.endswith(".txt")])
def test_no_obstacle_is_found_in_a_harmless_file(filename):
    assert not obstacle(harmless.FILES[filename](), filename)


@pytest.mark.parametrize(
    "filename", ["merged.pdf", "Word.docx", "xlsxwriter.xlsx", "in UTF-16.csv", "a text about formulas.txt"]
)
def test_a_file_is_taken_that_is_harmless(filename):
    assert refusal(harmless.FILES[filename](), filename) is None


# Pages of which LibreOffice makes files.
PAGE = """<html><head><title>Licence agreement</title></head><body><h1>1. Grant</h1>
<p>See <a href="https://x.example/terms">the terms</a>, <a href="#fees">the fees</a>,
or <a href="mailto:pat@x.example">Pat</a>.</p><h1 id="fees">2. Fees</h1><ul><li>Seats</li></ul>
<table border="1"><tr><th>Seats</th><td>25</td></tr></table></body></html>"""
TO_FILE = '<html><body><p>See <a href="file:///c:/evil/a.exe">the terms</a>.</p></body></html>'


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "kind", "reason"),
    [
        (PAGE, "pdf", None),
        (PAGE, "docx", None),
        (TO_FILE, "pdf", "a link to anything but"),
        (TO_FILE, "docx", "a link to anything but"),
    ],
)
def test_a_page_converted_by_libreoffice_is_judged_as_the_page(page, kind, reason, tmp_path):
    source = tmp_path / "page.html"
    source.write_text(page)
    (content,) = Office(tmp_path).converted([source], kind, "--infilter=HTML (StarWriter)")
    detail = refusal(content, f"a.{kind}")
    assert reason in detail if reason else detail is None


@pytest.mark.parametrize("what", SAMPLE)
def test_an_answer_is_refused_that_has(what, anonymous, organization):
    question = {"key": "papers", "type": "file", "label": "Papers"}
    pages = [{"key": "one", "questions": ["papers"]}]
    invite = organization.invite(organization.template(slug=secrets.token_hex(8), questions=[question], pages=pages))
    filename, make, reason = HOSTILE[what]
    path = f"{interview(invite)}/files?question=papers"
    answer = anonymous.app.post(path, upload_files=[("file", filename, make())], status=422).json
    assert (answer["code"], reason in answer["detail"]) == ("unsupported_file", True)
    assert anonymous.get(interview(invite)).json["answers"] == {}
