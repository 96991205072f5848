"""Export of leads as CSV, streamed from COPY: memory stays the same however many there are."""

import functools

from pipeline.database import queries
from pipeline.http.streams import streamed
from pipeline.leads.csv_format import EXPORTED, header_line
from pipeline.leads.service import conditions, search_words

CHUNK = 64 * 1024
# An export is one statement; the web server takes it as it comes, whatever the reader does (docs/server.md).
PATIENCE = "60s"


def export_leads(caller, filters, transaction, slot):
    """The leads that LeadFilters leave as the chunks (bytes) of a CSV file.

    The request's transaction goes on until the last chunk is read or the chunks are closed; its `slot`, an ExitStack,
    is held as long.
    """
    words = search_words(filters)
    words.pop("rare", None)
    parameters = {**conditions(caller, filters), **words}
    queries.lead_transfer_patience(patience=PATIENCE)
    statement = b"copy (\n%b\n) to stdout (format csv)" % queries.lead_export.merged(**parameters)
    return streamed(transaction, slot, functools.partial(_file, statement))


def _file(statement, connection):
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield header_line(EXPORTED)
        yield from _lines(copy)


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
