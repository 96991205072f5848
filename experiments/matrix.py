"""`python -m experiments.matrix`: runs suites on the oldest and newest supported versions, and on some between.

Debian's releases contain them, except Python 3.12 and PostgreSQL 16. mmdebstrap makes a root folder for each, as root.
The suites run there, in a copy of the checkout with its own packages.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SUITES = ("tests/database", "tests/accounts", "tests/leads", "tests/http", "tests/signing")
# The host's ways to registries.
NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt")
VARIABLES = ("PIP_", "HTTP", "http", "NO_PROXY", "no_proxy", "SSL_")
# A mirror may be frozen, and its index expired.
FROZEN = '--aptopt=Acquire::Check-Valid-Until "false"'
COPY = 'git ls-files -z -co --exclude-standard | tar --null -T - -c | tar -x -C "$0"'
INSIDE = """
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
exec chroot "$0" /bin/sh -ec 'cd /pipeline; make setup PYTHON="$PYTHON"; exec .venv/bin/python -m pytest "$@"' sh "$@"
"""


class Row(NamedTuple):
    """A Debian release with its versions of Python, PostgreSQL, and Redis or Valkey."""

    python: str
    postgres: str
    server: str

    @property
    def packages(self):
        """The Debian packages, separated by commas."""
        queue = self.server.split()[0].lower()
        versions = f"python{self.python},python{self.python}-venv,postgresql-{self.postgres},{queue}-server"
        return f"{versions},ca-certificates,make,netbase,poppler-utils,tzdata"

    @property
    def environ(self):
        """The settings of the suites."""
        given = {name: value for name, value in os.environ.items() if name.startswith(VARIABLES)}
        return given | {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "PYTHON": f"python{self.python}",
            "POSTGRES_BIN": f"/usr/lib/postgresql/{self.postgres}/bin",
            "REDIS_SERVER": f"/usr/bin/{self.server.split()[0].lower()}-server",
        }


ROWS = {
    "bookworm": Row("3.11", "15", "Redis 7"),
    "trixie": Row("3.13", "17", "Valkey 8"),
    "sid": Row("3.14", "18", "Valkey 9"),
}


def run(name, words):
    """The results of the suites in a row."""
    row = ROWS[name]
    print(f"{name}: Python {row.python}, PostgreSQL {row.postgres}, {row.server}", flush=True)
    with tempfile.TemporaryDirectory(prefix="pipeline-matrix-") as folder:
        os.chmod(folder, 0o755)
        root = Path(folder, name)
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={row.packages}", FROZEN, name, root]
        if subprocess.run(command, check=False).returncode:
            return "not tried: Debian's packages are not reachable"
        for file in NETWORK:
            if Path(file).exists():
                shutil.copy(file, f"{root}{file}")
        checkout = root / "pipeline"
        checkout.mkdir()
        subprocess.run(["sh", "-c", COPY, checkout], cwd=ROOT, check=True)
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", INSIDE, root]
        done = subprocess.run([*alone, *words], env=row.environ, check=False)
        return "failed" if done.returncode else "passed"


def main():
    """Exit status 1 unless all rows passed."""
    parser = argparse.ArgumentParser(prog="python -m experiments.matrix", description=__doc__)
    parser.add_argument("--row", action="append", choices=ROWS, help="only this row; may be repeated")
    parser.add_argument("words", nargs="*", help="words for pytest instead of the suites")
    given = parser.parse_args()
    words = ["-c", "tests/pytest.ini", "-q", "-k", "not browser", *(given.words or SUITES)]
    results = {name: run(name, words) for name in given.row or ROWS}
    print(*(f"{name}: {result}" for name, result in results.items()), sep="\n")
    return int(set(results.values()) != {"passed"})


if __name__ == "__main__":
    sys.exit(main())
