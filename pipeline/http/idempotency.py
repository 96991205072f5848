"""`Idempotency-Key`: a repeated POST acts once; its transaction stores the response, unless it fails."""

import hashlib
import json

from pyramid.response import Response

from pipeline.database import Row, dumps, queries, sure
from pipeline.errors import Problem
from pipeline.http.request import Handler, Request
from pipeline.validation import invalid_field

HEADER = "Idempotency-Key"
MAX_LENGTH = 255
CHUNK = 64 * 1024


def once(request: Request, perform: Handler) -> Response:
    """The response of `perform(request)`, or the stored one.

    Keys belong to a user, API key, invite or form. Raises 422 for an invalid or reused key, 409 while its request
    runs.
    """
    key = read_key(request)
    lock = sure(queries.idempotency_lock(key=key))
    if not lock["locked"]:
        raise Problem("idempotency_key_in_flight", headers={"Retry-After": "1"})
    place = {"scope": lock["scope"], "key": key}
    # Not in the locking statement: its snapshot may be older than the lock.
    kept = queries.idempotency_find(**place)
    request_hash = digest(request)
    if kept and kept["expired"]:
        queries.idempotency_forget(**place)
    elif kept:
        return replay(kept, request_hash)
    response = perform(request)
    if response.status_code < 300:
        headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
        queries.idempotency_keep(
            **place,
            request_hash=request_hash,
            status=response.status_code,
            headers=dumps(headers).decode(),
            body=response.body,
        )
    return response


def read_key(request: Request) -> str:
    """The key: 1 to 255 printable ASCII characters without a comma; raises 422."""
    key = request.environ["HTTP_IDEMPOTENCY_KEY"].strip()
    if "," in key:
        raise invalid_field(HEADER, "repeated", "Must be sent once, and hold no comma.", "header")
    if not (0 < len(key) <= MAX_LENGTH and key.isascii() and key.isprintable()):
        message = f"Must have 1 to {MAX_LENGTH} printable ASCII characters."
        raise invalid_field(HEADER, "invalid_format", message, "header")
    return key


def digest(request: Request) -> str:
    """A hash of method, path and validated input: raw multipart bodies vary."""
    read = {name: value for name, value in request.validated.items() if name != "upload"}
    # orjson fails on large integers, not refused yet.
    line = json.dumps([request.method, request.path, read], default=str, sort_keys=True)
    made = hashlib.blake2b(line.encode(), digest_size=32)
    upload = request.validated.get("upload")
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
