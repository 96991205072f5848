"""One licence as five programs write it, each by its own rules: `write(program)` is its HTML."""

import re
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.documents import pasting

FOLDER = Path(__file__).with_name("pasted")
PROGRAMS = ("word", "word_filtered", "outlook", "google_docs", "libreoffice")
LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4}
MARKED = {*LEVELS, "recital"}
# Fields refer to numbers.
REFERENCE = re.compile(r"(?<=[Cc]lause )\d[\d.]*\d(?:\([a-z]\))?|(?<=[Cc]lause )\d+")
WINGDINGS = {"yes": "þ", "no": "¨"}
SIGNS = {"yes": "☑", "no": "☐"}


class Line(NamedTuple):
    kind: str
    cells: list[str]

    @property
    def columns(self):
        """The cells of a table's row or a line to sign on."""
        return self.cells if self.kind == "define" else self.cells[0].split("|")


def lines():
    rows = (FOLDER / "licence.txt").read_text().splitlines()
    return [Line(kind, cells) for kind, *cells in (row.split("\t") for row in rows)]


def shown():
    """What each paragraph and cell shows, in order, whichever program wrote it."""
    for line in lines():
        kind, cells = line
        if kind in ("define", "fees", "sign"):
            yield from line.columns
        elif kind == "bullet":
            yield f"• {cells[0]}"
        elif kind == "tick":
            yield f"{SIGNS[cells[0]]} {cells[1]}"
        else:
            yield " ".join(cells)


def write(program):
    if program == "libreoffice":
        return (FOLDER / "licence.libreoffice.html").read_text()
    return {"word": word, "word_filtered": word_filtered, "outlook": outlook, "google_docs": google_docs}[program]()


def blocks():
    """(kind, lines of this kind that follow each other)."""
    return [(kind, list(group)) for kind, group in groupby(lines(), key=lambda line: line.kind)]


def word(refer=lambda number: pasting.field("REF _Ref2 \\r \\h", number)):
    return "".join(_word_block(kind, group, pasting.word, refer) for kind, group in blocks())


def word_filtered():
    def marked(marker, text, level, list, tag):
        return pasting.filtered(marker, text, left=18 * level, tag=tag)

    body = "".join(_word_block(kind, group, marked, lambda number: number) for kind, group in blocks())
    head = '<meta name=Generator content="Microsoft Word 15 (filtered)">'
    return f"<html><head>{head}</head><body lang=EN-GB>{body}</body></html>"


def outlook():
    head = "<meta name=Generator content='Microsoft Word 15 (filtered medium)'><style>p.MsoNormal {margin:0cm}</style>"
    body = word(lambda number: pasting.unseen_field("REF _Ref2 \\r \\h", number))
    return (
        f"<html xmlns:o='urn:schemas-microsoft-com:office:office'><head>{head}<!--[if gte mso 9]><xml>"
        "<o:shapedefaults/></xml><![endif]--></head>"
        f"<body lang=EN-GB><div class=WordSection1>{body}</div></body></html>"
    )


def _word_block(kind, group, marked, refer):
    def text(words):
        return REFERENCE.sub(lambda found: refer(found[0]), escape(words, quote=False))

    if kind in MARKED:
        level, list, tag = LEVELS.get(kind, 1), "l1" if kind == "recital" else "l0", "h1" if kind == "h1" else "p"
        return "".join(marked(line.cells[0], text(line.cells[1]), level=level, list=list, tag=tag) for line in group)
    if kind == "bullet":
        return "".join(
            marked("<span style='font-family:Symbol'>·</span>", text(line.cells[0]), level=1, list="l2", tag="p")
            for line in group
        )
    if kind == "tick":
        return "".join(
            f"<p class=MsoNormal><span style='font-family:Wingdings'>{WINGDINGS[line.cells[0]]}</span> "
            f"{text(line.cells[1])}<o:p></o:p></p>"
            for line in group
        )
    if kind == "sign":
        tab = "<span style='mso-tab-count:3'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span>"
        return "".join(f"<p class=MsoNormal>{tab.join(line.columns)}<o:p></o:p></p>" for line in group)
    if kind in ("define", "fees"):
        return _word_table([line.columns for line in group], kind, text)
    return "".join(
        f"<p class={'MsoTitle' if kind == 'title' else 'MsoNormal'}>{text(line.cells[0])}<o:p></o:p></p>"
        for line in group
    )


def _word_table(rows, kind, text):
    table, cell = {
        "define": ("MsoNormalTable border=0 style='border-collapse:collapse;border:none'", "border:none"),
        "fees": (
            "MsoTableGrid border=1 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'",
            "border:solid windowtext 1.0pt;mso-border-alt:solid windowtext .5pt",
        ),
    }[kind]
    made = "".join(
        "<tr>"
        + "".join(
            f"<td width=200 valign=top style='{cell}'><p class=MsoNormal>{text(words)}<o:p></o:p></p></td>"
            for words in row
        )
        + "</tr>"
        for row in rows
    )
    return f"<table class={table} cellspacing=0 cellpadding=0>{made}</table>"


