"""Responses streamed from the database, in constant memory."""

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import NamedTuple

from pyramid.response import Response

from pipeline.database import Connection, Database, Transaction

CHUNK = 64 * 1024


class Chunks:
    """The chunks of a started generator; closing also closes `held`."""

    def __init__(
        self, first: bytes, chunks: Generator[bytes, None, None], held: AbstractContextManager[object]
    ) -> None:
        self._first, self._chunks, self._held = first, chunks, held

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        yield from self._chunks
        self.close()

    def close(self) -> None:
        """Release the generator and `held`."""
        with self._held:
            self._chunks.close()


class Stream(NamedTuple):
    """A file whose chunks `read(connection)` yields while it is sent."""

    read: Callable[[Connection], Iterable[bytes]]
    content_type: str
    filename: str

    def response(self, transaction: Transaction, slot: ExitStack | None) -> Response:
        """The response, which ends the transaction and frees the slot; early failures raise here."""
        database, connection = transaction.hand_over()
        chunks = _chunks(database, connection, self.read)
        first = next(chunks)
        held = slot.pop_all() if slot is not None else contextlib.nullcontext()
        return file_of(Chunks(first, chunks, held), self.content_type, self.filename)


def file_of(chunks: Iterable[bytes], content_type: str, filename: str) -> Response:
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = content_type
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _chunks(
    database: Database, connection: Connection, read: Callable[[Connection], Iterable[bytes]]
) -> Generator[bytes, None, None]:
    complete = False
    try:
        yield from read(connection)
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
