"""Seals a request that all have signed."""

from typing import Any

from pipeline import documents
from pipeline.database import Row, queries
from pipeline.database.effects import Refused
from pipeline.signing import sealing
from pipeline.signing.envelope import Envelope, Event, Signature

HEAD = (
    "request_id",
    "contract_number",
    "contract_name",
    "organization_name",
    "revision",
    "document_sha256",
    "sent_at",
    "completed_at",
    "time_zone",
    "language",
)


def seal_request(request: Row) -> tuple[bytes, dict[str, Any]]:
    """(sealed PDF, facts about the certificate) of a `signature_seal_lock` row.

    Raises Refused; for a retry sealing.Unusable and documents.Unavailable.
    """
    if not request["intact"]:
        raise Refused("The stored contract is not the one that was signed.")
    try:
        content = sealing.seal(_envelope(request), request["content"], request["layout"])
    except documents.TooComplex as error:
        raise Refused(str(error)) from None
    return content, sealing.certificate_facts()


def _envelope(request: Row) -> Envelope:
    id = request["request_id"]
    return Envelope(
        **{name: request[name] for name in HEAD},
        direction=request["layout"].get("direction") or "ltr",
        signatures=tuple(Signature(**row) for row in queries.signature_signed(request_id=id)),
        events=tuple(Event(**row) for row in queries.signature_told(request_id=id)),
    )
