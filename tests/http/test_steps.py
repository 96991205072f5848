"""Who calls is known and counted before a request is read; one module begins and ends transactions."""

import re
from pathlib import Path

from pipeline.http.core.security import PUBLIC
from pipeline.http.endpoints.contract import endpoints
from pipeline.http.endpoints.pages import PAGES
from pipeline.http.endpoints.steps import steps_of

SOURCES = Path(__file__).parents[2] / "pipeline"
# What opens or ends the transaction of a request, or names its server.
OPENING = re.compile(r"\.(begin|hand_over)\(|\btransaction\.end\(|form_database\(|Transaction\(\)")


def test_whoever_calls_is_known_and_counted_before_anything_is_read_of_a_request(wsgi):
    for contract in (*endpoints(wsgi.registry), *PAGES):
        steps = [step.__name__ for part in steps_of(contract) for step in part]
        public = ["admit"] if contract.visit else ["limit", "intake"]
        first = public if contract.access == PUBLIC else ["share", "open", "identify", "authorize", "intake"]
        assert steps[: len(first)] == first, contract.path
        assert (contract.limit or contract.visit) or contract.access != PUBLIC, contract.path


def test_who_sends_a_file_or_reads_a_whole_table_needs_a_slot(wsgi):
    for contract in endpoints(wsgi.registry):
        if contract.streams or contract.upload and contract.access != PUBLIC:
            assert contract.heavy, contract.path


def test_only_the_steps_module_opens_and_ends_the_transaction_of_a_request():
    found = {
        str(path.relative_to(SOURCES))
        for folder in ("http", "accounts", "records", "leads", "interviews", "contracts", "forms", "signing")
        for path in (SOURCES / folder).rglob("*.py")
        if OPENING.search(path.read_text())
    }
    assert found == {"http/endpoints/streams.py", "http/endpoints/steps.py"}
