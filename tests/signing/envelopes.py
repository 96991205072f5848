"""Envelopes to seal, and checks of the result by other programs."""

import functools
import io
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from PIL import Image
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.signing.envelope import Envelope, Signature, SignatureEvent
from pipeline.signing.sealing import prepare, verify

NOW = datetime(2026, 3, 5, 13, 4, 5, tzinfo=UTC)
TEXT = "<h1>Terms</h1><ol class=clauses><li>The first clause</li><li>The second clause</li></ol>"
BLOCK = "<p>{{Contract.signature_block}}</p>"
# The fixture sealing_settings sets them.
settings = None
LAYOUT = {"header_left": "Acme", "footer_right": "Page {{page}} of {{pages}}"}


def signature(name="Erika Muster", party="licensee", drawing=None, **others):
    values = {
        "title": None,
        "email": "erika@muster.example",
        "kind": "drawn" if drawing else "typed",
        "text": "" if drawing else name,
        "viewed_at": NOW - timedelta(minutes=9),
        "signed_at": NOW,
        "address": "203.0.113.7",
        "user_agent": "Mozilla/5.0",
        "consent": "I agree to sign electronically.",
        "language": "en",
        "is_printed": False,
        **others,
    }
    return Signature(name=name, party=party, drawing=drawing, **values)


def envelope(*signatures, **others):
    """An Envelope, signed by one person of each party if nothing is said."""
    values = {
        "organization_id": 7,
        "request_id": 1,
        "contract_number": "C-2026-0007",
        "contract_name": "Software Licence",
        "organization_name": "Acme Licensing",
        "organization_slug": "acme-licensing",
        "legal_name": "Acme Licensing Inc.",
        "revision": 2,
        "document_sha256": "ab" * 32,
        "sent_at": NOW - timedelta(days=1),
        "completed_at": NOW,
        "time_zone": "Europe/Berlin",
        "region": "US",
        "language": "en",
        "contract_language": "en",
        "direction": "ltr",
        "signatures": signatures or (signature(), signature("John Doe", "licensor")),
        "events": (
            SignatureEvent(NOW - timedelta(days=1), "sent", None, None),
            SignatureEvent(NOW, "signed", "Erika Muster", "203.0.113.7"),
        ),
        **others,
    }
    return Envelope(**values)


def content(block=True, language="en", direction="ltr"):
    """A contract's stored HTML, with or without the ready block."""
    values = {**SAMPLES, "locale": {"currency": "EUR", "locale": language, "direction": direction}}
    return merge.resolve(merge.sanitize(TEXT + BLOCK * block), {}, values).content


def shown(stored, **layout):
    """The PDF that signers see."""
    about = {"language": "en", **LAYOUT, **layout}
    return documents.render("pdf", documents.Document("Software Licence", content=stored, **about))


def seal(*given):
    """Seal an envelope with a contract's HTML and layout, by the settings of the test."""
    return prepare(settings, *given).seal()


@functools.cache
def sealed():
    """A sealed PDF, made once."""
    return seal(envelope(), content(), LAYOUT)


def verified(pdf):
    """The Verification of a file, by the settings of the test."""
    with tempfile.TemporaryFile() as file:
        file.write(pdf)
        return verify(settings, file)


def picture():
    """A drawn signature as PNG, of nearly 200 kB: its pixels have nothing in common."""
    image = Image.frombytes("RGBA", (240, 200), random.Random(1).randbytes(240 * 200 * 4))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def pdfsig(pdf, folder):
    """What poppler says of the signatures."""
    file = folder / "signed.pdf"
    file.write_bytes(pdf)
    return subprocess.run(["pdfsig", "-nocert", file], capture_output=True, text=True, check=False).stdout


def status_of(pdf):
    """What pyHanko's validator says of the only signature."""
    (one,) = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
    context = ValidationContext(trust_roots=[one.signer_cert])
    # A browser's event loop may run in this thread.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(validate_pdf_signature, one, signer_validation_context=context).result()


def changed(pdf):
    """A PDF with one other byte."""
    at = pdf.index(b"endstream") - 20
    return pdf[:at] + bytes([pdf[at] ^ 1]) + pdf[at + 1 :]
