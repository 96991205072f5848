"""Contracts on paper: a resolved contract as PDF and as Word document.

Pure functions without a database. `render` is what a service calls: it works in a process of its own, within limits,
and neither reads a file nor sends a request. `render_pdf` and `render_docx` do the same work in this process.
"""

from pyramid.config import Configurator

from pipeline.documents.content import parse
from pipeline.documents.document import (
    DIRECTIONS,
    KINDS,
    MARGINS,
    PDF,
    REDLINE,
    Document,
    TooComplex,
    TooSlow,
    Unavailable,
)
from pipeline.documents.pool import configure, limits, render

__all__ = [
    "DIRECTIONS",
    "KINDS",
    "MARGINS",
    "PDF",
    "REDLINE",
    "Document",
    "TooComplex",
    "TooSlow",
    "Unavailable",
    "check_content",
    "configure",
    "includeme",
    "limits",
    "render",
    "render_docx",
    "render_pdf",
    "render_redline",
]


def check_content(content: str) -> None:
    """Raises TooComplex for HTML that no document can hold, whatever will stand in the place of its tags."""
    parse(content)


def render_pdf(document: Document) -> bytes:
    """The PDF of a Document, made in this process, without limits of time and memory."""
    from pipeline.documents import pdf

    return pdf.render(document)


def render_docx(document: Document) -> bytes:
    """The Word file of a Document, made in this process, without limits of time and memory."""
    from pipeline.documents import word

    return word.render(document)


def render_redline(document: Document) -> bytes:
    """The Word file of a Document's changes, made in this process, without limits of time and memory."""
    from pipeline.documents import word

    return word.render_redline(document)


def includeme(config: Configurator) -> None:
    """Take the limits from the settings."""
    configure(**config.registry.pipeline.document_limits)
