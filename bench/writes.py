"""Writes of leads: the cost of an insert, an update and an import in PostgreSQL, and of a list in the web process."""

import statistics
import time
from types import MappingProxyType
from typing import NamedTuple

import psycopg

from bench import processor
from bench.kinds import SEATS

ROUNDS, TIMES, ROWS, BATCH = 3, 1_000, 100_000, 500
IMPORT_RATE, INDEX_SHARE = 15_000, 1.5
COLUMNS = "first_name,last_name,email,phone,company,job_title,source,assigned_to"
BOUNDARY = "bench-bench-bench"
LEAD = {"first_name": "Ines", "last_name": "Okafor", "company": "Company GmbH", "source": "web"}
SIZES = "select pg_indexes_size('app.leads') as indexes, pg_table_size('app.leads') as rows"


class Used(NamedTuple):
    """Seconds, milliseconds of processor time of the web process and of PostgreSQL, and bytes of log."""

    seconds: float
    web: float
    postgres: float
    log: float


class Meter:
    """Measures work; `processes`: the ids of the web process and of PostgreSQL."""

    def __init__(self, processes, owner):
        self.processes, self.owner = processes, owner

    def __call__(self, work):
        """The median Used of some rounds of work(number of the round)."""
        rounds = []
        for number in range(ROUNDS):
            before = self._now()
            work(number)
            rounds.append([end - start for start, end in zip(before, self._now(), strict=True)])
        return Used(*map(statistics.median, zip(*rounds, strict=True)))

    def _now(self):
        (log,) = self.owner.execute("select pg_current_wal_insert_lsn() - '0/0'").fetchone()
        return Used(time.perf_counter(), *map(processor.milliseconds, self.processes), float(log))


def report(client, processes, owner_url, first, size):
    """Measure and print in Markdown; `first` is the id of the first lead."""
    count, rows, batch = min(TIMES, size), min(ROWS, size), min(BATCH, size)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        indexes, table = owner.execute(SIZES).fetchone()
        meter = Meter(processes, owner)
        print("\n| work | rows/s | PostgreSQL ms a row | web ms a row | log bytes a row | aim | |")
        print("|---|---|---|---|---|---|---|")
        for label, times, work, aim in (
            ("GET /leads", count, lambda _: _each(count, lambda _: client.ask("GET", "/api/leads")), None),
            ("POST /leads", count, lambda _: _each(count, lambda _: client.ask("POST", "/api/leads", LEAD)), None),
            ("PUT /leads/{id}", count, lambda round: _each(count, _update(client, first, round)), None),
            (f"{batch} new leads in a batch", batch, lambda _: _batch(client, create=[LEAD] * batch), None),
            (f"{batch} changes in a batch", batch, lambda round: _change(client, first, batch, round), None),
            (f"import of {rows:,} rows", rows, lambda round: importing(client, rows, f"round{round}"), IMPORT_RATE),
        ):
            used = meter(work)
            rate = times / used.seconds
            told = f"{aim:,} | {'' if rate >= aim else 'missed'}" if aim else " | "
            print(
                f"| {label} | {rate:,.0f} | {used.postgres / times:.3f} | {used.web / times:.3f} "
                f"| {used.log / times:,.0f} | {told} |",
                flush=True,
            )
    share = indexes / table
    print(
        f"\nIndexes of leads, built anew: {indexes / 1e6:,.0f} MB beside {table / 1e6:,.0f} MB of rows: {share:.2f} of "
        f"them (aim {INDEX_SHARE}{'' if share <= INDEX_SHARE else ', missed'})."
    )


def _each(count, work):
    for number in range(count):
        work(number)


def _update(client, first, round):
    """A function that changes name and status of the lead with a number, differently in each round."""
    body = LEAD | {"last_name": f"Okafor {round}", "status": ("contacted", "new")[round % 2]}
    return lambda number: client.ask("PUT", f"/api/leads/{first + number}", body)


def _batch(client, **lists):
    client.ask("POST", "/api/leads/batch", lists)


def _change(client, first, batch, round):
    _batch(client, update=[{"id": first + number, "last_name": f"Moreau {round}"} for number in range(batch)])


def importing(client, count, mark, own=MappingProxyType({})):
    """Import this number of new leads, with addresses that begin with `mark`; raises RuntimeError.

    own: {key of an own field: the cell of the row with a number}.
    """
    columns = "".join(f",fields.{key}" for key in own)
    lines = [
        f"Anna,Name{i * 7919 % 100003},{mark}.{i}@company{i % 5000}.example,+49 30 {1000000 + i},"
        f"Company {i % 5000} GmbH,Engineer,fair,{f'rep{1 + i % SEATS}@bench.example' if i % 3 else ''}"
        + "".join(f",{value(i)}" for value in own.values())
        for i in range(count)
    ]
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="leads.csv"\r\n\r\n'
    body = "\n".join([head + COLUMNS + columns, *lines, f"\r\n--{BOUNDARY}--\r\n"]).encode()
    typed = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    answer = client.ask("POST", "/api/leads/import", body, typed)
    if answer["imported"] != count:
        raise RuntimeError(f"import: {answer}")
