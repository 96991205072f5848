"""The printed reference of all merge tags."""

import functools
from html import escape

from pipeline import documents
from pipeline.contracts.merge import catalogue
from pipeline.problems import Problem

TITLE = "Merge tags"
INTRODUCTION = (
    "A tag is written in double braces, {{Deal.title}}, and may have filters: {{Quote.total | currency}}. "
    "A tag without a value prints a ruled blank."
)
COLUMNS = {"Tag": "31%", "Meaning": "34%", "Type": "9%", "Example": "26%"}


def pdf():
    """The reference as PDF bytes; 503 when it cannot be rendered at the moment."""
    try:
        return _rendered()
    except documents.Unavailable as error:
        raise Problem("unavailable", "The document cannot be rendered at the moment.") from error


@functools.lru_cache(maxsize=1)
def _rendered():
    return documents.render(
        "pdf",
        documents.Document(TITLE, "en", content(), footer_left=TITLE, footer_right="{{page}} / {{pages}}"),
    )


def content():
    """The reference as HTML of the subset that documents understand."""
    sections = "".join(_section(group) for group in catalogue())
    return f'<h1 class="title">{TITLE}</h1><p>{escape(INTRODUCTION)}</p>{sections}'


def _section(group):
    widths = "".join(f'<col style="width: {width}">' for width in COLUMNS.values())
    head = "".join(f"<th>{heading}</th>" for heading in COLUMNS)
    rows = "".join(
        f"<tr><td>{escape('{{' + tag['tag'] + '}}')}</td>"
        f"<td>{escape(tag['label'])}</td><td>{escape(tag['type'])}</td><td>{escape(tag['example'])}</td></tr>"
        for tag in group["tags"]
    )
    table = f"<colgroup>{widths}</colgroup><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f"<h2>{escape(group['entity'])}</h2><table>{table}</table>"
