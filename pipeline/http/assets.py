"""Styles, scripts and icons of pages: read once, named by a hash over their folder, sent compressed, kept for good.

One hash for the whole folder, so that a module that imports its neighbour needs no rewriting.
"""

import gzip
import hashlib
from pathlib import Path

from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.http.request import Request

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}
FOR_GOOD = "public, max-age=31536000, immutable"


class Asset:
    """A file: its media type, its bytes `packed` with gzip, and `plain`.

    What is stored compressed already (`name.js.gz`) is large, and is never sent otherwise: `plain` is None.
    """

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        stored = path.suffix == ".gz"
        self.name = path.name.removesuffix(".gz")
        self.content_type = TYPES.get(Path(self.name).suffix, "")
        self.packed = content if stored else gzip.compress(content, mtime=0)
        self.plain = None if stored else content


class Assets:
    """The files of a folder: `files` by name, `folder` the part of the path that changes with them."""

    def __init__(self, folder: Path) -> None:
        found = [Asset(path) for path in sorted(folder.iterdir())]
        self.files = {asset.name: asset for asset in found if asset.content_type}
        self.folder = hashlib.sha256(b"".join(asset.packed for asset in self.files.values())).hexdigest()[:12]

    def response(self, request: Request) -> Response:
        """The answer to a request whose path names the folder's hash and a file; 404 for another one."""
        asset = self.files.get(request.matchdict["name"])
        if request.matchdict["hash"] != self.folder or asset is None:
            raise Problem("not_found")
        # Without the header RFC 9110 admits every encoding, but a client that sends none mostly cannot decompress.
        named = "Accept-Encoding" in request.headers
        plain = None if named and request.accept_encoding.acceptable_offers(["gzip"]) else asset.plain
        response = lasting(asset.packed if plain is None else plain, asset.content_type)
        if plain is None:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        return response


def lasting(body: bytes, content_type: str, charset: str | None = "utf-8") -> Response:
    """An answer that may be kept for good: whatever changes it changes its path."""
    response = Response(body, content_type=content_type, charset=charset)
    response.headers["Cache-Control"] = FOR_GOOD
    return response
