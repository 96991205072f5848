"""Files in the database, read and written in chunks, in their record's transaction."""

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
from pipeline.database.execution import chaos_point
from pipeline.validation.errors import Problem

CHUNK = 512 * 1024
MIB = 1024 * 1024
# Smaller files stay in memory.
SPOOL = 256 * 1024
# Larger downloads need a slot (see slots.py).
SMALL = 4 * MIB
LONGEST_NAME = 255

_quota = 0


class StorageFull(Problem):
    """507: the organization's quota is exceeded."""


class Damaged(RuntimeError):
    """The stored bytes differ from the received ones."""


def configure(quota_mib: int) -> None:
    """Sets an organization's quota; 0 means none."""
    global _quota
    _quota = quota_mib * MIB


def includeme(config: Configurator) -> None:
    """Reads the quota from the settings."""
    configure(config.registry.pipeline.storage_quota_mib)


def store(
    file: IO[bytes], filename: str, content_type: str, created_by: int | None = None, received: str | None = None
) -> int:
    """Stores a file and returns its id; locks the organization's storage.

    Raises Damaged if its SHA-256 is not `received`, StorageFull above the quota.
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
        together = f"The organization's files, with former versions, may have {_quota // MIB} MiB together."
        raise StorageFull("storage_full", together)
    stored, written = hashlib.sha256(), 0
    for position, chunk in enumerate(chunks(file)):
        queries.file_chunk_insert(file_id=id, position=position, content=chunk)
        chaos_point("chunk_stored")
        stored.update(chunk)
        written += len(chunk)
    if (written, stored.hexdigest()) != (size, sha256):
        raise Damaged(f"{written} bytes were written of a file of {size}")
    return id


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """The content from the start."""
    file.seek(0)
    while chunk := file.read(CHUNK):
        yield chunk


class Copy(tempfile.SpooledTemporaryFile[bytes]):
    """A temporary file; `held` is closed with it or at its collection."""

    def __init__(self, held: ExitStack) -> None:
        super().__init__(SPOOL)
        self._release = weakref.finalize(self, held.close)

    def close(self) -> None:
        """Closes the file and `held`."""
        super().close()
        self._release()


def copy_out(id: int, held: ExitStack | None = None, sha256: str | None = None) -> Copy:
    """A file's content as a temporary file at its start; the caller closes it.

    The connection is free while a slow client reads. Raises Damaged if the content does not have the digest `sha256`.
    """
    digest = hashlib.sha256()
    with contextlib.ExitStack() as stack:
        file = Copy(held or contextlib.ExitStack())
        stack.callback(file.close)
        position = 0
        while chunk := queries.file_chunk_get(file_id=id, position=position):
            file.write(chunk)
            digest.update(chunk)
            position += 1
        if sha256 not in (None, digest.hexdigest()):
            raise Damaged(f"The content of file {id} is not that of its upload.")
        file.seek(0)
        stack.pop_all()
    return file


def read(id: int) -> bytes:
    """A small file's content."""
    with copy_out(id) as file:
        return file.read()


def safe_name(filename: str) -> str:
    """A filename of at most 255 characters without folders, control and reserved characters, or "file"."""
    name = re.split(r"[/\\]", unicodedata.normalize("NFC", filename))[-1]
    name = "".join(sign for sign in name if unicodedata.category(sign)[0] != "C" and sign not in '<>:"|?*')
    name = " ".join(name.split()).strip(". ")
    stem, dot, extension = name.rpartition(".")
    if len(name) > LONGEST_NAME and dot and len(extension) < 10:
        return f"{stem[: LONGEST_NAME - len(extension) - 1]}.{extension}"
    return name[:LONGEST_NAME] or "file"


def file_response(id: int, hold: Callable[[], ExitStack]) -> Response:
    """A stored file as a download; calls `hold()` (429) for a large one."""
    facts = _facts(id)
    held = hold() if facts["size"] > SMALL else None
    return download(
        copy_out(id, held, facts["sha256"]), facts["filename"], facts["content_type"], facts["size"], facts["sha256"]
    )


def content_response(content: bytes, filename: str, content_type: str, hold: Callable[[], ExitStack]) -> Response:
    """The download of a file that has just been made."""
    file = Copy(hold() if len(content) > SMALL else contextlib.ExitStack())
    file.write(content)
    file.seek(0)
    return download(file, filename, content_type, len(content), hashlib.sha256(content).hexdigest())


def tag_response(id: int) -> Response:
    """A response with only the file's entity tag."""
    return Response(etag=_facts(id)["sha256"])


def _facts(id: int) -> Row:
    """A file's row; 404 after a deletion."""
    facts = queries.file_get(id=id)
    if facts is None:
        raise Problem("not_found")
    return facts


def download(file: IO[bytes], filename: str, content_type: str, size: int, sha256: str) -> Response:
    """Sends a file as an attachment and closes it; no worker thread waits for the client."""
    response = Response(app_iter=ReadOnlyFileBasedBuffer(file, CHUNK), content_type=content_type)
    response.content_length = size
    response.etag = sha256
    response.headers["Content-Disposition"] = disposition(filename)
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def attachment(content: bytes, content_type: str, filename: str) -> Response:
    """A download of unstored content."""
    headers = [("Content-Type", content_type), ("Content-Disposition", disposition(filename))]
    return Response(content, headerlist=headers)


def disposition(filename: str) -> str:
    """Content-Disposition (RFC 6266) with ASCII and UTF-8 names."""
    return f"attachment; filename=\"{_ascii_name(filename)}\"; filename*=UTF-8''{quote(filename, safe='')}"


def _ascii_name(filename: str) -> str:
    name = unicodedata.normalize("NFKD", filename).encode("ascii", "ignore").decode()
    stem, dot, extension = re.sub(r'["\\%/]', "_", name).rpartition(".")
    if dot and not re.search("[A-Za-z0-9]", stem):
        stem = "file"
    return stem + dot + extension or "file"
