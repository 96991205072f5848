"""`python -m tests.fair`: the production service under each attack, while another organization works."""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.fair.attacks import ATTACKS
from tests.fair.experiment import WELL, Aims, attack, milliseconds, quiet, seconds
from tests.fair.http import descriptors
from tests.fair.watch import Watch
from tests.fair.world import World

ROWS = 100_000
HEAD = ("attack", "before: p50 p99", "during", "after", "others p99", "errors", "email", "well", "the attacker got")


def main():
    """Exit status 1 when an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fair", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each attack")
    parser.add_argument("--rows", type=int, default=ROWS, help="companies and leads of the attacker")
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


def run(world, watch, names, length, aims=None):
    """Print a line for each attack of `length` seconds; the violations (list of str)."""
    calm = quiet(watch, length)
    aims = aims or Aims()
    print(f"quiet: p50 {milliseconds(calm.p50)}, p99 {milliseconds(calm.p99)}, {calm.errors} errors")
    print(f"aims: p99 {milliseconds(aims.p99)}, no errors, email {seconds(aims.email)}, well {seconds(aims.recovery)}")
    print(line(HEAD), flush=True)
    violations = [f"quiet: {reason}" for reason in calm.reasons]
    for name in names:
        outcome = attack(world, watch, name, length)
        found = outcome.violations(aims)
        print(line(cells(outcome)) + ("  missed" if found else ""), flush=True)
        violations += found
    return violations


def cells(outcome):
    """The words of an Outcome's line."""
    stretches = (outcome.before, outcome.during, outcome.after)
    times = [f"{milliseconds(figures.p50)} {milliseconds(figures.p99)}" for figures in stretches]
    errors = " / ".join(str(figures.errors) for figures in stretches)
    got = ", ".join(f"{number} × {what}" for what, number in outcome.got.items())
    got += f"; {outcome.core:.1f} cores" + (f"; owner's login {outcome.owner}" if outcome.owner else "")
    got += f"; a webhook told within {seconds(outcome.message)}" if outcome.message is not None else ""
    others = milliseconds(outcome.during.others)
    return outcome.name, *times, others, errors, seconds(outcome.email), seconds(outcome.recovery), got


def line(words):
    """A line of the table."""
    widths = (25, 16, 17, 17, 10, 12, 7, 7, 0)
    return " ".join(f"{word:{width}}" for word, width in zip(words, widths, strict=True)).rstrip()


if __name__ == "__main__":
    sys.exit(main())
