"""Clauses inside templates: `<div data-clause="key"></div>`."""

import copy
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import count

from lxml import etree

from pipeline.contracts.merge.sanitize import read_template
from pipeline.contracts.merge.targets import IDENTIFIED, REFERENCES, REPEATED
from pipeline.documents.subset import CLAUSE, INLINES, TEMPLATE, parse, take_out
from pipeline.validation.types import is_visible
from pipeline.validation.violations import nearest

PLACES = etree.XPath(f".//*[@{CLAUSE}]")
EXCERPT = 60


def clause_keys(content: str) -> list[str]:
    if CLAUSE not in content:
        return []
    return sorted({element.get(CLAUSE) for element in PLACES(parse(content, TEMPLATE))})


def wrong_clauses(body: etree._Element, known: Collection[str] | None) -> Iterator[tuple[str, tuple[str, str]]]:
    """(place, (code, message)) of each wrong data-clause; None: in a clause."""
    for element in PLACES(body):
        key = element.get(CLAUSE)
        place = f'{CLAUSE}="{key[:EXCERPT]}"'
        if known is None:
            yield place, ("misplaced_clause", "A clause cannot hold another clause.")
        elif key not in known:
            yield place, ("unknown_clause", f"There is no such clause.{nearest(key, list(known))}")
        elif REPEATED(element):
            yield place, ("misplaced_clause", "A clause cannot stand in a repeated element.")
        elif is_visible("".join(element.itertext())) or len(PLACES(element)):
            yield place, ("misplaced_clause", "The element must be empty; the clause is put into it.")


class Clauses:
    """{key: row of clause_contents}, put into a template."""

    def __init__(self, rows: Mapping[str, Mapping[str, str | None]], body: etree._Element) -> None:
        self.rows, self.places = rows, PLACES(body)
        # Those whose clause has only blocks.
        self.filled: list[etree._Element] = []
        taken = Counter(element.get("id") for element in IDENTIFIED(body))
        self.ids = (name for number in count(1) if (name := f"clause-{number}") not in taken)

    def put(self, element: etree._Element) -> int | None:
        """Fills a data-clause; returns the clause's characters, or None without it."""
        row = self.rows.get(element.attrib.pop(CLAUSE))
        del element[:]
        element.text = None
        if row is None:
            return None
        content = row["content"] or ""
        body = copy.deepcopy(read_template(content))
        self._rename(body)
        if row["language"]:
            for child in body:
                child.set("lang", child.get("lang", row["language"]))
        element.text = body.text
        element.extend(list(body))
        if not _has_loose_text(element):
            self.filled.append(element)
        return len(content)

    def unwrap(self, body: etree._Element) -> None:
        """Removes the elements around clauses, so that lists nest."""
        take_out(body, [element for element in self.filled if not element.attrib])

    def _rename(self, body: etree._Element) -> None:
        """Gives unique ids."""
        names = {element.get("id"): next(self.ids) for element in IDENTIFIED(body)}
        for element in IDENTIFIED(body):
            element.set("id", names[element.get("id")])
        for reference in REFERENCES(body):
            reference.set("data-ref", names.get(reference.get("data-ref"), ""))


def _has_loose_text(element: etree._Element) -> bool:
    texts = [element.text, *(child.tail for child in element)]
    return any(map(is_visible, filter(None, texts))) or any(child.tag in INLINES | {"br"} for child in element)
