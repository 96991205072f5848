"""Word files of authors: what is filled in, and that all else stays.

LibreOffice has written the files of `authored/`: a licence of twenty pages with numbered clauses, references and a
header; two columns; a table of prices; notes and headers by section; a letter with a picture and a text box; Arabic.
`word_saved` writes others by the rules of Word.
"""

import io
import json
import os
import re
import zipfile
from base64 import b64encode
from pathlib import Path

import pytest
from docx import Document as Word
from docx.shared import Mm
from lxml import etree

from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import DOCX, Document, TooComplex, TooSlow
from pipeline.documents.authored import filling, reading
from pipeline.documents.document import Closing
from pipeline.documents.processes import converter
from pipeline.documents.processes.client import RenderLimits
from tests.contracts.support import image_file
from tests.contracts.word_files import W, packed, word_file, word_text
from tests.documents import word_saved
from tests.documents.support import page_texts

FOLDER = Path(__file__).with_name("authored")
FILES = {file.stem: file.read_bytes() for file in sorted(FOLDER.glob("*.docx"))} | word_saved.FILES
DIRECTIVE = re.compile(r"\{\{[#/][^{}]*\}\}")
# What would put a control's own text in place of a value.
BINDINGS = (f"{W}dataBinding", f"{W}showingPlcHdr")
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def read(content):
    """The HTML of a Word file without faults."""
    told = json.loads(reading.inspect(io.BytesIO(content), "").partition(b"\n")[0])
    assert (told["refused"], told.get("wrong")) == (None, [])
    return merge.sanitize(told["content"])


def filled(file, content, *further, **more):
    files = tuple(b64encode(one).decode() for one in (file, *further))
    return filling.made(DOCX, Document("", "en", content, files=files, **more))


