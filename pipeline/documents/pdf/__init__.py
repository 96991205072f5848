"""Renders tagged PDFs with WeasyPrint.

Without ClosedFetcher, each HTML and CSS object reads any file and URL.
"""

import functools
from base64 import b64decode
from collections.abc import Mapping
from html import escape
from pathlib import Path

import weasyprint
from lxml import etree
from weasyprint.css.counters import CounterStyle
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from pipeline.documents import content as contents
from pipeline.documents import pictures, signatures
from pipeline.documents.characters.scripts import is_latin, keep_order, latin_end, latin_start
from pipeline.documents.clauses import list_level
from pipeline.documents.document import (
    LOGO_BOX,
    LOGO_TOP,
    TOP_WITH_LOGO,
    Closing,
    Document,
    Logo,
    TooComplex,
    language_tag,
    read_logo,
)
from pipeline.documents.layout import borders, margins, watermark
from pipeline.documents.pdf import tags
from pipeline.documents.styles import written
from pipeline.documents.subset import INLINES, clean_text, take_out

# {URL: (content, media type)}.
Files = Mapping[str, tuple[bytes, str]]
OPTIONS = {"pdf_variant": "pdf/ua-1", "pdf_tags": True}
LOGO_URL, IMAGE_URL, PICTURE_URL = "pipeline:logo", "pipeline:image-", "pipeline:picture-"
# Millimetres: page margins, distances of header and footer; longer texts enlarge the margin.
TOP, BOTTOM = 26, 23
HEADER, HEADER_WITH_LOGO, FOOTER = 15.33, 22.33, 12.35


class ClosedFetcher(URLFetcher):
    """Serves only the given files, {URL: (content, media type)}."""

    def __init__(self, files: Files | None = None) -> None:
        super().__init__(allowed_protocols=(), allow_redirects=False)
        self.files = files or {}

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        """The response of a given file; ValueError for any other URL."""
        if url not in self.files:
            raise ValueError("A document cannot load a URL.")
        content, media_type = self.files[url]
        return URLFetcherResponse(url, content, {"Content-Type": media_type})


def render(document: Document, max_pages: int | None = None) -> bytes:
    """The PDF; TooComplex above a limit or max_pages."""
    laid_out = _laid_out(document)
    pages = laid_out.pages
    if max_pages and len(pages) > max_pages:
        raise TooComplex(f"The document has more than {max_pages} pages.")
    if document.closing:
        pages = [*pages, *_laid_out_closing(document, document.closing).pages]
    return laid_out.copy(pages).write_pdf(finisher=tags.correct_tags, **OPTIONS)


def render_closing(document: Document) -> bytes:
    """The closing pages alone."""
    if document.closing is None:
        raise ValueError("The document has no closing pages.")
    return _laid_out_closing(document, document.closing).write_pdf(finisher=tags.correct_tags, **OPTIONS)


def page(document: Document) -> str:
    root = contents.parse(document.content, document.language, document.line)
    for element in root.iter("ol"):
        if start := element.get("start"):  # the stylesheet's counters ignore the attribute
            numbers_clauses, level = list_level(element)
            name = f"c{level}" if numbers_clauses else "plain"
            element.set("style", f"counter-reset: {name} {int(start) - 1}")
    for element in root.iter():
        if "border-" in element.get("style", ""):
            element.set("style", written(dict(borders.styled(element))))
        elif contents.has_class(element, "marker"):  # its box has the distance
            element.tail = (element.tail or "").lstrip(" ")
    pictures.place(root, pictures.read(document), PICTURE_URL, pictures.tallest(document))
    signatures.fill(root, document.signatures)
    for block in [root] if document.direction == "rtl" else root.findall(".//*[@dir='rtl']"):
        _keep_order(block)
    _part_spaces(root)
    return _page_html(document, etree.tostring(root, encoding="unicode", method="html"))


def _keep_order(block: etree._Element) -> None:
    """WeasyPrint orders each text alone, so codes join theirs."""
    take_out(block, [span for span in block.iter("span") if contents.has_class(span, "code")])
    for element in list(block.iter(*INLINES)):
        directions = (ancestor.get("dir") for ancestor in element.iterancestors())
        if is_latin("".join(element.itertext())) and next(filter(None, directions), "rtl") == "rtl":
            _join_phrase(element)
    for element in block.iter():
        element.text = keep_order(element.text or "")
        if element is not block:
            element.tail = keep_order(element.tail or "")


def _join_phrase(element: etree._Element) -> None:
    """Puts an element and the Latin text beside it into one from left to right."""
    phrase = etree.Element("span", dir="ltr")
    holder, name = _before(element)
    text = getattr(holder, name) or ""
    start = latin_start(text)
    setattr(holder, name, text[:start])
    element.addprevious(phrase)
    phrase.text = text[start:]
    while True:
        following, tail = element.getnext(), element.tail or ""
        end = latin_end(tail)
        phrase.append(element)
        if following is None or following.tag not in INLINES or tail[end:].strip():
            break
        if not is_latin("".join(following.itertext())):
            break
        element = following
    element.tail, phrase.tail = tail[:end], tail[end:]


def _before(element: etree._Element) -> tuple[etree._Element, str]:
    """The element and attribute with the text before an element."""
    previous, parent = element.getprevious(), element.getparent()
    return (parent, "text") if previous is None and parent is not None else (previous, "tail")


def _part_spaces(root: etree._Element) -> None:
    """WeasyPrint ends a text after its first word if only its last space is too wide."""
    for element in list(root.iter(*INLINES)):
        holder, name = _before(element)
        text = getattr(holder, name) or ""
        if text.strip() and text[-1] in " \n":
            setattr(holder, name, text.rstrip(" \n"))
            space = etree.Element("span")
            space.text = " "
            element.addprevious(space)


