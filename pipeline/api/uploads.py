"""One file of a `multipart/form-data` body, streamed to a temporary file."""

import contextlib
import hashlib
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple, TypeAlias

from multipart import MultipartError, MultipartSegment, ParserLimitReached, PushMultipartParser, parse_options_header

from pipeline.http.request import Request
from pipeline.validation import Invalid, Violations
from pipeline.validation.errors import Problem
from pipeline.validation.types import DIRECTION_CONTROLS

CHUNK = 64 * 1024
DIRECTED = "The name of the file must not contain direction controls."
EMPTY = "Must be a file that is not empty."
OVERHEAD = 16 * 1024
# Larger files go to disk.
SPOOL = 256 * 1024
# Limits of a page's form.
MOST_FIELDS, LONGEST_TEXT = 5000, 1024 * 1024

# A part's start, a piece, None for its end.
Event: TypeAlias = MultipartSegment | bytearray | bytes | None


class UploadField(NamedTuple):
    """The form field and the size limit in bytes."""

    name: str
    limit: int


class Upload(NamedTuple):
    """A binary file at its start; `size` in bytes, `sha256` hexadecimal."""

    file: IO[bytes]
    filename: str
    size: int
    sha256: str


class HashingFile(tempfile.SpooledTemporaryFile[bytes]):
    """A temporary file that hashes its content."""

    def __init__(self) -> None:
        super().__init__(SPOOL)
        self.digest = hashlib.sha256()

    def write(self, data: Any) -> int:
        """Append bytes; returns how many."""
        self.digest.update(data)
        return super().write(data)

    def upload(self, filename: str) -> Upload:
        size = self.tell()
        self.seek(0)
        return Upload(self, filename, size, self.digest.hexdigest())


def read_upload(request: Request, field: UploadField) -> Upload:
    """The Upload of a request.

    Raises 415 for another media type, 413 beyond the limit, 400 for an invalid body; 422 unless it has one file.
    """
    media_type, options = parse_options_header(request.environ.get("CONTENT_TYPE", ""))
    if media_type != "multipart/form-data" or not options.get("boundary"):
        raise Problem("unsupported_media_type", "Content-Type must be multipart/form-data with a boundary.")
    filename: str | None = None
    kept, violations = False, Violations()
    with _parsed(request, field.limit, OVERHEAD, 8, "The body is not valid multipart/form-data.") as (events, new_file):
        file = new_file()
        for event in events:
            if isinstance(event, MultipartSegment):
                kept = event.name == field.name and filename is None
                if kept:
                    filename = event.filename or ""
                elif event.name == field.name:
                    violations.add(field.name, "repeated")
                else:
                    violations.refuse_names([event.name])
            elif event is not None and kept:
                file.write(event)
        upload = file.upload(filename or "")
        if not upload.size:
            violations.add(field.name, "required", EMPTY)
        if DIRECTION_CONTROLS.search(filename or ""):
            violations.add(field.name, "invalid_characters", DIRECTED)
        if violations:
            raise Invalid(violations)
    return upload


def read_form(request: Request, limit: int) -> tuple[list[tuple[str, str]], dict[str, list[Upload]]]:
    """The texts and files of a form, without those of inputs without a choice; raises as `read_upload`."""
    pairs: list[tuple[str, str]] = []
    uploads: dict[str, list[Upload]] = {}
    segment: MultipartSegment | None = None
    with _parsed(request, limit, 0, MOST_FIELDS, "The form cannot be read.") as (events, new_file):
        for event in events:
            if isinstance(event, MultipartSegment):
                segment, content = event, new_file()
            elif event is not None:
                content.write(event)
            elif segment is not None:
                _sort(segment, content, pairs, uploads)
    return pairs, uploads


@contextlib.contextmanager
def _parsed(
    request: Request, limit: int, overhead: int, parts: int, unreadable: str
) -> Iterator[tuple[Iterator[Event], Callable[[], HashingFile]]]:
    """(events of the parser, factory of files).

    Raises 413 beyond `limit`, `overhead` or `parts`, and 400 with the detail `unreadable`.
    """
    length = request.content_length
    if (length or 0) > limit + overhead:
        raise _too_large(limit)
    if length is None:
        length = -1 if "HTTP_TRANSFER_ENCODING" in request.environ else 0
    _media_type, options = parse_options_header(request.environ.get("CONTENT_TYPE", ""))
    bounds = {"max_segment_size": limit, "max_segment_count": parts}
    with contextlib.ExitStack() as files:

        def new_file() -> HashingFile:
            return files.enter_context(HashingFile())

        try:
            parser = PushMultipartParser(options.get("boundary", ""), length, **bounds)
            yield parser.parse_blocking(request.environ["wsgi.input"].read, CHUNK), new_file
        except ParserLimitReached:
            raise _too_large(limit) from None
        except (MultipartError, UnicodeDecodeError):
            raise Problem("malformed_request", unreadable) from None
        kept = files.pop_all()
    request.add_finished_callback(lambda _request: kept.close())


def _sort(
    segment: MultipartSegment, content: HashingFile, pairs: list[tuple[str, str]], uploads: dict[str, list[Upload]]
) -> None:
    upload = content.upload(segment.filename or "")
    if segment.filename is None:
        if upload.size > LONGEST_TEXT:
            raise Problem("body_too_large", "A text of the form is too long.")
        pairs.append((segment.name, content.read().decode()))
    elif upload.size or upload.filename:
        uploads.setdefault(segment.name, []).append(upload)


def _too_large(limit: int) -> Problem:
    return Problem("body_too_large", f"The file may have at most {limit // 1024 // 1024} MiB.")
