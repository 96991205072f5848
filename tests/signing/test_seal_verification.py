"""Verification: whether a PDF is an unchanged signed contract of this service."""

import io
from pathlib import Path

import pikepdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader

from pipeline.signing.sealing import certificates, verify
from pipeline.signing.sealing.verification import MAX_SIZE
from tests.signing import envelopes
from tests.signing.envelopes import LAYOUT, content, envelope, seal, sealed, shown


@pytest.fixture
def checked(tmp_path):
    """A function from the bytes of a file to its Verification."""

    def check(pdf):
        file = tmp_path / "file.pdf"
        file.write_bytes(pdf)
        with file.open("rb") as opened:
            return verify(envelopes.settings, opened)

    return check


@pytest.fixture
def elsewhere(tmp_path, sealing_settings):
    """The same contract with the seal of another service."""
    store, _public = certificates.made_in(tmp_path / "other")
    sealing_settings(signing_certificate=str(store))
    return seal(envelope(), content(), LAYOUT)


def later(pdf):
    """A file with a revision after the seal."""
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    writer.root["/Lang"] = writer.root["/Lang"]
    writer.update_root()
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def stripped(pdf):
    """A file whose seal was taken out by another program."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        del opened.Root.AcroForm
        for one in opened.pages:
            if "/Annots" in one:
                del one.Annots
        opened.save(file)
    return file.getvalue()


def test_a_sealed_file_is_ours_and_tells_who_signed(checked):
    found = checked(sealed())
    assert (found.ours, found.intact, found.reason) == (True, True, None)
    assert (found.contract_number, found.organization_name) == ("C-2026-0007", "Acme Licensing")
    assert found.signers == ("Erika Muster", "John Doe")
    assert found.sealed_at >= envelope().completed_at


@pytest.mark.parametrize("part", [0.5, *(pytest.param(part, marks=pytest.mark.long) for part in (0.2, 0.8))])
def test_a_changed_byte_is_found(checked, part):
    at = int(len(sealed()) * part)
    found = checked(sealed()[:at] + bytes([sealed()[at] ^ 1]) + sealed()[at + 1 :])
    assert not found.intact
    assert found.reason in ("changed", "unreadable")
    assert found.contract_number is None


@pytest.mark.parametrize(
    "pdf", [lambda: later(sealed()), pytest.param(lambda: sealed() + b"\n% more", marks=pytest.mark.long)]
)
def test_anything_after_the_seal_is_a_change(checked, pdf):
    found = checked(pdf())
    assert (found.ours, found.intact, found.reason) == (True, False, "changed")


def test_without_a_seal_a_file_is_not_ours(checked):
    for pdf in (shown(content()), stripped(sealed())):
        assert (checked(pdf).ours, checked(pdf).reason) == (False, "no_seal")


def test_the_seal_of_another_certificate_is_not_ours(checked, elsewhere):
    found = checked(elsewhere)
    assert (found.ours, found.intact, found.reason) == (False, False, "foreign_seal")


def test_a_seal_stays_ours_when_the_certificate_is_replaced(checked, elsewhere, tmp_path, sealing_settings, settings):
    both = tmp_path / "known.pem"
    pems = [tmp_path / "other" / certificates.PUBLIC, Path(settings.signing_known_certificates)]
    both.write_bytes(b"".join(pem.read_bytes() for pem in pems))
    sealing_settings(signing_known_certificates=str(both))
    assert checked(elsewhere).intact
    assert checked(sealed()).intact


@pytest.mark.long
def test_our_seal_over_a_foreign_revision_says_that_it_was_changed(checked, elsewhere):
    assert len(PdfFileReader(io.BytesIO(elsewhere)).embedded_signatures) == 1
    assert not checked(sealed() + elsewhere).intact


@pytest.mark.parametrize(
    "file", [b"%PDF-1.7\nno more", *(pytest.param(file, marks=pytest.mark.long) for file in (b"", b"\0" * 5000))]
)
def test_what_is_no_pdf_cannot_be_read(checked, file):
    assert (checked(file).ours, checked(file).reason) == (False, "unreadable")


def test_a_file_of_another_size_is_not_looked_at(checked):
    assert checked(sealed() + b"\0" * MAX_SIZE).reason == "too_large"
