"""`python -m tests.mutate`: removes one protection of the schema at a time; the behaviour tests must fail."""

import argparse
import collections
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from tests.mutate.run import CONTROL, MATRIX, TESTS, Laboratory, Outcome

# One of each kind, for `make tests`.
SAMPLE = {
    "not enabled: leads",
    "not forced: contracts",
    "policy dropped: notifications.own",
    "policy opened (using): files.organization",
    "policy opened (with check): deals.organization",
    "foreign key without organization: notes_organization_id_lead_id_fkey",
    "key without organization: quotes_organization_id_quote_number_key",
    "granted: update on teams to pipeline_member",
    "executable: app.organization_ids() by pipeline_forms",
    "search path not pinned: app.form_logo()",
    "trigger dropped: app.leads.touch",
    "predicate lost: form_logo: this organization's logo",
}


def main():
    """Exit status 1 when a mutation survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("--only", default="", metavar="PATTERN", help="mutations whose name matches")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="databases at the same time; one for each core unless given"
    )
    parser.add_argument("--quick", action="store_true", help="without the isolation matrix, which takes a minute")
    parser.add_argument("--sample", action="store_true", help="only one mutation of each kind, quick")
    parser.add_argument("--list", action="store_true", help="name the mutations")
    parser.add_argument(
        "--killed", type=Path, metavar="FILE", help="where those that were killed are kept, and are not tried again"
    )
    given = parser.parse_args()
    tests = TESTS if given.quick or given.sample else (*TESTS, MATRIX)
    # Not below the checkout: sockets have short names, and the server's account must reach its files.
    with tempfile.TemporaryDirectory(prefix="pipeline-mutate-") as folder, Laboratory(folder, tests) as laboratory:
        chosen = [mutation for mutation in laboratory.mutations() if re.search(given.only, mutation.name)]
        if given.sample:
            chosen = [mutation for mutation in chosen if mutation.name in SAMPLE]
        if given.list:
            print("\n".join(mutation.name for mutation in chosen))
            return 0
        told = Told(given.killed)
        laboratory.examine([one for one in chosen if told.is_news(one.name)], given.workers, told.tell)
        return told.summary()


class Told:
    """Prints what became of each mutation, and in the end by kind.

    killed: the Path of a file, or None. It has a line for each that was killed in an earlier run, which then counts as
    killed here as well; those of this run are added.
    """

    def __init__(self, killed):
        self.control, self.found, self.survivors = "they cannot be collected", collections.Counter(), []
        self.killed = killed
        self.before = set(killed.read_text().splitlines()) if killed and killed.exists() else set()
        # While pytest runs, what is printed goes elsewhere.
        self.began, self.output = time.monotonic(), sys.stdout

    def is_news(self, name):
        """Whether no earlier run has killed this mutation; counts it when one has."""
        if name in self.before:
            self.found[Outcome(name).kind] += 1
        return name not in self.before

    def tell(self, outcome):
        """Print a line for a mutation, and count it."""
        if outcome.mutation == CONTROL.name:
            self.control = outcome.killer or outcome.void
            return
        if outcome.void:
            print(f"no mutation  {outcome.mutation}: {outcome.void}", file=self.output, flush=True)
            return
        self.found[outcome.kind] += 1
        if outcome.killer is None:
            self.survivors.append(outcome.mutation)
        elif self.killed:
            with self.killed.open("a") as file:
                print(outcome.mutation, file=file)
        word = "killed     " if outcome.killer else "SURVIVED   "
        print(f"{word}  {outcome.mutation}  {outcome.killer or ''}", file=self.output, flush=True)

    def summary(self):
        """Print how many of each kind were killed, and the survivors; the exit status."""
        if self.control:
            print(f"without any mutation the tests fail: {self.control}")
            return 1
        lost = collections.Counter(name.partition(":")[0] for name in self.survivors)
        for kind, number in sorted(self.found.items()):
            print(f"{kind}: {number - lost[kind]} of {number} killed")
        total, minutes = self.found.total(), (time.monotonic() - self.began) / 60
        told = f"{total - len(self.survivors)} of {total} killed in {minutes:.1f} minutes; survivors:"
        print(told, *sorted(self.survivors) or ["none"], sep="\n  ")
        return 1 if self.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
