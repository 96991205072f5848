"""Every list of records at a million rows of each: `python -m bench.records [--quick | --size N] [--only TABLE …]`.

What is asked of each list, and with how many records beside, tells bench/lists.py; leads and contracts have benchmarks
of their own. Then a year of a template's statistics, the audit and the feed of changes.
"""

import argparse
import sys
import time
from urllib.parse import parse_qsl

from bench.leads_data import BIG, MEDIUM, running
from bench.lists import CHANGED, FILTERED, Bench, List, report
from bench.records_data import SETTINGS, SHARE, SMALL, TABLES, fill, moment
from bench.records_history import ASKED, places
from bench.servers import serving
from pipeline.contracts import schemas as contracts
from pipeline.database import queries
from pipeline.http.pagination import Paged, PagedByHundred, list_query
from pipeline.interviews import schemas as interviews
from pipeline.records import configurator, quotes

SIZE, QUICK = 1_000_000, 20_000
LISTS = (
    List("/companies", queries.company_list, list_query(queries.company_list)),
    List("/contacts", queries.contact_list, list_query(queries.contact_list)),
    List("/deals", queries.deal_list, list_query(queries.deal_list)),
    List("/quotes", queries.quote_list, list_query(queries.quote_list, status=quotes.STATUS)),
    List(
        "/configurations",
        queries.configuration_list,
        list_query(queries.configuration_list, status=configurator.STATUS),
    ),
    List(
        "/interview-invites",
        queries.interview_invite_list,
        list_query(queries.interview_invite_list, PagedByHundred, **interviews.FILTERS),
    ),
    List("/contracts", queries.contract_list, list_query(queries.contract_list, **contracts.FILTERS)),
    List(
        "/interview-templates",
        queries.interview_template_list,
        list_query(queries.interview_template_list, PagedByHundred),
        SHARE,
    ),
    List(
        "/contract-templates",
        queries.contract_template_list,
        list_query(queries.contract_template_list, PagedByHundred),
        SHARE,
    ),
    List("/leads/{leads}/notes", queries.note_list, Paged(), SHARE),
    List("/leads/{leads}/tasks", queries.task_list, PagedByHundred(), SHARE),
    List("/notifications", queries.notification_list, list_query(queries.notification_list), SHARE),
)


def table_of(listed):
    """The table of a list: that of the last segment of its path."""
    return listed.path.rpartition("/")[2].replace("-", "_")


def bench(site, web, ids, size):
    """The Bench of filled organizations; `ids` are those of records_data.fill."""
    known = {f"changed_{part}": moment(size - size // part).isoformat() for part in CHANGED} | places(size)
    return Bench(site, web, {organization: ids[organization] | known for organization in (BIG, MEDIUM)}, size)


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.records", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} records of each kind instead of {SIZE:,}")
    parser.add_argument("--size", type=int, help="records of each kind in the large organization")
    tables = [name for name in TABLES if name != "contracts"]
    parser.add_argument("--only", nargs="+", choices=TABLES, metavar="TABLE", help=f"some of {', '.join(TABLES)}")
    given = parser.parse_args()
    return run(given.only or tables, given.size or (QUICK if given.quick else SIZE))


def run(tables, size, more=lambda bench: None):
    """Fill tables and measure their lists, then do `more`; answers the exit status."""
    started = time.monotonic()
    try:
        with running(1, 1, SETTINGS) as (site, file, owner_url):
            ids = fill(owner_url, size, tables)
            print(
                f"{size:,} records of each kind in one organization (templates, and one lead's notes and tasks and "
                f"one user's notifications: {size // SHARE:,}), {SMALL:,} in another; "
                f"filled kind beside kind in {time.monotonic() - started:.0f} s.",
                flush=True,
            )
            with serving(["application"], file, None) as webs:
                filled = bench(site, webs["application"], ids, size)
                others = [
                    ("asked of it", FILTERED, filled.figures(path, [dict(parse_qsl(one)) for one in asked], FILTERED))
                    for table, path, asked in ASKED
                    if table in tables
                ]
                report(filled, [listed for listed in LISTS if table_of(listed) in tables], others)
                more(filled)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(f"\n{time.monotonic() - started:.0f} s in all.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
