"""Unknown references, taken slugs and external ids of a body, for failed requests only."""

import psycopg

from pipeline.database import dumps, queries
from pipeline.errors import Problem
from pipeline.http.authentication import again
from pipeline.http.endpoints import Contract
from pipeline.http.problems import problem_of
from pipeline.http.request import Request
from pipeline.validation import Body, ExternalId, Id, Invalid, Slug, Values, Violation
from pipeline.validation.codes import sentence


def missing(body: Body, values: Values) -> list[Violation]:
    """A Violation for each Id without a record."""
    named = {
        node.name: [node.typ.of, values[node.name]]
        for node in body.children
        if isinstance(node.typ, Id) and node.typ.of and values.get(node.name)
    }
    rows = queries.references_missing(named=dumps(named).decode()) if named else ()
    return [Violation(row["field"], "unknown_reference", sentence("unknown_reference")) for row in rows]


def taken(body: Body, values: Values, own_id: int | None) -> list[Violation]:
    """A Violation for each Slug and ExternalId that another record has; `own_id` is the record that changes."""
    unique = {node.name: node.typ for node in body.children if isinstance(node.typ, Slug | ExternalId)}
    named = {name: [typ.of, values[name], own_id] for name, typ in unique.items() if typ.of and values.get(name)}
    rows = queries.keys_taken(named=dumps(named).decode()) if named else ()
    return [Violation(row["field"], unique[row["field"]].taken, sentence("slug_taken")) for row in rows]


def completed(request: Request, error: Invalid | Problem | psycopg.Error, contract: Contract) -> Exception:
    """The error and further unknown references; may begin another transaction."""
    problem = problem_of(error, request)
    if contract.body is None or problem is None or not problem.violations:
        return error
    if isinstance(error, psycopg.Error):
        again(request, contract.permission, commit=False)
    named = {violation.name for violation in problem.violations}
    others = [found for found in missing(contract.body, request.validated["body"]) if found.name not in named]
    return Invalid([*problem.violations, *others]) if others else error
