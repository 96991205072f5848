"""Uploads: the one file of a `multipart/form-data` body, streamed to a temporary file.

Nothing is kept in memory but a chunk, and reading stops at the limit. The parser is the library `multipart`;
webob's own reads the whole form, with a module that Python is about to drop.
"""

import contextlib
import tempfile
from collections.abc import Callable
from typing import IO, NamedTuple

from multipart import MultipartError, MultipartSegment, ParserLimitReached, PushMultipartParser, parse_options_header

from pipeline.errors import Problem
from pipeline.http.request import Request
from pipeline.validation import invalid_field

CHUNK = 64 * 1024
# Part headers and boundaries, beside the file itself.
OVERHEAD = 16 * 1024
# A file of this size stays in memory.
SPOOL = 256 * 1024
# Of a page's form: its parts, and one text among them.
MOST_FIELDS, LONGEST_TEXT = 5000, 1024 * 1024


class UploadField(NamedTuple):
    """What an endpoint takes: the form field's name, and the file's largest size in bytes."""

    name: str
    limit: int


class Upload(NamedTuple):
    """An uploaded file: a binary file object at its start, the client's name for it, and its size in bytes."""

    file: IO[bytes]
    filename: str
    size: int


def read_upload(request: Request, field: UploadField) -> Upload:
    """The Upload of an UploadField.

    Raises 415 for another media type, 413 beyond the limit, 400 for a broken body, 422 when the file is missing,
    empty or not the only part.
    """
    media_type, options = parse_options_header(request.environ.get("CONTENT_TYPE", ""))
    if media_type != "multipart/form-data" or not options.get("boundary"):
        raise Problem("unsupported_media_type", "Content-Type must be multipart/form-data with a boundary.")
    if (request.content_length or 0) > field.limit + OVERHEAD:
        raise _too_large(field)
    parser = PushMultipartParser(options["boundary"], max_segment_size=field.limit, max_segment_count=8)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOL))
        try:
            filename, size = _receive(parser, _reader(request), field, file)
        except ParserLimitReached:
            raise _too_large(field) from None
        except MultipartError:
            raise Problem("malformed_request", "The body is not valid multipart/form-data.") from None
        if not size:
            raise invalid_field(field.name, "required", "Must be a file that is not empty.")
        file.seek(0)
        kept = stack.pop_all()  # from here it lives as long as the request
    request.add_finished_callback(lambda _request: kept.close())
    return Upload(file, filename, size)


def read_form(request: Request, limit: int) -> tuple[list[tuple[str, str]], dict[str, list[Upload]]]:
    """The texts and the files of a page's multipart form of at most `limit` bytes.

    A file field in which nothing was chosen is left out. Raises 413, 400 and 422 as `read_upload`.
    """
    _media_type, options = parse_options_header(request.environ.get("CONTENT_TYPE", ""))
    if (request.content_length or 0) > limit:
        raise _too_large(UploadField("", limit))
    bounds = {"max_segment_size": limit, "max_segment_count": MOST_FIELDS}
    pairs: list[tuple[str, str]] = []
    uploads: dict[str, list[Upload]] = {}
    segment: MultipartSegment | None = None
    with contextlib.ExitStack() as stack:
        try:
            parser = PushMultipartParser(options.get("boundary", ""), **bounds)
            for event in parser.parse_blocking(_reader(request), CHUNK):
                if isinstance(event, MultipartSegment):
                    segment, content = event, stack.enter_context(tempfile.SpooledTemporaryFile(SPOOL))
                elif event is not None:
                    content.write(event)
                elif segment is not None:
                    _sort(segment, content, pairs, uploads)
        except ParserLimitReached:
            raise _too_large(UploadField("", limit)) from None
        except (MultipartError, UnicodeDecodeError):
            raise Problem("malformed_request", "The form cannot be read.") from None
        kept = stack.pop_all()
    request.add_finished_callback(lambda _request: kept.close())
    return pairs, uploads


def _sort(
    segment: MultipartSegment, content: IO[bytes], pairs: list[tuple[str, str]], uploads: dict[str, list[Upload]]
) -> None:
    """Put a part of a form, complete now, where it belongs."""
    size = content.tell()
    content.seek(0)
    if segment.filename is None:
        if size > LONGEST_TEXT:
            raise Problem("body_too_large", "A text of the form is too long.")
        pairs.append((segment.name, content.read().decode()))
    elif size:
        uploads.setdefault(segment.name, []).append(Upload(content, segment.filename, size))


def _receive(
    parser: PushMultipartParser, read: Callable[[int], bytes], field: UploadField, file: IO[bytes]
) -> tuple[str, int]:
    """Write the field's content into the file; returns its name and size."""
    filename: str | None = None
    size, wanted = 0, False
    for event in parser.parse_blocking(read, CHUNK):
        if isinstance(event, bytes | bytearray):
            if wanted:
                file.write(event)
                size += len(event)
        elif event is not None:
            wanted = event.name == field.name
            if not wanted:
                raise invalid_field(event.name, "unknown_field", "Is not a field of this request.")
            if filename is not None:
                raise invalid_field(event.name, "repeated", "Occurs more than once.")
            filename = event.filename or ""
    return filename or "", size


def _reader(request: Request) -> Callable[[int], bytes]:
    """A read(size) that never reads beyond the end of the body."""
    stream = request.environ["wsgi.input"]
    remaining = request.content_length
    if remaining is None and "HTTP_TRANSFER_ENCODING" in request.environ:
        return stream.read
    remaining = remaining or 0

    def read(size: int) -> bytes:
        nonlocal remaining
        chunk = stream.read(min(size, remaining))
        remaining -= len(chunk)
        return chunk

    return read


def _too_large(field: UploadField) -> Problem:
    return Problem("body_too_large", f"The file may have at most {field.limit // 1024 // 1024} MiB.")
