"""While a server of somebody else is waited for, nothing is held, and every request about the record is answered.

No request here waits for the end of the block in which the server is silent: its test would never end.
"""

import contextlib
import dataclasses
import socket
import threading

import pytest

from tests.isolation.prepared import removable_user
from tests.mail.conftest import mail_settings as mail_settings
from tests.mail.conftest import server as server
from tests.mail.conftest import worker as worker
from tests.mail.delivery import Worker
from tests.signing.conftest import contract as contract
from tests.signing.conftest import new_contract as new_contract
from tests.signing.conftest import new_template as new_template
from tests.signing.conftest import path as path
from tests.signing.conftest import path_of, sealing_under_way
from tests.signing.conftest import requested as requested
from tests.signing.conftest import signing as signing
from tests.signing.conftest import template as template
from tests.support import interview
from tests.waiting import SECONDS, wait_until
from tests.webhooks.conftest import crm as crm
from tests.webhooks.conftest import hook as hook
from tests.webhooks.conftest import names as names
from tests.webhooks.conftest import receiver as receiver

OPEN = """
select query from pg_stat_activity
where usename = 'pipeline_jobs' and datname = current_database() and xact_start is not null"""


@contextlib.contextmanager
def working(run, begun, ended):
    """`run()` in a thread, which waits for the server from `begun()` on; the server goes on after the block."""
    failed = []
    thread = threading.Thread(target=lambda: failed.extend(run() or []))
    thread.start()
    try:
        begun()
        yield
    finally:
        ended()
        thread.join(SECONDS)
    assert not thread.is_alive()


@pytest.fixture
def silent_greeting(worker):
    """silent_greeting(): the worker's mail server takes the connection and says nothing."""

    @contextlib.contextmanager
    def wait():
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
            mute = Worker(worker.database, dataclasses.replace(worker.settings, smtp_url=url), worker.organization_id)
            asked = []
            with working(
                mute.run, lambda: asked.append(silent.accept()[0]), lambda: [silent.close(), asked[0].close()]
            ):
                yield

    return wait


@pytest.fixture
def silent_content(worker, server):
    """silent_content(): the worker's mail server has the content and does not answer."""

    @contextlib.contextmanager
    def wait():
        begun, ended = threading.Event(), threading.Event()
        server.seen = lambda _content: [begun.set(), ended.wait(SECONDS)]
        with working(worker.run, lambda: begun.wait(SECONDS), ended.set):
            yield

    return wait


