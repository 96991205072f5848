"""Paginated lists: query parameters, envelope and `Link` header."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from colander import SchemaNode
from psycopg.errors import QueryCanceled

from pipeline.database import Row, dumps
from pipeline.database.queries import Query as Statement
from pipeline.errors import Problem
from pipeline.validation import (
    Choice,
    Date,
    Query,
    QueryBoolean,
    QueryId,
    QueryInteger,
    Search,
    Text,
    Timestamp,
    Type,
    Values,
    optional,
)

MAX_PAGE = 10**12
SEARCHED = ("search", "tag")
# The words of a boolean filter.
BOTH = ("true", "false")
# {SQL type of the filter's cast: its type}.
FILTERS = {"bigint": QueryId(), "boolean": QueryBoolean(), "date": Date(), "text": Text(), "timestamptz": Timestamp()}


class Paged(Query):
    """The query of a paginated list; inherit to add filters."""

    page = optional(QueryInteger(min=1, max=MAX_PAGE), default=1)
    per_page = optional(QueryInteger(min=1, max=100), default=25)


class PagedByHundred(Paged):
    """A paginated query with 100 rows by default."""

    per_page = optional(QueryInteger(min=1, max=100), default=100)


class Sorted(Paged):
    """A sorted list; each adds its own `sort_by`."""

    sort_dir = optional(Choice("ASC", "DESC"), default="ASC")


def sort_words(statement: Statement) -> SchemaNode:
    """The `sort_by` node of a statement; the first order is the default."""
    words = statement.words("sort_by")
    return optional(Choice(*words), default=words[0])


def filters(statement: Statement, **types: Type | SchemaNode) -> dict[str, SchemaNode]:
    """{name: node} of a statement's filters; `types` replace column types."""
    kinds = {name: types[name] if name in types else _filter(statement, name) for name in statement.statement.filters}
    return {name: kind if isinstance(kind, SchemaNode) else optional(kind) for name, kind in kinds.items()}


def _filter(statement: Statement, name: str) -> Type:
    if name == "search":
        return Search()
    if words := statement.words(name):
        return QueryBoolean() if words == BOTH else Choice(*words)
    (cast,) = set(re.findall(rf"cast\(:{name} as ([a-z]+(?:\[\])?)\)", statement.statement.whole))
    return FILTERS[cast]


def list_query(statement: Statement, paged: type[Paged] = Paged, **types: Type | SchemaNode) -> Query:
    """The query of a list statement; `types` as in `filters`."""
    nodes = filters(statement, **types)
    if "sort_by" not in statement.parameters:
        return type("List", (paged,), nodes)()
    return type("List", (Sorted, paged), {"sort_by": sort_words(statement), **types, **nodes})()


class Page(NamedTuple):
    """A page: `rows`, a JSON array; `total` over all pages."""

    rows: bytes
    total: int
    number: int
    per_page: int

    @property
    def last(self) -> int:
        """The number of the last page, at least 1."""
        return max(1, -(-self.total // self.per_page))

    def body(self) -> bytes:
        """The envelope as JSON bytes."""
        numbers = {"current_page": self.number, "last_page": self.last, "per_page": self.per_page, "total": self.total}
        return b'{"data":' + self.rows + b"," + dumps(numbers)[1:]

    def link(self, url: str, parameters: Mapping[str, str]) -> str:
        """The `Link` header (RFC 8288) of the list at `url`."""
        pages = {"first": 1, "last": self.last}
        if self.number > 1:
            pages["prev"] = min(self.number - 1, self.last)
        if self.number < self.last:
            pages["next"] = self.number + 1
        others = [(name, value) for name, value in parameters.items() if name != "page"]
        base = f"<{url}?{urlencode(others)}&page=" if others else f"<{url}?page="
        return ", ".join(f'{base}{number}>; rel="{relation}"' for relation, number in pages.items())


def page_of(query: Values, row: Row | None) -> Page | None:
    """The Page of a row with `data` (JSON text) and `total`."""
    return Page((row["data"] or "[]").encode(), row["total"], query["page"], query["per_page"]) if row else None


def list_page(query: Values, statement: Statement, **parameters: Any) -> Page | None:
    """The Page of a list statement; raises 422 for a search that times out."""
    asked = searched({name: value for name, value in query.items() if name not in ("page", "per_page")}) | parameters
    with bounded_search(asked):
        return page_of(query, statement(**asked, **page_window(query)))


@contextlib.contextmanager
def bounded_search(asked: Values) -> Iterator[None]:
    """Raise 422 when a search by the filters `asked` times out."""
    try:
        yield
    except QueryCanceled as error:
        if all(asked.get(name) is None for name in SEARCHED):
            raise
        raise Problem("search_too_broad", "Too many records have these words.") from error


def searched(query: Values) -> Values:
    """The query with `search` split into words."""
    return {**query, "search": query["search"].split()} if query.get("search") is not None else query


def page_window(query: Values) -> dict[str, Any]:
    """The SQL parameters `limit` and `offset`."""
    return {"limit": query["per_page"], "offset": (query["page"] - 1) * query["per_page"]}
