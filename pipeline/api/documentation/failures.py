"""The page of all error codes."""

from http import HTTPStatus
from itertools import groupby

from markdown_it import MarkdownIt
from markupsafe import Markup

from pipeline.api.documentation.pages import ENVIRONMENT
from pipeline.api.documentation.searching import SearchHit
from pipeline.validation import codes
from pipeline.validation.errors.codes import CODES

PLACES = "invalid-places"


def page(markdown: MarkdownIt) -> tuple[str, dict[str, str], Markup, list[SearchHit]]:
    """(title, {anchor: words} of the sections, HTML, searchable parts)."""
    ordered = sorted(CODES.items(), key=lambda entry: entry[1].status)
    failures = {status: dict(found) for status, found in groupby(ordered, key=lambda entry: entry[1].status)}
    sections = {f"status-{status}": f"{status} {HTTPStatus(status).phrase}" for status in failures}
    sections[PLACES] = "Invalid places"
    text = ENVIRONMENT.get_template("errors.html").render(
        failures=failures,
        sections=sections,
        places=PLACES,
        rules=codes.CODES,
        markdown=lambda words: Markup(markdown.renderInline(words)),
    )
    parts = [
        SearchHit(f"Error {code}", f"/docs/errors#{code}", f"{one.title} {one.cause} {one.cure}")
        for code, one in ordered
    ]
    return "Errors", sections, Markup(text), parts
