"""Word files as other programs and older ones write them: their tags are found, and their text is read and printed."""

import io
import zipfile

import pytest

from pipeline.files.active_content import office
from tests.contracts.word_files import word_text
from tests.documents.test_authored import parts
from tests.documents.test_authored_copy import COPY, DOCX, lines, made
from tests.documents.word_saved import SPACES, control, field, packed, paragraph, run

# Signs of their own in Word.
HYPHENS = str.maketrans("", "", "\u00ad\u2011")
NAME, TITLE = "Northwind Robotics", "Motion planner, two sites"


def letters(text, format="", around="{}"):
    """A run for each letter of a text."""
    return "".join(around.format(run(one, format)) for one in text)


def table(*rows):
    cells = "".join(f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid>{cells}</w:tbl>"


EAST = '<w:rFonts w:hint="eastAsia" w:ascii="SimSun"/>'
PLAIN = '<w:rtl w:val="0"/>'
MAC = '<w:bdo w:val="ltr"><w:customXml w:uri="urn:x" w:element="a">{}</w:customXml></w:bdo>'
DRAWN = (
    '<w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="3" name="a"/><a:graphic><a:graphicData'
    f' uri="{SPACES["wps"]}"><wps:wsp><wps:spPr/><wps:txbx><w:txbxContent>{{}}</w:txbxContent></wps:txbx><wps:bodyPr/>'
    "</wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
)
OLD = '<w:r><w:pict><v:shape id="a"><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>'
GOOGLE = '<w:sdt><w:sdtPr><w:tag w:val="goog_rdk_0"/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>'
LINK = '<w:hyperlink w:anchor="top" w:history="1">{}</w:hyperlink>'
SOFT = (
    "<w:r><w:t>{{Licen</w:t><w:softHyphen/><w:t>see.name}} co</w:t><w:softHyphen/><w:t>op, x</w:t><w:noBreakHyphen/>"
    "</w:r>"
)
EACH = table(
    [table(*([paragraph(one)] for one in ("{{#each Quote.lines}}", "{{Line.name}}", "{{/each}}"))) + paragraph("x")]
)
CROSSING = (
    '<w:bookmarkStart w:id="1" w:name="a"/>',
    run("{{Licen"),
    '<w:bookmarkStart w:id="2" w:name="b"/>',
    run("see"),
    '<w:bookmarkEnd w:id="1"/>',
    run(".name}}"),
    '<w:bookmarkEnd w:id="2"/>',
)
WRITTEN = {
    "WPS, each letter apart": ([paragraph(letters("{{Licensee.name}}", EAST))], [NAME]),
    "Google Docs": ([GOOGLE.format(paragraph(letters("{{Deal.title}}", PLAIN, GOOGLE)))], [TITLE]),
    "Word for Mac": ([paragraph(letters("{{Deal.title}}", around=MAC))], [TITLE]),
    "Pages": ([paragraph(run("Box"), DRAWN.format(paragraph("{{Licensee.", "name}}")))], ["Box", NAME]),
    "Word 2003": ([paragraph(run("Box"), OLD.format(paragraph("{{Licensee.", "name}}")))], ["Box", NAME]),
    "a link": ([paragraph(LINK.format(run("{{Licensee.")), LINK.format(run("name}}")))], [NAME]),
    "a simple field": (
        [paragraph('<w:fldSimple w:instr=" AUTHOR ">' + run("{{Deal.title}}") + "</w:fldSimple>")],
        [TITLE],
    ),
    "a field in pieces": ([paragraph(field("QUOTE x", run("{{Deal.") + run("title}}")))], [TITLE]),
    "bookmarks across a tag": ([paragraph(*CROSSING)], [NAME]),
    "hyphens": ([paragraph(SOFT)], [f"{NAME} co\u00adop, x\u2011"]),
    "from right to left": (
        [paragraph(run("{{\u200fDeal.title\u200e \u202a|\u202c upper}}", "<w:rtl/>"))],
        [TITLE.upper()],
    ),
    "rows in a row": ([EACH], ["Motion Suite", "Onboarding", "x"]),
    "controls": ([control(paragraph(control(run("{{Deal.title}}"), "<w:text/>")), "<w:richText/>")], [TITLE]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_another_program_is_filled_and_read(name):
    blocks, expected = WRITTEN[name]
    file = packed(blocks)
    assert office.inspect(io.BytesIO(file), "docx") is None
    filled = made(DOCX, file)
    assert lines(made(COPY, file)) == [line.replace(" ", "") for line in expected]
    assert all(line.translate(HYPHENS) in word_text(filled) for line in expected)
    assert b"{{" not in parts(filled)["word/document.xml"]


def test_word_on_the_web_numbers_the_main_part():
    source, renamed = packed([paragraph("{{Deal.", "title}}")]), io.BytesIO()
    with zipfile.ZipFile(renamed, "w") as archive:
        for name, content in parts(source).items():
            name = name.replace("document.xml", "document2.xml") if "glossary" not in name else name
            archive.writestr(name, content.replace(b"word/document.xml", b"word/document2.xml"))
    assert office.inspect(renamed, "docx") is None
    filled = made(DOCX, renamed.getvalue())
    assert (word_text(filled), lines(made(COPY, renamed.getvalue()))) == (TITLE, [TITLE.replace(" ", "")])
    assert "word/document2.xml" in parts(filled)


def test_protection_and_fonts_of_the_author_stay():
    file = packed([paragraph("{{Deal.title}}")])
    kept = {name: content for name, content in parts(file).items() if name != "word/document.xml"}
    assert kept.items() <= parts(made(DOCX, file)).items()
