"""A completed signature request, the input of sealing."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Signature:
    """`kind` is `typed` (then `text` is drawn in a script face) or `drawn` (then `drawing` is a PNG).

    `party` is `licensee` or `licensor`; `language` is that of `consent`. `is_printed`: the party's line has this name.
    """

    name: str
    title: str | None
    email: str
    party: str
    kind: str
    text: str
    drawing: bytes | None
    viewed_at: datetime | None
    signed_at: datetime
    address: str | None
    user_agent: str | None
    consent: str
    language: str
    is_printed: bool


@dataclass(frozen=True)
class SignatureEvent:
    """`event` is the word of the webhook without its prefix: sent, viewed, signed, completed, …"""

    at: datetime
    event: str
    signer_name: str | None
    address: str | None


@dataclass(frozen=True)
class Envelope:
    """`document_sha256` is the digest (hex) of the PDF that the signers were shown; `time_zone` an IANA name.

    Names, time zone and country of the organization are those of the request's creation. `region`, the country or an
    empty text, refines dates.
    """

    organization_id: int
    request_id: int
    contract_number: str
    contract_name: str
    organization_name: str
    organization_slug: str
    legal_name: str | None
    revision: int
    document_sha256: str
    sent_at: datetime
    completed_at: datetime
    time_zone: str
    region: str | None
    language: str
    contract_language: str
    direction: str
    signatures: tuple[Signature, ...]
    events: tuple[SignatureEvent, ...]
