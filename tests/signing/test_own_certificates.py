"""Certificates of organizations: they seal and verify only the organization's own contracts."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from pipeline.signing import sealing, tasks
from pipeline.signing.sealing import Unusable, certificates, pades, verify
from tests.mail.delivery import Worker
from tests.signing import envelopes
from tests.signing.authorities import DAY, authority
from tests.signing.conftest import path_of
from tests.signing.envelopes import LAYOUT, content, envelope, seal, shown

OWNER = envelope().organization_id


@pytest.fixture(scope="module")
def issuer():
    """An Authority."""
    with authority() as made:
        yield made


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


@pytest.fixture
def checked(tmp_path):
    """A function from the bytes of a file to its Verification."""

    def check(pdf):
        file = tmp_path / "file.pdf"
        file.write_bytes(pdf)
        with file.open("rb") as opened:
            return verify(envelopes.settings, opened)

    return check


def sealed_for(id):
    """A contract of an organization."""
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


def test_an_organization_seals_with_its_own_certificate_and_others_with_the_services(own, checked):
    own(password=b"secret")
    found = [checked(sealed_for(id)) for id in (OWNER, OWNER + 1)]
    assert [one.intact for one in found] == [True, True]
    assert [one.organization_name for one in found] == ["Acme Seals", "Acme Licensing"]
    assert certificates.check(envelopes.settings).endswith("; organizations with their own: 1")


def test_the_certificate_of_one_organization_does_not_vouch_for_another(own, checked):
    own(OWNER + 1)
    found = checked(forged(OWNER + 1))
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
def test_a_note_of_another_form_is_not_told(own, checked, note):
    own()
    assert not checked(forged(OWNER, **note)).intact


def test_an_earlier_certificate_of_an_organization_is_still_known(own, checked):
    folder = own()
    former, pem = sealed_for(OWNER), (folder / f"{OWNER}.pem").read_bytes()
    own()
    with (folder / f"{OWNER}.pem").open("ab") as file:
        file.write(pem)
    assert checked(former).intact


@pytest.mark.long
def test_a_broken_file_of_one_organization_hides_no_other(own, checked):
    folder = own()
    (folder / "8.pem").write_bytes(b"-----BEGIN CERTIFICATE-----\nno")
    (folder / "9.pem").mkdir()
    assert checked(sealed_for(OWNER)).intact


def broken(folder):
    (folder / f"{OWNER}.p12").write_bytes(b"no certificate")


def locked(folder):
    (folder / f"{OWNER}.password").write_bytes(b"wrong")


def astray(folder):
    (folder / f"{OWNER}.p12").unlink()
    (folder / f"{OWNER}.p12").symlink_to("/nowhere.p12")


def gone(folder):
    folder.rename(folder.with_name("elsewhere"))


@pytest.mark.parametrize("damage", [broken, locked, astray, gone])
def test_the_services_certificate_does_not_stand_in_for_an_unusable_one(own, damage):
    damage(own(password=b"secret"))
    with pytest.raises(Unusable, match="^SIGNING_CERTIFICATES.*cannot be read"):
        sealed_for(OWNER)


def test_an_expired_certificate_is_not_replaced_by_the_services(own):
    own(begin=-3 * certificates.SOON, end=-certificates.SOON)
    with pytest.raises(Unusable, match=f"^SIGNING_CERTIFICATES/{OWNER}.p12 expired"):
        sealed_for(OWNER)


def unknown(folder):
    (folder / f"{OWNER}.pem").unlink()


def misnamed(folder):
    (folder / f"{OWNER}.p12").rename(folder / "acme.p12")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (broken, f"SIGNING_CERTIFICATES/{OWNER}.p12 cannot be read"),
        (unknown, f"SIGNING_CERTIFICATES/{OWNER}.pem cannot be read"),
        (misnamed, "SIGNING_CERTIFICATES/acme.p12 is not named by an organization's id."),
        (gone, "SIGNING_CERTIFICATES cannot be read"),
    ],
)
def test_the_start_of_a_worker_names_the_file(own, damage, words):
    damage(own())
    with capture_logs() as logs:
        sealing.tell_unusable(envelopes.settings)
    assert words in logs[0]["error"]


def test_all_unusable_certificates_are_named_at_once(own):
    folder = own()
    for id in (8, 9):
        (folder / f"{id}.p12").write_bytes(b"no certificate")
    with pytest.raises(Unusable, match=r"8\.p12 cannot be read.*9\.p12 cannot be read"):
        certificates.check(envelopes.settings)


@pytest.mark.long
def test_a_contract_waits_until_its_organizations_certificate_is_usable(
    own, member, jobs, post, organization, settings, request_signatures, signing
):
    folder = own(organization.id)
    store = folder / f"{organization.id}.p12"
    whole = store.read_bytes()
    store.write_bytes(b"no certificate")
    worker = Worker(jobs, replace(post.settings, signing_certificates=str(folder)), organization.id)
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]))
    assert len(worker.run()) == 1
    assert member.get(path_of(request)).json["error"] == tasks.NO_SEAL
    store.write_bytes(whole)
    assert worker.run() == []
    evidence = member.get(f"/api/contracts/{request['contract_id']}/signature", status=200).json
    assert evidence["seal"]["certificate"] == "Acme Seals"
