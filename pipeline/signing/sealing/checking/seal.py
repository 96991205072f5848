"""Finds the seal of a PDF and reads its note."""

import hashlib
import json
import logging
from typing import Any, BinaryIO

from asn1crypto import pem, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import SignatureCoverageLevel, validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko_certvalidator import ValidationContext

NOTE = "/PipelineSeal"
NO_SEAL, FOREIGN, CHANGED = "no_seal", "foreign_seal", "changed"


def inspect(file: BinaryIO, known: str) -> str:
    """JSON: `{reason}`, or `{note}` of an unchanged file; `known` is a PEM file or "". Raises if unreadable."""
    logging.disable(logging.CRITICAL)
    reader = PdfFileReader(file, strict=False)
    signatures = [one for one in reader.embedded_signatures if one.sig_object_type == "/Sig"]
    if not signatures:
        return _told(NO_SEAL)
    prints = _prints(known)
    ours = [one for one in signatures if _print(one.signer_cert) in prints]
    if not ours:
        return _told(FOREIGN)
    if not _is_whole(ours[-1]):
        return _told(CHANGED)
    return json.dumps({"note": json.loads(str(reader.trailer["/Info"][NOTE]))})


def _is_whole(seal: EmbeddedPdfSignature) -> bool:
    """Whether the known certificate sealed every byte of the file. When it expires does not matter."""
    context = ValidationContext(trust_roots=[seal.signer_cert], allow_fetching=False)
    status = validate_pdf_signature(seal, signer_validation_context=context, skip_diff=True)
    return bool(status.intact and status.valid and status.coverage == SignatureCoverageLevel.ENTIRE_FILE)


def _told(reason: str) -> str:
    return json.dumps({"reason": reason})


def _prints(known: str) -> set[str]:
    if not known:
        return set()
    with open(known, "rb") as file:
        return {hashlib.sha256(der).hexdigest() for _type, _headers, der in pem.unarmor(file.read(), multiple=True)}


def _print(certificate: Any) -> str:
    return hashlib.sha256(certificate.dump()).hexdigest() if isinstance(certificate, x509.Certificate) else ""
