"""Unknown references, taken slugs and external ids of a body, for failed requests only."""

from collections.abc import Sequence
from typing import Any

from pipeline.database import dumps, queries
from pipeline.validation import Body, ExternalId, Id, Slug, Values, Violation
from pipeline.validation.codes import sentence

# A new assignee needs an active seat; a present one may stay.
ACTIVE_SEAT = "active_seat"


def unknown_references(named: dict[str, list[Any]]) -> list[str]:
    """The fields without a record, of {field: [kind, id]}."""
    return [row["field"] for row in queries.references_missing(named=dumps(named).decode())] if named else []


def taken_keys(named: dict[str, list[Any]]) -> list[str]:
    """The fields whose value another record has, of {field: [kind, value, id of its own record or None]}."""
    return [row["field"] for row in queries.keys_taken(named=dumps(named).decode())] if named else []


def taken_values(body: Body, values: Values, own_id: int | None) -> list[Violation]:
    """A Violation for each Slug and ExternalId that another record has; `own_id` is the record that changes."""
    unique = {node.name: node.typ for node in body.children if isinstance(node.typ, Slug | ExternalId)}
    named = {name: [typ.of, values[name], own_id] for name, typ in unique.items() if typ.of and values.get(name)}
    return [Violation(field, unique[field].taken, sentence("slug_taken")) for field in taken_keys(named)]


def further_references(violations: Sequence[Violation], body: Body, values: Values) -> list[Violation]:
    """A Violation for each Id without a record, in other fields."""
    known = {violation.name for violation in violations}
    named = {
        node.name: [node.typ.of, values[node.name]]
        for node in body.children
        if isinstance(node.typ, Id) and node.typ.of and values.get(node.name) and node.name not in known
    }
    return [Violation(field, "unknown_reference", sentence("unknown_reference")) for field in unknown_references(named)]
