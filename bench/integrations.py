"""A synchronizing client: `python -m bench.integrations [--size N]` walks, sends batches and follows changes.

The floor runs the same statements in the same transactions, without a server; both parse the JSON.
"""

import argparse
import contextlib
import json
import os
import statistics
import sys
import time

from bench import processor
from bench.client import Client
from bench.data import BIG, running
from bench.servers import serving
from bench.site import server_process
from bench.writes import LEAD
from pipeline.changes import records, service
from pipeline.changes.schemas import Cursor
from pipeline.database import Database, dumps, queries

SIZE, STEP, BATCH, CHANGES, PAGE, ROUNDS = 1_000_000, 500, 500, 10_000, 1_000, 5


class Floor:
    """The statements; each method is a request."""

    def __init__(self, site):
        self.database = Database(site.database_url, 1)

    def step(self, after):
        """A step of a walk; returns the leads."""
        with self._transaction():
            return json.loads(queries.lead_list(after_id=after, limit=STEP, offset=0)["data"] or "[]")

    def batch(self, number):
        """New leads."""
        with self._transaction():
            made = queries.lead_insert(rows=dumps([LEAD] * number).decode())
            ids = [row["id"] for row in made]
            return json.loads(queries.lead_list(after_id=0, ids=ids, limit=number, offset=0)["data"])

    def changes(self, after):
        """A page of the feed with records."""
        with self._transaction():
            page = json.loads(service.feed(Cursor().read(after), PAGE, None))
            for start in range(0, len(page["data"]), records.AT_ONCE):
                ids = [change["id"] for change in page["data"][start : start + records.AT_ONCE]]
                for record in queries.lead_get.each({"id": ids}):
                    json.loads(record)
            return page

    @contextlib.contextmanager
    def _transaction(self):
        with self.database.transaction():
            queries.authenticate(user_id=1, organization_id=BIG, session_id=1)
            yield


class Service:
    """The same requests by HTTP."""

    def __init__(self, client):
        self.client = client

    def step(self, after):
        """A step of a walk; returns the leads."""
        return self.client.ask("GET", f"/api/leads?after_id={after}&per_page={STEP}")["data"]

    def batch(self, number):
        """New leads."""
        return self.client.ask("POST", "/api/leads/batch", {"create": [LEAD] * number})["created"]

    def changes(self, after):
        """A page of the feed with records."""
        return self.client.ask("GET", f"/api/changes?after={after}&limit={PAGE}&include=record")


def walk(side):
    """Read all leads; returns their number."""
    count = last = 0
    while found := side.step(last):
        count, last = count + len(found), found[-1]["id"]
    return count


def follow(side, place):
    """Read CHANGES; returns their number."""
    count = 0
    while count < CHANGES:
        page = side.changes(place)
        count, place = count + len(page["data"]), page["next"]
    return count


class Meter:
    """Measures work; `processes`: the ids of the web process, of PostgreSQL and of this one."""

    def __init__(self, processes):
        self.processes = processes

    def __call__(self, sides, rounds, work):
        """[(seconds, seconds of processor time) of work(make())]: medians of alternating rounds."""
        samples = {make: [] for make in sides}
        for _ in range(rounds):
            for make in sides:
                side, before = make(), self._now()
                work(side)
                samples[make].append([end - start for start, end in zip(before, self._now(), strict=True)])
        return [tuple(map(statistics.median, zip(*samples[make], strict=True))) for make in sides]

    def _now(self):
        return time.perf_counter(), processor.milliseconds(*self.processes) / 1000


def report(connect, floor, meter, size):
    """Measure and print in Markdown; `connect()` opens a connection."""
    sides = (lambda: Service(connect()), lambda: floor)
    print("\n| work | seconds | floor | processor seconds | floor | ratio |\n|---|---|---|---|---|---|")

    def row(label, rounds, work):
        (taken, used), (least, needed) = meter(sides, rounds, work)
        numbers = f"{taken:,.2f} | {least:,.2f} | {used:,.3f} | {needed:,.3f} | {used / needed:.2f}"
        print(f"| {label} | {numbers} |", flush=True)
        return taken, used

    row(f"walking {size:,} leads by {STEP}", 1, walk)
    batch = row(f"a batch of {BATCH} new leads", ROUNDS, lambda side: side.batch(BATCH))
    (single,) = meter(sides[:1], 1, lambda side: [side.client.ask("POST", "/api/leads", LEAD) for _ in range(BATCH)])
    place = connect().ask("GET", "/api/changes")["next"]
    for _ in range(CHANGES // BATCH):
        floor.batch(BATCH)
    row(f"following {CHANGES:,} changes with records", ROUNDS, lambda side: follow(side, place))
    times = [one / several for one, several in zip(single, batch, strict=True)]
    print(
        f"\n{BATCH} single requests take {times[0]:.0f} times as long as the batch, {times[1]:.0f} times the processor."
    )


def main():
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.integrations", description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=SIZE, help=f"leads, instead of {SIZE:,}")
    size = parser.parse_args().size
    with running(size) as (site, file, owner_url, _ids), serving(["application"], file, None) as webs:
        floor, web = Floor(site), webs["application"]
        meter = Meter((web.process.pid, server_process(owner_url), os.getpid()))
        try:
            report(lambda: Client(site, web), floor, meter, size)
        finally:
            floor.database.close()
    print(f"Load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}.")


if __name__ == "__main__":
    sys.exit(main())
