"""Rendering sends no request and reads no file, whatever a document contains."""

import base64
import contextlib
import io
import socket
import sys
import zipfile
from html import escape

import pypdf
import pytest

from pipeline import documents
from pipeline.documents import pdf
from pipeline.documents.document import MARGINS
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.processes import pool
from pipeline.documents.word import render as render_docx
from tests.contracts.support import image_file
from tests.documents.support import W, document, pdf_text, word_text, word_xml

CANARY = "canary-in-the-file-5f3a"
FOLDER = "folder-of-the-canary-81c7"
# The paths in the canary's folder that anyone opened, or tried to; a hook like this one stays until Python ends.
opened = []
sys.addaudithook(lambda event, given: opened.append(given[0]) if event == "open" and FOLDER in str(given[0]) else None)


@pytest.fixture
def urls(tmp_path):
    """URLs of a listener, and of a file whose text must not come out; in the end nobody has followed one."""
    file = tmp_path / FOLDER / "page.txt"
    file.parent.mkdir()
    file.write_text(CANARY)
    opened.clear()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        here = f"127.0.0.1:{listener.getsockname()[1]}/page"
        yield [f"http://{here}", f"https://{here}", file.as_uri()]
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert opened == []


def assert_not_in(pdf):
    """The canary's text is nowhere in a PDF, nor is any file attached."""
    assert CANARY not in pdf_text(pdf)
    assert CANARY.encode() not in pdf
    assert pypdf.PdfReader(io.BytesIO(pdf)).attachments == {}


def svg(url):
    """An SVG as a data URL that names another address."""
    source = f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{url}"/><text>{CANARY}</text></svg>'
    return "data:image/svg+xml;base64," + base64.b64encode(source.encode()).decode()


def attacks(url):
    """HTML that names an address in every way that a reader of HTML might follow."""
    return [
        f'<img src="{url}"><img srcset="{url} 2x"><picture><source srcset="{url}"></picture>',
        f'<img src="{svg(url)}"><svg><image href="{url}"/><use href="{url}#x"/></svg>',
        f"<style>@import url({url});</style><p>x</p>",
        f'<style>@font-face {{ font-family: F; src: url("{url}") }} p {{ font-family: F }}</style><p>x</p>',
        f'<link rel="stylesheet" href="{url}"><p>x</p>',
        f'<link rel="attachment" href="{url}"><a rel="attachment" href="{url}">x</a>',
        f'<object data="{url}" type="text/html"></object><embed src="{url}"><iframe src="{url}"></iframe>',
        f'<base href="{url}"><img src="x.png"><p style="background: url(x.png)">x</p>',
        f'<p style="background-image: url({url}); list-style-image: url({url}); content: url({url})">x</p>',
        f"<style>@page {{ background: url({url}); @top-left {{ content: url({url}) }} }}</style><p>x</p>",
        f'<meta http-equiv="refresh" content="0; url={url}"><script src="{url}"></script><body background="{url}">x',
        f'<p style="fill: url({url}#a); mask: url({url}); cursor: url({url})">x</p><a href="{url}" ping="{url}">x</a>',
    ]


@pytest.mark.parametrize("number", range(len(attacks(""))))
def test_a_body_that_was_not_sanitised_reaches_nothing(number, urls):
    for url in urls:
        contract = document(f"<p>before</p>{attacks(url)[number]}<p>after</p>")
        paper, word = render_pdf(contract), render_docx(contract)
        assert_not_in(paper)
        for text in (pdf_text(paper), word_text(word)):
            assert "before" in text
            assert "after" in text
            assert CANARY not in text


@pytest.mark.parametrize("number", range(len(attacks(""))))
def test_even_html_that_skips_the_subset_meets_a_closed_fetcher(number, urls):
    for url in urls:
        css = f"@import url({url}); p {{ background: url({url}) }}"
        assert_not_in(pdf.lay_out(f"<html><body>{attacks(url)[number]}", css).write_pdf(**pdf.OPTIONS))


def test_margins_are_text(urls):
    for url in urls:
        escapes = f'"url({url})', f'"; }} }} @import url({url}); @page {{', f'\\"</style><img src="{url}">'
        for text in (*escapes, svg(url)[:60]):
            contract = document("<p>x</p>", **dict.fromkeys(MARGINS, text))
            shown, word = "".join(text.split()), render_docx(contract)
            assert "".join(pdf_text(render_pdf(contract)).split()).count(shown) == len(MARGINS)
            assert [word_text(word, f"word/{part}1.xml").count(text) for part in ("header", "footer")] == [3, 3]


@pytest.mark.parametrize("render", [render_pdf, render_docx], ids=["pdf", "docx"])
def test_a_logo_is_a_picture_or_nothing(render, urls):
    for data in (svg(urls[0]).encode(), b'<svg xmlns="http://www.w3.org/2000/svg"/>', b"GIF89a", b"no picture"):
        with pytest.raises(ValueError, match="PNG or JPEG"):
            render(document("<p>x</p>", logo=data))
    for form in ("PNG", "JPEG"):
        assert len(render(document("<p>x</p>", logo=image_file(form)))) > len(render(document("<p>x</p>")))


def test_a_word_file_refers_to_nothing_outside(urls):
    url = urls[0]
    made = render_docx(document("".join(attacks(url)), logo=image_file("PNG"), header_left=url))
    with zipfile.ZipFile(io.BytesIO(made)) as file:
        assert not any(b'TargetMode="External"' in file.read(name) for name in file.namelist())


def test_the_renderer_knows_no_setting_and_no_secret(monkeypatch, limits):
    monkeypatch.setenv("JWT_SECRET", CANARY)
    limits()
    documents.render("pdf", document("<p>x</p>"))
    pid = pool._pool.renderer.process.pid
    with open(f"/proc/{pid}/environ") as environment, contextlib.suppress(PermissionError):
        assert CANARY not in environment.read()


LINKS = '<p><a href="https://terms.example/a?b=1&amp;c=2">Terms</a>, <a href="mailto:legal@x.example">b</a></p>'


def test_a_link_leads_out_of_both_files_and_nothing_follows_it():
    contract = document(f"{LINKS}<div class='schedule'>{LINKS}</div>")
    pages = pypdf.PdfReader(io.BytesIO(render_pdf(contract))).pages
    targets = [note.get_object()["/A"]["/URI"] for page in pages for note in page["/Annots"]]
    assert targets == ["https://terms.example/a?b=1&c=2", "mailto:legal@x.example"] * 2
    fields = word_xml(render_docx(contract)).iter(f"{W}fldSimple")
    assert [field.get(f"{W}instr") for field in fields] == [f'HYPERLINK "{target}"' for target in targets]


@pytest.mark.parametrize("url", ["http://x.example", "javascript:x()", 'https://x.example" \\l "y', "file:///etc"])
def test_a_link_to_anything_else_is_text(url):
    contract = document(f'<p><a href="{escape(url)}">Terms</a></p>')
    assert "/Annots" not in pypdf.PdfReader(io.BytesIO(render_pdf(contract))).pages[0]
    assert not list(word_xml(render_docx(contract)).iter(f"{W}fldSimple"))
