"""`python -m experiments.mutate`: removes one protection of the schema at a time; the behaviour tests must fail."""

import argparse
import collections
import os
import re
import sys
import tempfile

from experiments.mutate.run import MATRIX, TESTS, Laboratory

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
    parser = argparse.ArgumentParser(prog="python -m experiments.mutate", description=__doc__)
    parser.add_argument("--only", default="", metavar="PATTERN", help="mutations whose name matches")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="databases at the same time")
    parser.add_argument("--sample", action="store_true", help="one mutation of each kind, without the isolation matrix")
    parser.add_argument("--list", action="store_true", help="name the mutations")
    given = parser.parse_args()
    outcomes = []

    def tell(outcome):
        outcomes.append(outcome)
        word = "killed" if outcome.killer else "no mutation" if outcome.void else "SURVIVED"
        line = f"{word:11}  {outcome.mutation}  {outcome.killer or outcome.void or ''}"
        # While pytest runs, standard output leads elsewhere.
        print(line, file=sys.__stdout__, flush=True)

    tests = TESTS if given.sample else (*TESTS, MATRIX)
    # Not below the checkout: sockets have short names, and the server's account must reach its files.
    with tempfile.TemporaryDirectory(prefix="pipeline-mutate-") as folder, Laboratory(folder, tests) as laboratory:
        chosen = [
            mutation
            for mutation in laboratory.mutations()
            if re.search(given.only, mutation.name) and (mutation.name in SAMPLE or not given.sample)
        ]
        if given.list:
            print("\n".join(mutation.name for mutation in chosen))
            return 0
        laboratory.examine(chosen, given.workers, tell)
    return summary(outcomes)


def summary(outcomes):
    """Print how many of each kind were killed, and the survivors; the exit status."""
    if not outcomes or outcomes[0].killer or outcomes[0].void:
        print("without any mutation the tests fail, or they cannot be collected")
        return 1
    tried = [outcome for outcome in outcomes[1:] if not outcome.void]
    survivors = [outcome for outcome in tried if not outcome.killer]
    found, lost = (collections.Counter(outcome.kind for outcome in some) for some in (tried, survivors))
    for kind, number in sorted(found.items()):
        print(f"{kind}: {number - lost[kind]} of {number} killed")
    print(f"{len(tried) - len(survivors)} of {len(tried)} killed; survivors:")
    print(*sorted(outcome.mutation for outcome in survivors) or ["none"], sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
