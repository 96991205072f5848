"""An email whose acceptance is not known is sent again as it was, so that either copy has a link that works."""

import dataclasses

import pytest

from pipeline.signing import service
from tests.mail.delivery import Worker
from tests.mail.post import LINK
from tests.signing.conftest import CLIENT, code_in, tokens

SIGNER = "s0@signers.example"


@pytest.fixture
def twice(post, organization):
    """twice(): what is sent, the mail server taking each email twice, as it gave no answer to the first one."""

    def send(**between):
        worker = Worker(post.jobs, post.settings, organization.id)
        before = len(post.server.accepted)
        post.server.drop = "taken"
        worker.run()
        post.server.drop, middle = None, len(post.server.accepted)
        worker.settings = dataclasses.replace(worker.settings, **between)
        worker.run()
        assert sorted(post.server.accepted[before:middle]) == sorted(post.server.accepted[middle:])
        return post.server.messages[middle:]

    yield send
    post.server.drop = None


def test_a_link_for_a_new_password(twice, anonymous, organization):
    anonymous.post("/api/auth/password/forgot", {"email": f"member@{organization.name}.example"}, status=202)
    (message,) = twice()
    token = LINK.search(message.get_body(["plain"]).get_content())[2]
    body = {"token": token, "password": "rather violet umbrella 7"}
    anonymous.post("/api/auth/password/reset", body, status=204)


def test_an_invitation_to_the_organization(twice, admin, anonymous):
    admin.post("/api/users", {"email": "kim@mail.example", "name": "Kim"}, status=201)
    (message,) = twice()
    token = LINK.search(message.get_body(["plain"]).get_content())[2]
    anonymous.post(
        "/api/auth/activate", {"token": token, "name": "Kim", "password": "rather violet umbrella 7"}, status=200
    )


def test_an_invite_to_an_interview(twice, organization, anonymous):
    invite = organization.invite(send_email=True)
    (message,) = twice()
    assert invite["public_url"] in message.get_body(["plain"]).get_content()


def test_a_request_to_sign_and_a_code(twice, requested, signing):
    requested(1, verify_email=True)
    token = tokens(twice())[SIGNER]
    _asked, secret = signing("send_code", token)
    (message,) = twice()
    with signing.transaction(token):
        assert service.check_code(token, CLIENT._replace(secret=secret), code_in(message))[0] == service.RIGHT


def test_the_link_to_the_signed_copy(twice, requested, signing, deliver):
    requested(1)
    signing.sign(tokens(deliver())[SIGNER])
    message = next(message for message in twice() if message["To"].addresses[0].addr_spec == SIGNER)
    assert signing("signed_copy", tokens([message])[SIGNER])


def test_another_key_does_not_stop_the_second_one_if_the_first_is_kept(twice, post, requested, signing):
    requested(1)
    post.settings = dataclasses.replace(post.settings, jwt_secret="1" * 32)
    changes = {"jwt_secret": "2" * 32, "jwt_key_id": "2", "jwt_retired_keys": f"{post.settings.jwt_key_id}:{'1' * 32}"}
    assert signing("open_signing", tokens(twice(**changes))[SIGNER])
