"""`make renderer`: fetches the script of `/docs` from its npm package. Needs npm.

For another version, change VERSION and INTEGRITY (`npm view @scalar/api-reference@VERSION dist.integrity`). Then set
SCRIPT to the printed hash, and look at the page.
"""

import base64
import gzip
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE, VERSION = "@scalar/api-reference", "1.72.1"
INTEGRITY = "sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow=="
# The SHA-256 of the script; a test compares the committed copy with it.
SCRIPT = "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c"
MEMBER = "package/dist/browser/standalone.js"
COPY = Path(__file__).resolve().parents[1] / "pipeline" / "api" / "documentation" / "static" / "scalar.js.gz"


def main():
    """Fetch the package, compare it and its script with the pinned hashes, and write the compressed script."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", f"{PACKAGE}@{VERSION}", "--pack-destination", folder]
        subprocess.run(command, check=True, capture_output=True)
        package = next(Path(folder).iterdir())
        digest = hashlib.sha512(package.read_bytes()).digest()
        if f"sha512-{base64.b64encode(digest).decode()}" != INTEGRITY:
            sys.exit(f"The package is not the one that is pinned: {package.name}")
        with tarfile.open(package) as members:
            script = members.extractfile(MEMBER).read()
    found = hashlib.sha256(script).hexdigest()
    if found != SCRIPT:
        sys.exit(f"The script is not the one that is pinned: its SHA-256 is {found}")
    COPY.write_bytes(gzip.compress(script, 9, mtime=0))
    print(f"{COPY.name}: {VERSION}, {COPY.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
