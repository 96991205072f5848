"""Runs the benchmark: `python -m bench [--quick | --rounds N --seconds S]`, or `make bench`."""

import argparse
import logging
import os
import signal
import sys
import time

import structlog

from bench import report
from bench.measure import ENDPOINTS, measure, requests_of
from bench.servers import Foreign, cores, serving
from bench.site import running
from bench.targets import TARGETS


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the service beside its floor.")
    parser.add_argument("--quick", action="store_true", help="one short round, for a first impression")
    parser.add_argument("--rounds", type=int, help="alternating rounds (default 5, quick 1)")
    parser.add_argument("--seconds", type=float, help="seconds of each measurement (default 3, quick 1)")
    parser.add_argument("--only", choices=ENDPOINTS, help="one endpoint instead of all")
    given = parser.parse_args()
    given.endpoints = [given.only] if given.only else list(ENDPOINTS)
    given.rounds = given.rounds or (1 if given.quick else 5)
    given.seconds = given.seconds or (1.0 if given.quick else 3.0)
    return given


def main():
    """Measure and print the report; exit status 1 after a failed measurement."""
    given, started = arguments(), time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # unwinds, so that all servers stop
    core, others = cores()
    if others:
        os.sched_setaffinity(0, others)  # inherited by PostgreSQL and the load generator
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    warmup = min(0.5, given.seconds / 3)
    try:
        with running() as (site, file, postgres), serving(TARGETS, file, core) as webs:
            report.setting(core, others, site, given)

            def run(target, endpoint, seconds=given.seconds):
                requests = requests_of(endpoint, site)
                return measure(webs[target], ENDPOINTS[endpoint], requests, postgres, seconds, warmup)

            foreign = Foreign(webs, postgres)
            pairs = compare(run, given)
            disturbance = foreign.share()
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    report.pairs(pairs)
    report.disturbance(disturbance)
    print(f"\n{time.monotonic() - started:.0f} s in all.")
    return 0


def compare(run, given):
    """{endpoint: {target: [Result of each round]}} of application and floor, in alternating rounds."""
    found = {endpoint: {"floor": [], "application": []} for endpoint in given.endpoints}
    for number in range(given.rounds):
        report.progress(f"round {number + 1} of {given.rounds}")
        for endpoint, results in found.items():
            # The first target meets a machine in another state, so the order alternates too.
            for target in sorted(results, reverse=number % 2 == 1):
                results[target].append(run(target, endpoint))
    return found


if __name__ == "__main__":
    sys.exit(main())
