"""Files with active content are refused with a reason, whatever tool made them; others are accepted."""

import importlib
import io
import secrets
import tempfile

import pytest

from pipeline.files import active_content
from pipeline.files.content import MORE_MEDIA_TYPES, check_content
from pipeline.files.inspection import NAMES
from pipeline.validation.errors import Problem
from tests.contracts.support import TEMPLATE, upload
from tests.files import by_libreoffice, harmless, hostile_office, hostile_pdf, hostile_pdf_tools
from tests.support import interview

PDFS = {**hostile_pdf.FILES, **hostile_pdf_tools.FILES}
HOSTILE = {**{what: ("a.pdf", *made) for what, made in PDFS.items()}, **hostile_office.FILES}
# Through the doors goes one of each kind of file.
SAMPLE = ["a program in a revision that a later one hides", "a template that climbs out of a drive"]
ANSWERS = [*SAMPLE, "a formula of DDE", "a program in a cell"]


def refusal(content, filename):
    """What a file is refused for, or None."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        try:
            check_content(file, filename, MORE_MEDIA_TYPES)
        except Problem as problem:
            return problem.detail


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


@pytest.fixture(scope="module")
def of_libreoffice(tmp_path_factory):
    """The files that LibreOffice makes."""
    return by_libreoffice.files(tmp_path_factory.mktemp("office"))


@pytest.mark.long
@pytest.mark.parametrize("what", by_libreoffice.FILES)
def test_libreoffice_made(what, of_libreoffice):
    _page, kind, reason = by_libreoffice.FILES[what]
    detail = refusal(of_libreoffice[what], f"a.{kind}")
    assert (detail is None) == (reason is None)
    assert reason is None or reason in detail


@pytest.mark.parametrize("what", SAMPLE)
def test_an_executed_copy_is_refused_that_has(what, admin, member):
    template = admin.post("/api/contract-templates", TEMPLATE, status=201).json
    body = {"template_id": template["id"], "effective_date": "2026-02-01"}
    path = f"/api/contracts/{member.post('/api/contracts', body, status=201).json['id']}/executed"
    filename, make, reason = HOSTILE[what]
    answer = upload(member, path, make(), filename, status=422).json
    assert (answer["code"], reason in answer["detail"]) == ("unsupported_file", True)
    member.get(path, status=404)


@pytest.mark.parametrize("what", ANSWERS)
def test_an_answer_is_refused_that_has(what, anonymous, organization):
    question = {"key": "papers", "type": "file", "label": "Papers"}
    pages = [{"key": "one", "questions": ["papers"]}]
    invite = organization.invite(organization.template(slug=secrets.token_hex(8), questions=[question], pages=pages))
    filename, make, reason = HOSTILE[what]
    path = f"{interview(invite)}/files?question=papers"
    answer = anonymous.app.post(path, upload_files=[("file", filename, make())], status=422).json
    assert (answer["code"], reason in answer["detail"]) == ("unsupported_file", True)
    assert anonymous.get(interview(invite)).json["answers"] == {}
