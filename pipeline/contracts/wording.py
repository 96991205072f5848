"""The check of a template's texts before save and preview, and the clauses that they hold."""

from collections.abc import Collection, Iterator, Sequence

from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import Tag
from pipeline.database import queries
from pipeline.documents import pictures
from pipeline.documents.content import parse
from pipeline.validation import Invalid, Values, Violation


def violations(
    values: Values, own: Sequence[Tag], clauses: Collection[str] | None, query: Values, former: str = ""
) -> Iterator[Violation]:
    """The violations of `content` and the headers and footers, as far as they are given; `query` is a Pasting.

    Pictures of a `former` text may be deleted.
    """
    source, margins = values.get("content"), {name: values.get(name) for name in documents.MARGINS}
    try:
        content = source and merge.sanitize(source)
    except Invalid as error:
        yield from error.violations
        content = None
    if content is not None and not query["revisions"] and (told := merge.open_revisions(source or "")):
        yield Violation("content", "open_revisions", told)
    known = _pictures(content or "", former)
    found = merge.check(content or "", margins, source=source or "", own=own, clauses=clauses, known_pictures=known)
    yield from found
    if content is not None and not any(violation.name == "content" for violation in found):
        yield from _unprintable(content)


def held_clauses(*contents: str) -> list[str]:
    """The keys of the clauses in texts, which nobody can delete meanwhile."""
    keys = sorted({key for content in contents for key in merge.clause_keys(content)})
    queries.clauses_hold(keys=keys)
    return keys


def _pictures(content: str, former: str) -> set[int]:
    """The ids in a text that name pictures."""
    ids = pictures.named(content)
    rows = queries.picture_files(ids=ids) if ids else ()
    kept = pictures.named(former) if any(row["deleted"] for row in rows) else ()
    return {row["id"] for row in rows if not row["deleted"] or row["id"] in kept}


def _unprintable(content: str) -> Iterator[Violation]:
    if not merge.prints(content):
        yield Violation("content", "required", "The content has no text that a contract can hold.")
        return
    try:
        parse(content)
    except documents.TooComplex as error:
        yield Violation("content", "not_printable", f"The contract cannot be printed: {error}")
