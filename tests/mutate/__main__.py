"""`python -m tests.mutate`: one protection of the schema less at a time; do the tests of behaviour see it?"""

import argparse
import collections
import re
import sys
import tempfile

from tests.mutate.run import CONTROL, MATRIX, TESTS, Laboratory

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
    parser.add_argument("--workers", type=int, default=2, help="databases at the same time")
    parser.add_argument(
        "--quick", action="store_true", help="without the isolation matrix, which takes a minute for each"
    )
    parser.add_argument("--sample", action="store_true", help="only one mutation of each kind, quick")
    parser.add_argument("--list", action="store_true", help="name the mutations")
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
        return run(laboratory, chosen, given.workers)


def run(laboratory, chosen, workers):
    """Print a line for each mutation and a summary by kind; the exit status."""
    control = next(laboratory.outcomes([CONTROL], 1))
    if control != (CONTROL.name, None, None):
        print(f"without any mutation this fails: {control.killer or control.void}")
        return 1
    found, survivors = collections.Counter(), []
    for outcome in laboratory.outcomes(chosen, workers):
        kind = outcome.mutation.partition(":")[0]
        if outcome.void:
            print(f"no mutation  {outcome.mutation}: {outcome.void}", flush=True)
            continue
        found[kind] += 1
        if outcome.killer is None:
            survivors.append(outcome.mutation)
        print(
            f"{'SURVIVED   ' if outcome.killer is None else 'killed     '}  {outcome.mutation}  {outcome.killer or ''}",
            flush=True,
        )
    lost = collections.Counter(name.partition(":")[0] for name in survivors)
    for kind, number in sorted(found.items()):
        print(f"{kind}: {number - lost[kind]} of {number} killed")
    print(
        f"{found.total() - len(survivors)} of {found.total()} killed; survivors:",
        *sorted(survivors) or ["none"],
        sep="\n  ",
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
