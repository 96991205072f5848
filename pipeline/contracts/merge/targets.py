"""The targets of references (`<a data-ref="id">`)."""

from collections import Counter
from collections.abc import Iterator

from lxml import etree

from pipeline.contracts.merge.runs import Run
from pipeline.documents import TooComplex
from pipeline.documents.content import numbers

REFERENCES = etree.XPath(".//a[@data-ref]")
IDENTIFIED = etree.XPath(".//*[@id]")
REPEATED = etree.XPath("boolean(ancestor-or-self::*[@data-each])")


class Targets:
    """The elements with ids."""

    def __init__(self, body: etree._Element, content: str) -> None:
        elements = IDENTIFIED(body)
        self.count = Counter(element.get("id") for element in elements)
        self.repeated = {element.get("id") for element in elements if REPEATED(element)}
        self.numbers = _numbers(content) if elements else {}

    def wrong_references(self, run: Run) -> Iterator[tuple[int, tuple[str, str]]]:
        """(character from 1, (code, message)) of each reference without exactly one number."""
        position = 1
        for slot in run.slots:
            name = slot.element.get("data-ref") if slot.attribute == "text" else None
            if name and (violation := self._violation(name)):
                yield position, violation
            position += len(slot.text)

    def _violation(self, name: str) -> tuple[str, str] | None:
        if not self.count[name]:
            return "unknown_target", f'No element has the id "{name}".'
        if self.count[name] > 1 or name in self.repeated:
            return "repeated", f'More than one element has the id "{name}", or it stands in a repeated element.'
        if self.numbers.get(name) is None:
            return (
                "misplaced_target",
                f'The id "{name}" is on no schedule, no row of a table, and in no numbered clause or list.',
            )
        return None


def _numbers(content: str) -> dict[str, str | None]:
    try:
        return numbers(content)
    except TooComplex:
        return {}
