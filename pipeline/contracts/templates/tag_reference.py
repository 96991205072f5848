"""The printed reference of merge tags and filters."""

import functools
from collections.abc import Iterable, Mapping
from html import escape

from pipeline.contracts.merge import catalogue
from pipeline.contracts.merge.catalogue import Tag
from pipeline.contracts.merge.values.filters import FILTERS
from pipeline.contracts.renditions import render_now
from pipeline.documents import DOCX, PDF, Document

TITLE = "Merge tags"
INTRODUCTION = (
    "A tag is written in double braces, {{Deal.title}}, and may have filters: {{Quote.total | currency}}. "
    "A tag without a value prints a ruled blank.",
    'An element with the attribute data-each="Quote.lines" is repeated for each item of the list and may hold the tags '
    'of Line; one with data-if="Quote.discount_total" is left out where that tag has no value or zero.',
    "Headers and footers may also hold {{page}} and {{pages}}, the number of the page and of all pages.",
)
IN_WORD = (
    INTRODUCTION[0],
    "Copy tags from this file. Paragraphs between {{#each Quote.lines}} and {{/each}}, each in a paragraph of its own, "
    "are repeated for each item of the list and may hold the tags of Line. In a table, the first cell of a row begins "
    "with {{#each Quote.lines}}, and its last cell ends with {{/each}}.",
    "Words and paragraphs between {{#if Quote.discount_total}} and {{/if}} are left out where that tag has no value or "
    "zero.",
)
# Keeps tags and examples in one piece.
COLUMNS = {"Tag": "33%", "Meaning": "27%", "Type": "10%", "Example": "30%"}
FILTER_COLUMNS = {"Filter": "14%", "For": "32%", "Argument": "54%"}


@functools.lru_cache(maxsize=8)
def pdf(own: tuple[Tag, ...]) -> bytes:
    """The PDF with the tags of own fields; 503 without a renderer."""
    document = Document(TITLE, "en", content(own), footer_left=TITLE, footer_right="{{page}} / {{pages}}")
    return render_now(PDF, document)


@functools.lru_cache(maxsize=8)
def word(own: tuple[Tag, ...]) -> bytes:
    """The Word file to copy tags from; 503 without a renderer."""
    return render_now(
        DOCX, Document(TITLE, "en", content(own, IN_WORD), footer_left=TITLE, footer_right="{{page}} / {{pages}}")
    )


def content(own: Iterable[Tag] = (), introduction: Iterable[str] = INTRODUCTION) -> str:
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in introduction)
    tags = "".join(_section(group["entity"], COLUMNS, map(_tag_row, group["tags"])) for group in catalogue(own))
    kinds = ((name, ", ".join(sorted(one.kinds)), one.usage) for name, one in FILTERS.items())
    filters = _section("Filters", FILTER_COLUMNS, kinds)
    return f'<h1 class="title">{TITLE}</h1>{paragraphs}{tags}{filters}'


def _tag_row(tag: Mapping[str, str]) -> tuple[str, ...]:
    return "{{" + tag["tag"] + "}}", tag["label"], tag["type"], tag["example"]


def _section(title: str, columns: Mapping[str, str], rows: Iterable[tuple[str, ...]]) -> str:
    widths = "".join(f'<col style="width: {width}">' for width in columns.values())
    head = "".join(f"<th>{heading}</th>" for heading in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<colgroup>{widths}</colgroup><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"<h2>{escape(title)}</h2><table>{table}</table>"
