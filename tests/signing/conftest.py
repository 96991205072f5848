import contextlib
import dataclasses
import hashlib
import re
import secrets
import socket
import threading
from urllib.parse import urlencode

import pytest
from webtest import TestApp

from pipeline.signing import access, service
from pipeline.signing.consent import CONSENT
from tests.contracts.conftest import contract as contract
from tests.contracts.conftest import made as made
from tests.contracts.conftest import new_contract as new_contract
from tests.contracts.conftest import new_template as new_template
from tests.contracts.conftest import path as path
from tests.contracts.conftest import template as template
from tests.forms.paper import Paper
from tests.http.applications import application
from tests.mail.delivery import Worker
from tests.signing import envelopes
from tests.signing.authorities import authority

CLIENT = access.Client("192.0.2.7", "Browser/1.0")
LINK = re.compile(r"https://pipeline\.example/sign/([0-9a-f]{64})")


@pytest.fixture(autouse=True)
def sealing_settings(settings, monkeypatch):
    """A function that changes the settings of `envelopes.seal` for one test."""

    def change(**changes):
        monkeypatch.setattr(envelopes, "settings", dataclasses.replace(settings, **changes))

    change()
    return change


@pytest.fixture(scope="module")
def issuer():
    with authority() as made:
        yield made


@pytest.fixture
def worker(jobs, post, organization):
    return Worker(jobs, post.settings, organization.id)


@pytest.fixture
def deliver(post, organization):
    return lambda: post.deliver(organization)


@pytest.fixture
def counting(settings):
    """A client of an application that counts for real, by itself."""
    changes = {"rate_limit_factor": 1, "redis_url": "redis://127.0.0.1:1/0", "database_pool": 2}
    with application(settings, **changes) as app:
        yield TestApp(app, extra_environ={"REMOTE_ADDR": "10.0.0.1"})


class Signing:
    """What the page does with a token: signing("decline", token, "No") calls the service as CLIENT."""

    def __init__(self, registry, organization):
        self.registry, self.forms, self.organization = registry, registry.forms, organization

    def link(self, signer):
        """A token of a signer's, as the worker puts it into an email."""
        token = secrets.token_hex(32)
        request = "select request_id from app.signature_signers where id = %s"
        (request_id,) = self.organization.owner.execute(request, [signer["id"]]).fetchone()
        token_hash = hashlib.sha256(token.encode()).hexdigest()
        self.organization.insert(
            "signature_links", request_id=request_id, signer_id=signer["id"], token_hash=token_hash
        )
        return token

    def transaction(self, token):
        """A transaction of the page, on the server of its organization."""
        return access.database(self.forms, token).transaction()

    def __call__(self, name, token, *given):
        with self.transaction(token):
            return getattr(service, name)(token, CLIENT, *given)

    def sign(self, token, name=None, drawing=None):
        """Sign by typing or drawing, by the signer's own name unless another one is given."""
        with self.transaction(token):
            name = name or service.open_signing(token, CLIENT)["signer_name"]
            signature = service.EnteredSignature(name, CONSENT, drawing, confirmed=name)
            service.sign(self.registry.pipeline, token, CLIENT, signature, contextlib.nullcontext())


@pytest.fixture
def signing(wsgi, organization):
    return Signing(wsgi.registry, organization)


@pytest.fixture
def requested(member, contract):
    """requested(*orders, **changes): a request with a signer for each order; returns its record."""

    def ask(*orders, path=f"/api/contracts/{contract['id']}/signature-requests", **changes):
        signers = [
            {"name": f"Signer {n}", "email": f"s{n}@signers.example", "party": "licensee", "order": order}
            for n, order in enumerate(orders or (1,))
        ]
        return member.post(path, {"signers": signers, "confirm": ["blanks"], **changes}, status=201).json

    return ask


@pytest.fixture
def ask(requested, signing, anonymous):
    """ask(*orders, **changes): the record of a request, and the page of each signer's link."""

    def open_all(*orders, **changes):
        record = requested(*orders, **changes)
        links = [signing.link(signer) for signer in record["signers"]]
        return record, *(Paper(anonymous.app, f"/sign/{token}") for token in links)

    return open_all


@pytest.fixture
def statuses(member):
    return lambda request: [signer["status"] for signer in member.get(path_of(request)).json["signers"]]


@pytest.fixture
def evidence(member):
    """evidence(request): what the API tells of the signatures of its contract."""
    return lambda request: member.get(f"/api/contracts/{request['contract_id']}/signature", status=200).json


def path_of(request, action=""):
    return f"/api/contracts/{request['contract_id']}/signature-requests/{request['id']}{action}"


def tokens(messages):
    """{address: token} of the links in emails, the same in text and HTML."""
    found = {}
    for message in messages:
        texts = [message.get_body([kind]).get_content() for kind in ("plain", "html")]
        (found[message["To"].addresses[0].addr_spec],) = {token for text in texts for token in LINK.findall(text)}
    return found


def subjects(messages):
    return {message["To"].addresses[0].addr_spec: message["Subject"] for message in messages}


def change(worker, **changes):
    worker.settings = dataclasses.replace(worker.settings, **changes)


@contextlib.contextmanager
def sealing_under_way(worker):
    """The worker seals, and waits for its time-stamp authority until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        change(worker, signing_tsa_url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        sealing = threading.Thread(target=worker.run)
        sealing.start()
        asked, _address = silent.accept()
        yield
        asked.close()
    sealing.join()


def beside(paper, name):
    """The path of a file of the page's link."""
    return f"/sign/{name}/{paper.path.split('/')[2].partition('?')[0]}"


def agree(paper, **typed):
    """Fill in the form of a page, by the signer's name, and send it."""
    consent = paper.html.select_one("[name=consent]")["value"]
    given = {"signature": paper.text(".facts bdi")[0], "consent": [consent], **typed}
    return paper.fill(**given).press("sign")


def send(paper, go, **fields):
    """Send the form of a button, whether the page has it or not."""
    paper.response = paper.app.post(paper.path, urlencode({**fields, "_go": go}), headers=paper.headers, status="*")
    return paper.open(paper.response.headers["Location"]) if paper.response.status_int == 303 else paper


def end(owner, request, status, days=0):
    """End a request some days ago, as the worker or the time does it."""
    sealed = "document_file_id" if status == "completed" else "null"
    owner.execute(
        "update app.signature_requests set status = %s, ended_at = now() - make_interval(days => %s),"
        f" sealed_file_id = {sealed} where id = %s",
        [status, days, request["id"]],
    )


def code_in(message):
    """The six digits in an email."""
    words = message.get_body(["plain"]).get_content().split()
    return next(word for word in words if len(word) == 6 and word.isdecimal())