def _page_html(document: Document, body: str) -> str:
    title, language = escape(clean_text(document.title)), escape(language_tag(document.language), quote=True)
    return (
        f'<!DOCTYPE html><html lang="{language}" dir="{document.direction}"><head><meta charset="utf-8">'
        f'<title>{title}</title><meta name="generator" content="Pipeline">{_about(document)}</head>'
        f"<body>{body}</body></html>"
    )


def _about(document: Document) -> str:
    given = {"author": clean_text(document.author), "dcterms.created": document.created}
    return "".join(
        f'<meta name="{name}" content="{escape(value, quote=True)}">' for name, value in given.items() if value
    )


def page_numbers(document: Document) -> dict[str, int]:
    """{id: page from 1}."""
    pages = _laid_out(document).pages
    return {name: number for number, laid_out in enumerate(pages, 1) for name in laid_out.anchors}


def _laid_out(document: Document) -> weasyprint.Document:
    logo = read_logo(document.logo)
    return lay_out(page(document), margin_boxes(document, logo), {**_files(document, logo), **_drawings(document)})


def _files(document: Document, logo: Logo | None) -> dict[str, tuple[bytes, str]]:
    given = {f"{PICTURE_URL}{id}": picture for id, picture in pictures.read(document).items()}
    if logo:
        given[LOGO_URL] = logo
    return {url: (image.data, image.media_type) for url, image in given.items()}


def _drawings(document: Document) -> dict[str, tuple[bytes, str]]:
    return {f"{IMAGE_URL}{number}": (b64decode(image), "image/png") for number, image in enumerate(document.images)}


def _laid_out_closing(document: Document, closing: Closing) -> weasyprint.Document:
    """The closing pages, laid out alone so that the contract's pages keep their count."""
    own = Document(document.title, closing.language, "", direction=closing.direction)
    own = own._replace(page_size=document.page_size, orientation=document.orientation)
    own = own._replace(footer_left=closing.footer, footer_right="{{page}} / {{pages}}")
    return lay_out(_page_html(own, closing.content), margin_boxes(own, None), _drawings(document))


def lay_out(html: str, css: str, files: Files | None = None) -> weasyprint.Document:
    """Lays out HTML with the contract's stylesheet and further CSS."""
    fetcher = ClosedFetcher(files)
    fonts, counter_style, sheet = _shared()
    further = weasyprint.CSS(string=css, url_fetcher=fetcher, font_config=fonts)
    source = weasyprint.HTML(string=html, url_fetcher=fetcher, base_url=None)
    return source.render(font_config=fonts, counter_style=counter_style.copy(), stylesheets=[sheet, further], **OPTIONS)


def margin_boxes(document: Document, logo: Logo | None) -> str:
    top = margins.columns((document.header_left, document.header_center, document.header_right))
    bottom = margins.columns((document.footer_left, document.footer_center, document.footer_right))
    margin_top = max(
        TOP_WITH_LOGO if logo else TOP, (HEADER_WITH_LOGO if logo else HEADER) + margins.height(top, document.line)
    )
    margin_bottom = max(BOTTOM, FOOTER + margins.height(bottom, document.line))
    width, height = document.paper
    rules = [f"size: {width}mm {height}mm; margin-top: {margin_top:.2f}mm; margin-bottom: {margin_bottom:.2f}mm;"]
    if logo:
        width, height = logo.size()
        side = "right" if document.direction == "rtl" else "left"
        above = LOGO_TOP - margin_top + LOGO_BOX[1] - height  # the background starts at the text
        rules.append(f'background: url("{LOGO_URL}") no-repeat {side} {above:.2f}mm;')
        rules.append(f"background-size: {width:.2f}mm {height:.2f}mm;")
    if document.watermark:
        rules.append(watermark.css(document, _css_text(document.watermark)))
    rules += _boxes("top", top, f"padding-top: {HEADER_WITH_LOGO if logo else HEADER}mm", document)
    rules += _boxes("bottom", bottom, f"padding-bottom: {FOOTER}mm", document)
    return f"@page {{ {' '.join(rules)} }}"


def _boxes(edge: str, columns: margins.Columns, place: str, document: Document) -> list[str]:
    common = f"vertical-align: {edge}; {place}; width: {margins.width(columns, document.line):.2f}mm" if columns else ""
    directions = {text: margins.direction_of(text, document.direction) for _, text in columns}
    return [
        f"@{edge}-{side} {{ content: {_css_text(text)}; direction: {directions[text]}; {common} }}"
        for side, text in columns
    ]


@functools.cache
def _shared() -> tuple[FontConfiguration, CounterStyle, weasyprint.CSS]:
    """Cached, because each font configuration leaks memory."""
    fonts, counter_style = FontConfiguration(), weasyprint.UA_COUNTER_STYLE.copy()
    text = Path(__file__).with_name("contract.css").read_text()
    sheet = weasyprint.CSS(string=text, url_fetcher=ClosedFetcher(), font_config=fonts, counter_style=counter_style)
    return fonts, counter_style, sheet


def _css_text(text: str) -> str:
    parts = margins.parts(clean_text(text))
    return " ".join(
        f"counter({part})" if position % 2 else f'"{_css_escape(part)}"' for position, part in enumerate(parts)
    )


def _css_escape(text: str) -> str:
    return "".join(char if char.isalnum() or char == " " else f"\\{ord(char):x} " for char in text)
