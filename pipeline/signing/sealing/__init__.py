"""The signed PDF: signatures, certificate page, seal; and its verification."""

from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import structlog

from pipeline import documents
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.contracts.renditions import document_of
from pipeline.documents import signatures
from pipeline.documents.document import Closing
from pipeline.documents.subset import PARTIES
from pipeline.process.settings import Settings
from pipeline.signing.envelope import Envelope
from pipeline.signing.sealing import certificates, pages
from pipeline.signing.sealing.certificates import Unusable
from pipeline.signing.sealing.verification import Verification, verify

# Letters of signatures in the contract itself.
MOST_LETTERS = 10_000

log = structlog.get_logger(__name__)


def offered(settings: Settings) -> bool:
    """Whether a certificate is configured."""
    return bool(settings.signing_certificate)


def log_unusable_certificate(settings: Settings) -> None:
    """Logs why the configured certificate cannot seal."""
    try:
        if offered(settings):
            certificates.check(settings)
    except Unusable as error:
        log.error("signing_certificate_unusable", error=str(error))


class Unsealed(NamedTuple):
    """A PDF to seal, without the database."""

    document: documents.Document
    identity: certificates.SealingIdentity
    note: Mapping[str, object]
    facts: Mapping[str, str | bool]
    tsa_url: str

    def seal(self) -> bytes:
        """Renders and seals; raises Unusable, and the errors of documents.render."""
        pdf = documents.render(documents.PDF, self.document)
        # Only a process that seals needs pyHanko.
        from pipeline.signing.sealing.pades import sealed

        return sealed(pdf, self.identity, self.note, self.tsa_url)


def prepare(settings: Settings, envelope: Envelope, content: str, layout: Mapping[str, Any]) -> Unsealed:
    """Reads the logo of a revision's layout, and the certificate; raises Unusable."""
    identity = certificates.read(settings, envelope.organization_id)
    seal = certificates.described(identity, settings)
    facts = {**seal._asdict(), "valid_until": identity.certificate.not_valid_after_utc.isoformat()}
    document = signed_document(envelope, content, layout, seal)
    return Unsealed(document, identity, _note(envelope), facts, settings.signing_tsa_url)


def signed_document(
    envelope: Envelope, content: str, layout: Mapping[str, Any], seal: pages.Seal
) -> documents.Document:
    document = document_of({"name": envelope.contract_name, "layout": layout, "content": content})
    writer, found = pages.Writer(envelope), signatures.places(content)
    given = writer.places(signatures.printed(content), found)
    fits = sum(found[place] * signatures.letters(text) for place, text in given) <= MOST_LETTERS
    without = [party for party in PARTIES if not fits or f"{party}-signature" not in found]
    closing = Closing(
        writer.closing(without, seal),
        f"{writer.texts['title']} · {envelope.contract_number}",
        writer.texts["language"],
        writer.direction,
    )
    missing_glyphs(closing.content, {}, contract_number=envelope.contract_number)
    return document._replace(
        signatures=given if fits else writer.references(found),
        closing=closing,
        images=tuple(b64encode(image).decode() for image in writer.images),
    )


def _note(envelope: Envelope) -> dict[str, object]:
    """The facts in the seal; its time is never before the last signature's."""
    return {
        "organization_id": envelope.organization_id,
        "contract_number": envelope.contract_number,
        "organization_name": envelope.organization_name,
        "organization_slug": envelope.organization_slug,
        "signers": [one.name for one in envelope.signatures],
        "sealed_at": max(datetime.now(UTC), envelope.completed_at).isoformat(),
        "document_sha256": envelope.document_sha256,
    }
