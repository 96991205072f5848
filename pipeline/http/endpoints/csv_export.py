"""CSV export, streamed from COPY in constant memory."""

import codecs
import functools
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.database import Connection, queries
from pipeline.database.queries import Query
from pipeline.http.endpoints.pagination import bounded_search
from pipeline.http.endpoints.streams import Stream, join_pieces

MEDIA_TYPE = "text/csv"
CONTENT_TYPE = f"{MEDIA_TYPE}; charset=utf-8; header=present"


def exported(filename: str, columns: Sequence[str], query: Query, parameters: dict[str, Any]) -> Stream:
    """A query's rows as CSV; 422 for a search that times out."""
    queries.transfer_patience()
    statement = b"copy (\n%b\n) to stdout (format csv)" % query.merged(**parameters)
    return Stream(functools.partial(_file, columns, statement, parameters), CONTENT_TYPE, filename)


def header_line(columns: Sequence[str]) -> bytes:
    """The header line, with a byte order mark."""
    return codecs.BOM_UTF8 + ",".join(columns).encode() + b"\r\n"


def _file(
    columns: Sequence[str], statement: bytes, parameters: dict[str, Any], connection: Connection
) -> Iterator[bytes]:
    with bounded_search(parameters), connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield header_line(columns)
        # COPY sends single rows with LF; RFC 4180 wants CR LF.
        yield from join_pieces(b"".join((row[:-1], b"\r\n")) for row in copy)
