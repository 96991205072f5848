"""What the record of change costs: `python -m bench.changes [--quick]`.

The same work with the triggers that record changes and without them, in turn, in one run: an import of 100,000 rows and
single leads over HTTP. Told are CPU time of the web process and PostgreSQL, and what PostgreSQL writes to its log, so
that the figures hold on a busy machine, too; of the rounds the medians. What it costs is the median of the rounds' own
ratios: a machine may have become slower from one round to the next, and the table grows. What would disturb the
comparison (autovacuum, whole pages in the log after a checkpoint) is switched off.
"""

import argparse
import statistics
import sys
from typing import NamedTuple

import psycopg

from bench.leads_data import BIG, OTHER, running
from bench.leads_files import importing
from bench.lists import Client
from bench.report import aimed
from bench.servers import cpu_seconds, serving
from pipeline.http.security import Tokens

SIZE, ROWS, LEADS, ROUNDS = 50_000, 100_000, 1_000, 5
QUICK = {"rows": 5_000, "leads": 200, "rounds": 2}
AIM = 10
STEADY = {"autovacuum": "off", "full_page_writes": "off", "checkpoint_timeout": "1h", "max_wal_size": "20GB"}
LEAD = {"first_name": "Ines", "last_name": "Okafor", "company": "Company GmbH", "source": "web"}


class Used(NamedTuple):
    """CPU seconds, and bytes of write-ahead log."""

    cpu: float
    log: float


class Bench:
    """One web process, the superuser's connection, and what both have used."""

    def __init__(self, site, web, owner):
        self.site, self.web, self.owner = site, web, owner
        self.tokens = Tokens(site.settings())
        self.postgres = int(owner.execute("select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)").fetchone()[0])
        self.marks = 0

    def headers(self, organization=BIG):
        """The headers of an admin of the organization."""
        return {"Authorization": f"Bearer {self.tokens.create_token(1, organization, 1)}"}

    def record(self, on):
        """Switch the trigger that records new leads on or off."""
        self.owner.execute(f"alter table app.leads {'enable' if on else 'disable'} trigger record_inserted")

    def used(self):
        """What was Used until now."""
        (log,) = self.owner.execute("select pg_current_wal_insert_lsn() - '0/0'").fetchone()
        return Used(self.web.cpu() + cpu_seconds(self.postgres), float(log))

    def compare(self, rounds, work):
        """(with, without): what was Used by work() in each of so many rounds."""
        found = {True: [], False: []}
        for number in range(rounds):
            for on in sorted(found, reverse=number % 2 == 1):
                self.record(on)
                before = self.used()
                work()
                after = self.used()
                found[on].append(Used(*(end - start for start, end in zip(before, after, strict=True))))
        return found[True], found[False]


def median(found):
    """The median of each part of what was Used."""
    return Used(*map(statistics.median, zip(*found, strict=True)))


def report(bench, rows, leads, rounds):
    """Measure and print."""
    client = Client(bench.site, bench.web, OTHER)

    def import_rows():
        bench.marks += 1
        importing(bench, rows, f"changes{bench.marks}")

    def post_leads():
        for _ in range(leads):
            client.ask("POST", "/leads", LEAD)

    for label, work in ((f"import of {rows:,} rows", import_rows), (f"POST /leads, {leads:,} times", post_leads)):
        pairs = list(zip(*bench.compare(rounds, work), strict=True))
        with_it, without = (median(found) for found in zip(*pairs, strict=True))
        more = median(Used(*((a / b - 1) * 100 for a, b in zip(*pair, strict=True))) for pair in pairs)
        told = aimed(f"{more.cpu:+.1f} % CPU", f"{AIM} %", more.cpu <= AIM)
        print(
            f"{label}: {without.cpu:.2f} s CPU without the record of change, {with_it.cpu:.2f} s with it: {told}; "
            f"log {without.log / 1e6:.1f} MB, {with_it.log / 1e6:.1f} MB: {more.log:+.1f} %",
            flush=True,
        )


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.changes", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK['rows']:,} rows and {QUICK['leads']} leads")
    sizes = {"rows": ROWS, "leads": LEADS, "rounds": ROUNDS}
    sizes = QUICK if parser.parse_args().quick else sizes
    try:
        with running(SIZE, 10, STEADY) as (site, file, owner_url):
            owner = psycopg.connect(owner_url, autocommit=True)
            with owner, serving(["application"], file, None) as webs:
                report(Bench(site, webs["application"], owner), **sizes)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
