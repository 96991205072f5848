"""`python -m experiments.chaos`: at least 100 kills; prints the ledger's totals."""

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path

from experiments.chaos.imports import MOMENTS, killed_import
from experiments.chaos.story import Service, run

ROWS = 50_000


def main():
    """Exit status 1 when something was lost, twice, late or wrong."""
    parser = argparse.ArgumentParser(prog="python -m experiments.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of what breaks when")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=20, help="the longest that things are broken")
    parser.add_argument("--short", action="store_true", help="a round of one minute, to see that all of it works")
    given = parser.parse_args()
    minutes = 1 if given.short else given.minutes
    # Not below the checkout: sockets have short names, and the servers' account must reach its files.
    folder = Path(tempfile.mkdtemp(prefix="pipeline-chaos-"))
    print(f"seed {given.seed}, logs in {folder}", flush=True)
    with Service(folder) as service:
        imports = {moment: killed_import(service, moment, ROWS) for moment in MOMENTS}
        print(f"imports, killed and again, (status, leads): {imports}", flush=True)
        violations, lines = run(service, given.seed, given.kills, 60 * minutes, given.short)
    violations += [
        f"import killed at {at}: {tries}" for at, tries in imports.items() if tries != [(None, 0), (200, ROWS)]
    ]
    print("\n".join([*lines, *violations]))
    if violations:
        sys.exit(1)
    print("nothing lost, nothing twice")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
