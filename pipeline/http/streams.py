"""Answers that are sent as they are read from the database: the same memory, however much there is."""

CHUNK = 64 * 1024


class Chunks:
    """The chunks of a started generator. Closing them runs its clean-up, read to its end or not, and that of `held`."""

    def __init__(self, first, chunks, held):
        self._first, self._chunks, self._held = first, chunks, held

    def __iter__(self):
        yield self._first
        yield from self._chunks
        self.close()

    def close(self):
        """Give back what the answer holds."""
        with self._held:
            self._chunks.close()


def streamed(transaction, slot, read):
    """The Chunks that `read(connection)`, a generator of bytes, gives.

    The request's transaction goes on until the last chunk is read or the chunks are closed; its `slot`, an ExitStack,
    is held as long. What fails before the first chunk is an answer like any other.
    """
    database, connection = transaction.hand_over()
    chunks = _chunks(database, connection, read)
    return Chunks(next(chunks), chunks, slot.pop_all())


def _chunks(database, connection, read):
    complete = False
    try:
        yield from read(connection)
        complete = True
    finally:
        database.end(connection, commit=complete)


def gathered(pieces):
    """Many small pieces (bytes) in chunks."""
    held, size = [], 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)
