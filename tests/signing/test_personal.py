"""A person's signatures: in the file of personal data, and erased unless all have signed."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest

from pipeline.database import effects
from pipeline.signing import service, tasks
from pipeline.signing.consent import CONSENT
from tests.mail.delivery import Worker
from tests.personal.conftest import told as told
from tests.personal.whole import texts
from tests.signing.conftest import CLIENT, path_of, tokens
from tests.signing.test_completion import change, waits
from tests.signing.test_emails import subjects
from tests.support import wait_until_waiting
from tests.waiting import wait_until

EMAIL, NAME = "s0@signers.example", "Zacharias"


@pytest.fixture
def lead(member):
    """A lead with the address of the first signer."""
    return member.post("/api/leads", {"first_name": NAME, "email": EMAIL}, status=201).json["id"]


@pytest.fixture
def named(member, contract):
    """The contract, with the person's name in its own."""
    return member.patch(f"/api/contracts/{contract['id']}", {"name": f"Licence of {NAME}"}, status=200).json


@pytest.fixture
def worker(jobs, post, organization):
    """The worker of the test's organization."""
    return Worker(jobs, post.settings, organization.id)


def erase(admin, lead, status=200):
    return admin.post(f"/api/leads/{lead}/erase", {"confirm": EMAIL}, status=status).json


TABLES = """select attrelid::regclass::text from pg_attribute join pg_class as c on c.oid = attrelid
    where attname = 'organization_id' and c.relkind = 'r' and c.relnamespace = 'app'::regnamespace"""


def left(owner, organization, *words):
    """The tables of the organization that hold one of the words, and "a file"."""
    patterns, tables = [f"%{word}%" for word in words], [name for (name,) in owner.execute(TABLES).fetchall()]
    holding = {name for name in tables if owner.execute(held(name), [organization.id, patterns]).rowcount}
    said = " ".join(texts(owner, [organization]))
    return holding | ({"a file"} if any(word.lower() in said for word in words) else set())


def held(table):
    """A statement that finds a row with one of the patterns."""
    return f"select from {table} as one where organization_id = %s and cast(one as text) ilike any(%s) limit 1"


def test_the_file_of_a_person_has_their_signatures_with_addresses_and_programs(
    admin, lead, request_signatures, signing
):
    request = request_signatures(1, 1)
    for signer in request["signers"]:
        signing.sign(signing.link(signer), "Pat Prospect")
    (signature,) = admin.get(f"/api/leads/{lead}/personal-data", status=200).json["signatures"]
    assert (signature["contract_id"], signature["email"]) == (request["contract_id"], EMAIL)
    assert (signature["signature_text"], signature["address"]) == ("Pat Prospect", CLIENT.address)
    assert [event["event"] for event in signature["events"]] == ["sent", "signed"]
    assert (signature["events"][1]["address"], signature["events"][1]["user_agent"]) == CLIENT[:2]


def test_an_open_request_ends_without_the_person_and_frees_the_contract(
    admin, member, owner, organization, post, contract, lead, request_signatures
):
    request = request_signatures(1, 2)
    post.deliver(organization)
    erase(admin, lead)
    record = member.get(path_of(request), status=200).json
    assert (record["status"], [signer["name"] for signer in record["signers"]]) == ("cancelled", ["Signer 1"])
    assert left(owner, organization, EMAIL) == set()
    member.patch(f"/api/contracts/{contract['id']}", {"name": "Other"}, status=200)


def test_a_request_whose_only_signer_is_erased_stays_without_signers(admin, member, lead, request_signatures):
    request = request_signatures(1)
    erase(admin, lead)
    assert member.get(path_of(request), status=200).json["signers"] == []
    assert member.get(f"/api/contracts/{request['contract_id']}/signature", status=200).json["signers"] == []


def test_the_other_signers_are_told_without_the_persons_name_and_so_is_a_webhook(
    admin, organization, post, named, lead, request_signatures, told
):
    (hook, _failing) = told(organization)
    request_signatures(1, 1)
    post.deliver(organization)
    erase(admin, lead)
    assert subjects(post.deliver(organization)) == {"s1@signers.example": "Cancelled: Licence of [erased]"}
    hook.work()
    assert "signature.cancelled" in [delivery["event"] for delivery in hook.deliveries()]


