"""Keep copies by the change feed while others write: `python -m tests.changes [--quick]`, or `make feed`.

20 times a program walks 50,000 leads and follows them by the generated client, while 16 writers and an import are at
work. Each time its copy must equal the table.
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

WRITERS, SECONDS = 16, 3
HELD = "select id, first_name, email, phone from app.leads where organization_id = %s"
ONE = """
    (select id from app.leads where organization_id = %(organization)s
     order by id desc offset %(offset)s limit 1 for update skip locked)"""
WRITES = (
    "insert into app.leads (organization_id, first_name) select %(organization)s, 'Acme' from generate_series(1, 3)",
    f"update app.leads set phone = clock_timestamp()::text where id = {ONE}",
    f"delete from app.leads where id = {ONE}",
)


class Writer(threading.Thread):
    """Writes in transactions of one to five changes, for up to a second; of ten, one is rolled back."""

    def __init__(self, url, number):
        super().__init__()
        self.url, self.random = url, random.Random(number)

    def run(self):
        end = time.monotonic() + SECONDS
        with psycopg.connect(self.url) as connection:
            while time.monotonic() < end:
                for _ in range(self.random.randint(1, 5)):
                    given = {"organization": BIG, "offset": self.random.choice([0, 0, 1000])}
                    connection.execute(self.random.choice(WRITES), given)
                pause = self.random.choice([0, 0, 0.001, 0.02, 0.3, 1])
                connection.execute("select pg_sleep(%s)", [pause])
                connection.rollback() if self.random.random() < 0.1 else connection.commit()


def synchronised(copy, client, owner, owner_url, rows, mark):
    """Walk, and follow until others have written and all is told; whether the copy equals the table."""
    writers = [Writer(owner_url, number) for number in range(WRITERS)]
    writers.append(threading.Thread(target=importing, args=(client, rows, mark)))
    for thread in writers:
        thread.start()
    copy.walk()
    while any(thread.is_alive() for thread in writers):
        copy.follow()
    wait_for_writers(owner)
    while copy.follow():
        pass
    return copy.leads == {id: tuple(values) for id, *values in owner.execute(HELD, [BIG])}


def synchroniser(url, folder):
    """The module of a program that uses the generated client, for the description that the service has at a URL."""
    description = Path(folder) / "openapi.json"
    urllib.request.urlretrieve(f"{url}/openapi.json", description)
    package(description, Path(folder))
    sys.path.insert(0, folder)
    return importlib.import_module("tests.changes.synchroniser")


def main():
    """Exit status 1 when a copy differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.changes", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two copies of few leads")
    rounds, leads, imported = (2, 2_000, 500) if parser.parse_args().quick else (20, 50_000, 10_000)
    with (
        running(leads) as (site, file, owner_url, _ids),
        psycopg.connect(owner_url, autocommit=True) as owner,
        serving(["application"], file, None) as webs,
        tempfile.TemporaryDirectory() as folder,
    ):
        web, wrong = webs["application"], 0
        url = f"http://127.0.0.1:{web.port}"
        program = synchroniser(url, folder)
        for number in range(rounds):
            client = Client(site, web)
            copy = program.Copy(url, client.headers["Authorization"].removeprefix("Bearer "))
            wrong += not synchronised(copy, client, owner, owner_url, imported, f"sync{number}")
        print(f"{rounds} copies of {len(copy.leads):,} leads: {wrong} differ from the table")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
