import io
import stat
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from pyhanko.pdf_utils.reader import PdfFileReader
from structlog.testing import capture_logs

from pipeline.signing import sealing
from pipeline.signing.sealing import Unusable, certificates, pades
from tests.documents.support import pdf_text
from tests.signing import envelopes
from tests.signing.authorities import DAY
from tests.signing.envelopes import LAYOUT, content, envelope, pdfsig, seal, shown, verified

OWNER = envelope().organization_id


def sealed(id=OWNER):
    return seal(envelope(organization_id=id), content(), LAYOUT)


@pytest.fixture
def configured(issuer, tmp_path, sealing_settings):
    """A function that configures a certificate of the authority."""

    def configure(tsa="", **dates):
        store, public = issuer.store(tmp_path, **dates)
        sealing_settings(signing_certificate=str(store), signing_known_certificates=str(public), signing_tsa_url=tsa)

    return configure


def has_time(pdf):
    (one,) = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
    types = [attribute["type"].native for attribute in one.signer_info["unsigned_attrs"]]
    return types == ["signature_time_stamp_token"]


def revocations(pdf):
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
    assert words in pdf_text(sealed())
    configured()
    text = " ".join(pdf_text(sealed()).split())
    assert words not in text
    assert "Acme Seals" in text
    # Some releases of poppler leave out narrow spaces.
    assert "TestAuthority" in text.replace(" ", "")


def test_with_a_time_stamp_authority_the_seal_has_its_time_and_what_lasts_as_far_as_it_is_to_be_had(
    issuer, configured, tmp_path, monkeypatch
):
    configured(tsa=issuer.url)
    pdf = sealed()
    assert has_time(pdf)
    assert revocations(pdf)
    assert "Signature is Valid" in pdfsig(pdf, tmp_path)
    assert verified(pdf).intact
    monkeypatch.setattr(issuer, "has_list", False)
    with capture_logs() as logs:
        pdf = sealed()
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
        sealed()


def test_the_password_stands_in_a_file(issuer, tmp_path, sealing_settings):
    store, public = issuer.store(tmp_path, password=b"secret")
    sealing_settings(signing_certificate=str(store))
    with pytest.raises(Unusable, match="cannot be read"):
        sealed()
    (tmp_path / "password").write_text("secret\n")
    sealing_settings(signing_certificate=str(store), signing_certificate_password_file=str(tmp_path / "password"))
    assert sealed()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"signing_certificate": "/nowhere.p12"}, "cannot be read"),
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


@pytest.fixture
def own(issuer, tmp_path, sealing_settings):
    """own(id, **dates): gives an organization a certificate, named Acme Seals; returns the folder."""
    folder = tmp_path / "certificates"
    folder.mkdir()

    def give(id=OWNER, password=None, end=90 * DAY, **dates):
        store, public = issuer.store(folder, password=password, end=end, **dates)
        store.rename(folder / f"{id}.p12")
        public.rename(folder / f"{id}.pem")
        if password:
            (folder / f"{id}.password").write_bytes(password + b"\n")
        sealing_settings(signing_certificates=str(folder))
        return folder

    return give


def forged(own_id, **note):
    """A note of somebody's choice, sealed with the key of an organization."""
    identity = certificates.read(envelopes.settings, own_id)
    facts = {
        "organization_id": OWNER,
        "contract_number": "C-1",
        "organization_name": "Other Licensing",
        "signers": ["Erika Muster"],
        "sealed_at": "2026-03-05T13:04:05+00:00",
    }
    return pades.sealed(shown(content()), identity, {**facts, **note}, "")


def test_an_organization_seals_with_its_own_certificate_and_others_with_the_services(own):
    own(password=b"secret")
    found = [verified(sealed(id)) for id in (OWNER, OWNER + 1)]
    assert [one.intact for one in found] == [True, True]
    names = [(one.organization_name, one.organization_slug) for one in found]
    assert names == [("Acme Seals", None), ("Acme Licensing", "acme-licensing")]
    assert certificates.check(envelopes.settings).endswith("; organizations with their own: 1")


