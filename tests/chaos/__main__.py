"""`python -m tests.chaos`: the long form, at least 100 kills; prints the ledger's totals."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.chaos.story import Service, run


def main():
    """Exit status 1 when something was lost, twice, late or wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of what breaks when")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=20, help="the longest that things are broken")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    # Not below the checkout: sockets have short names, and the servers' account must reach its files.
    folder = Path(tempfile.mkdtemp(prefix="pipeline-chaos-"))
    with Service(folder) as service:
        report = run(service, given.seed, given.kills, 60 * given.minutes)
    print("\n".join(report.lines))
    print("\n".join(report.faults) or "nothing lost, nothing twice")
    print(f"logs: {folder}")
    sys.exit(1 if report.faults or report.kills.total() < given.kills else 0)


if __name__ == "__main__":
    main()
