"""Export of leads as CSV, streamed from COPY: memory stays the same however many there are."""

from pipeline.database import queries
from pipeline.leads.csv_format import EXPORTED, header_line
from pipeline.leads.service import conditions, search_words

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
    database, connection = transaction.hand_over()
    chunks = _chunks(database, connection, statement)
    return Chunks(next(chunks), chunks, slot.pop_all())


def _chunks(database, connection, statement):
    complete = False
    try:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
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
