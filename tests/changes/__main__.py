"""Follow the changes while others write: `python -m tests.changes [--quick]`, or `make feed`.

16 writers make, change and delete companies in short transactions and long ones, some of which are rolled back; in
between 100,000 leads are imported over HTTP. Meanwhile and afterwards 200 readers follow from the same place, each in
pages of its own size, remembering nothing but its cursor. Each must have been told what the table holds, in its order.

Then 20 times a program walks 50,000 leads and follows them by the generated client, while 16 writers and an import are
at work. Each time its copy must equal the table.
"""

import argparse
import importlib
import queue
import random
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import psycopg

from bench.client import Client
from bench.data import BIG, running
from bench.servers import serving
from bench.writes import importing
from development.clients import package
from pipeline.changes import service
from pipeline.changes.schemas import Cursor
from pipeline.database import Database, loads, queries

WRITERS, READERS, AT_ONCE, ROWS, SECONDS = 16, 200, 20, 100_000, 40
QUICK = {"readers": 40, "rows": 5_000, "seconds": 5}
ROUNDS, LEADS = 20, 50_000
LATEST = "select cast(pg_current_xact_id() as text)::bigint"
SETTLED = "select cast(pg_snapshot_xmin(pg_current_snapshot()) as text)::bigint > %s"
HELD = "select id, first_name, email, phone from app.leads where organization_id = %s"
TOLD = """
    select app.change_cursor(transaction_id, id, at) from app.changes
    where organization_id = %s and (transaction_id, id) > (%s, %s) order by transaction_id, id"""


class Writer(threading.Thread):
    """Works in transactions of one to five changes, for up to a second, until `end` (monotonic).

    table, name: the records and the column that each needs.
    """

    def __init__(self, url, number, end, table="companies", name="name"):
        super().__init__()
        self.url, self.random, self.end = url, random.Random(number), end
        self.table, self.name = f"app.{table}", name

    def run(self):
        with psycopg.connect(self.url) as connection:
            while time.monotonic() < self.end:
                for _ in range(self.random.randint(1, 5)):
                    connection.execute(*self.change())
                pause = self.random.choice([0, 0, 0.001, 0.02, 0.3, 1])
                connection.execute("select pg_sleep(%s)", [pause])
                connection.rollback() if self.random.random() < 0.1 else connection.commit()

    def change(self):
        """A statement and its values."""
        some = (
            f"(select id from {self.table} where organization_id = %s order by id desc"
            f" offset {self.random.choice([0, 0, 1000])} limit 1 for update skip locked)"
        )
        return self.random.choice(
            [
                (
                    f"insert into {self.table} (organization_id, {self.name})"
                    " select %s, 'Acme' from generate_series(1, 3)",
                    [BIG],
                ),
                (f"update {self.table} set phone = clock_timestamp()::text where id = {some}", [BIG]),
                (f"delete from {self.table} where id = {some}", [BIG]),
            ]
        )


class Follower(threading.Thread):
    """Readers' runs, one after the other: each begins at the place and ends where everything is told."""

    def __init__(self, url, place, runs, ended):
        super().__init__()
        self.database, self.place, self.runs, self.ended = Database(url, 1), place, runs, ended
        self.told, self.error = [], None

    def run(self):
        try:
            while True:
                self.told.append(self.follow(self.runs.get_nowait()))
        except queue.Empty:
            pass
        except Exception as error:  # the main thread tells of it
            self.error = error
        finally:
            self.database.close()

    def follow(self, number):
        """The cursors that a run is told, in order."""
        limit, cursors, after = random.Random(number).choice([3, 20, 100, 999, 1000]), [], self.place
        while True:
            last = self.ended.is_set()
            with self.database.transaction():
                queries.authenticate(user_id=1, organization_id=BIG, session_id=1)
                answer = loads(service.feed(Cursor().read(after), limit if len(cursors) < 500 else 1000, None))
            cursors += [change["cursor"] for change in answer["data"]]
            after = answer["next"]
            if last and not answer["more"]:
                return cursors
            if not answer["more"]:
                self.ended.wait(0.1)


