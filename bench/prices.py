"""What own parts buy: `python -m bench.prices [--quick]`.

The service beside itself with one part replaced by its library's way, in interleaved rounds of whole requests.
CPU of the web process for each request, as a ratio to the service as it is. Own machinery is worth 1.15.
"""

import argparse
import os
import statistics
import sys

import psycopg

from bench.data import BIG, running
from bench.measure import measure, raw_request
from bench.report import progress
from bench.servers import cores, serving
from bench.site import current
from pipeline.database import execution
from pipeline.http.core.security import Tokens
from pipeline.http.front.application import make_app

LEADS, CONNECTIONS, WARM_SECONDS = 1_000, 8, 2.0
PATHS = {"list": "/api/leads", "one lead": "/api/leads/500"}


class ByCursor(execution.Executor):
    """Statements through psycopg's cursor, which prepares by itself."""

    def execute(self, text, values, prepare=True):
        cursor = psycopg.RawCursor(self.connection)
        cursor.execute(text, values, prepare=None if prepare else False)
        return execution.Result(cursor.pgresult, cursor._tx)


class Unprepared:
    """psycopg's own threshold stays."""

    def __init__(self, connection):
        self.threshold = connection.prepare_threshold


def _psycopg_cursors():
    execution.Executor.execute, execution.Prepared = ByCursor.execute, Unprepared


REPLACED = {"as it is": lambda: None, "as it is again": lambda: None, "psycopg's cursors": _psycopg_cursors}


def make():
    """The application with the part of BENCH_TARGET replaced."""
    REPLACED[os.environ["BENCH_TARGET"]]()
    return make_app(current().settings())


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.prices", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="three short rounds")
    rounds, seconds = (3, 1.0) if parser.parse_args().quick else (9, 3.0)
    core, others = cores()
    with running(LEADS) as (site, site_file, owner_url, _ids):
        os.sched_setaffinity(0, others or range(os.cpu_count()))
        with psycopg.connect(owner_url) as connection:
            postgres = int(connection.execute("select pg_read_file('postmaster.pid')").fetchone()[0].split()[0])
        token = Tokens(site.settings()).create_token(1, BIG, 1)
        found = {path: {name: [] for name in REPLACED} for path in PATHS}
        with serving(REPLACED, site_file, core) as webs:
            for number in range(rounds + 1):
                for label, path in PATHS.items():
                    request = raw_request("GET", path, f"Bearer {token}")
                    for name in sorted(webs, reverse=number % 2 == 1):
                        progress(f"round {number} of {rounds}: {label}, {name}")
                        load = [[request]] * CONNECTIONS
                        result = measure(webs[name], label, load, postgres, seconds, 0.5 if number else WARM_SECONDS)
                        if number:  # the first round warms
                            found[label][name].append(result)
    for label, contestants in found.items():
        _print(label, contestants)
    return 0


def _print(label, contestants):
    base = contestants["as it is"]
    print(f"\n{label}: web CPU {statistics.median(result.web for result in base):.3f} ms a request")
    for name, results in contestants.items():
        pairs = list(zip(results, base, strict=True))
        cpu, rate = (
            [one.web / own.web for one, own in pairs],
            statistics.median(one.rate / own.rate for one, own in pairs),
        )
        print(f"  {name:28} CPU {statistics.median(cpu):.3f} ({min(cpu):.2f} to {max(cpu):.2f}), rate {rate:.3f}")


if __name__ == "__main__":
    sys.exit(main())