GOOGLE_LISTS = """
ol.lst-kix_a-0,ol.lst-kix_a-1,ol.lst-kix_a-2,ol.lst-kix_a-3,ol.lst-kix_b-0,ul.lst-kix_c-0{list-style-type:none}
ol.lst-kix_a-0.start{counter-reset:lst-ctn-kix_a-0 0}ol.lst-kix_a-1.start{counter-reset:lst-ctn-kix_a-1 0}
ol.lst-kix_a-2.start{counter-reset:lst-ctn-kix_a-2 0}ol.lst-kix_a-3.start{counter-reset:lst-ctn-kix_a-3 0}
ol.lst-kix_b-0.start{counter-reset:lst-ctn-kix_b-0 0}
.lst-kix_a-0>li{counter-increment:lst-ctn-kix_a-0}.lst-kix_a-1>li{counter-increment:lst-ctn-kix_a-1}
.lst-kix_a-2>li{counter-increment:lst-ctn-kix_a-2}.lst-kix_a-3>li{counter-increment:lst-ctn-kix_a-3}
.lst-kix_b-0>li{counter-increment:lst-ctn-kix_b-0}
.lst-kix_a-0>li:before{content:"" counter(lst-ctn-kix_a-0,decimal) ". "}
.lst-kix_a-1>li:before{content:"" counter(lst-ctn-kix_a-0,decimal) "." counter(lst-ctn-kix_a-1,decimal) " "}
.lst-kix_a-2>li:before{content:"(" counter(lst-ctn-kix_a-2,lower-latin) ") "}
.lst-kix_a-3>li:before{content:"(" counter(lst-ctn-kix_a-3,lower-roman) ") "}
.lst-kix_b-0>li:before{content:"(" counter(lst-ctn-kix_b-0,upper-latin) ") "}
.lst-kix_c-0>li:before{content:"\\0025cf   "}
.c0{border-bottom-width:1pt;border-top-width:1pt;border-left-width:1pt;border-right-width:1pt;
border-bottom-style:solid;border-top-style:solid;border-left-style:solid;border-right-style:solid;
border-bottom-color:#000000;border-top-color:#000000;border-left-color:#000000;border-right-color:#000000}
.c1{border-bottom-width:0pt;border-top-width:0pt;border-left-width:0pt;border-right-width:0pt;
border-bottom-style:solid;border-top-style:solid;border-left-style:solid;border-right-style:solid;
border-bottom-color:#000000;border-top-color:#000000;border-left-color:#000000;border-right-color:#000000}
.title{font-size:26pt}"""


def google_docs():
    """The HTML of File, Download, Web page: its style sheet numbers the lists."""
    places, body = {}, []
    for kind, group in blocks():
        level = LEVELS.get(kind, 1) - 1
        if kind in LEVELS:
            # A clause begins the numbers below it anew.
            places = {deep: count for deep, count in places.items() if deep <= level}
        body.append(_google_block(kind, group, level, places))
    return f"<html><head><style>{GOOGLE_LISTS}</style></head><body class='doc-content'>{''.join(body)}</body></html>"


def _google_block(kind, group, level, places):
    texts = [escape(line.cells[-1], quote=False) for line in group]
    item = (
        '<h1 class="c9" style="display:inline"><span class="c3">{}</span></h1>'
        if kind == "h1"
        else '<span class="c3">{}</span>'
    )
    items = "".join(f'<li class="c2 li-bullet-0">{item.format(text)}</li>' for text in texts)
    if kind in LEVELS:
        start = places.get(level, 0) + 1
        places[level] = start + len(group) - 1
        return f'<ol class="c4 lst-kix_a-{level}{" start" if start == 1 else ""}" start="{start}">{items}</ol>'
    if kind == "recital":
        return f'<ol class="c4 lst-kix_b-0 start" start="1">{items}</ol>'
    if kind == "bullet":
        return f'<ul class="c4 lst-kix_c-0 start">{items}</ul>'
    if kind in ("define", "fees"):
        return _google_table(group, kind)
    if kind == "tick":
        texts = [f"{SIGNS[line.cells[0]]} {line.cells[1]}" for line in group]
    if kind == "sign":
        return _google_table(group, "sign")
    return "".join(
        f'<p class="c2 {kind if kind == "title" else "c5"}"><span class="c3">{text}</span></p>' for text in texts
    )


def _google_table(group, kind):
    rows = [line.columns for line in group]
    start = f'<td class="{"c0" if kind == "fees" else "c1"}" colspan="1" rowspan="1"><p class="c2"><span class="c3">'
    made = "".join(
        f"<tr class='c6'>{''.join(f'{start}{escape(words, quote=False)}</span></p></td>' for words in row)}</tr>"
        for row in rows
    )
    return f'<table class="c7">{made}</table>'
