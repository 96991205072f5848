"""Export of leads as CSV, streamed from COPY: memory stays the same however many there are."""

import contextlib
import threading
import time

import structlog

from pipeline.database import queries
from pipeline.leads.csv_format import EXPORTED, header_line
from pipeline.leads.service import conditions, search_words

CHUNK = 64 * 1024
# A process has few connections, and few threads to send answers with.
AT_ONCE, TURN_SECONDS = 2, 1
# A reader may be slow, but not stand still for longer than this.
STALLED_SECONDS = 300
# PostgreSQL looks at its clock only while it works, not while it waits for a reader.
PATIENCE = {"statement_timeout": "1h", "lock_timeout": "5s"}

log = structlog.get_logger(__name__)


class Stalled(Exception):
    """The reader of an export stood still for too long; the rest of the answer is lost."""


class Chunks:
    """The chunks of a started generator. Closing them runs its clean-up, read to its end or not, and that of `held`.

    With a reader that stands still the generator's clean-up does not wait for the closing; the answer breaks off.
    """

    def __init__(self, first, chunks, held):
        self._first, self._chunks, self._held = first, chunks, held
        self._asked, self._closed, self._stalled = time.monotonic(), threading.Event(), False
        threading.Thread(target=self._watch, daemon=True).start()

    def __iter__(self):
        yield self._first
        for chunk in self._chunks:
            yield chunk
            self._asked = time.monotonic()
        if self._stalled:
            raise Stalled
        self.close()

    def close(self):
        self._closed.set()
        with self._held:
            self._chunks.close()

    def _watch(self):
        while not self._closed.wait(self._asked + STALLED_SECONDS - time.monotonic()):
            if time.monotonic() < self._asked + STALLED_SECONDS:
                continue
            try:
                self._stalled = True
                self._chunks.close()
            except ValueError:  # it is at work
                self._stalled, self._asked = False, time.monotonic()
            else:
                log.warning("export stalled")
                return


def export_leads(caller, filters, transaction, turn):
    """The leads that LeadFilters leave as the chunks (bytes) of a CSV file.

    The request's transaction goes on until the last chunk is read, the chunks are closed, or their reader stands
    still; `turn()`, a context manager, until they are closed. 503 when none is to be had.
    """
    words = search_words(filters)
    words.pop("rare", None)
    parameters = {**conditions(caller, filters), **words}
    with contextlib.ExitStack() as stack:
        stack.enter_context(turn())
        queries.lead_transfer_patience(**PATIENCE)
        statement = b"copy (\n%b\n) to stdout (format csv)" % queries.lead_export.merged(**parameters)
        database, connection = transaction.hand_over()
        chunks = _chunks(database, connection, statement)
        return Chunks(next(chunks), chunks, stack.pop_all())


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
