"""Says whether a PDF is a signed contract of this service."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from pipeline.files.inspection import inspected
from pipeline.process.settings import Settings

MAX_SIZE = 25 * 1024 * 1024
LONGEST = 64 * 1024
# Of a check; one of a sealed contract takes less than one.
CPU_SECONDS = 4
TOO_LARGE, UNREADABLE, CHANGED = "too_large", "unreadable", "changed"


@dataclass(frozen=True)
class Verification:
    """The facts are those of an intact file of ours.

    `reason` is null then; else foreign, changed, unreadable or too_large.
    """

    ours: bool
    intact: bool
    contract_number: str | None = None
    organization_name: str | None = None
    organization_slug: str | None = None
    signers: tuple[str, ...] = ()
    sealed_at: datetime | None = None
    reason: str | None = None


def verify(settings: Settings, file: IO[bytes]) -> Verification:
    """The Verification of a file on disk; 503 if busy."""
    file.seek(0, 2)
    if file.tell() > MAX_SIZE:
        return Verification(False, False, reason=TOO_LARGE)
    file.flush()
    known = json.dumps([settings.signing_known_certificates, settings.signing_certificates])
    output = inspected("checking.seal", known, file, Path(__file__).parent, LONGEST, CPU_SECONDS)
    if output is None or len(output) >= LONGEST:
        return Verification(False, False, reason=UNREADABLE)
    seal = json.loads(output)
    if reason := seal.get("reason"):
        return Verification(reason == CHANGED, False, reason=reason)
    return Verification(
        True,
        True,
        seal["contract_number"],
        seal["organization_name"],
        seal["organization_slug"],
        tuple(seal["signers"]),
        datetime.fromisoformat(seal["sealed_at"]),
    )