@pytest.fixture(params=["silent_greeting", "silent_content"])
def silent_mail(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def nothing_held(organization):
    """nothing_held(): the worker has no open transaction, and so no lock."""
    return lambda: wait_until(lambda: not organization.owner.execute(OPEN).rowcount, lambda: "It holds a transaction.")


def test_an_invite_and_its_lead_are_free_while_its_email_is_sent(
    organization, anonymous, admin, worker, silent_mail, nothing_held
):
    lead = admin.post("/api/leads", {"first_name": "Pat", "email": "pat@prospect.example"}, status=201).json["id"]
    invite = organization.invite(lead_id=lead, send_email=True)
    deleted = organization.invite(organization.template(slug="other"), lead_id=lead, send_email=True)
    for event in worker.open():
        worker.deliver(event)
    with silent_mail():
        nothing_held()
        anonymous.post(f"{interview(invite)}/submit", {"answers": {"product_line": "server"}}, status=200)
        for one in (deleted, invite):
            admin.delete(f"/api/interview-invites/{one['id']}", status=204)
        admin.patch(f"/api/leads/{lead}", {"notes": "Called"}, status=200)
        admin.post(f"/api/leads/{lead}/erase", {"confirm": "pat@prospect.example"}, status=200)
        nothing_held()


def test_a_lead_is_erased_while_the_email_of_its_invite_is_sent(organization, admin, worker, silent_mail, nothing_held):
    lead = admin.post("/api/leads", {"first_name": "Pat", "email": "pat@prospect.example"}, status=201).json["id"]
    organization.invite(lead_id=lead, send_email=True)
    for event in worker.open():
        worker.deliver(event)
    with silent_mail():
        nothing_held()
        admin.post(f"/api/leads/{lead}/erase", {"confirm": "pat@prospect.example"}, status=200)
    assert worker.run() == []


def test_a_person_is_free_while_a_link_is_sent(organization, anonymous, admin, silent_mail, nothing_held):
    email = f"colleague@{organization.name}.example"
    anonymous.post("/api/auth/password/forgot", {"email": email}, status=202)
    with silent_mail():
        nothing_held()
        anonymous.post("/api/auth/password/forgot", {"email": email}, status=202)
        user = removable_user(organization)["id"]
        admin.patch(f"/api/users/{user}", {"seat_active": False}, status=200)
        admin.delete(f"/api/users/{user}", status=204)


def test_a_signature_request_is_free_while_its_email_is_sent(admin, worker, requested, silent_mail, nothing_held):
    request = requested(1)
    worker.deliver(worker.open()[0])
    with silent_mail():
        nothing_held()
        admin.post(path_of(request, "/remind"), status=200)
        admin.post(path_of(request, "/cancel"), status=200)
        admin.delete(f"/api/contracts/{request['contract_id']}", status=204)


def test_a_contract_is_free_while_the_time_stamp_authority_is_asked(admin, worker, requested, signing, nothing_held):
    request = requested(1)
    signing.sign(signing.link(request["signers"][0]))
    contract = f"/api/contracts/{request['contract_id']}"
    with sealing_under_way(worker):
        nothing_held()
        admin.post(f"{contract}/notes", {"content": "Signed"}, status=201)
        for path in (contract, f"{contract}/signature", path_of(request)):
            admin.get(path, status=200)
        for call in (admin.post(path_of(request, "/cancel")), admin.delete(contract)):
            assert call.status_int in (409, 410)
        nothing_held()


def test_a_lead_and_its_webhook_are_free_while_the_receiver_is_waited_for(admin, crm, receiver, nothing_held):
    lead = admin.post("/api/leads", {"first_name": "Pat", "email": "pat@prospect.example"}, status=201).json["id"]
    begun, ended = threading.Event(), threading.Event()
    receiver.answer = lambda _handler, _number: [begun.set(), ended.wait(SECONDS)]
    with working(crm.work, lambda: begun.wait(SECONDS), ended.set):
        nothing_held()
        admin.patch(f"/api/leads/{lead}", {"notes": "Called"}, status=200)
        admin.post(f"{crm.path}/rotate", status=200)
        admin.post(f"/api/leads/{lead}/erase", {"confirm": "pat@prospect.example"}, status=200)
        admin.delete(crm.path, status=204)
        nothing_held()


def test_a_webhook_is_saved_without_a_transaction_while_its_host_is_looked_up(organization, admin, names):
    resolve, saved = names.resolve_name, {"path": "/api/webhooks"}
    for method, host in ((admin.post, "first.example.com"), (admin.patch, "second.example.com")):
        begun, ended = threading.Event(), threading.Event()
        names.names[host] = [["93.184.216.34"]]
        names.resolve_name = lambda name, lifetime, begun=begun, ended=ended: (
            begun.set(),
            ended.wait(SECONDS),
            resolve(name, lifetime),
        )[-1]
        body = {"url": f"https://{host}/hook", "events": ["lead.created"]}
        with working(
            lambda method=method, body=body: saved.update(method(saved["path"], body).json),
            lambda begun=begun: begun.wait(SECONDS),
            ended.set,
        ):
            assert organization.owner.execute(OPEN.replace("pipeline_jobs", "pipeline_app")).fetchall() == []
        saved["path"] = f"/api/webhooks/{saved['id']}"
        assert saved["url"] == body["url"]
