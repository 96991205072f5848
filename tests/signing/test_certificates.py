"""The certificate of the seal, of an authority or self-made; time stamps and revocation."""

import io
import stat
from datetime import timedelta

import pytest
from pyhanko.pdf_utils.reader import PdfFileReader
from structlog.testing import capture_logs

from pipeline.process.settings import SettingsError, load
from pipeline.signing import sealing
from pipeline.signing.sealing import Unusable, certificates
from tests.documents.support import pdf_text
from tests.signing import envelopes
from tests.signing.authorities import DAY
from tests.signing.envelopes import LAYOUT, content, envelope, pdfsig, seal, verified


@pytest.fixture
def configured(issuer, tmp_path, sealing_settings):
    """A function that configures a certificate of the authority."""

    def configure(tsa="", **dates):
        store, public = issuer.store(tmp_path, **dates)
        sealing_settings(signing_certificate=str(store), signing_known_certificates=str(public), signing_tsa_url=tsa)

    return configure


def made():
    return seal(envelope(), content(), LAYOUT)


def has_time(pdf):
    """Whether the seal holds a time stamp."""
    (one,) = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
    types = [attribute["type"].native for attribute in one.signer_info["unsigned_attrs"]]
    return types == ["signature_time_stamp_token"]


def revocations(pdf):
    """The lists of revoked certificates beside the seal."""
    store = PdfFileReader(io.BytesIO(pdf)).root.get("/DSS")
    return [] if store is None else list(store.get_object()["/CRLs"])


def told():
    """The errors that the start of a worker logs."""
    with capture_logs() as logs:
        sealing.log_unusable_certificate(envelopes.settings)
    return [log["error"] for log in logs if log["log_level"] == "error"]


def test_development_has_a_certificate_of_its_own_made_once(tmp_path):
    store, public = certificates.made_in(tmp_path / "signing")
    before = store.read_bytes()
    assert certificates.made_in(tmp_path / "signing") == (store, public)
    assert store.read_bytes() == before
    assert {stat.S_IMODE(file.stat().st_mode) for file in (store, public)} == {0o600}


def test_the_certificate_page_tells_a_self_made_certificate_from_an_issued_one(configured):
    words = "This certificate is self-signed"
    assert words in pdf_text(made())
    configured()
    text = " ".join(pdf_text(made()).split())
    assert words not in text
    assert "Acme Seals" in text
    # Some releases of poppler leave out narrow spaces.
    assert "TestAuthority" in text.replace(" ", "")


def test_with_a_time_stamp_authority_the_seal_has_its_time_and_what_lasts(issuer, configured, tmp_path):
    configured(tsa=issuer.url)
    pdf = made()
    assert has_time(pdf)
    assert revocations(pdf)
    assert "Signature is Valid" in pdfsig(pdf, tmp_path)
    assert verified(pdf).intact


def test_without_the_list_of_revoked_certificates_the_seal_still_has_its_time(issuer, configured, monkeypatch):
    monkeypatch.setattr(issuer, "has_list", False)
    configured(tsa=issuer.url)
    with capture_logs() as logs:
        pdf = made()
    assert has_time(pdf)
    assert revocations(pdf) == []
    assert "seal_without_revocation" in [log["event"] for log in logs]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tsa": "http://127.0.0.1:9"}, "cannot be made"),
        ({"end": -timedelta(hours=1)}, "expired on"),
        ({"begin": DAY, "end": 2 * DAY}, "Check the clock"),
    ],
    ids=["the authority is away", "the certificate is over", "it is to come"],
)
def test_without_a_time_stamp_or_a_present_certificate_nothing_is_sealed(configured, given, words):
    configured(**given)
    with pytest.raises(Unusable, match=words):
        made()


def test_the_password_stands_in_a_file(issuer, tmp_path, sealing_settings):
    store, public = issuer.store(tmp_path, password=b"secret")
    sealing_settings(signing_certificate=str(store))
    with pytest.raises(Unusable, match="cannot be read"):
        made()
    (tmp_path / "password").write_text("secret\n")
    sealing_settings(signing_certificate=str(store), signing_certificate_password_file=str(tmp_path / "password"))
    assert made()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"signing_certificate": "/nowhere.p12"}, "cannot be read"),
        ({"signing_certificates": "/nowhere"}, "SIGNING_CERTIFICATES cannot be read"),
        ({"signing_known_certificates": ""}, "/verify would not know"),
        ({"signing_known_certificates": "/nowhere.pem"}, "cannot be read"),
    ],
)
def test_the_start_of_a_worker_logs_what_is_wrong(sealing_settings, changes, words):
    sealing_settings(**changes)
    (error,) = told()
    assert words in error


def test_a_certificate_that_expires_soon_is_told(configured):
    configured(end=20 * DAY)
    assert "expires on" in told()[0]


def test_without_a_certificate_nothing_is_sealed(sealing_settings):
    sealing_settings(signing_certificate="")
    with pytest.raises(Unusable, match="SIGNING_CERTIFICATE is not set"):
        made()


def test_the_time_stamp_authority_is_a_url():
    environ = {"DATABASE_URL": "postgresql://x@localhost/y", "JWT_SECRET": "x" * 40, "SIGNING_TSA_URL": "tsa.example"}
    with pytest.raises(SettingsError, match="SIGNING_TSA_URL"):
        load({}, environ)
