"""The report on standard output; progress on standard error."""

import os
import statistics
import sys

import psycopg

from bench.measure import CONNECTIONS, ENDPOINTS, median
from bench.servers import THREADS


def progress(text):
    """Print the name of the running measurement."""
    print(f"  {text}", file=sys.stderr, flush=True)


def aimed(figure, aim, met):
    """A figure (text) with its aim, and whether it misses the aim."""
    return f"{figure} (aim {aim}{'' if met else ', missed'})"


def setting(core, others, site, given):
    """Print the machine and the versions."""
    if core:
        place = (
            f"web process alone on core {_numbers(core)}; PostgreSQL and the load generator on core {_numbers(others)}"
        )
    else:
        place = "all processes on all cores (this system cannot bind them, or has only one)"
    with psycopg.connect(site.database_url) as connection:
        version = connection.info.server_version
    print(
        f"Python {sys.version.split()[0]}, PostgreSQL {version // 10000}.{version % 10000} (durable), "
        f"One web process, {THREADS} threads; {CONNECTIONS} connections in a closed loop."
    )
    print(f"{os.cpu_count()} cores: {place}.")
    sizes = ", ".join(f"{name} {len(body.encode())} bytes" for name, body in site.bodies.items())
    print(f"Answers: {sizes}. Medians of {given.rounds} alternating rounds of {given.seconds:g} s.\n", flush=True)


def _numbers(cores):
    return ", ".join(map(str, sorted(cores)))


def pairs(found):
    """Print application beside floor: medians, and each round's ratio with its range."""
    print(f"{'':40}{'req/s':>8}{'p50 ms':>9}{'p99 ms':>9}{'web CPU ms':>12}{'SQL CPU ms':>12}{'core busy':>11}")
    for endpoint, results in found.items():
        print(ENDPOINTS[endpoint])
        for target in ("application", "floor"):
            result = median(results[target])
            busy = result.rate * result.web / 10
            print(
                f"  {target:38}{result.rate:8.0f}{result.p50:9.2f}{result.p99:9.2f}"
                f"{result.web:12.3f}{result.postgres:12.3f}{busy:10.0f}%"
            )
        rounds = list(zip(results["application"], results["floor"], strict=True))
        rate = _range(application.rate / floor.rate for application, floor in rounds)
        web = _range(floor.web / application.web for application, floor in rounds)
        print(f"  application of floor: throughput {rate}; by web CPU alone {web}")


def _range(ratios):
    ratios = sorted(ratios)
    return f"{statistics.median(ratios):.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f})"


def disturbance(share):
    """Print the share of other processes."""
    print(
        f"Other processes used {share:.0%} of the machine meanwhile"
        + ("; run it again on a quiet one." if share > 0.05 else ".")
    )
