"""CSV export, streamed from COPY in constant memory."""

import codecs
import functools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from pyramid.response import Response

from pipeline.database import Connection, Transaction, queries
from pipeline.database.queries import Query
from pipeline.http.pagination import bounded_search
from pipeline.http.streams import Chunks, gathered, streamed

MEDIA_TYPE = "text/csv"


def exported(
    transaction: Transaction, slot: ExitStack | None, columns: Sequence[str], query: Query, parameters: dict[str, Any]
) -> Chunks:
    """A query's rows as CSV; parameters as in `streamed`; raises 422 for a search that times out."""
    queries.transfer_patience()
    statement = b"copy (\n%b\n) to stdout (format csv)" % query.merged(**parameters)
    with bounded_search(parameters):
        return streamed(transaction, slot, functools.partial(_file, columns, statement))


def header_line(columns: Sequence[str]) -> bytes:
    """The header line, with a byte order mark."""
    return codecs.BOM_UTF8 + ",".join(columns).encode() + b"\r\n"


def csv_response(chunks: Iterable[bytes], filename: str) -> Response:
    """A CSV file as attachment."""
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = f"{MEDIA_TYPE}; charset=utf-8; header=present"
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _file(columns: Sequence[str], statement: bytes, connection: Connection) -> Iterator[bytes]:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield header_line(columns)
        # COPY sends single rows with LF; RFC 4180 wants CR LF.
        yield from gathered(b"".join((row[:-1], b"\r\n")) for row in copy)