def test_the_certificate_of_one_organization_does_not_vouch_for_another(own):
    own(OWNER + 1)
    found = verified(forged(OWNER + 1))
    assert (found.ours, found.intact, found.reason) == (False, False, "foreign")
    assert found.contract_number is None


def test_a_certificate_does_not_vouch_for_a_seal_by_another_key():
    identity = certificates.read(envelopes.settings, OWNER)._replace(key=rsa.generate_private_key(65537, 2048))
    found = verified(pades.sealed(shown(content()), identity, {}, ""))
    assert (found.ours, found.intact, found.reason) == (True, False, "changed")


@pytest.mark.parametrize(
    "note",
    [
        {"signers": ["x" * 70_000]},
        pytest.param({"sealed_at": "never"}, marks=pytest.mark.long),
        pytest.param({"organization_id": "../7"}, marks=pytest.mark.long),
        pytest.param({"signers": 7}, marks=pytest.mark.long),
        pytest.param({"sealed_at": 5}, marks=pytest.mark.long),
        pytest.param({"organization_id": [OWNER]}, marks=pytest.mark.long),
    ],
)
def test_a_note_of_another_form_is_not_told(own, note):
    own()
    assert not verified(forged(OWNER, **note)).intact


def test_an_earlier_certificate_of_an_organization_is_still_known(own):
    folder = own()
    former, pem = sealed(), (folder / f"{OWNER}.pem").read_bytes()
    own()
    with (folder / f"{OWNER}.pem").open("ab") as file:
        file.write(pem)
    assert verified(former).intact


@pytest.mark.long
def test_a_broken_file_of_one_organization_hides_no_other(own):
    folder = own()
    (folder / "8.pem").write_bytes(b"-----BEGIN CERTIFICATE-----\nno")
    (folder / "9.pem").mkdir()
    assert verified(sealed()).intact


def astray(folder):
    (folder / f"{OWNER}.p12").unlink()
    (folder / f"{OWNER}.p12").symlink_to("/nowhere.p12")


DAMAGES = {
    "broken": lambda folder: (folder / f"{OWNER}.p12").write_bytes(b"no certificate"),
    "locked": lambda folder: (folder / f"{OWNER}.password").write_bytes(b"wrong"),
    "astray": astray,
    "gone": lambda folder: folder.rename(folder.with_name("elsewhere")),
    "unknown": lambda folder: (folder / f"{OWNER}.pem").unlink(),
    "more than one": lambda folder: [(folder / f"{id}.p12").write_bytes(b"no certificate") for id in (8, 9)],
    "misnamed": lambda folder: (folder / f"{OWNER}.p12").rename(folder / "acme.p12"),
}


@pytest.mark.parametrize("damage", ["broken", "locked", "astray", "gone"])
def test_the_services_certificate_does_not_stand_in_for_an_unusable_one(own, damage):
    DAMAGES[damage](own(password=b"secret"))
    with pytest.raises(Unusable, match="^SIGNING_CERTIFICATES.*cannot be read"):
        sealed()


def test_an_expired_certificate_is_not_replaced_by_the_services(own):
    own(begin=-3 * certificates.SOON, end=-certificates.SOON)
    with pytest.raises(Unusable, match=f"^SIGNING_CERTIFICATES/{OWNER}.p12 expired"):
        sealed()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("broken", f"SIGNING_CERTIFICATES/{OWNER}.p12 cannot be read"),
        ("unknown", f"SIGNING_CERTIFICATES/{OWNER}.pem cannot be read"),
        ("misnamed", "SIGNING_CERTIFICATES/acme.p12 is not named by an organization's id."),
        ("gone", "SIGNING_CERTIFICATES cannot be read"),
        ("more than one", "SIGNING_CERTIFICATES/8.p12 cannot be read"),
        ("more than one", "SIGNING_CERTIFICATES/9.p12 cannot be read"),
    ],
)
def test_the_start_of_a_worker_names_the_file(own, damage, words):
    DAMAGES[damage](own())
    assert words in told()[0]
