"""`Idempotency-Key`: a POST that is sent twice acts once.

The answer is kept in the transaction of what it tells, so there is either both or neither. What failed changed
nothing and keeps nothing: the same key may be sent again once the cause is gone.
"""

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
    """The response of `perform(request)`, or the one that was kept when the key was used first.

    The transaction must have its context: the keys of each user, program, invite and capture form are their
    own. Raises 422
    for a key that cannot be one or belongs to another request, 409 while its first request is under way.
    """
    key = read_key(request)
    lock = sure(queries.idempotency_lock(key=key))
    if not lock["locked"]:
        raise Problem("idempotency_key_in_flight", headers={"Retry-After": "1"})
    place = {"scope": lock["scope"], "key": key}
    # Not in the statement that locks: its snapshot may be older than the lock, and miss what was kept meanwhile.
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
    """The key of a request: 1 to 255 printable ASCII characters without a comma; raises the 422.

    A comma is what servers and proxies put between the values of a header that was sent twice: which of the two counts
    is not for us to guess.
    """
    key = request.environ["HTTP_IDEMPOTENCY_KEY"].strip()
    if "," in key:
        raise invalid_field(HEADER, "repeated", "Must be sent once, and hold no comma.", "header")
    if not (0 < len(key) <= MAX_LENGTH and key.isascii() and key.isprintable()):
        message = f"Must have 1 to {MAX_LENGTH} printable ASCII characters."
        raise invalid_field(HEADER, "invalid_format", message, "header")
    return key


def digest(request: Request) -> str:
    """What tells two requests apart: method, path, and what the contract read from query, body and file.

    The raw bytes would not do: a client that sends a form again makes a new boundary.
    """
    read = {name: value for name, value in request.validated.items() if name != "upload"}
    # Not by orjson, which fails on large integers, and at this point none has been refused yet.
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
    """The kept answer once more; raises the 422 when it answered another request, 404 when what it told is erased."""
    if not kept["request_hash"]:
        raise Problem("not_found", "What this key has made is erased.")
    if kept["request_hash"] != request_hash:
        raise Problem("idempotency_key_reused")
    response = Response(body=kept["body"], status=kept["status"])
    response.headers.update(kept["headers"])
    response.headers["Idempotency-Replayed"] = "true"
    return response
