"""Verification: whether a PDF is an unchanged signed contract of this service."""

import io
from pathlib import Path

import pikepdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from pipeline.signing.sealing import certificates
from pipeline.signing.sealing.verification import MAX_SIZE
from tests.signing.envelopes import LAYOUT, content, envelope, seal, sealed, shown, verified


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


@pytest.mark.parametrize("part", [0.5, *(pytest.param(part, marks=pytest.mark.long) for part in (0.2, 0.8))])
def test_a_changed_byte_is_found(part):
    at = int(len(sealed()) * part)
    found = verified(sealed()[:at] + bytes([sealed()[at] ^ 1]) + sealed()[at + 1 :])
    assert not found.intact
    assert found.reason in ("changed", "unreadable")
    assert found.contract_number is None


@pytest.mark.parametrize(
    "pdf", [lambda: later(sealed()), pytest.param(lambda: sealed() + b"\n% more", marks=pytest.mark.long)]
)
def test_anything_after_the_seal_is_a_change(pdf):
    found = verified(pdf())
    assert (found.ours, found.intact, found.reason) == (True, False, "changed")


def test_without_a_seal_a_file_is_not_ours():
    for pdf in (shown(content()), stripped(sealed())):
        assert (verified(pdf).ours, verified(pdf).reason) == (False, "no_seal")


def test_the_seal_of_another_certificate_is_ours_once_it_is_known(elsewhere, tmp_path, sealing_settings, settings):
    found = verified(elsewhere)
    assert (found.ours, found.intact, found.reason) == (False, False, "foreign_seal")
    both = tmp_path / "known.pem"
    pems = [tmp_path / "other" / certificates.PUBLIC, Path(settings.signing_known_certificates)]
    both.write_bytes(b"".join(pem.read_bytes() for pem in pems))
    sealing_settings(signing_known_certificates=str(both))
    assert verified(elsewhere).intact
    assert verified(sealed()).intact


@pytest.mark.long
def test_our_seal_before_a_foreign_one_does_not_vouch_for_it(elsewhere):
    assert not verified(sealed() + elsewhere).intact


def test_a_file_of_another_size_is_not_looked_at():
    assert verified(sealed() + b"\0" * MAX_SIZE).reason == "too_large"
