"""`python -m tests.chaos`: the long form, at least 100 kills; prints the ledger's totals."""

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.chaos.imports import MOMENTS, killed_import
from tests.chaos.speed import slower, submit_times
from tests.chaos.story import Service, run

ROWS = 50_000


def main():
    """Exit status 1 when something was lost, twice, late or wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of what breaks when")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=20, help="the longest that things are broken")
    given = parser.parse_args()
    # Not below the checkout: sockets have short names, and the servers' account must reach its files.
    folder = Path(tempfile.mkdtemp(prefix="pipeline-chaos-"))
    print(f"seed {given.seed}, logs in {folder}", flush=True)
    with Service(folder) as service:
        violations = story(service, given)
    print("\n".join(violations) or "nothing lost, nothing twice")
    if violations:
        sys.exit(1)
    shutil.rmtree(folder)


def story(service, given):
    """Print what happens; returns the violations (list of str)."""
    times = submit_times(service, 50)
    for state, taken in times.items():
        print(f"submit while Redis is {state}: median {median(taken):.3f} s, slowest {max(taken):.3f} s", flush=True)
    violations = slower(times)
    for moment in MOMENTS:
        tries = killed_import(service, moment, ROWS)
        print(f"import killed at {moment}: (status, leads) {tries[0]}, then {tries[1]}", flush=True)
        if tries != [(None, 0), (200, ROWS)]:
            violations.append(f"import killed at {moment}: {tries}")
    report = run(service, given.seed, given.kills, 60 * given.minutes, everything=True)
    print("\n".join(report.lines))
    if report.kills.total() < given.kills:
        violations.append(f"{report.kills.total()} kills instead of {given.kills}")
    return violations + report.violations


if __name__ == "__main__":
    main()
