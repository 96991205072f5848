"""Prepares the sealing of a request that all have signed."""

from pipeline.database import Row, queries
from pipeline.database.effects import Refused
from pipeline.process.settings import Settings
from pipeline.signing import sealing
from pipeline.signing.envelope import Envelope, Event, Signature

HEAD = (
    "organization_id",
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


def signed(request_id: int) -> Row | None:
    """The locked request, or None unless it waits for its seal; raises Refused if the contract was changed."""
    request = queries.signature_seal_lock(request_id=request_id)
    if request is not None and not request["intact"]:
        raise Refused("The stored contract is not the one that was signed.")
    return request


def prepared(settings: Settings, request: Row) -> sealing.Unsealed:
    """The PDF to seal of a request of `signed`; raises Unusable."""
    return sealing.prepare(settings, _envelope(request), request["content"], request["layout"])


def _envelope(request: Row) -> Envelope:
    id = request["request_id"]
    return Envelope(
        **{name: request[name] for name in HEAD},
        direction=request["layout"].get("direction") or "ltr",
        signatures=tuple(Signature(**row) for row in queries.signature_signed(request_id=id)),
        events=tuple(Event(**row) for row in queries.signature_told(request_id=id)),
    )
