"""One module begins and ends the transactions of requests."""

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "pipeline"
# What opens or ends the transaction of a request, or names its server.
OPENING = re.compile(r"\.(begin|hand_over)\(|\btransaction\.end\(|form_database\(|Transaction\(\)")


def test_only_handle_opens_and_ends_the_transaction_of_a_request():
    found = {
        str(path.relative_to(SOURCES))
        for folder in ("api", "http", "accounts", "records", "leads", "interviews", "contracts", "forms", "signing")
        for path in (SOURCES / folder).rglob("*.py")
        if OPENING.search(path.read_text())
    }
    assert found == {"api/streams.py", "api/handle.py"}
