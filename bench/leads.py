"""The leads at a million rows: `python -m bench.leads [--quick | --size N]`: lists, look-ups, import and export.

What is asked of the list tells bench/lists.py. Every filter of the generated leads goes together with some order (a
rep's leads share few first names, two reps' have no address), which is the hard case.
"""

import argparse
import sys
import time

from bench import leads_files
from bench.leads_data import BIG, MEDIUM, moment, running
from bench.lists import CHANGED, Bench, List, report
from bench.servers import serving
from pipeline.database import Database, queries
from pipeline.http.pagination import list_query
from pipeline.leads import schemas

SIZE, QUICK = 1_000_000, 50_000
SMALL = 1_000
LEADS = List(
    "/leads",
    queries.lead_list,
    list_query(queries.lead_list, **schemas.FILTERS),
    words={
        # The leads of rep 1 have no address.
        "assigned_to": ["7", "1"],
        "source": ["fair", "web"],
        "status": ["contacted", "new", "new,contacted"],
        "tag": ["hot"],
        "date_from": ["{tenth}", "{last_month}"],
        "date_to": ["{first_month}"],
    },
    rare=("kestrel", "lead4711"),
    frequent=("gmbh", "an", "anna gmbh"),
)
MATCHED, NAMES = 50, ("Kestrel Ltd", "company77.example", "Nobody Of That Name")


def places(size):
    """What the words of the filters name: {name: text}."""
    days = {"tenth": size // 10, "last_month": size - 43_200, "first_month": 43_200}
    return {f"changed_{part}": moment(size - size // part).isoformat() for part in CHANGED} | {
        name: moment(max(0, number)).date().isoformat() for name, number in days.items()
    }


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.leads", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} leads instead of {SIZE:,}")
    parser.add_argument("--size", type=int, help="leads of each of the two large organizations")
    given = parser.parse_args()
    size = given.size or (QUICK if given.quick else SIZE)
    started = time.monotonic()
    try:
        with running(size, SMALL) as (site, file, _owner), serving(["application"], file, None) as webs:
            print(
                f"2 organizations of {size:,} leads, one of 1,000, {SMALL:,} of 100; "
                f"filled in {time.monotonic() - started:.0f} s."
            )
            known = places(size)
            bench = Bench(site, webs["application"], {BIG: known, MEDIUM: known}, size)
            matched = bench.figures("/leads/match-company", [{"company": name} for name in NAMES], MATCHED)
            report(bench, [LEADS], [("look-up", MATCHED, matched)])
            database = Database(site.database_url, 2)
            try:
                leads_files.report(bench, database)
            finally:
                database.close()
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(f"\n{time.monotonic() - started:.0f} s in all.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
