"""Style, script and icon: read once, named by a hash over all of them, sent compressed.

One hash for the whole folder, so that a module that imports its neighbour needs no rewriting.
"""

import gzip
import hashlib
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOR_GOOD = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file: media type, its bytes, the same bytes compressed."""

    content_type: str
    plain: bytes
    packed: bytes


class Assets:
    """The files of static/: `files` by name, `folder` the part of the path that changes with them."""

    def __init__(self, folder=FOLDER):
        contents = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in TYPES}
        self.files = {
            name: Asset(TYPES[Path(name).suffix], content, gzip.compress(content, mtime=0))
            for name, content in contents.items()
        }
        self.folder = hashlib.sha256(b"".join(contents.values())).hexdigest()[:12]
