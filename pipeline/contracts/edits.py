"""Edits of one contract's text."""

from collections.abc import Callable
from typing import Any

from pipeline.contracts import merge, wording
from pipeline.contracts.assembly import Basis, make, with_clauses
from pipeline.database import Row, dumps
from pipeline.documents import MARGINS
from pipeline.documents.document import BLANK
from pipeline.validation import Invalid, Values, invalid_field
from pipeline.validation.errors import Problem
from pipeline.validation.types import composed

OF_WORD = "The contract is made of a Word file; change the file of its template, and regenerate the contract."
UNFILLED = f'<span class="blank">{BLANK}</span>'


def edit_of(content: str | None, contract: Row) -> str | None:
    """The given text, or None if it is the contract's."""
    return None if content == composed(contract["content"]) else content


def check_editable(status: str, layout: Row) -> None:
    """Raises 409 unless the contract is a draft, and 422 for one of a Word file."""
    if layout.get("word_file_ids"):
        raise invalid_field("content", "not_offered", OF_WORD)
    if status != "draft":
        raise Problem("contract_locked", f"Only the content of a draft can be edited; this contract is {status}.")


def check_unedited(contract: Row) -> None:
    """Raises 409 for an edited text, which a template would replace."""
    if contract["edited"]:
        raise Problem("contract_edited", "The content was edited. The request would build it from the template again.")


def edit(basis: Basis, contract: Row, source: str, query: Values, rebuilt: bool, slot: Callable[[], None]) -> Row:
    """All columns of an edit; the layout stays unless `rebuilt`. `query` is a Pasting.

    Raises 422 as for a template; calls `slot()` (429) for a long text.
    """
    sources = basis.sources | {"template_content": source, "word_files": None}
    layout: dict[str, Any] = contract["layout"]
    if not rebuilt:
        kept = {"locale": layout.get("language") or sources["locale"], "direction": layout.get("direction")}
        sources |= dict.fromkeys(MARGINS) | kept
    if basis._replace(sources=sources).is_long:
        slot()
    sources = with_clauses(sources | {"template_content": merge.sanitize(source)})
    own = merge.own_tags(sources["own_tags"])
    if violations := list(wording.violations({"content": source}, own, sources["clauses"], query, contract["content"])):
        raise Invalid(violations)
    columns = make(
        basis._replace(sources=sources),
        slot,
        contract["contract_number"],
        contract["status"],
        contract["created_date"],
        None if rebuilt else layout,
    )
    return columns | {
        "edited": True,
        "edit_warnings": dumps(merge.warnings(source)).decode(),
        "unresolved_tags": _unresolved(contract, columns),
    }


def _unresolved(contract: Row, columns: Row) -> list[str]:
    """The tags without a value; the former ones count while a blank is left."""
    left = UNFILLED in columns["content"] or BLANK in columns["layout"]
    former = contract["unresolved_tags"] if left else []
    return list(dict.fromkeys([*former, *columns["unresolved_tags"]]))
