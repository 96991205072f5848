"""Lists in pages: the query parameters, the envelope and the `Link` header that every paginated list has."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from colander import SchemaNode

from pipeline.database import Row, dumps, queries, sure
from pipeline.database.queries import Query as Statement
from pipeline.validation import (
    Choice,
    Query,
    QueryBoolean,
    QueryId,
    QueryInteger,
    Search,
    Timestamp,
    Type,
    Values,
    optional,
)

MAX_PAGE = 10**12
# Statements say `limit 100` where the page ends before this, so that a plan for the first rows of an order is made.
NEAR = 100
# A page of an order by a name that many records share, and that starts later than this, counts what stands before it
# instead of reading it.
FAR = 10_000
SEARCH = Search()
# What the marks of a list's statement ask for beside its filters.
NO_FILTERS = {"sort_by", "sort_dir", "patterns", "rare", "near", "far", "few", "apart", "counting", "total"}
# A filtered list of fewer records is sorted; those that have changed lately stand together in one index, and more are.
FEW, FEW_CHANGED = 20_000, 100_000
# The words of a filter that is a boolean.
BOTH = ("true", "false")
# What a filter is, by the type that its statement casts it to; texts differ and are told.
FILTERS = {"bigint": QueryId(), "boolean": QueryBoolean(), "timestamptz": Timestamp()}


class Paged(Query):
    """The query of a paginated list; add filters and sort by inheriting."""

    page = optional(QueryInteger(min=1, max=MAX_PAGE), default=1)
    per_page = optional(QueryInteger(min=1, max=100), default=25)


class PagedByHundred(Paged):
    """The query of a list that has been without pages: 100 rows unless something else is asked for."""

    per_page = optional(QueryInteger(min=1, max=100), default=100)


class Sorted(Paged):
    """A list with an order; each adds its own `sort_by`, the words of its statement."""

    sort_dir = optional(Choice("ASC", "DESC"), default="ASC")


def sort_words(statement: Statement) -> SchemaNode:
    """The node of `sort_by`: the orders that the marks of a list's statement know, by default the first."""
    words = statement.words("sort_by")
    return optional(Choice(*words), default=words[0])


def since() -> SchemaNode:
    """The node of `updated_since`."""
    return optional(Timestamp())


def filters(statement: Statement) -> list[str]:
    """The parameters by which a list's statement leaves records out, search aside."""
    return [name for name in statement.statement.words if name not in NO_FILTERS]


def list_query(statement: Statement, paged: type[Paged] = Paged, **texts: Type) -> Query:
    """The query of a list, as the marks of its statement know it: words to search for, filters, orders.

    A filter is a parameter that stands in a mark by itself, or with its words; `texts` are the types of those that are
    text.
    """
    whole = statement.statement.whole
    nodes = {"search": optional(SEARCH)} if "patterns" in statement.parameters else {}
    for name in filters(statement):
        cast = re.search(rf"cast\(:{name} as ([a-z]+)\)", whole)
        if statement.words(name):
            nodes[name] = optional(QueryBoolean() if statement.words(name) == BOTH else Choice(*statement.words(name)))
        elif cast:
            nodes[name] = optional(texts[name] if cast[1] == "text" else FILTERS[cast[1]])
    if "sort_by" not in statement.parameters:
        return type("List", (paged,), nodes)()
    return type("List", (Sorted, paged), {**nodes, "sort_by": sort_words(statement)})()


class Page(NamedTuple):
    """What a view of a paginated list returns.

    `rows` is a JSON array as bytes, `total` the number of rows on all pages.
    """

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
        """The value of the `Link` header: first, prev, next and last page of the list at `url`.

        `parameters` are the query parameters of this request; they stay, only `page` changes.
        """
        pages = {"first": 1, "last": self.last}
        if self.number > 1:
            pages["prev"] = min(self.number - 1, self.last)
        if self.number < self.last:
            pages["next"] = self.number + 1
        others = [(name, value) for name, value in parameters.items() if name != "page"]
        base = f"<{url}?{urlencode(others)}&page=" if others else f"<{url}?page="
        return ", ".join(f'{base}{number}>; rel="{relation}"' for relation, number in pages.items())


def page_of(query: Values, row: Row | None) -> Page | None:
    """The Page of a Paged query from the row of its statement, None of none.

    The row has `data`, a JSON array as text, null without a record, and the `total`.
    """
    return Page((row["data"] or "[]").encode(), row["total"], query["page"], query["per_page"]) if row else None


def list_page(query: Values, statement: Statement, kind: str | None = None, **parameters: Any) -> Page | None:
    """The Page with which a list of `sql/` answers a Paged query.

    The filters of the query are the statement's parameters of the same names, `parameters` what they do not say. `kind`
    is the table whose rare words app.search_ids finds; a list of few rows has none.
    """
    named = {name: value for name, value in query.items() if name not in ("page", "per_page", "search")}
    order = {name: named.pop(name) for name in ("sort_by", "sort_dir") if name in named}
    words = search_words(query.get("search"), kind)
    asked = {**named, **parameters}
    # Few records are sorted: the index of an order would mostly lead to them sooner, but where filter and order go
    # together (what has changed lately stands at the end) it would be read from end to end. A count that looks whether
    # they do is told the order.
    if "few" in statement.parameters and not words and any(asked.get(name) is not None for name in filters(statement)):
        asked |= statement(**asked, **(order if "apart" in statement.parameters else {}), counting=True)
        asked["few"] = asked["total"] < (FEW_CHANGED if asked.get("updated_since") else FEW) or None
    return page_of(query, statement(**asked, **words, **order, **page_window(query, statement)))


def page_window(query: Values, statement: Statement) -> dict[str, Any]:
    """The SQL parameters `limit` and `offset` of a Paged query.

    Of a statement that knows them, `near` tells that a plan for the first rows serves, `far` that it would not.
    """
    offset = (query["page"] - 1) * query["per_page"]
    places = {"near": offset + query["per_page"] <= NEAR or None, "far": offset > FAR or None}
    known = {name: value for name, value in places.items() if name in statement.parameters}
    return {"limit": query["per_page"], "offset": offset, **known}


def search_words(text: str | None, kind: str | None) -> dict[str, Any]:
    """The SQL parameters of a search: LIKE `patterns`, and `rare` where few records of the kind have all of them."""
    if text is None:
        return {}
    return sure(queries.search_words(words=text.split(), kind=kind))
