"""The page of all codes, with cause and cure, from the two enumerations that the service itself uses."""

from http import HTTPStatus
from itertools import groupby

from markupsafe import Markup

from pipeline.documentation.pages import ENVIRONMENT
from pipeline.errors.codes import CODES
from pipeline.validation import codes

TITLE = "Errors"
PLACES = "invalid-places"


def by_status():
    """{status: {code: Failure}} of all failures, in order."""
    ordered = sorted(CODES.items(), key=lambda entry: entry[1].status)
    return {status: dict(found) for status, found in groupby(ordered, key=lambda entry: entry[1].status)}


def sections():
    """{anchor: words} of the page's sections."""
    return {
        **{f"status-{status}": f"{status} {HTTPStatus(status).phrase}" for status in by_status()},
        PLACES: "Invalid places",
    }


def text(markdown):
    """The page's text as HTML; causes and cures are Markdown."""
    template = ENVIRONMENT.get_template("errors.html")
    return Markup(
        template.render(
            failures=by_status(),
            sections=sections(),
            places=PLACES,
            rules=codes.CODES,
            markdown=lambda words: Markup(markdown.renderInline(words)),
        )
    )
