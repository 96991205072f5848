"""Files in the database: written and read in chunks, so that a process never holds more than one of them.

They lie beside the records they belong to, in the same transaction and under the same row-level security.
"""

import contextlib
import hashlib
import re
import tempfile
import unicodedata
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import IO
from urllib.parse import quote

from pyramid.config import Configurator
from pyramid.response import Response
from waitress.buffers import ReadOnlyFileBasedBuffer

from pipeline.database import Row, queries
from pipeline.errors import Problem

CHUNK = 512 * 1024
MIB = 1024 * 1024
# What is smaller stays in memory while it is read.
SPOOL = 256 * 1024
# Reading what is larger is heavy work (see slots.py).
SMALL = 4 * MIB
LONGEST_NAME = 255

_quota = 0


class StorageFull(Problem):
    """The 507 for a file that the organization has no room for."""


class Damaged(RuntimeError):
    """A file is not stored as it was received: the request fails and leaves nothing behind."""


def configure(quota_mib: int) -> None:
    """Let the files of an organization have so many MiB together; 0 is no quota."""
    global _quota
    _quota = quota_mib * MIB


def includeme(config: Configurator) -> None:
    """Take the quota from the settings."""
    configure(config.registry.pipeline.storage_quota_mib)


def store(
    file: IO[bytes], filename: str, content_type: str, created_by: int | None = None, received: str | None = None
) -> int:
    """Store a binary file object, read from its start, as a new file; returns its id.

    `received` is the SHA-256 that an upload had when it arrived. Raises Damaged when the stored bytes are not those,
    and StorageFull beyond the organization's quota; nothing is stored then. Other transactions of the organization
    that store a file wait from here on until this one ends.
    """
    digest, size = hashlib.sha256(), 0
    for chunk in chunks(file):
        digest.update(chunk)
        size += len(chunk)
    sha256 = digest.hexdigest()
    if sha256 != (received or sha256):
        raise Damaged(f"{size} bytes with the SHA-256 {sha256} were read of an upload that arrived with {received}")
    id = queries.file_insert(
        filename=filename, content_type=content_type, size=size, sha256=sha256, created_by=created_by
    )
    if _quota and queries.file_storage_use() > _quota:
        queries.file_delete(ids=[id])
        together = f"The organization's files, those of its history included, may have {_quota // MIB} MiB together."
        raise StorageFull("storage_full", together)
    stored, written = hashlib.sha256(), 0
    for position, chunk in enumerate(chunks(file)):
        queries.file_chunk_insert(file_id=id, position=position, content=chunk)
        stored.update(chunk)
        written += len(chunk)
    if (written, stored.hexdigest()) != (size, sha256):
        raise Damaged(f"{written} bytes were written of a file of {size}")
    return id


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """The content of a file, from its start."""
    file.seek(0)
    while chunk := file.read(CHUNK):
        yield chunk


class Copy(tempfile.SpooledTemporaryFile[bytes]):
    """A temporary file; `held`, an ExitStack, is closed with it, or when it is forgotten."""

    def __init__(self, held: ExitStack) -> None:
        super().__init__(SPOOL)
        self._release = weakref.finalize(self, held.close)

    def close(self) -> None:
        """Close the file, and give back what it holds."""
        super().close()
        self._release()


def copy_out(id: int, held: ExitStack | None = None) -> Copy:
    """A file's content as a temporary file at its start; whoever takes it closes it, and `held` with it.

    The content is on disk then, and the connection free for others while a slow client reads.
    """
    with contextlib.ExitStack() as stack:
        file = Copy(held or contextlib.ExitStack())
        stack.callback(file.close)
        position = 0
        while chunk := queries.file_chunk_get(file_id=id, position=position):
            file.write(chunk)
            position += 1
        file.seek(0)
        stack.pop_all()
    return file


def read(id: int) -> bytes:
    """A small file's content."""
    with copy_out(id) as file:
        return file.read()


def safe_name(filename: str) -> str:
    """A client's file name without folders, control characters and what file systems refuse.

    At most 255 characters; the extension stays. "file" when nothing is left.
    """
    name = re.split(r"[/\\]", unicodedata.normalize("NFC", filename))[-1]
    name = "".join(sign for sign in name if unicodedata.category(sign)[0] != "C" and sign not in '<>:"|?*')
    name = " ".join(name.split()).strip(". ")
    stem, dot, extension = name.rpartition(".")
    if len(name) > LONGEST_NAME and dot and len(extension) < 10:
        return f"{stem[: LONGEST_NAME - len(extension) - 1]}.{extension}"
    return name[:LONGEST_NAME] or "file"


def file_response(id: int, hold: Callable[[], ExitStack]) -> Response:
    """The download of a stored file; a large one is read under `hold()`, which raises the 429 when there is no room.

    A browser shows none of it in the service's own origin: it is an attachment, of exactly the type it says, and
    would run nothing.
    """
    facts = _facts(id)
    held = hold() if facts["size"] > SMALL else None
    return download(copy_out(id, held), facts["filename"], facts["content_type"], facts["size"], facts["sha256"])


def tag_response(id: int) -> Response:
    """A response with a stored file's entity tag alone; the file is not read."""
    return Response(etag=_facts(id)["sha256"])


def _facts(id: int) -> Row:
    """What is known of a stored file; 404 for one that was deleted since its id was read."""
    facts = queries.file_get(id=id)
    if facts is None:
        raise Problem("not_found")
    return facts


def download(file: IO[bytes], filename: str, content_type: str, size: int, sha256: str) -> Response:
    """The response that sends a binary file object as an attachment and closes it.

    The web server knows a file by this class and sends it itself: no thread waits while the client reads.
    """
    response = Response(app_iter=ReadOnlyFileBasedBuffer(file, CHUNK), content_type=content_type)
    response.content_length = size
    response.etag = sha256
    response.headers["Content-Disposition"] = disposition(filename)
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def attachment(content: bytes, content_type: str, filename: str) -> Response:
    """The download of what is made for one answer and not kept."""
    headers = [("Content-Type", content_type), ("Content-Disposition", disposition(filename))]
    return Response(content, headerlist=headers)


def disposition(filename: str) -> str:
    """Content-Disposition (RFC 6266): a name in ASCII for old clients, the whole name for all others."""
    return f"attachment; filename=\"{_ascii_name(filename)}\"; filename*=UTF-8''{quote(filename, safe='')}"


def _ascii_name(filename: str) -> str:
    name = unicodedata.normalize("NFKD", filename).encode("ascii", "ignore").decode()
    stem, dot, extension = re.sub(r'["\\%/]', "_", name).rpartition(".")
    if dot and not re.search("[A-Za-z0-9]", stem):
        stem = "file"
    return stem + dot + extension or "file"
