"""Finds the seal of a PDF and reads its note."""

import contextlib
import hashlib
import itertools
import json
import logging
import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from asn1crypto import pem, x509
from pyhanko.pdf_utils.reader import PdfFileReader

if TYPE_CHECKING:
    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

NOTE = "/PipelineSeal"
# No organization has this id.
SERVICE = 0
# Of a form; a sealed contract has one.
MOST_FIELDS, DEEPEST = 1000, 10
NO_SEAL, FOREIGN, CHANGED = "no_seal", "foreign_seal", "changed"


def inspect(file: BinaryIO, asked: str) -> str:
    """JSON: `{reason}`, or the facts of an unchanged file. Raises if unreadable.

    `asked` is JSON: the PEM file of the service's certificates and the organizations' folder; each may be empty.
    """
    logging.disable(logging.CRITICAL)
    reader = PdfFileReader(file, strict=False)
    # Without a form there is no signature, and the slow imports of pyHanko are not needed.
    if "/AcroForm" not in reader.root:
        return _reason_json(NO_SEAL)
    _check_form(reader.root["/AcroForm"])
    signatures = [one for one in reader.embedded_signatures if one.sig_object_type == "/Sig"]
    if not signatures:
        return _reason_json(NO_SEAL)
    owners = _owners(*json.loads(asked))
    ours = [one for one in signatures if _print(one.signer_cert) in owners]
    if not ours:
        return _reason_json(FOREIGN)
    if not (_is_whole(ours[-1]) and _is_closed(ours[-1], file)):
        return _reason_json(CHANGED)
    note, certificate = json.loads(str(reader.trailer["/Info"][NOTE])), ours[-1].signer_cert
    vouched = owners[_print(certificate)]
    if SERVICE not in vouched:
        if note["organization_id"] not in vouched:
            return _reason_json(FOREIGN)
        # The organization may have the key too, and write any name and slug.
        note |= {"organization_name": _name(certificate), "organization_slug": None}
    return json.dumps(_facts(note))


def _check_form(form: Any) -> None:
    """Raises ValueError unless the tree of fields is small: pyHanko follows each way to a shared field."""
    left, level = MOST_FIELDS, [form["/Fields"]] if "/Fields" in form else []
    for _ in range(DEEPEST):
        fields = [field.get_object() if hasattr(field, "get_object") else field for field in _first(level, left + 1)]
        left -= len(fields)
        if left < 0:
            break
        level = [field["/Kids"] for field in fields if isinstance(field, dict) and "/Kids" in field]
        if not level:
            return
    raise ValueError("The form has too many fields.")


def _first(lists: list[Any], most: int) -> list[Any]:
    return list(itertools.islice(itertools.chain.from_iterable(lists), most))


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


def _is_whole(seal: "EmbeddedPdfSignature") -> bool:
    """Whether the known certificate sealed every byte of the file. When it expires does not matter."""
    from pyhanko.sign.validation import SignatureCoverageLevel, validate_pdf_signature
    from pyhanko_certvalidator import ValidationContext

    context = ValidationContext(trust_roots=[seal.signer_cert], allow_fetching=False)
    status = validate_pdf_signature(seal, signer_validation_context=context, skip_diff=True)
    return bool(status.intact and status.valid and status.coverage == SignatureCoverageLevel.ENTIRE_FILE)


def _is_closed(seal: "EmbeddedPdfSignature", file: BinaryIO) -> bool:
    """Whether the bytes that the seal omits are its own digits, where the sealing wrote them.

    pyHanko compares lengths alone: beside a seal in another spelling, a whole document has room in the gap.
    """
    _, end, start, rest = seal.byte_range
    digits = f"<{seal.pkcs7_content.hex().upper()}>\n/ByteRange [0 {end} {start} {rest}]".encode()
    file.seek(0)
    content = file.read()
    # The last one: a name in the contract may contain any text.
    return content.startswith(digits, end) and content.rfind(b"/ByteRange") == start + 1


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


def _print(certificate: Any) -> str:
    return hashlib.sha256(certificate.dump()).hexdigest() if isinstance(certificate, x509.Certificate) else ""


def _name(certificate: x509.Certificate) -> str:
    names = certificate.subject.native
    return str(names.get("organization_name") or names.get("common_name") or certificate.subject.human_friendly)
