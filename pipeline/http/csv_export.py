"""Export as CSV, streamed from COPY: memory stays the same however many rows there are."""

import codecs
import functools

from pyramid.response import Response

from pipeline.database import queries
from pipeline.http.streams import gathered, streamed

MEDIA_TYPE = "text/csv"


def exported(transaction, slot, columns, query, parameters):
    """What a query answers for its parameters as the chunks (bytes) of a CSV file with these columns.

    `transaction` and `slot` as for streamed.
    """
    queries.transfer_patience()
    statement = b"copy (\n%b\n) to stdout (format csv)" % query.merged(**parameters)
    return streamed(transaction, slot, functools.partial(_file, columns, statement))


def header_line(columns):
    """The first line of a file, byte order mark included, by which spreadsheets know that it is UTF-8."""
    return codecs.BOM_UTF8 + ",".join(columns).encode() + b"\r\n"


def csv_response(chunks, filename):
    """A CSV file as attachment."""
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = f"{MEDIA_TYPE}; charset=utf-8; header=present"
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _file(columns, statement, connection):
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield header_line(columns)
        # The server sends one row at a time, ending in LF, where RFC 4180 wants CR LF.
        yield from gathered(b"%b\r\n" % row[:-1] for row in copy)
