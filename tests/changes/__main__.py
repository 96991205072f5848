"""Follow the changes while others write: `python -m tests.changes [--quick]`, or `make feed`.

16 writers make, change and delete companies in short transactions and long ones, some of which are rolled back; in
between 100,000 leads are imported over HTTP. Meanwhile and afterwards 200 readers follow from the same place, each in
pages of its own size, remembering nothing but its cursor. Each must have been told what the table holds, in its order.
"""

import argparse
import queue
import random
import sys
import threading
import time

import psycopg

from bench.client import Client
from bench.data import BIG, running
from bench.servers import serving
from bench.writes import importing
from pipeline.changes import service
from pipeline.changes.schemas import Cursor
from pipeline.database import Database, loads, queries

WRITERS, READERS, AT_ONCE, ROWS, SECONDS = 16, 200, 20, 100_000, 40
QUICK = {"readers": 40, "rows": 5_000, "seconds": 5}
LATEST = "select cast(pg_current_xact_id() as text)::bigint"
SETTLED = "select cast(pg_snapshot_xmin(pg_current_snapshot()) as text)::bigint > %s"
TOLD = """
    select app.change_cursor(transaction_id, id, at) from app.changes
    where organization_id = %s and (transaction_id, id) > (%s, %s) order by transaction_id, id"""


class Writer(threading.Thread):
    """Works in transactions of one to five changes, for up to a second, until `end` (monotonic)."""

    def __init__(self, url, number, end):
        super().__init__()
        self.url, self.random, self.end = url, random.Random(number), end

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
            "(select id from app.companies where organization_id = %s order by id desc limit 1 for update skip locked)"
        )
        return self.random.choice(
            [
                (
                    "insert into app.companies (organization_id, name) select %s, 'Acme' from generate_series(1, 3)",
                    [BIG],
                ),
                (f"update app.companies set phone = clock_timestamp()::text where id = {some}", [BIG]),
                (f"delete from app.companies where id = {some}", [BIG]),
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


def main():
    """Exit status 1 when a reader was told anything but what happened."""
    parser = argparse.ArgumentParser(prog="python -m tests.changes", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="some seconds instead of two minutes")
    sizes = QUICK if parser.parse_args().quick else {"readers": READERS, "rows": ROWS, "seconds": SECONDS}
    with running(1_000) as (site, file, owner_url, _ids):
        owner = psycopg.connect(owner_url, autocommit=True)
        with owner, serving(["application"], file, None) as webs:
            return 0 if follow_all(site, webs["application"], owner, owner_url, **sizes) else 1


if __name__ == "__main__":
    sys.exit(main())
