"""The check of a template's texts before save and preview."""

from collections.abc import Collection, Iterator, Sequence

from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import Tag
from pipeline.documents.content import parse
from pipeline.validation import Invalid, Values, Violation


def violations(values: Values, own: Sequence[Tag], clauses: Collection[str] | None) -> Iterator[Violation]:
    """The violations of `content` and the headers and footers, as far as they are given."""
    source, margins = values.get("content"), {name: values.get(name) for name in documents.MARGINS}
    try:
        content = source and merge.sanitize(source)
    except Invalid as error:
        yield from error.violations
        content = None
    found = merge.check(content or "", margins, source=source or "", own=own, clauses=clauses)
    yield from found
    if content is not None and not any(violation.name == "content" for violation in found):
        yield from _unprintable(content)


def _unprintable(content: str) -> Iterator[Violation]:
    if not merge.prints(content):
        yield Violation("content", "required", "The content has no text that a contract can hold.")
        return
    try:
        parse(content)
    except documents.TooComplex as error:
        yield Violation("content", "not_printable", f"The contract cannot be printed: {error}")
