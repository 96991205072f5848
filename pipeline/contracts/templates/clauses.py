"""Clauses for contract templates."""

from collections.abc import Iterator

from pipeline.api.declared import Records
from pipeline.api.fields.own_fields import KEY
from pipeline.api.pagination import PagedByHundred
from pipeline.contracts import merge, own_tags, wording
from pipeline.contracts.schemas import MAX_CONTENT, Pasting
from pipeline.contracts.shapes import CLAUSE
from pipeline.contracts.templates.service import written_warnings
from pipeline.database import queries
from pipeline.http.security import ADMIN, Identity
from pipeline.validation import Body, Locale, Name, Text, Values, Violation, optional, required


class Clause(Body):
    """A changed clause; `key` is fixed."""

    once = ("key",)
    name = required(Name())
    content = required(Text(max_length=MAX_CONTENT, lines=True))
    language = optional(Locale())

    def look_up_asked(self, values: Values, query: Values) -> Iterator[Violation]:
        return wording.violations(values, own_tags.tags(), None, query)


class NewClause(Clause):
    """A new clause."""

    key = required(KEY)


def create_clause(caller: Identity, body: Values) -> int:
    """The new id."""
    stored = {**body, "content": merge.sanitize(body["content"])}
    return queries.clause_insert(**stored, warnings=written_warnings(body["content"]))


def update_clause(caller: Identity, id: int, body: Values) -> None:
    """Stores the next version."""
    content = merge.sanitize(body["content"])
    # A patch of other fields sends the stored content.
    warnings = None if content == body["content"] else written_warnings(body["content"])
    queries.clause_update(id=id, **{**body, "content": content}, warnings=warnings)


clauses = Records("/clauses", "clause", write=ADMIN, body=Clause(), shows=CLAUSE, fails=("key_taken",), asks=Pasting())
clauses.list("list_clauses", paged=PagedByHundred)
clauses.create("create_clause", body=NewClause(), by=create_clause)
clauses.get("get_clause")
clauses.update("update_clause", "patch_clause", by=update_clause)
clauses.delete("delete_clause")
