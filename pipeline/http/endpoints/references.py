"""Unknown references, taken slugs and external ids of a body, for failed requests only."""

from collections.abc import Sequence

from pipeline.database import dumps, queries
from pipeline.validation import Body, ExternalId, Id, Slug, Values, Violation
from pipeline.validation.codes import sentence


def missing_references(body: Body, values: Values) -> list[Violation]:
    """A Violation for each Id without a record."""
    named = {
        node.name: [node.typ.of, values[node.name]]
        for node in body.children
        if isinstance(node.typ, Id) and node.typ.of and values.get(node.name)
    }
    rows = queries.references_missing(named=dumps(named).decode()) if named else ()
    return [Violation(row["field"], "unknown_reference", sentence("unknown_reference")) for row in rows]


def taken_values(body: Body, values: Values, own_id: int | None) -> list[Violation]:
    """A Violation for each Slug and ExternalId that another record has; `own_id` is the record that changes."""
    unique = {node.name: node.typ for node in body.children if isinstance(node.typ, Slug | ExternalId)}
    named = {name: [typ.of, values[name], own_id] for name, typ in unique.items() if typ.of and values.get(name)}
    rows = queries.keys_taken(named=dumps(named).decode()) if named else ()
    return [Violation(row["field"], unique[row["field"]].taken, sentence("slug_taken")) for row in rows]


def further_references(violations: Sequence[Violation], body: Body, values: Values) -> list[Violation]:
    """Violations by unknown references in other fields."""
    named = {violation.name for violation in violations}
    return [found for found in missing_references(body, values) if found.name not in named]
