"""Static files, cached for a year under the hash of their folder."""

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path

from pyramid.response import Response

from pipeline.http.request import Request
from pipeline.http.server.compression import accepts_gzip
from pipeline.validation.errors import Problem

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}
FOR_GOOD = "public, max-age=31536000, immutable"


class Asset:
    """A file's `packed` (gzip) and `plain` bytes; None for a stored `name.js.gz`."""

    def __init__(self, name: str, content: bytes) -> None:
        stored = name.endswith(".gz")
        self.name = name.removesuffix(".gz")
        self.content_type = TYPES.get(Path(self.name).suffix, "")
        self.packed = content if stored else gzip.compress(content, mtime=0)
        self.plain = None if stored else content


class Assets:
    """A folder's `files` by name, and those that are made at the start; `folder` is their hash."""

    def __init__(self, folder: Path, made: Mapping[str, bytes] | None = None) -> None:
        read = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        found = [Asset(name, content) for name, content in {**read, **(made or {})}.items()]
        self.files = {asset.name: asset for asset in found if asset.content_type}
        self.folder = hashlib.sha256(b"".join(asset.packed for asset in self.files.values())).hexdigest()[:12]

    def response(self, request: Request) -> Response:
        """The file of the path; raises 404."""
        asset = self.files.get(request.matchdict["name"])
        if request.matchdict["hash"] != self.folder or asset is None:
            raise Problem("not_found")
        plain = None if accepts_gzip(request) else asset.plain
        response = immutable_response(asset.packed if plain is None else plain, asset.content_type)
        if plain is None:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        return response


def immutable_response(body: bytes, content_type: str, charset: str | None = "utf-8") -> Response:
    """A response that clients cache for a year."""
    response = Response(body, content_type=content_type, charset=charset)
    response.headers["Cache-Control"] = FOR_GOOD
    return response
