"""`python -m experiments.fair`: the production service under each attack, while another organization works."""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from experiments.fair.attacks import ATTACKS
from experiments.fair.experiment import WELL, run
from experiments.fair.http import descriptors
from experiments.fair.watch import Watch
from experiments.fair.world import World


def main():
    """Exit status 1 when an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m experiments.fair", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each attack")
    parser.add_argument("--rows", type=int, default=100_000, help="companies and leads of the attacker")
    parser.add_argument("--only", action="append", choices=ATTACKS, metavar="ATTACK", help="or several times")
    parser.add_argument("--list", action="store_true", help="name the attacks")
    parser.add_argument("--report", action="store_true", help="exit with 0 whatever comes out")
    given = parser.parse_args()
    if given.list:
        print("\n".join(ATTACKS))
        return 0
    # Not below the checkout: sockets have short names, and the servers' account must reach its files.
    folder = Path(tempfile.mkdtemp(prefix="pipeline-fair-"))
    print(f"{os.cpu_count()} cores, {descriptors()} open files at most; logs in {folder}", flush=True)
    with World(folder, given.rows) as world, Watch(world.bystander, WELL) as watch:
        violations = run(world, watch, given.only or ATTACKS, given.seconds)
    print("\n".join(violations) or "every aim is met")
    if violations:
        return 0 if given.report else 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