def follow_all(site, web, owner, owner_url, readers, rows, seconds):
    """Write and follow; prints what was seen, answers whether nobody has missed or invented anything."""
    database = Database(site.database_url, 1)
    with database.transaction():
        queries.authenticate(user_id=1, organization_id=BIG, session_id=1)
        place = loads(service.feed(None, 1, None))["next"]
    database.close()
    runs, ended = queue.Queue(), threading.Event()
    for number in range(readers):
        runs.put(number)
    writers = [Writer(owner_url, number, time.monotonic() + seconds) for number in range(WRITERS)]
    followers = [Follower(site.database_url, place, runs, ended) for _ in range(AT_ONCE)]
    for thread in (*writers, *followers):
        thread.start()
    try:
        importing(Client(site, web), rows, "feed")
        for writer in writers:
            writer.join()
        latest = owner.execute(LATEST).fetchone()
        while not owner.execute(SETTLED, latest).fetchone()[0]:
            time.sleep(0.1)
    finally:
        ended.set()
        for thread in (*writers, *followers):
            thread.join()
    transaction, id, _ = Cursor().read(place)
    expected = [cursor for (cursor,) in owner.execute(TOLD, [BIG, transaction, id])]
    told = [run for follower in followers for run in follower.told]
    wrong = sum(run != expected for run in told)
    failed = [follower.error for follower in followers if follower.error]
    print(
        f"{len(expected):,} changes, {len(told)} readers' runs: {wrong} were told anything else, {len(failed)} failed"
    )
    return len(told) == readers and not wrong and not failed


def synchronise_all(site, web, owner, owner_url, rounds, rows):
    """Keep copies by the generated client while others write; whether each equals the table at its end."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"http://127.0.0.1:{web.port}"
        description = Path(folder) / "openapi.json"
        urllib.request.urlretrieve(f"{url}/openapi.json", description)
        package(description, Path(folder))
        sys.path.insert(0, folder)
        synchroniser = importlib.import_module("tests.changes.synchroniser")
        wrong = 0
        for number in range(rounds):
            client = Client(site, web)
            copy = synchroniser.Copy(url, client.headers["Authorization"].removeprefix("Bearer "))
            wrong += not synchronised(copy, client, owner, owner_url, rows // 10, f"sync{number}")
        print(f"{rounds} copies of {len(copy.leads):,} leads: {wrong} differ from the table")
    return not wrong


def synchronised(copy, client, owner, owner_url, rows, mark):
    """Walk and follow until the writers have ended and all is told; whether the copy equals the table."""
    writers = [Writer(owner_url, number, time.monotonic() + 3, "leads", "first_name") for number in range(WRITERS)]
    writers.append(threading.Thread(target=importing, args=(client, rows, mark)))
    for thread in writers:
        thread.start()
    copy.walk()
    while any(thread.is_alive() for thread in writers):
        copy.follow()
    for thread in writers:
        thread.join()
    latest = owner.execute(LATEST).fetchone()
    while not owner.execute(SETTLED, latest).fetchone()[0]:
        time.sleep(0.1)
    while copy.follow():
        pass
    rows = owner.execute(HELD, [BIG])
    return copy.leads == {id: tuple(values) for id, *values in rows}


def main():
    """Exit status 1 when a reader was told anything but what happened, or a copy differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.changes", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="some seconds instead of two minutes")
    quick = parser.parse_args().quick
    sizes = QUICK if quick else {"readers": READERS, "rows": ROWS, "seconds": SECONDS}
    with running(2_000 if quick else LEADS) as (site, file, owner_url, _ids):
        owner = psycopg.connect(owner_url, autocommit=True)
        with owner, serving(["application"], file, None) as webs:
            servers = (site, webs["application"], owner, owner_url)
            told = follow_all(*servers, **sizes)
            copied = synchronise_all(*servers, 2 if quick else ROUNDS, sizes["rows"])
            return 0 if told and copied else 1


if __name__ == "__main__":
    sys.exit(main())
