"""Several PostgreSQL servers: `python -m bench.cells` prints what they cost.

Two organizations with 1,000 leads: one stays at home, the other moves to a second server. Lists of leads are asked of a
web process that knows home alone, and of one that knows both. Then the map has MAPPED organizations.
"""

import argparse
import contextlib
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import psycopg
import structlog

from bench import servers, site
from bench.measure import CONNECTIONS, measure, median, raw_request
from bench.report import progress
from development.postgres import EmbeddedPostgres
from development.redis import EmbeddedRedis
from pipeline.database import migrations
from pipeline.http.security import Tokens

LOGICAL = {"wal_level": "logical", "max_replication_slots": "20", "max_logical_replication_workers": "10"}
MAPPED, CALLS = 10_000, 5
LEADS = """
    insert into app.leads (organization_id, first_name, last_name, email, company)
    select %s, 'Pat', 'Prospect ' || i, 'pat' || i || '@prospect.example', 'Company ' || i
    from generate_series(1, 1000) i
"""
ORGANIZATIONS = """
    insert into app.organizations (name, slug)
    select 'Company ' || i, 'company-' || i from generate_series(1, %s) i returning id
"""
PLACES = "insert into cells.placements (organization_id, cell) select unnest(%s::bigint[]), 'north'"


class Cells:
    """Both database servers, with their settings in `environ`."""

    def __init__(self, folder, home, north, redis):
        self.folder, self.home, self.north = folder, home, north
        for server in (home, north):
            with psycopg.connect(server.url(), autocommit=True) as connection:
                connection.execute("create database pipeline")
        self.home_url, self.north_url = (server.url("postgres", "pipeline") for server in (home, north))
        migrations.upgrade(self.home_url)
        self.alone = site.fill(self.home_url, home, redis.url())
        file = folder / "cells.ini"
        file.write_text(
            f"[north]\ndatabase_url = {north.url('pipeline_app', 'pipeline')}\ndatabase_owner_url = {self.north_url}\n"
        )
        self.both = replace(self.alone, cells_file=str(file))
        self.environ = os.environ | {
            "DATABASE_URL": self.alone.database_url,
            "DATABASE_OWNER_URL": self.home_url,
            "JWT_SECRET": self.alone.jwt_secret,
            "CELLS_FILE": str(file),
            "PIPELINE_ENVIRONMENT": "production",
            "PUBLIC_URL": "https://pipeline.example",
            "REDIS_URL": redis.url(),
        }

    def command(self, *words):
        """(seconds, output) of `pipeline cells …`."""
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", "cells", *words],
            cwd=servers.ROOT,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"pipeline cells {' '.join(words)}: {done.stdout}{done.stderr}")
        return time.monotonic() - begun, done.stdout

    def mover(self):
        """The (user id, organization id, session id) of an organization that has moved to north; prints how."""
        mover = site.people(self.home_url, "moves")
        with psycopg.connect(self.home_url, autocommit=True) as owner:
            for organization in (self.alone.organization_id, mover[1]):
                owner.execute(LEADS, [organization])
        print(f"- `cells add`: {self.command('add', 'north')[0]:.1f} s")
        self.move("north")
        for url in (self.home_url, self.north_url):
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute("vacuum analyze")
        return mover

    def move(self, cell):
        """Move the second organization, and print how long that takes."""
        seconds, said = self.command("move", "moves", "--to", cell)
        print(f"- `cells move` of 1,000 leads to {cell}: {seconds:.1f} s; {said.strip().rpartition('; ')[2]}")

    def map(self, number):
        """Place so many organizations in north."""
        with psycopg.connect(self.north_url, autocommit=True) as north:
            ids = [id for (id,) in north.execute(ORGANIZATIONS, [number])]
        with psycopg.connect(self.home_url, autocommit=True) as home:
            home.execute(PLACES, [ids])


@contextlib.contextmanager
def running():
    """Both servers, as Cells."""
    with (
        tempfile.TemporaryDirectory(prefix="pipeline-bench-") as folder,
        EmbeddedPostgres(Path(folder) / "home", settings=LOGICAL) as home,
        EmbeddedPostgres(Path(folder) / "north", settings=LOGICAL) as north,
        EmbeddedRedis(Path(folder) / "redis", durable=False) as redis,
    ):
        yield Cells(Path(folder), home, north, redis)


@contextlib.contextmanager
def web_process(cells, name, here, core):
    """(the Web, seconds to its first connection, its MiB) for a Site."""
    file, begun = cells.folder / f"{name}.json", time.monotonic()
    file.write_text(json.dumps(asdict(here)))
    with open(file.with_suffix(".log"), "w") as log:
        web = servers.start("application", file, core, log)
        try:
            web.wait()
            yield web, time.monotonic() - begun, psutil.Process(web.process.pid).memory_info().rss / 2**20
        finally:
            web.stop()


def compare(cells, mover, rounds, seconds, core):
    """Print the cost of a list with and without a second server, in alternating rounds."""
    user, organization, session = mover
    token = Tokens(cells.alone.settings()).create_token(user, organization, session)
    asked = {
        "home alone": ("alone", cells.home_url, cells.alone.authorization),
        "home of two": ("both", cells.home_url, cells.alone.authorization),
        "the second": ("both", cells.north_url, f"Bearer {token}"),
    }
    found = {name: [] for name in asked}
    with (
        web_process(cells, "alone", cells.alone, core) as (alone, *_),
        web_process(cells, "both", cells.both, core) as (both, *_),
    ):
        webs = {"alone": alone, "both": both}
        for number in range(rounds):
            progress(f"round {number + 1} of {rounds}")
            for name in sorted(asked, reverse=number % 2 == 1):
                web, owner_url, authorization = asked[name]
                requests = [[raw_request("GET", "/api/leads", authorization)]] * CONNECTIONS
                server = site.server_process(owner_url)
                found[name].append(measure(webs[web], name, requests, server, seconds, min(0.5, seconds)))
    print("\n| server of the organization | web CPU, ms | PostgreSQL, ms | both, to home alone |\n|---|---|---|---|")
    for name, results in found.items():
        spent = median(results)
        ratio = statistics.median(
            (one.web + one.postgres) / (alone.web + alone.postgres)
            for one, alone in zip(results, found["home alone"], strict=True)
        )
        print(f"| {name} | {spent.web:.3f} | {spent.postgres:.3f} | {ratio:.3f} |")


def mapped(cells, core):
    """Print what MAPPED organizations in the map cost a web process and the commands."""
    print("\n| organizations in the map | start, s | memory, MiB | `cells list`, s |\n|---|---|---|---|")
    for number in (1, MAPPED):
        if number == MAPPED:
            cells.map(MAPPED)
        starts = []
        for call in range(CALLS):
            with web_process(cells, f"map-{number}-{call}", cells.both, core) as (_web, seconds, memory):
                starts.append((seconds, memory))
        seconds, memory = map(statistics.median, zip(*starts, strict=True))
        listed = statistics.median(cells.command("list")[0] for _ in range(CALLS))
        print(f"| {number:,} | {seconds:.2f} | {memory:.1f} | {listed:.2f} |")
    cells.move("home")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.cells", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    core, others = servers.cores()
    if others:
        os.sched_setaffinity(0, others)
    with running() as cells:
        compare(cells, cells.mover(), given.rounds, given.seconds, core)
        mapped(cells, core)


if __name__ == "__main__":
    sys.exit(main())
