"""Lists in pages: the query parameters, the envelope and the `Link` header that every paginated list has."""

from typing import NamedTuple
from urllib.parse import urlencode

from pipeline.database import dumps
from pipeline.schema import Query, QueryInteger, optional

MAX_PAGE = 10**12


class Paged(Query):
    """The query of a paginated list; add filters and sort by inheriting."""

    page = optional(QueryInteger(min=1, max=MAX_PAGE), default=1)
    per_page = optional(QueryInteger(min=1, max=100), default=25)


class Page(NamedTuple):
    """What a view of a paginated list returns.

    `rows` is a JSON array as bytes, `total` the number of rows on all pages.
    """

    rows: bytes
    total: int
    number: int
    per_page: int

    @property
    def last(self):
        """The number of the last page, at least 1."""
        return max(1, -(-self.total // self.per_page))

    def body(self):
        """The envelope as JSON bytes."""
        numbers = {
            "current_page": self.number,
            "last_page": self.last,
            "per_page": self.per_page,
            "total": self.total,
        }
        return b'{"data":' + self.rows + b"," + dumps(numbers)[1:]

    def link(self, url, parameters):
        """The value of the `Link` header: first, prev, next and last page of the list at `url`.

        `parameters` are the query parameters of this request; they stay, only `page` changes.
        """
        pages = {"first": 1, "last": self.last}
        if self.number > 1:
            pages["prev"] = min(self.number - 1, self.last)
        if self.number < self.last:
            pages["next"] = self.number + 1
        return ", ".join(
            f'<{url}?{urlencode({**parameters, "page": number})}>; rel="{relation}"'
            for relation, number in pages.items()
        )


def page_window(query):
    """The SQL parameters `limit` and `offset` of a Paged query."""
    return {"limit": query["per_page"], "offset": (query["page"] - 1) * query["per_page"]}


def page_of(query, row):
    """The Page of a Paged query from the row of its statement: `data` (JSON array as text) and `total`."""
    return Page(row["data"].encode(), row["total"], query["page"], query["per_page"])
