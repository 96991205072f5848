"""Follow the changes while others write: `python -m tests.changes [--quick]`, or `make feed`.

20 times a program walks 50,000 leads and follows them by the generated client. Meanwhile 16 writers make, change and
delete leads in short transactions and long ones, some of which are rolled back, and others are imported over HTTP. Each
time the copy must equal the table. (Readers of other page sizes: test_feed.py.)
"""

import argparse
import importlib
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
from tests.waiting import wait_for_writers

WRITERS, ROUNDS, LEADS, IMPORTED = 16, 20, 50_000, 10_000
HELD = "select id, first_name, email, phone from app.leads where organization_id = %s"


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
        some = (
            "(select id from app.leads where organization_id = %s order by id desc"
            f" offset {self.random.choice([0, 0, 1000])} limit 1 for update skip locked)"
        )
        statements = (
            "insert into app.leads (organization_id, first_name) select %s, 'Acme' from generate_series(1, 3)",
            f"update app.leads set phone = clock_timestamp()::text where id = {some}",
            f"delete from app.leads where id = {some}",
        )
        return self.random.choice(statements), [BIG]


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
            wrong += not synchronised(copy, client, owner, owner_url, rows, f"sync{number}")
        print(f"{rounds} copies of {len(copy.leads):,} leads: {wrong} differ from the table")
    return not wrong


def synchronised(copy, client, owner, owner_url, rows, mark):
    """Walk and follow until the writers have ended and all is told; whether the copy equals the table."""
    writers = [Writer(owner_url, number, time.monotonic() + 3) for number in range(WRITERS)]
    writers.append(threading.Thread(target=importing, args=(client, rows, mark)))
    for thread in writers:
        thread.start()
    copy.walk()
    while any(thread.is_alive() for thread in writers):
        copy.follow()
    for thread in writers:
        thread.join()
    wait_for_writers(owner)
    while copy.follow():
        pass
    rows = owner.execute(HELD, [BIG])
    return copy.leads == {id: tuple(values) for id, *values in rows}


def main():
    """Exit status 1 when a copy differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.changes", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="some seconds instead of two minutes")
    quick = parser.parse_args().quick
    rounds, leads, imported = (2, 2_000, 500) if quick else (ROUNDS, LEADS, IMPORTED)
    with running(leads) as (site, file, owner_url, _ids):
        owner = psycopg.connect(owner_url, autocommit=True)
        with owner, serving(["application"], file, None) as webs:
            return 0 if synchronise_all(site, webs["application"], owner, owner_url, rounds, imported) else 1


if __name__ == "__main__":
    sys.exit(main())