def parts(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def form(xml):
    """The elements and attributes of a part, without texts and without paragraphs of directives."""
    root = etree.fromstring(xml)
    for paragraph in list(root.iter(f"{W}p")):
        if DIRECTIVE.fullmatch("".join(paragraph.itertext(f"{W}t")).strip()):
            paragraph.getparent().remove(paragraph)
    for property in list(root.iter(*BINDINGS)):
        property.getparent().remove(property)
    for text in root.iter(f"{W}t"):
        text.text = ""
        text.attrib.pop(SPACE, None)
    return etree.tostring(root, method="c14n")


def texts(xml):
    paragraphs = etree.fromstring(xml).iter(f"{W}p")
    found = (DIRECTIVE.sub("", "".join(paragraph.itertext(f"{W}t"))) for paragraph in paragraphs)
    return [text for text in found if text]


@pytest.mark.parametrize("name", FILES)
def test_all_but_the_values_stays_as_the_author_has_it(name):
    original = FILES[name]
    # Every tag has its own spelling as value, and all conditions hold.
    before, after = parts(original), parts(filled(original, read(original)))
    assert before.keys() == after.keys()
    for part in before:
        if b"{{" not in before[part]:
            assert before[part] == after[part]
            continue
        assert form(before[part]) == form(after[part])
        assert texts(before[part]) == texts(after[part])


@pytest.mark.parametrize("name", FILES)
def test_every_tag_of_a_file_is_filled(name):
    original = FILES[name]
    resolved = merge.resolve(read(original), {}, SAMPLES)
    made = parts(filled(original, resolved.content))
    assert resolved.unresolved_tags == []
    assert not [part for part, content in made.items() if b"{{" in content or b"pipeline-" in content]
    assert [etree.fromstring(content) is not None for part, content in made.items() if part.endswith(".xml")]


def test_a_value_in_word_is_text_alone():
    source = word_file("{{Deal.title}}", ["a {{Licensee", ".name}} b"])
    values = {
        **SAMPLES,
        "Deal": {"title": "{{Quote.total}} <w:p/> &amp; {% x %}\nsecond"},
        "Licensee": {"name": "]]>\x01"},
    }
    made = word_text(filled(source, merge.resolve(read(source), {}, values).content))
    assert made == "{{Quote.total}} <w:p/> &amp; {% x %}\nsecond\na ]]>\ufffd b"


def test_a_schedule_begins_a_section_with_its_own_paper():
    wide = Word()
    wide.sections[0].page_width, wide.sections[0].page_height = Mm(400), Mm(200)
    wide.add_paragraph("Wide", style="List Number")
    main, schedule = word_file("Main", header="Head"), packed(wide)
    content = read(main) + f'<div class="schedule">{read(schedule)}</div>'
    made = Word(io.BytesIO(filled(main, content, schedule)))
    assert [round(section.page_width.mm) for section in made.sections] == [216, 400]
    assert [section.header.paragraphs[0].text for section in made.sections] == ["Head", "Head"]


SIGNED = (
    ("licensor-signature", "<span>Mara Lind</span>"),
    ("licensee-signature", '<img src="pipeline:image-0" alt="x">'),
)


def test_a_signed_word_contract_is_one_pdf_with_its_signatures_and_the_certificate():
    source = word_file("Between {{Licensee.name}}", "{{Contract.signature_block}}")
    content = merge.resolve(read(source), {}, SAMPLES).content
    image = b64encode(image_file("PNG")).decode()
    signed = {"signatures": SIGNED, "images": (image,), "closing": Closing("<h1>Certificate</h1>", "RO-1", "en", "ltr")}
    file = b64encode(source).decode()
    made = page_texts(documents.render("pdf", Document("", "en", content, files=(file,), **signed)))
    assert len(made) == 2
    assert "Signature: Mara Lind" in made[0]
    assert "Certificate" in made[1]
    word = parts(filled(source, content, signatures=SIGNED, images=(image,)))
    assert word["word/media/signature1.png"] == image_file("PNG")


CLAUSE = (
    '<h2>Liability</h2><p>Up to <b>{{Quote.total}}</b>.</p><ol class="clauses"><li>One<ol><li>One a</li></ol></li></ol>'
    "<table><tr><td>x</td></tr></table>"
)


def test_a_clause_stands_in_its_paragraph_with_its_numbers_and_the_styles_of_the_file():
    source = word_file("{{#clause liability}}", "{{Quote.lines_table}}")
    clauses = {"liability": {"content": merge.sanitize(CLAUSE), "language": None}}
    made = filled(source, merge.resolve(read(source), {}, SAMPLES, clauses=clauses).content)
    assert word_text(made).split("\n")[:5] == ["Liability", "Up to 51170.00.", "1.\tOne", "1.1\tOne a", "x"]
    body = Word(io.BytesIO(made)).element.body
    assert Word(io.BytesIO(made)).paragraphs[0].style.name == "Heading 2"
    assert [one.tag.removeprefix(W) for one in body][4:7] == ["tbl", "p", "tbl"], "two tables are not joined"


@pytest.mark.parametrize(("name", "mirrored"), [("arabic", True), ("letterhead", False)])
def test_a_block_is_mirrored_where_its_paragraph_runs_from_right_to_left(name, mirrored):
    """LibreOffice writes the direction of each paragraph."""
    source = FILES[name]
    made = parts(filled(source, merge.resolve(read(source), {}, SAMPLES).content))["word/document.xml"]
    assert (b"bidiVisual" in made) == mirrored


def test_a_draft_has_its_watermark_on_each_page():
    plain, headed = word_file("x"), word_file("x", header="Head {{Contract.number}}")
    for source in (plain, headed):
        made = Word(io.BytesIO(filled(source, read(source), watermark="DRAFT")))
        assert b'string="DRAFT"' in etree.tostring(made.sections[0].header._element)


def test_a_hung_converter_ends_with_its_document(program, tmp_path):
    hung = converter.Converter(RenderLimits(seconds=1, processes=1))
    program(f"echo $$ > {tmp_path}/pid; sleep 1000")
    for _ in range(2):  # the second has the turn of the first
        with pytest.raises(TooSlow, match="within 2 seconds"):
            hung.convert(b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_converter_has_no_network_and_neither_settings_nor_secrets(program, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "secret")
    program(f"env > {tmp_path}/env; cat /proc/net/dev > {tmp_path}/net; ulimit -v > {tmp_path}/memory")
    with pytest.raises(TooComplex, match="LibreOffice cannot read it"):
        converter.Converter(RenderLimits()).convert(b"")
    assert "secret" not in (tmp_path / "env").read_text()
    interfaces = re.findall(r"(\w+):", (tmp_path / "net").read_text())
    assert (interfaces, (tmp_path / "memory").read_text()) == (["lo"], "2097152\n")


def test_a_control_with_a_value_follows_neither_its_data_nor_its_placeholder():
    source = word_saved.FILES["letter of Word"]
    made = parts(filled(source, merge.resolve(read(source), {}, SAMPLES).content))["word/document.xml"]
    before, after = (etree.fromstring(xml) for xml in (parts(source)["word/document.xml"], made))
    assert [len([*root.iter(*BINDINGS)]) for root in (before, after)] == [2, 0]
    assert len([*before.iter(f"{W}sdt")]) == len([*after.iter(f"{W}sdt")])


def test_repeated_controls_and_rows_have_no_id_twice():
    source = word_saved.FILES["prices of Word"]
    made = parts(filled(source, merge.resolve(read(source), {}, SAMPLES).content))["word/document.xml"]
    for name in ("w:id", "w14:paraId"):
        ids = re.findall(rf'<w:sdtPr><{name} w:val="(\d+)"| {name}="(\w+)"', made.decode())
        assert len(ids) == len({*ids})
    assert made.count(b"<w:sdt>") == len(SAMPLES["Quote"]["lines"])
