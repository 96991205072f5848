"""Export of leads as CSV, streamed from COPY: memory stays the same however many there are."""

from pipeline.database import queries
from pipeline.leads.csv_format import EXPORTED, header_line
from pipeline.leads.service import conditions, search_words

CHUNK = 64 * 1024
# A reader may be slow; a statement ends when its connection does.
PATIENCE = {"statement_timeout": "1h", "lock_timeout": "5s"}


class Chunks:
    """The chunks of a started generator; closing it runs the generator's clean-up, read to its end or not."""

    def __init__(self, chunks):
        self._first, self._chunks = next(chunks), chunks

    def __iter__(self):
        yield self._first
        yield from self._chunks

    def close(self):
        self._chunks.close()


def export_leads(caller, filters, transaction):
    """The leads that LeadFilters leave as the chunks (bytes) of a CSV file.

    The request's transaction goes on until the last chunk is read or the chunks are closed.
    """
    words = search_words(filters["search"])
    words.pop("estimate", None)
    parameters = {**conditions(caller, filters), **words}
    queries.lead_transfer_patience(**PATIENCE)
    return Chunks(_chunks(*transaction.hand_over(), parameters))


def _chunks(database, connection, parameters):
    complete = False
    try:
        statement = f"copy (\n{queries.lead_export.sql}\n) to stdout (format csv)"
        with connection.cursor() as cursor, cursor.copy(statement, parameters) as copy:
            yield header_line(EXPORTED)
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
