"""Paginated lists: query parameters, envelope and `Link` header."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import urlencode

import orjson
from colander import SchemaNode
from psycopg.errors import QueryCanceled

from pipeline.api.fields import own_filters
from pipeline.database import dumps
from pipeline.database.queries import NamedQuery as Statement
from pipeline.validation import (
    Choice,
    Date,
    Invalid,
    Query,
    QueryAmount,
    QueryBoolean,
    QueryIds,
    QueryInteger,
    Search,
    Text,
    Timestamp,
    Type,
    Values,
    Violations,
    optional,
)
from pipeline.validation.errors import Problem
from pipeline.validation.queries import MAX_IDS

MAX_PAGE = 10**12
# The most rows of a page, and of a step of a walk.
PER_PAGE, PER_STEP = 100, 500
WALK = ("after_id", "ids")
# A walk excludes these.
UNWALKED = ("page", "search", "sort_by", "sort_dir")
SEARCHED = ("search", "tag")
# The words of a boolean filter.
BOTH = ("true", "false")
# {SQL type of the filter's cast: its type}.
FILTERS = {
    "bigint": QueryInteger(min=1),
    "boolean": QueryBoolean(),
    "date": Date(),
    "numeric": QueryAmount(),
    "text": Text(),
    "timestamptz": Timestamp(),
}


class Paged(Query):
    """The query of a list: numbered pages, or a walk by `after_id`. Inherit to add filters."""

    page = optional(QueryInteger(min=1, max=MAX_PAGE), default=1)
    per_page = optional(QueryInteger(min=1, max=PER_STEP), default=25)
    after_id = optional(QueryInteger(min=0))
    ids = optional(QueryIds())

    def read(self, given: Any) -> Values:
        violations = Violations()
        for name in UNWALKED if "after_id" in given else ():
            if name in given:
                violations.add(name, "conflict", one="after_id", other=name)
        values = violations.check("", super().read, given)
        if violations:
            raise Invalid(violations, values)
        # One page holds all of them.
        return values | ({"per_page": MAX_IDS} if "ids" in given and "per_page" not in given else {})

    def check(self, values: Values, violations: Violations) -> None:
        if values.get("after_id") is None and values.get("per_page", 0) > PER_PAGE:
            violations.add("per_page", "out_of_range", least=1, most=PER_PAGE)


class PagedByHundred(Paged):
    """A paginated query with 100 rows by default."""

    per_page = optional(QueryInteger(min=1, max=PER_STEP), default=100)


class Sorted(Paged):
    """A sorted list; each adds its own `sort_by`."""

    sort_dir = optional(Choice("ASC", "DESC"), default="ASC")


def filters(statement: Statement, **types: Type | SchemaNode) -> dict[str, SchemaNode]:
    """{name: node} of a statement's filters; `types` replace column types."""
    known = [name for name in statement.statement.filters if name not in (*WALK, *own_filters.COMPUTED)]
    names = [*chain.from_iterable(own_filters.FILTERS if name == "fields" else (name,) for name in known)]
    kinds = {name: types[name] if name in types else _filter(statement, name) for name in names}
    nodes = {name: kind if isinstance(kind, SchemaNode) else optional(kind) for name, kind in kinds.items()}
    for name, node in nodes.items():
        node.description = f"Only records with this `{name}`."
    return nodes


def _filter(statement: Statement, name: str) -> Type:
    if name == "search":
        return Search()
    if name in own_filters.FILTERS:
        return own_filters.OwnFilter()
    if words := statement.words(name):
        return QueryBoolean() if words == BOTH else Choice(*words)
    (cast,) = set(re.findall(rf"cast\(:{name} as ([a-z]+(?:\[\])?)\)", statement.statement.all_lines))
    return FILTERS[cast]


def list_query(statement: Statement, paged: type[Paged] = Paged, **types: Type | SchemaNode) -> Query:
    """The query of a list statement, with its first order as default; `types` as in `filters`."""
    nodes = filters(statement, **types)
    if "sort_by" not in statement.parameters:
        return type("List", (paged,), nodes)()
    words = [word for word in statement.words("sort_by") if not word.startswith("own_")]
    has_own = len(words) < len(statement.words("sort_by"))
    order = optional((own_filters.Order if has_own else Choice)(*words), default=words[0])
    return type("List", (Sorted, paged), {**types, **nodes, "sort_by": order})()


class ListPage(NamedTuple):
    """A page: `rows`, a JSON array; `total` over all pages. A step of a walk has no `number`, and follows `key`."""

    rows: bytes
    total: int
    number: int | None
    per_page: int
    key: str = "id"

    @property
    def last(self) -> int:
        """The number of the last page, at least 1."""
        return max(1, -(-self.total // self.per_page))

    def body(self) -> bytes:
        if self.number is None:
            return b'{"data":' + self.rows + b"," + dumps({"per_page": self.per_page})[1:]
        numbers = {"current_page": self.number, "last_page": self.last, "per_page": self.per_page, "total": self.total}
        return b'{"data":' + self.rows + b"," + dumps(numbers)[1:]

    def link(self, url: str, parameters: Mapping[str, str]) -> str:
        """The `Link` header (RFC 8288) of the list at `url`."""
        place = "after_id" if self.number is None else "page"
        others = [(name, value) for name, value in parameters.items() if name != place]
        base = f"<{url}?{urlencode(others)}&{place}=" if others else f"<{url}?{place}="
        places = self._step() if self.number is None else self._places(self.number)
        return ", ".join(f'{base}{number}>; rel="{relation}"' for relation, number in places.items())

    def _places(self, number: int) -> dict[str, int]:
        pages = {"first": 1, "last": self.last}
        if number > 1:
            pages["prev"] = min(number - 1, self.last)
        if number < self.last:
            pages["next"] = number + 1
        return pages

    def _step(self) -> dict[str, int]:
        rows = orjson.loads(self.rows)
        return {"first": 0} | ({"next": rows[-1][self.key]} if len(rows) == self.per_page else {})


def list_page(query: Values, statement: Statement, **parameters: Any) -> ListPage | None:
    """The Page of a list statement, whose row lacks `total` in a walk; raises 422 for a search that times out."""
    asked = searched({name: value for name, value in query.items() if name not in ("page", "per_page")}) | parameters
    number, size = query["page"], query["per_page"]
    window = {"limit": size, "offset": (number - 1) * size}
    if asked.get("after_id") is not None:
        number = None
        asked |= {name: None for name in ("sort_by", "sort_dir") if name in asked}
    with bounded_search(asked):
        row = statement(**asked, **window)
    return ListPage((row["data"] or "[]").encode(), row.get("total", 0), number, size) if row else None


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
