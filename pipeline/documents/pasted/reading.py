"""What the steps of reading pasted HTML share."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from pipeline.documents.subset import clean_text

# Read and then removed, beside those of the subset.
ELEMENTS = frozenset(["input", "font", "ins", "del", "sdfield", "suggestion-start", "suggestion-end"])
ATTRIBUTES = frozenset(
    ["hidden", "checked", "value", "border", "face", "role", "aria-checked", "reversed", "data-leveltext"]
    + ["data-checked", "data-list", "data-aria-posinset", "data-aria-level", "data-listid", "data-font", "cite"]
    + ["color", "bgcolor", "name", "data-tracking-deleted", "data-suggestion-start-before", "data-suggestion-end-after"]
)
# Word's field codes stand in comments for other programs.
CONDITIONAL = re.compile(r"<!--\[if supportFields\]>(.*?)<!\[endif\]-->", re.DOTALL)
BLOCKS = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "div", "blockquote", "caption"])
# A tab, until tabs.py settles it: a code point that no text has.
TAB = "\ufdd0"
# The name of elements that go with their content.
GONE = "gone"
# The name of elements whose content stays.
LOOSE = "loose"
MAX_LENGTH = 5000
EXCERPT = 40


class PasteChange(NamedTuple):
    """A change that an author should know; `message` is a sentence without a full stop."""

    code: str
    message: str


def declared(element: etree._Element) -> dict[str, str]:
    """The properties of an element's style, in small letters."""
    style = element.get("style")
    if not style:
        return {}
    parts = (part.partition(":") for part in style[:MAX_LENGTH].split(";"))
    return {
        name.strip().lower(): value.strip().lower().removesuffix("!important").strip() for name, _colon, value in parts
    }


def add_style(element: etree._Element, declarations: str) -> None:
    """Puts declarations before those of an element, which win."""
    element.set("style", clean_text(f"{declarations};{element.get('style', '')}"))


def classes(element: etree._Element) -> list[str]:
    return element.get("class", "").lower().split()


def text_of(element: etree._Element) -> str:
    return "".join(element.itertext())


def excerpt(text: str) -> str:
    """The first words of a text in quotation marks."""
    words = " ".join(text.replace(TAB, " ").split())
    return f'"{words[:EXCERPT]}…"' if len(words) > EXCERPT else f'"{words}"'


def slots(body: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """(element, `text` or `tail`) of every text, in document order."""
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if event == "start":
            yield element, "text"
        elif element is not body:
            yield element, "tail"


def drop(body: etree._Element) -> None:
    """Removes the elements named GONE, with their content."""
    etree.strip_elements(body, GONE, with_tail=False)
