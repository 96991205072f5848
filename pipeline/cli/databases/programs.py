"""PostgreSQL's programs."""

import contextlib
import re
import shutil
import subprocess
from pathlib import Path

from pipeline.cli.failures import Failure


def program(name: str, version: int = 0) -> str:
    """A program's path that suits the server's version; raises Failure."""
    places = [shutil.which(name), *sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")))]
    with contextlib.suppress(ImportError):
        from development.postgres import ServerError, binary

        with contextlib.suppress(ServerError):
            places.append(str(binary(name)))
    for place in filter(None, places):
        printed = subprocess.run([place, "--version"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"\) (\d+)", printed)
        if found and int(found[1]) >= version // 10000:
            return place
    missing = f"No {name} is new enough for the server" if version else f"There is no {name}"
    package = f"postgresql-client-{version // 10000}" if version else "postgresql-client"
    raise Failure(f"{missing}. On Debian and Ubuntu: sudo apt-get install {package}")
