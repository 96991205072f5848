"""A person's signatures: in the file of personal data, and erased unless all have signed."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from pipeline.database import effects
from pipeline.signing import service, tasks
from pipeline.signing.consent import CONSENT
from tests.personal.conftest import texts
from tests.personal.conftest import told as told
from tests.signing.conftest import CLIENT, change, path_of, sealing_under_way, subjects, tokens
from tests.support import held_up, wait_until_waiting

EMAIL, NAME = "s0@signers.example", "Zacharias"


@pytest.fixture
def lead(member):
    return member.post("/api/leads", {"first_name": NAME, "email": EMAIL}, status=201).json["id"]


@pytest.fixture
def named(member, contract):
    """The contract, with the person's name in its own."""
    return member.patch(f"/api/contracts/{contract['id']}", {"name": f"Licence of {NAME}"}, status=200).json


@pytest.fixture
def erase(admin, lead):
    return lambda: admin.post(f"/api/leads/{lead}/erase", {"confirm": EMAIL}, status=200).json


def left(organization, *words):
    """The tables of the organization that hold one of the words, and "a file"."""
    stored = {name: " ".join(rows).lower() for name, rows in organization.rows().items()}
    stored["a file"] = " ".join(texts(organization.owner, [organization]))
    return {name for name, text in stored.items() if any(word.lower() in text for word in words)}


def test_the_file_of_a_person_has_their_signatures_with_addresses_and_programs(admin, lead, requested, signing):
    request = requested(1, 1)
    for signer in request["signers"]:
        signing.sign(signing.link(signer))
    (signature,) = admin.get(f"/api/leads/{lead}/personal-data", status=200).json["signatures"]
    assert (signature["contract_id"], signature["email"]) == (request["contract_id"], EMAIL)
    assert (signature["signature_text"], signature["address"]) == ("Signer 0", CLIENT.address)
    assert [event["event"] for event in signature["events"]] == ["signed"]
    assert (signature["events"][0]["address"], signature["events"][0]["user_agent"]) == CLIENT[:2]


@pytest.mark.parametrize(("orders", "others"), [((1, 2), ["Signer 1"]), ((1,), [])])
def test_an_open_request_ends_without_the_erased_signer_and_frees_the_contract(
    erase, member, organization, deliver, contract, evidence, requested, signing, orders, others
):
    request = requested(*orders)
    link = tokens(deliver())[EMAIL]
    erase()
    assert signing("open_signing", link) is None
    record = member.get(path_of(request), status=200).json
    assert (record["status"], [signer["name"] for signer in record["signers"]]) == ("cancelled", others)
    assert len(evidence(request)["signers"]) == len(others)
    assert left(organization, EMAIL) == set()
    member.patch(f"/api/contracts/{contract['id']}", {"name": "Other"}, status=200)


@pytest.mark.usefixtures("named")
def test_others_are_told_without_the_persons_name_and_so_is_a_webhook(erase, organization, deliver, requested, told):
    (hook, _failing) = told(organization)
    requested(1, 1)
    deliver()
    erase()
    assert subjects(deliver()) == {"s1@signers.example": "Cancelled: Licence of [erased]"}
    hook.work()
    assert "signature.cancelled" in [delivery["event"] for delivery in hook.deliveries()]


@pytest.mark.usefixtures("named")
def test_erasing_a_signer_leaves_no_word_in_the_database(erase, member, organization, deliver, requested, signing):
    request = requested(1, 1, message=f"Dear {NAME} and colleague")
    links = tokens(deliver())
    signing("decline", links["s1@signers.example"], "No")
    deliver()
    assert left(organization, EMAIL, NAME) >= {"signature_requests", "emails", "notifications", "a file"}
    erase()
    deliver()
    assert left(organization, EMAIL, NAME) == set()
    assert member.get(path_of(request), status=200).json["message"] == "Dear [erased] and colleague"


def test_a_signed_contract_is_kept_and_named(erase, worker, evidence, requested, signing):
    request = requested(1)
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    assert [kept["id"] for kept in erase()["contracts_kept"]] == [request["contract_id"]]
    found = evidence(request)
    assert found["signers"][0]["email"] == EMAIL
    assert [event["address"] for event in found["events"] if event["event"] == "signed"] == [CLIENT.address]


@pytest.mark.long
@pytest.mark.usefixtures("named")
def test_an_erasure_during_the_sealing_keeps_what_is_sealed(erase, member, settings, worker, requested, signing):
    request = requested(1)
    signing.sign(signing.link(request["signers"][0]))
    with sealing_under_way(worker):
        assert [kept["name"] for kept in erase()["contracts_kept"]] == [f"Licence of {NAME}"]
    change(worker, signing_tsa_url=settings.signing_tsa_url)
    assert worker.run() == []
    assert member.get(path_of(request)).json["status"] == "completed"


def test_the_last_signature_under_way_keeps_the_contract(erase, signing, settings, named, requested):
    token = signing.link(requested(1)["signers"][0])
    with ThreadPoolExecutor(1) as pool:
        with signing.transaction(token) as connection:
            service.sign(
                settings, token, CLIENT, service.EnteredSignature("Signer 0", CONSENT), contextlib.nullcontext()
            )
            erasing = pool.submit(erase)
            wait_until_waiting(connection)
        assert [kept["id"] for kept in erasing.result()["contracts_kept"]] == [named["id"]]


VIEW = "update app.signature_signers set status = 'viewed', viewed_at = now() where organization_id = %s and id = %s"
TELL = """
    insert into app.signature_events (organization_id, request_id, signer_id, event)
    select organization_id, request_id, id, 'viewed' from app.signature_signers
    where organization_id = %s and id = %s"""


def test_a_view_and_an_erasure_do_not_wait_for_each_other(erase, organization, owner, requested):
    signer = [organization.id, requested(1)["signers"][0]["id"]]
    held_up(owner, VIEW, signer, erase, meanwhile=lambda: owner.execute(TELL, signer))


def test_a_change_and_an_erasure_do_not_wait_for_each_other(erase, organization, owner, named, requested):
    request = [organization.id, requested(1)["id"]]
    lock = "select from app.contracts where organization_id = %s and id = %s for no key update"
    # As the trigger of the contract does it.
    asked = "select from app.signature_requests where organization_id = %s and id = %s for share"
    held_up(owner, lock, [organization.id, named["id"]], erase, meanwhile=lambda: owner.execute(asked, request))


@pytest.mark.usefixtures("named")
def test_an_email_to_another_signer_that_is_being_made_is_erased_too(erase, organization, requested, worker):
    payload = {"signer_id": requested(1, 1)["signers"][1]["id"], "part": "reminder"}
    about = (organization.id, 0, "signature_email", "reminded", payload, 0, datetime.now(UTC), False)
    with ThreadPoolExecutor(1) as pool:
        with effects.organization(worker.database, organization.id) as connection:
            tasks.send_link(effects.OutboxEvent(*about, worker.settings, worker.database))
            erasing = pool.submit(erase)
            wait_until_waiting(connection)
        erasing.result()
    assert left(organization, NAME) == set()
