"""Seals a PDF by PAdES. Importing pyHanko takes 25 MiB and half a second, so only the first seal does it."""

import asyncio
import io
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import structlog
from asn1crypto import keys, x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.pdf_utils.generic import NameObject, TextStringObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import PdfSignatureMetadata, PdfSigner, SimpleSigner
from pyhanko.sign.fields import InvisSigSettings, MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers.pdf_signer import DSSContentSettings, SigDSSPlacementPreference
from pyhanko.sign.timestamps import HTTPTimeStamper, TimestampRequestError
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import PathError, ValidationError
from pyhanko_certvalidator.registry import SimpleCertificateStore

from pipeline.signing.sealing.certificates import SealingIdentity, Unusable, name_of

FIELD, NOTE = "Seal", "/PipelineSeal"
TSA_SECONDS = 10
# Seconds without a request to a failed authority.
TSA_PAUSE = 60
# PDF/UA wants a field without a picture to be hidden.
HIDDEN = InvisSigSettings(set_print_flag=False, set_hidden_flag=True)
# One revision in all: any later one is a change.
TOGETHER = DSSContentSettings(include_vri=False, placement=SigDSSPlacementPreference.TOGETHER_WITH_SIGNATURE)

log = structlog.get_logger(__name__)
# {URL: the time of the next request}.
_pauses: dict[str, float] = {}


def sealed(pdf: bytes, identity: SealingIdentity, note: Mapping[str, object], tsa_url: str) -> bytes:
    """The PDF with the note and a seal that permits no change; raises Unusable.

    Level B-B; B-T with a time-stamp authority; B-LT with revocation data too.
    """
    # pyHanko runs an event loop; a thread has no other.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_graded, pdf, identity, note, tsa_url).result()


def _graded(pdf: bytes, identity: SealingIdentity, note: Mapping[str, object], tsa_url: str) -> bytes:
    if time.monotonic() < _pauses.get(tsa_url, 0):
        raise Unusable("The seal cannot be made: the time-stamp authority failed a moment ago.")
    stamper = HTTPTimeStamper(tsa_url, timeout=TSA_SECONDS) if tsa_url else None
    try:
        lasting = _lasting(identity, stamper) if stamper and not identity.self_made else None
        try:
            return _sealed(pdf, identity, note, stamper, lasting)
        except (SigningError, ValidationError, PathError) as error:
            if lasting is None:
                raise
            log.warning("seal_without_revocation", error=str(error))
            return _sealed(pdf, identity, note, stamper, None)
    except (SigningError, TimestampRequestError) as error:
        if isinstance(error, TimestampRequestError):
            _pauses[tsa_url] = time.monotonic() + TSA_PAUSE
        raise Unusable(f"The seal cannot be made: {error}") from error


def _sealed(
    pdf: bytes,
    identity: SealingIdentity,
    note: Mapping[str, object],
    stamper: HTTPTimeStamper | None,
    lasting: ValidationContext | None,
) -> bytes:
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    _write_note(writer, note)
    metadata = PdfSignatureMetadata(
        field_name=FIELD,
        name=name_of(identity.certificate.subject),
        md_algorithm="sha256",
        subfilter=SigSeedSubFilter.PADES,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
        # Certificates may permit either usage.
        signer_key_usage=set(),
        validation_context=lasting,
        embed_validation_info=lasting is not None,
        dss_settings=TOGETHER,
    )
    field = SigFieldSpec(FIELD, invis_sig_settings=HIDDEN)
    signer = PdfSigner(metadata, _signer(identity), timestamper=stamper, new_field_spec=field)
    return bytes(signer.sign_pdf(writer).getvalue())


def _write_note(writer: IncrementalPdfFileWriter, note: Mapping[str, object]) -> None:
    reference = writer.prev.trailer.raw_get("/Info")
    information = reference.get_object()
    information[NameObject(NOTE)] = TextStringObject(json.dumps(note, ensure_ascii=False))
    writer.mark_update(reference)


def _signer(identity: SealingIdentity) -> SimpleSigner:
    key = identity.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    registry = SimpleCertificateStore.from_certs(_converted(identity))
    return SimpleSigner(_converted(identity)[0], keys.PrivateKeyInfo.load(key), registry)


def _converted(identity: SealingIdentity) -> list[x509.Certificate]:
    certificates = (identity.certificate, *identity.chain)
    return [x509.Certificate.load(one.public_bytes(Encoding.DER)) for one in certificates]


def _lasting(identity: SealingIdentity, stamper: HTTPTimeStamper) -> ValidationContext:
    """Trusts the topmost certificates of both chains, and fetches revocation lists."""
    asyncio.run(stamper.async_dummy_response("sha256"))
    others = [*_converted(identity), *stamper.cert_registry]
    subjects = {one.subject.hashable for one in others if one.issuer != one.subject}
    issuers = {one.issuer.hashable for one in others}
    topmost = [one for one in others if one.subject.hashable in issuers - subjects]
    return ValidationContext(trust_roots=topmost, other_certs=others, allow_fetching=True, revocation_mode="hard-fail")
