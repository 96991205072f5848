"""Removes a person from signature requests that not all have signed."""

from collections.abc import Sequence
from typing import Any

from pipeline.database import Row, queries
from pipeline.database.effects import emit


def release(person: Row, contracts: Sequence[int], telling: Sequence[str], all_words: Sequence[str]) -> list[int]:
    """Ends open requests, notifies their other signers, and returns the requests' ids."""
    given: dict[str, Any] = {"requests": person["requests"], "contracts": contracts}
    requests = list(queries.person_requests(**given))
    for request in requests:
        if request["ending"]:
            _end(request["id"], request["ending"])
    ids = [request["id"] for request in requests]
    queries.person_signers_delete(signers=person["signers"], requests=ids)
    # A change of its own, because its values are erased.
    queries.person_requests_blank(requests=ids, contracts=contracts, patterns=all_words)
    known = sorted({*ids, *person["requests"]})
    queries.person_letters_delete(requests=known, patterns=telling)
    return known


def _end(id: int, status: str) -> None:
    queries.signature_request_end(id=id, status=status)
    queries.signature_event_insert(request_id=id, signer_id=None, event=status)
    emit("signature_ended", id, {"request_id": id})
