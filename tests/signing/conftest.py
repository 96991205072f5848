"""Signature requests, and the actions of their signers."""

import contextlib
import dataclasses
import hashlib
import io
import re
import secrets

import pytest
from PIL import Image

from pipeline.signing import access, service
from pipeline.signing.consent import CONSENT
from tests.contracts.conftest import contract as contract
from tests.contracts.conftest import new_contract as new_contract
from tests.contracts.conftest import new_template as new_template
from tests.contracts.conftest import template as template
from tests.signing import envelopes

CLIENT = access.Client("192.0.2.7", "Browser/1.0")
LINK = re.compile(r"https://pipeline\.example/sign/([0-9a-f]{64})")


@pytest.fixture(autouse=True)
def sealing_settings(settings, monkeypatch):
    """A function that changes the settings of `envelopes.seal` for one test."""

    def change(**changes):
        monkeypatch.setattr(envelopes, "settings", dataclasses.replace(settings, **changes))

    change()
    return change


class Signing:
    """What the page does with a token, each call in a transaction of the forms' login, as the page has it."""

    def __init__(self, registry, organization):
        self.registry, self.forms, self.organization = registry, registry.forms, organization

    @contextlib.contextmanager
    def transaction(self):
        """A transaction as the page has it; rolled back after an exception."""
        with self.forms.transaction():
            yield

    def link(self, signer):
        """A token of a signer's, as the worker puts it into an email."""
        token = secrets.token_hex(32)
        request_id = self.organization.owner.execute(
            "select request_id from app.signature_signers where id = %s", [signer["id"]]
        ).fetchone()[0]
        token_hash = hashlib.sha256(token.encode()).hexdigest()
        self.organization.insert(
            "signature_links", request_id=request_id, signer_id=signer["id"], token_hash=token_hash
        )
        return token

    def __call__(self, name, token, *given):
        """Call a function of the service, as CLIENT: signing("decline", token, CLIENT, "No")."""
        with self.transaction():
            return getattr(service, name)(token, *(given or [CLIENT]))

    def sign(self, token, name="Pat Prospect", consent=CONSENT, drawing=None):
        """Sign by typing or drawing."""
        self("sign", self.registry.pipeline, token, CLIENT, service.EnteredSignature(name, consent, drawing))


@pytest.fixture
def signing(wsgi, organization):
    """What the signer's page does."""
    return Signing(wsgi.registry, organization)


@pytest.fixture
def request_signatures(member, contract):
    """request_signatures(*orders, **changes): a request with a signer for each order; returns its record."""

    def ask(*orders, path=f"/api/contracts/{contract['id']}/signature-requests", **changes):
        signers = [
            {"name": f"Signer {n}", "email": f"s{n}@signers.example", "party": "licensee", "order": order}
            for n, order in enumerate(orders or (1,))
        ]
        return member.post(path, {"signers": signers, **changes}, status=201).json

    return ask


def png(size=(40, 20), colour="black"):
    """A PNG of one colour."""
    made = io.BytesIO()
    Image.new("RGBA", size, colour).save(made, "PNG")
    return made.getvalue()


def path_of(request, action=""):
    """The path of a request's record."""
    return f"/api/contracts/{request['contract_id']}/signature-requests/{request['id']}{action}"


def tokens(messages):
    """{address: token} of the links in emails, the same in text and HTML."""
    found = {}
    for message in messages:
        texts = [message.get_body([kind]).get_content() for kind in ("plain", "html")]
        (found[message["To"].addresses[0].addr_spec],) = {token for text in texts for token in LINK.findall(text)}
    return found
