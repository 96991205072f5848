"""The steps of every endpoint and page, as in `steps.txt`.

python -m tests.http.steps
"""

from collections import defaultdict
from pathlib import Path

from pyramid.config import Configurator

from pipeline import declare
from pipeline.http.core.security import PUBLIC
from pipeline.http.endpoints.contract import endpoints
from pipeline.http.endpoints.pages import PAGES
from pipeline.http.endpoints.steps import steps_of

FILE = Path(__file__).with_suffix(".txt")


def recorded():
    """The endpoints and pages below the steps that they share, in order."""
    config = Configurator()
    config.include("pipeline.http.endpoints.resource")
    config.include(declare)
    found = defaultdict(list)
    for contract in (*endpoints(config.registry), *PAGES):
        found[line_of(contract)].append(f"    {endpoint(contract)}\n")
    return "".join(f"{steps}\n{''.join(sorted(found[steps]))}" for steps in sorted(found))


def line_of(contract):
    """The transaction and the steps."""
    once, tried = steps_of(contract)
    snapshot = " on a snapshot" if contract.merges else " on a snapshot with If-Match" if contract.heeds_tag else ""
    return f"{contract.transaction}{snapshot}: {' '.join(step.__name__ for step in (*once, *tried))}"


def endpoint(contract):
    """Name, method, path, role, bucket and kind of heavy work."""
    role = "public" if contract.access == PUBLIC else contract.access
    bucket = contract.limit.name if contract.limit else "page" if contract.visit else "caller"
    return f"{contract.view.__name__} {contract.method} {contract.path} {role} {bucket} {contract.heavy or ''}".rstrip()


if __name__ == "__main__":
    FILE.write_text(recorded())
