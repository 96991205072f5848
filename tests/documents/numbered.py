"""Word files whose paragraphs count in all ways of Word: `numbered(*blocks)`, and the blocks of CASES."""

import io
import zipfile

from tests.documents.word_saved import packed, paragraph, run, xml

# {list: [(form, text, further XML)] of its levels}.
LISTS = {
    1: [("decimal", "%1.", ""), ("decimal", "%1.%2", ""), ("lowerLetter", "(%3)", ""), ("lowerRoman", "(%4)", "")],
    2: [("upperRoman", "Article %1", ""), ("decimal", "%1.%2", "<w:isLgl/>"), ("upperLetter", "%3)", "")],
    3: [("decimalZero", "§%1", ""), ("decimal", "%2.", '<w:lvlRestart w:val="0"/>'), ("bullet", "•", "")],
    4: [("decimal", "%1)", '<w:pStyle w:val="Clause"/>'), ("lowerLetter", "%1%2)", '<w:pStyle w:val="Sub"/>')],
}
STYLE = (
    '<w:style w:type="paragraph" w:styleId="{0}"><w:name w:val="{0}"/><w:basedOn w:val="{1}"/><w:pPr><w:numPr>'
    '<w:ilvl w:val="{2}"/><w:numId w:val="4"/></w:numPr></w:pPr></w:style>'
)
STYLES = STYLE.format("Clause", "Standard", 0) + STYLE.format("Sub", "Clause", 1)
# {list: (its definition, what it changes)}.
OVERRIDES = {
    5: (1, '<w:startOverride w:val="7"/>'),
    6: (2, '<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="The %1"/></w:lvl>'),
}


def item(list, level, *content):
    """A numbered paragraph."""
    about = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr>'
    return paragraph(*content or [f"item {list} {level}"], about=about)


def styled(style, text, about=""):
    return paragraph(text, about=f'<w:pStyle w:val="{style}"/>{about}')


def marked(name, text, id):
    """XML of a bookmark around a text."""
    return f'<w:bookmarkStart w:id="{id}" w:name="{name}"/>{run(text)}<w:bookmarkEnd w:id="{id}"/>'


def numbered(*blocks):
    """The file of some blocks."""
    lists = "".join(f'<w:abstractNum w:abstractNumId="{id}">{_levels(LISTS[id])}</w:abstractNum>' for id in LISTS)
    lists += "".join(f'<w:num w:numId="{id}"><w:abstractNumId w:val="{id}"/></w:num>' for id in LISTS)
    for id, (kind, change) in OVERRIDES.items():
        lists += (
            f'<w:num w:numId="{id}"><w:abstractNumId w:val="{kind}"/><w:lvlOverride w:ilvl="0">{change}</w:lvlOverride>'
            "</w:num>"
        )
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(packed(blocks))) as source,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            content = source.read(name)
            if name == "word/numbering.xml":
                content = xml("numbering", lists).encode()
            target.writestr(name, content.replace(b"</w:styles>", STYLES.encode() + b"</w:styles>"))
    return made.getvalue()


def _levels(levels):
    return "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{about}<w:lvlText w:val="{text}"/>'
        "</w:lvl>"
        for level, (form, text, about) in enumerate(levels)
    )


def _cell(content):
    return f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>{content}</w:tc></w:tr></w:tbl>"


CASES = {
    "levels": [item(1, level) for level in (0, 1, 1, 2, 2, 3, 1, 2, 0, 1)],
    "roman articles": [item(2, level) for level in (0, 1, 0, 0, 0, 1, 2, 1)],
    "levels that go on": [item(3, level) for level in (0, 1, 1, 0, 1, 2)],
    "styles": [styled(one, one) for one in ("Clause", "Sub", "Sub", "Clause", "Sub")]
    + [styled("Clause", "none", '<w:numPr><w:numId w:val="0"/></w:numPr>'), styled("Clause", "more")],
    "lists that begin anew": [item(1, 0), item(1, 0), item(5, 0), item(5, 1), item(5, 0), item(1, 0)],
    "a level of its own": [item(6, 0), item(6, 0)],
    "rows": [item(1, 0), _cell(item(1, 0)), item(1, 0)],
}
