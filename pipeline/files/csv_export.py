"""Export as CSV, streamed from COPY: memory stays the same however many rows there are."""

import codecs

from pyramid.response import Response

from pipeline.database import queries

MEDIA_TYPE = "text/csv"
CHUNK = 64 * 1024
# An export is one statement; the web server takes it as it comes, whatever the reader does (docs/server.md).
PATIENCE = "60s"


class Chunks:
    """The chunks of a started generator. Closing them runs its clean-up, read to its end or not, and that of `held`."""

    def __init__(self, first, chunks, held):
        self._first, self._chunks, self._held = first, chunks, held

    def __iter__(self):
        yield self._first
        yield from self._chunks
        self.close()

    def close(self):
        """Give back what the export holds."""
        with self._held:
            self._chunks.close()


def exported(transaction, slot, columns, query, parameters):
    """What a query answers for its parameters as the chunks (bytes) of a CSV file with these columns.

    The request's transaction goes on until the last chunk is read or the chunks are closed; its `slot`, an ExitStack,
    is held as long.
    """
    queries.transfer_patience(patience=PATIENCE)
    statement = b"copy (\n%b\n) to stdout (format csv)" % query.merged(**parameters)
    database, connection = transaction.hand_over()
    chunks = _chunks(database, connection, columns, statement)
    return Chunks(next(chunks), chunks, slot.pop_all())


def header_line(columns):
    """The first line of a file, byte order mark included, by which spreadsheets know that it is UTF-8."""
    return codecs.BOM_UTF8 + ",".join(columns).encode() + b"\r\n"


def csv_response(chunks, filename):
    """A CSV file as attachment."""
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = f"{MEDIA_TYPE}; charset=utf-8; header=present"
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _chunks(database, connection, columns, statement):
    complete = False
    try:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            yield header_line(columns)
            yield from _lines(copy)
        complete = True
    finally:
        database.end(connection, commit=complete)


def _lines(copy):
    """Whole lines in chunks. The server sends one row at a time, ending in LF, where RFC 4180 wants CR LF."""
    lines, size = [], 0
    for row in copy:
        lines.append(row[:-1])
        size += len(row)
        if size >= CHUNK:
            yield b"\r\n".join((*lines, b""))
            lines, size = [], 0
    if lines:
        yield b"\r\n".join((*lines, b""))
