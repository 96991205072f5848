"""Word files that act on whoever opens them, or that unpack to too much, become no templates."""

import io
import json
import zipfile

import pytest
from docx import Document
from docx.opc.constants import RELATIONSHIP_TYPE

from pipeline.documents.authored import reading
from tests.contracts.conftest import template as template
from tests.contracts.support import upload
from tests.contracts.word_files import packed, with_xml, word_file
from tests.files.hostile_office import WORD
from tests.files.packages import DOCUMENT, changed
from tests.http.target import assert_problem

FILE = word_file("{{Deal.title}}")
ACTIVE = (
    "a main part with macros in capitals",
    "macros of another name",
    "macros whose types are in UTF-16",
    "a field that runs a macro",
    "a program as a part",
    "a template on a server",
    "an image of the web",
    "an old picture of the web",
    "a document of a server in it",
    "a link to a file",
    "an object without a relation",
    "a binary of ActiveX",
    "a field of DDE",
    "a field of DDE in pieces",
    "a simple field of DDE",
    "a field that includes a file",
    "a query for its letters",
    "content types with an entity",
    "a part that climbs out",
    "too much text",
)


@pytest.fixture
def refused(admin, template):
    """refused(content): why an upload is 422 `unsupported_file`; the template stays one of HTML."""

    def send(content, query=""):
        path = f"/api/contract-templates/{template['id']}"
        answer = upload(admin, f"{path}/word{query}", content, "a.docx", status=422)
        assert_problem(answer, 422, "unsupported_file")
        assert admin.get(path).json["source"] == "html"
        return answer.json["detail"]

    return send


@pytest.mark.parametrize("what", ACTIVE)
def test_an_active_word_file_is_refused_with_its_reason_also_with_strip(refused, what):
    make, reason = WORD[what]
    told = refused(make(), "?strip=true")
    assert reason in told
    # A template cannot be a PDF.
    assert "Print it" not in told


def added(**parts):
    """The Word file with further parts: {name: bytes}."""
    made = io.BytesIO(FILE)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def many_parts():
    return added(**{f"word/media/{number}.png": b"" for number in range(5_000)})


def large_picture():
    """Half a megabyte that unpacks to 520."""
    made = io.BytesIO(FILE)
    with (
        zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("word/media/a.png", "w") as part,
    ):
        for _ in range(520):
            part.write(bytes(1024 * 1024))
    return made.getvalue()


def two_at_one_place():
    """A directory that names one part twice."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        return added(**{"word/document.xml": b"<x/>"})


def long_text():
    return with_xml(FILE, "<w:p><w:r><w:t>" + "text " * 2_000_000 + "</w:t></w:r></w:p>")


def nested():
    depth = 10_000
    return changed(
        FILE, inside={DOCUMENT: "<w:sdt><w:sdtContent>" * depth + "<w:p/>" + "</w:sdtContent></w:sdt>" * depth}
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (many_parts, "not packed as Office does it"),
        (large_picture, "unpacks to too much"),
        (two_at_one_place, "has a part twice"),
        (long_text, "8 MiB of text"),
        (nested, "damaged"),
        (lambda: FILE[: len(FILE) // 2], "cut off"),
    ],
    ids=["many parts", "a large picture", "a part twice", "long text", "nested controls", "a half"],
)
def test_a_word_file_that_unpacks_to_too_much_is_refused(refused, make, reason):
    assert reason in refused(make())


TAGGED = "{{Deal.title}}"
FIELD = '<w:p><w:fldSimple w:instr=" {} "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>'
EQUATION = f'<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>{TAGGED}</m:t></m:r></m:oMath></w:p>'
WORD_ART = (
    '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath on="t" string="{{Deal.title}}"/>'
    "</v:shape></w:pict></w:r></w:p>"
)


def linked():
    """A file with a tag in the address of a link."""
    document = Document(io.BytesIO(FILE))
    document.part.relate_to("mailto:%7B%7BLicensee.contact_email%7D%7D", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    return packed(document)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (with_xml(FILE, EQUATION), f'"{TAGGED}" stands where no value'),
        (with_xml(FILE, WORD_ART), f'"{TAGGED}" stands where no value'),
        (with_xml(FILE, FIELD.format(f"IF {TAGGED} = 1")), f'"{TAGGED}" stands where no value'),
        (with_xml(FILE, FIELD.format("LISTNUM")), "a field LISTNUM"),
        (linked(), '"{{Licensee.contact_email}}" stands where'),
        (added(**{"_xmlsignatures/origin.sigs": b""}), "is signed"),
    ],
    ids=["an equation", "WordArt", "a field's code", "a number of Word", "a link", "a signature"],
)
def test_a_file_whose_contracts_would_lack_something_is_refused(content, reason):
    told = json.loads(reading.inspect(io.BytesIO(content), "").partition(b"\n")[0])
    assert reason in told["refused"]
