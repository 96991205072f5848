"""Contracts: `python -m bench.contracts [--quick | --size N]`: the list of many, creations by eight clients at once.

What is asked of the list tells bench/lists.py. Creations go over HTTP to one process, of one prefix, without rendering.
"""

import argparse
import sys
import threading
import time

from bench.records import QUICK, SIZE, run
from bench.report import aimed

CLIENTS, EACH, RATE = 8, 50, 300
TEMPLATE = {
    "name": "Agreement",
    "content": "<h1>{{Contract.number}}</h1>"
    + "<p>{{Contract.licensor_name}} and {{Licensee.name}} agree from {{Contract.effective_date | date}}.</p>" * 10,
}


def creations(bench):
    """Print how many contracts CLIENTS create in a second at once; RuntimeError for a gap among their numbers."""
    clients = [bench.client() for _ in range(CLIENTS)]
    template = clients[0].ask("POST", "/contract-templates", TEMPLATE)["id"]
    body = {"template_id": template, "effective_date": "2026-02-01"}
    numbers = []

    def create(client):
        numbers.extend(client.ask("POST", "/contracts", body)["contract_number"] for _ in range(EACH))

    threads = [threading.Thread(target=create, args=(client,)) for client in clients]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = CLIENTS * EACH / (time.perf_counter() - started)
    if sorted(numbers) != [f"RO-{number:06d}" for number in range(1, CLIENTS * EACH + 1)]:
        raise RuntimeError("The numbers have a gap or a duplicate.")
    print(f"\ncreations by {CLIENTS} clients: {aimed(f'{rate:.0f} in a second', RATE, rate >= RATE)}")


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.contracts", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} contracts instead of {SIZE:,}")
    parser.add_argument("--size", type=int, help="contracts of the organization")
    given = parser.parse_args()
    return run(["contracts"], given.size or (QUICK if given.quick else SIZE), creations)


if __name__ == "__main__":
    sys.exit(main())
