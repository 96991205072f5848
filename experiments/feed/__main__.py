"""Follow the changes while others write: `python -m experiments.feed`, or `make feed`.

20 times a program walks 50,000 leads and follows them by the generated client. Meanwhile 16 writers make, change and
delete leads in short transactions and long ones, some of which are rolled back, and others are imported over HTTP. Each
time the copy must equal the table. (Readers of other page sizes: test_feed.py.)
"""

import importlib
import random
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from bench.client import Client
from bench.data import BIG, running
from bench.servers import serving
from bench.writes import importing
from development.clients import package
from tests.waiting import wait_for_writers

WRITERS, ROUNDS, LEADS, IMPORTED, SECONDS = 16, 20, 50_000, 10_000, 3
HELD = "select id, first_name, email, phone from app.leads where organization_id = %s"
SOME = (
    "(select id from app.leads where organization_id = %(organization)s order by id desc"
    " offset %(offset)s limit 1 for update skip locked)"
)
CHANGES = (
    "insert into app.leads (organization_id, first_name) select %(organization)s, 'Acme' from generate_series(1, 3)",
    f"update app.leads set phone = clock_timestamp()::text where id = {SOME}",
    f"delete from app.leads where id = {SOME}",
)


def write(url, number):
    """Work in transactions of one to five changes, for up to a second each."""
    some, end = random.Random(number), time.monotonic() + SECONDS
    with psycopg.connect(url) as connection:
        while time.monotonic() < end:
            for _ in range(some.randint(1, 5)):
                values = {"organization": BIG, "offset": some.choice([0, 0, 1000])}
                connection.execute(some.choice(CHANGES), values)
            connection.execute("select pg_sleep(%s)", [some.choice([0, 0, 0.001, 0.02, 0.3, 1])])
            connection.rollback() if some.random() < 0.1 else connection.commit()


def is_equal(copy, client, url, mark):
    """Walk and follow until the writers have ended and all is told; whether the copy equals the table."""
    with psycopg.connect(url, autocommit=True) as owner, ThreadPoolExecutor(WRITERS + 1) as threads:
        work = [threads.submit(write, url, number) for number in range(WRITERS)]
        work.append(threads.submit(importing, client, IMPORTED, mark))
        copy.walk()
        while not all(one.done() for one in work):
            copy.follow()
        for one in work:
            one.result()
        wait_for_writers(owner)
        while copy.follow():
            pass
        return copy.leads == {id: tuple(values) for id, *values in owner.execute(HELD, [BIG])}


def main():
    """Exit status 1 when a copy differs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(LEADS) as (site, file, owner_url, _ids),
        serving(["application"], file, None) as webs,
    ):
        url, description = f"http://127.0.0.1:{webs['application'].port}", Path(folder) / "openapi.json"
        urllib.request.urlretrieve(f"{url}/openapi.json", description)
        package(description, Path(folder))
        sys.path.insert(0, folder)
        synchroniser, wrong = importlib.import_module("experiments.feed.synchroniser"), 0
        for number in range(ROUNDS):
            client = Client(site, webs["application"])
            copy = synchroniser.Copy(url, client.headers["Authorization"].removeprefix("Bearer "))
            wrong += not is_equal(copy, client, owner_url, f"sync{number}")
        print(f"{ROUNDS} copies of {len(copy.leads):,} leads: {wrong} differ from the table")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