def test_of_an_erased_signer_no_word_is_left_in_the_database(
    admin, member, owner, organization, post, named, lead, request_signatures, signing
):
    request = request_signatures(1, 1, message=f"Dear {NAME} and colleague")
    links = tokens(post.deliver(organization))
    signing("decline", links["s1@signers.example"], CLIENT, "No")
    post.deliver(organization)
    assert left(owner, organization, EMAIL, NAME) >= {
        "app.signature_requests",
        "app.emails",
        "app.notifications",
        "a file",
    }
    erase(admin, lead)
    post.deliver(organization)
    assert left(owner, organization, EMAIL, NAME) == set()
    assert member.get(path_of(request), status=200).json["message"] == "Dear [erased] and colleague"


def test_a_signed_contract_is_kept_and_named(admin, member, worker, lead, request_signatures, signing):
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    assert [kept["id"] for kept in erase(admin, lead)["contracts_kept"]] == [request["contract_id"]]
    assert member.get(path_of(request), status=200).json["signers"][0]["email"] == EMAIL
    events = member.get(f"/api/contracts/{request['contract_id']}/signature", status=200).json["events"]
    assert [event["address"] for event in events if event["event"] == "signed"] == [CLIENT.address]


@pytest.mark.long
def test_an_erasure_during_the_sealing_keeps_what_is_sealed(
    admin, member, settings, worker, named, lead, request_signatures, signing
):
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        change(worker, signing_tsa_url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        sealing = threading.Thread(target=worker.run)
        sealing.start()
        asked, _address = silent.accept()
        assert [kept["name"] for kept in erase(admin, lead)["contracts_kept"]] == [f"Licence of {NAME}"]
        asked.close()
    sealing.join()
    change(worker, signing_tsa_url=settings.signing_tsa_url)
    assert worker.run() == []
    assert member.get(path_of(request)).json["status"] == "completed"


def test_the_last_signature_under_way_keeps_the_contract(
    admin, owner, signing, settings, named, lead, request_signatures
):
    token = signing.link(request_signatures(1)["signers"][0])
    with ThreadPoolExecutor(1) as pool:
        with signing.transaction():
            service.sign(settings, token, CLIENT, service.EnteredSignature("Pat", CONSENT))
            erasing = pool.submit(erase, admin, lead)
            wait_until(lambda: waits(owner))
        assert [kept["id"] for kept in erasing.result()["contracts_kept"]] == [named["id"]]


def test_a_view_and_an_erasure_do_not_wait_for_each_other(admin, organization, owner_url, lead, request_signatures):
    request = request_signatures(1)
    ids = [organization.id, request["id"], request["signers"][0]["id"]]
    viewed = """update app.signature_signers set status = 'viewed', viewed_at = now()
        where organization_id = %s and request_id = %s and id = %s"""
    told = (
        "insert into app.signature_events (organization_id, request_id, signer_id, event) values (%s, %s, %s, 'viewed')"
    )
    with psycopg.connect(organization.server(owner_url)) as viewing, ThreadPoolExecutor(1) as pool:
        viewing.execute(viewed, ids)
        erasing = pool.submit(erase, admin, lead)
        wait_until_waiting(viewing)
        viewing.execute(told, ids)
        viewing.commit()
        erasing.result()


def test_a_change_of_the_contract_and_an_erasure_do_not_wait_for_each_other(
    admin, organization, owner_url, named, lead, request_signatures
):
    request = request_signatures(1)
    with psycopg.connect(organization.server(owner_url)) as changing, ThreadPoolExecutor(1) as pool:
        lock = "select from app.contracts where organization_id = %s and id = %s for no key update"
        changing.execute(lock, [organization.id, named["id"]])
        erasing = pool.submit(erase, admin, lead)
        wait_until_waiting(changing)
        # As the trigger of the contract does it.
        asked = "select from app.signature_requests where organization_id = %s and id = %s for share"
        changing.execute(asked, [organization.id, request["id"]])
        changing.commit()
        erasing.result()


def test_an_email_to_another_signer_that_is_being_made_is_erased_too(
    admin, owner, organization, named, lead, request_signatures, worker
):
    payload = {"signer_id": request_signatures(1, 1)["signers"][1]["id"], "part": "reminder"}
    about = (organization.id, 0, "signature_email", "reminded", payload, 0, datetime.now(UTC), False)
    with ThreadPoolExecutor(1) as pool:
        with effects.organization(worker.database, organization.id):
            tasks.send_link(effects.Event(*about, worker.settings, worker.database))
            erasing = pool.submit(erase, admin, lead)
            wait_until(lambda: waits(owner))
        erasing.result()
    assert left(owner, organization, NAME) == set()
