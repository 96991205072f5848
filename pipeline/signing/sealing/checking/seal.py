"""Checks the seal of a PDF and reads its note. The PDF of a stranger is not parsed."""

import contextlib
import hashlib
import json
import logging
import os
import re
from datetime import UTC, datetime
from typing import Any, BinaryIO

from asn1crypto import cms, pem, x509

NOTE = "/PipelineSeal"
# No organization has this id.
SERVICE = 0
FOREIGN, CHANGED = "foreign", "changed"
# A CMS of at most 64 KiB. The first one: whoever signs a sealed file appends to it.
SEAL = re.compile(rb"<(3082[0-9A-Fa-f]{1000,})>")


def inspect(file: BinaryIO, asked: str) -> str:
    """JSON: `{reason}`, or the facts of an unchanged file. Raises if unreadable.

    `asked` is JSON: the PEM file of the service's certificates and the organizations' folder; each may be empty.
    """
    logging.disable(logging.CRITICAL)
    content = file.read()
    if b"%PDF-" not in content[:1024]:
        raise ValueError("This is not a PDF.")
    seal = SEAL.search(content)
    # Without a seal the slow imports of pyHanko are not needed.
    signed = _signed(seal) if seal else None
    if not seal or not signed:
        return _reason_json(FOREIGN)
    signer, certificate = signed
    vouched = _owners(*json.loads(asked)).get(_print(certificate))
    if not vouched:
        return _reason_json(FOREIGN)
    covered = content[: seal.start()] + content[seal.end() :]
    if not (_is_closed(seal, content) and _is_valid(signer, certificate, covered)):
        return _reason_json(CHANGED)
    note = _note(file)
    if SERVICE not in vouched:
        if note["organization_id"] not in vouched:
            return _reason_json(FOREIGN)
        # The organization may have the key too, and write any name and slug.
        note |= {"organization_name": _name(certificate), "organization_slug": None}
    return json.dumps(_facts(note))


def _signed(seal: re.Match[bytes]) -> tuple[cms.SignerInfo, x509.Certificate] | None:
    from pyhanko.sign.general import extract_certificate_info, extract_signer_info

    # asn1crypto raises many kinds of errors for a CMS of another form.
    with contextlib.suppress(Exception):
        content = cms.ContentInfo.load(bytes.fromhex(seal[1].decode()))["content"]
        return extract_signer_info(content), extract_certificate_info(content).signer_cert
    return None


def _is_closed(seal: re.Match[bytes], content: bytes) -> bool:
    """Whether the bytes that the seal omits are its own digits, where the sealing wrote them."""
    start, end = seal.span()
    digits = b"<%s>\n/ByteRange [0 %d %d %d]" % (seal[1].upper(), start, end, len(content) - end)
    # The last one: a name in the contract may contain any text.
    return content.startswith(digits, start) and content.rfind(b"/ByteRange") == end + 1


def _is_valid(signer: cms.SignerInfo, certificate: x509.Certificate, covered: bytes) -> bool:
    """Whether the certificate's key sealed these bytes. When it expires does not matter."""
    from pyhanko.sign.validation.generic_cms import validate_sig_integrity

    # pyHanko raises many kinds of errors for attributes of another form.
    with contextlib.suppress(Exception):
        return all(validate_sig_integrity(signer, certificate, "data", hashlib.sha256(covered).digest()))
    return False


def _note(file: BinaryIO) -> dict[str, Any]:
    from pyhanko.pdf_utils.reader import PdfFileReader

    note: dict[str, Any] = json.loads(str(PdfFileReader(file, strict=False).trailer["/Info"][NOTE]))
    return note


def _facts(note: dict[str, Any]) -> dict[str, Any]:
    sealed_at = datetime.fromisoformat(note["sealed_at"]).astimezone(UTC).isoformat()
    names = {name: str(note[name]) for name in ("contract_number", "organization_name")}
    # Seals of earlier releases have no slug.
    slug = note.get("organization_slug")
    return {
        **names,
        "organization_slug": slug and str(slug),
        "signers": [str(name) for name in note["signers"]],
        "sealed_at": sealed_at,
    }


def _reason_json(reason: str) -> str:
    return json.dumps({"reason": reason})


def _owners(known: str, folder: str) -> dict[str, set[int]]:
    """{fingerprint: the organizations whose contracts it vouches for, or SERVICE for all}."""
    owners: dict[str, set[int]] = {}
    for mark in _prints(known) if known else ():
        owners.setdefault(mark, set()).add(SERVICE)
    for name in os.listdir(folder) if folder else ():
        stem, _dot, kind = name.rpartition(".")
        if kind == "pem" and re.fullmatch(r"[1-9][0-9]*", stem, re.ASCII):
            # A broken file concerns one organization; `doctor` names it.
            with contextlib.suppress(OSError, ValueError):
                for mark in _prints(os.path.join(folder, name)):
                    owners.setdefault(mark, set()).add(int(stem))
    return owners


def _prints(file: str) -> list[str]:
    with open(file, "rb") as opened:
        return [hashlib.sha256(der).hexdigest() for _type, _headers, der in pem.unarmor(opened.read(), multiple=True)]


def _print(certificate: x509.Certificate) -> str:
    return hashlib.sha256(certificate.dump()).hexdigest()


def _name(certificate: x509.Certificate) -> str:
    names = certificate.subject.native
    return str(names.get("organization_name") or names.get("common_name") or certificate.subject.human_friendly)
