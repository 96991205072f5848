"""One message over HTTP: ten seconds in all, 64 kB of the response, no redirects, and TLS by name."""

import socket
import ssl
import time

import pytest

from pipeline.changes.webhooks import transport
from pipeline.changes.webhooks.transport import NoAnswer, post
from tests.mail.certificates import serving, write_certificate
from tests.webhooks.receiver import Receiver, respond

BODY, OK = b'{"type":"lead.created"}', b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def send(settings, receiver):
    """send(answer, seconds): the Answer of a receiver that answers by `answer(handler, number)`."""

    def sending(answer=None, seconds=transport.SECONDS):
        receiver.answer = answer
        return post(receiver.url, {"webhook-id": "msg_1"}, BODY, settings, seconds)

    return sending


def test_a_redirect_is_an_answer_and_not_followed(send, receiver):
    assert send(lambda handler, _: respond(handler, 307, Location=receiver.url)).code == 307
    assert len(receiver.received) == 1


def test_64_kilobytes_of_a_huge_response_are_read(send):
    code, body, _ = send(lambda handler, _: respond(handler, 200, b"x" * 50_000_000))
    assert (code, len(body)) == (200, 64 * 1024)


def dribble(handler, _number):
    """A byte now and then: each of them in time, all of them never."""
    handler.wfile.write(OK + b"Content-Length: 1000\r\n\r\n")
    for _ in range(100):
        handler.wfile.write(b"x")
        time.sleep(0.05)


@pytest.mark.parametrize("answer", [lambda *_: time.sleep(2), dribble], ids=["silent", "dribble"])
def test_a_receiver_that_takes_too_long_is_given_up(send, answer):
    with pytest.raises(NoAnswer, match=r"within 0.5 seconds"):
        send(answer, seconds=0.5)


def test_a_receiver_that_reads_nothing_is_given_up(settings):
    with socket.create_server(("127.0.0.1", 0)) as deaf, pytest.raises(NoAnswer, match=r"within 0.3 seconds"):
        post(f"http://127.0.0.1:{deaf.getsockname()[1]}/", {}, b"x" * 50_000_000, settings, 0.3)


@pytest.mark.parametrize(
    "answer",
    [OK + b"X-More: yes\r\n" * 50_000, b"SSH-2.0-OpenSSH_9.6\r\n", OK + b"Content-Length: 1000\r\n\r\nhalf"],
    ids=["endless headers", "garbage", "broken off"],
)
def test_a_receiver_without_http_is_a_failure(send, answer):
    with pytest.raises(NoAnswer, match="not HTTP, or was broken off|No connection"):
        send(lambda handler, _: handler.wfile.write(answer))


def test_a_receiver_that_is_killed_is_no_answer(send, receiver):
    receiver.stop()
    with pytest.raises(NoAnswer, match="No connection: Connection refused"):
        send()
    receiver.start()
    assert send().code == 204


@pytest.fixture
def secure(tmp_path, monkeypatch, names):
    """A Receiver by TLS, whose certificate is for 127.0.0.1 and trusted here."""
    path = write_certificate(tmp_path)
    context = ssl.create_default_context(cafile=path)
    monkeypatch.setattr(transport, "tls", lambda: context)
    running = Receiver(context=serving(path))
    yield running
    running.stop()


def test_the_certificate_must_be_of_the_name_in_the_url_not_of_the_address(secure, names, settings):
    names.names["hooks.example.com"] = [["127.0.0.1"]]
    assert post(secure.url, {}, BODY, settings).code == 204
    with pytest.raises(NoAnswer, match="TLS failed: Hostname mismatch"):
        post(f"https://hooks.example.com:{secure.port}/", {}, BODY, settings)
    assert len(secure.received) == 1


def test_a_certificate_that_nobody_trusts_is_refused(secure, monkeypatch, settings):
    monkeypatch.setattr(transport, "tls", ssl.create_default_context)
    with pytest.raises(NoAnswer, match="TLS failed: self-signed certificate"):
        post(secure.url, {}, BODY, settings)
