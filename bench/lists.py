"""Lists of a million records: `python -m bench.lists [--size N] [--only LIST …]` prints a table with the aims.

An organization has this number of records of each kind, another one a thousand. Requests use one HTTP connection in
turn. Orders and filters are those of the API's description. Writes follow.
"""

import argparse
import os
import statistics
import sys
import time
from typing import NamedTuple
from urllib.parse import urlencode

import psutil

from bench import processor, writes
from bench.cases import SIZE, described, parts
from bench.client import Client, Refused
from bench.data import running
from bench.kinds import KINDS, SEATS, SHARE
from bench.report import progress
from bench.servers import serving
from bench.site import server_process

# Calls of each case that are not measured, at least one and no more after so many seconds; calls that are.
WARM, WARM_SECONDS, CALLS = 2, 0.2, 3
# A quarter of the memory, as docs/dba.md recommends.
BUFFERS = f"{psutil.virtual_memory().total // 4 // 1024**2}MB"
SETTINGS = {
    "shared_buffers": BUFFERS,
    "autovacuum": "off",
    "full_page_writes": "off",
    "checkpoint_timeout": "1h",
    "max_wal_size": "8GB",
}


class Case(NamedTuple):
    """A request: milliseconds of processor time of the web process and PostgreSQL, and of its duration."""

    spent: float
    elapsed: float


class Measured:
    """The Cases of URLs, each measured once. `processes`: the ids of the web process and of PostgreSQL."""

    def __init__(self, client, processes):
        self.client, self.processes, self.known = client, processes, {}

    def __call__(self, url):
        """The Case with the medians of some calls; None if one is refused, as a search that is too broad."""
        if url not in self.known:
            try:
                self.known[url] = self._sample(url)
            except Refused as error:
                progress(str(error))
                self.known[url] = None
        return self.known[url]

    def _sample(self, url):
        begun = time.perf_counter()
        for _ in range(WARM):
            self.client.ask("GET", url)
            if time.perf_counter() - begun > WARM_SECONDS:
                break
        calls = []
        for _ in range(CALLS):
            spent, started = processor.milliseconds(*self.processes), time.perf_counter()
            self.client.ask("GET", url)
            elapsed = (time.perf_counter() - started) * 1000
            calls.append((processor.milliseconds(*self.processes) - spent, elapsed))
        return Case(*map(statistics.median, zip(*calls, strict=True)))


def row(label, cases, aim, median_aim):
    """A row of the table; cases: {url: Case}."""
    answered = {url: case for url, case in cases.items() if case}
    refused = len(cases) - len(answered)
    if not answered:
        return f"| {label} | {refused} | | | | | {aim or ''} | refused |"
    url, worst = max(answered.items(), key=lambda item: item[1].spent)
    median = Case(*map(statistics.median, zip(*answered.values(), strict=True)))
    late = sum(case.spent > aim for case in answered.values()) if aim else 0
    verdict = [f"{late} missed"] * bool(late) + [f"{refused} refused"] * bool(refused)
    verdict += ["median missed"] * bool(median_aim and median.spent > median_aim)
    aims = " / ".join(str(one) for one in (median_aim, aim) if one)
    return (
        f"| {label} | {len(cases)} | {median.spent:.1f} | {median.elapsed:.1f} | {worst.spent:.1f} | `{url}` "
        f"| {aims} | {', '.join(verdict)} |"
    )


def report(measured, tables, ids, size):
    """Measure and print in Markdown, by list."""
    document = measured.client.ask("GET", "/openapi.json")
    print(
        "\nMilliseconds of processor time, web process and PostgreSQL together; *elapsed* is what the client waits.\n"
    )
    print("| list | cases | median | elapsed | worst | worst case | aim | |\n|---|---|---|---|---|---|---|---|")
    for table in tables:
        listed = described(document, table, ids, size)
        for label, asked, aim, median_aim in parts(listed, size):
            urls = [f"{listed.path}?{urlencode(one)}" if one else listed.path for one in asked]
            if urls:
                print(row(f"{table}: {label}", {url: measured(url) for url in urls}, aim, median_aim), flush=True)
        progress(f"{table} measured")


def main():
    """Fill, measure and print; exit status 1 after a failed measurement."""
    parser = argparse.ArgumentParser(prog="python -m bench.lists", description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=SIZE, help=f"records of each kind, instead of {SIZE:,}")
    parser.add_argument("--only", nargs="+", choices=KINDS, metavar="LIST", help=f"some of {', '.join(KINDS)}")
    parser.add_argument("--no-writes", action="store_true", help="lists alone")
    parser.add_argument("--no-lists", action="store_true", help="writes alone")
    given = parser.parse_args()
    tables, started = given.only or (["leads"] if given.no_lists else list(KINDS)), time.monotonic()
    try:
        with (
            running(given.size, tables, SETTINGS) as (site, file, owner_url, ids),
            serving(["application"], file, None) as webs,
        ):
            print(
                f"{given.size:,} records of each kind in one organization; notes and tasks of one lead and "
                f"notifications of one user: {given.size // SHARE:,}; {SEATS} seats; "
                f"filled in {time.monotonic() - started:.0f} s. Load of the machine: {_load()}."
            )
            web = webs["application"]
            processes = (web.process.pid, server_process(owner_url))
            if not given.no_lists:
                report(Measured(Client(site, web), processes), tables, ids, given.size)
            if not given.no_writes and "leads" in tables:
                writes.report(Client(site, web), processes, owner_url, ids["leads"], given.size)
            print(f"\n{time.monotonic() - started:.0f} s in all. Load of the machine: {_load()}.")
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def _load():
    return ", ".join(f"{load:.1f}" for load in os.getloadavg())


if __name__ == "__main__":
    sys.exit(main())
