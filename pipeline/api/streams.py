"""Responses streamed from the database, in constant memory."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import NamedTuple

from pyramid.response import Response

from pipeline.database import Connection, Database, Transaction

CHUNK = 64 * 1024


class Stream(NamedTuple):
    """A file whose chunks `read(connection)` yields while it is sent."""

    read: Callable[[Connection], Iterable[bytes]]
    content_type: str
    filename: str

    def response(self, transaction: Transaction, slot: ExitStack | None) -> Response:
        """The response, which ends the transaction and frees the slot; early failures raise here."""
        chunks = _chunks(*transaction.hand_over(), self.read, slot)
        next(chunks)
        return file_of(chunks, self.content_type, self.filename)


def file_of(chunks: Iterable[bytes], content_type: str, filename: str) -> Response:
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = content_type
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _chunks(
    database: Database, connection: Connection, read: Callable[[Connection], Iterable[bytes]], slot: ExitStack | None
) -> Iterator[bytes]:
    """The chunks, after an empty one once the first is read."""
    complete = False
    with contextlib.ExitStack() as held:
        try:
            chunks = iter(read(connection))
            first = next(chunks)
            if slot is not None:
                held.enter_context(slot.pop_all())
            yield b""
            yield first
            yield from chunks
            complete = True
        finally:
            database.end(connection, commit=complete)


def join_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Small pieces joined into chunks."""
    held, size = [], 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)
