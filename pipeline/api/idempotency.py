"""`Idempotency-Key`: a repeated POST acts once; its transaction stores the response, unless it fails."""

import hashlib
import json
from typing import NamedTuple

from pyramid.response import Response

from pipeline.database import Row, dumps, not_none, queries
from pipeline.validation import Values, invalid_field
from pipeline.validation.errors import Problem

HEADER = "Idempotency-Key"
MAX_LENGTH = 255
CHUNK = 64 * 1024


class KeyedRequest(NamedTuple):
    """A request with a key. `scope` is the key's owner: a user, API key, invite or form."""

    scope: str
    key: str
    request_hash: str


def find(key: str, request_hash: str) -> Response | KeyedRequest:
    """The stored response, or the KeyedRequest to store one.

    Raises 422 for the key of another request, 409 while its request runs.
    """
    lock = not_none(queries.idempotency_lock(key=key))
    if not lock["locked"]:
        raise Problem("idempotency_key_in_flight", headers={"Retry-After": "1"})
    # Not in the locking statement: its snapshot may be older than the lock.
    return find_locked(KeyedRequest(lock["scope"], key, request_hash))


def find_locked(keyed: KeyedRequest) -> Response | KeyedRequest:
    """Like `find`, for a caller with a lock of its own."""
    kept = queries.idempotency_find(scope=keyed.scope, key=keyed.key)
    if kept and not kept["expired"]:
        return replay(kept, keyed.request_hash)
    if kept:
        queries.idempotency_forget(scope=keyed.scope, key=keyed.key)
    return keyed


def keep(keyed: KeyedRequest, response: Response) -> None:
    """Store a success in its transaction."""
    if response.status_code < 300:
        headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
        queries.idempotency_keep(
            **keyed._asdict(), status=response.status_code, headers=dumps(headers).decode(), body=response.body
        )


def read_key(header: str) -> str:
    """The key: 1 to 255 printable ASCII characters without a comma; raises 422."""
    key = header.strip()
    if "," in key:
        raise invalid_field(HEADER, "repeated", "Must be sent once, and hold no comma.", "header")
    if not (0 < len(key) <= MAX_LENGTH and key.isascii() and key.isprintable()):
        message = f"Must have 1 to {MAX_LENGTH} printable ASCII characters."
        raise invalid_field(HEADER, "invalid_format", message, "header")
    return key


def digest(method: str, path: str, values: Values) -> str:
    """A hash of method, path and validated input: raw multipart bodies vary."""
    read = {name: value for name, value in values.items() if name != "upload"}
    # orjson fails on large integers, not refused yet.
    line = json.dumps([method, path, read], default=str, sort_keys=True)
    made = hashlib.blake2b(line.encode(), digest_size=32)
    upload = values.get("upload")
    if upload is not None:
        made.update(upload.filename.encode())
        while chunk := upload.file.read(CHUNK):
            made.update(chunk)
        upload.file.seek(0)
    return made.hexdigest()


def replay(kept: Row, request_hash: str) -> Response:
    """The stored response; 422 for another request, 404 for an erased record."""
    if not kept["request_hash"]:
        raise Problem("not_found", "The record created with this key was erased.")
    if kept["request_hash"] != request_hash:
        raise Problem("idempotency_key_reused")
    response = Response(body=kept["body"], status=kept["status"])
    response.headers.update(kept["headers"])
    response.headers["Idempotency-Replayed"] = "true"
    return response
