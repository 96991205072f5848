"""Certificates of organizations: they seal and verify only the organization's own contracts."""

import pytest

from pipeline.signing.sealing import Unusable, certificates, pades
from tests.signing import envelopes
from tests.signing.authorities import DAY
from tests.signing.envelopes import LAYOUT, content, envelope, seal, shown, verified
from tests.signing.test_certificates import told

OWNER = envelope().organization_id


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


def sealed_for(id):
    return seal(envelope(organization_id=id), content(), LAYOUT)


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
    found = [verified(sealed_for(id)) for id in (OWNER, OWNER + 1)]
    assert [one.intact for one in found] == [True, True]
    assert [one.organization_name for one in found] == ["Acme Seals", "Acme Licensing"]
    assert certificates.check(envelopes.settings).endswith("; organizations with their own: 1")


def test_the_certificate_of_one_organization_does_not_vouch_for_another(own):
    own(OWNER + 1)
    found = verified(forged(OWNER + 1))
    assert (found.ours, found.intact, found.reason) == (False, False, "foreign_seal")
    assert found.contract_number is None


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
    former, pem = sealed_for(OWNER), (folder / f"{OWNER}.pem").read_bytes()
    own()
    with (folder / f"{OWNER}.pem").open("ab") as file:
        file.write(pem)
    assert verified(former).intact


@pytest.mark.long
def test_a_broken_file_of_one_organization_hides_no_other(own):
    folder = own()
    (folder / "8.pem").write_bytes(b"-----BEGIN CERTIFICATE-----\nno")
    (folder / "9.pem").mkdir()
    assert verified(sealed_for(OWNER)).intact


def astray(folder):
    (folder / f"{OWNER}.p12").unlink()
    (folder / f"{OWNER}.p12").symlink_to("/nowhere.p12")


DAMAGES = {
    "broken": lambda folder: (folder / f"{OWNER}.p12").write_bytes(b"no certificate"),
    "locked": lambda folder: (folder / f"{OWNER}.password").write_bytes(b"wrong"),
    "astray": astray,
    "gone": lambda folder: folder.rename(folder.with_name("elsewhere")),
    "unknown": lambda folder: (folder / f"{OWNER}.pem").unlink(),
    "misnamed": lambda folder: (folder / f"{OWNER}.p12").rename(folder / "acme.p12"),
}


@pytest.mark.parametrize("damage", ["broken", "locked", "astray", "gone"])
def test_the_services_certificate_does_not_stand_in_for_an_unusable_one(own, damage):
    DAMAGES[damage](own(password=b"secret"))
    with pytest.raises(Unusable, match="^SIGNING_CERTIFICATES.*cannot be read"):
        sealed_for(OWNER)


def test_an_expired_certificate_is_not_replaced_by_the_services(own):
    own(begin=-3 * certificates.SOON, end=-certificates.SOON)
    with pytest.raises(Unusable, match=f"^SIGNING_CERTIFICATES/{OWNER}.p12 expired"):
        sealed_for(OWNER)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("broken", f"SIGNING_CERTIFICATES/{OWNER}.p12 cannot be read"),
        ("unknown", f"SIGNING_CERTIFICATES/{OWNER}.pem cannot be read"),
        ("misnamed", "SIGNING_CERTIFICATES/acme.p12 is not named by an organization's id."),
        ("gone", "SIGNING_CERTIFICATES cannot be read"),
    ],
)
def test_the_start_of_a_worker_names_the_file(own, damage, words):
    DAMAGES[damage](own())
    assert words in told()[0]


def test_all_unusable_certificates_are_named_at_once(own):
    folder = own()
    for id in (8, 9):
        (folder / f"{id}.p12").write_bytes(b"no certificate")
    (error,) = told()
    assert ("8.p12 cannot be read" in error, "9.p12 cannot be read" in error) == (True, True)
