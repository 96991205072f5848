"""The mail server of the settings: URL, encryption, password."""

import contextlib
import dataclasses
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from pipeline import mail
from pipeline.database.effects import Refused
from pipeline.mail import smtp
from pipeline.mail.message import Message
from pipeline.mail.smtp import NotSent, SmtpServer, connection, server_of
from pipeline.process.settings import SettingsError
from tests.mail.certificates import serving, write_certificate
from tests.mail.mailserver import MailServer
from tests.waiting import SECONDS

MESSAGE = Message("mail@pipeline.example", "pat@prospect.example", b"Subject: Hello\r\n\r\n.Hi\r\n..\r\n", False)


def send(url, message=MESSAGE, timeout=SECONDS):
    with connection(server_of(url), timeout, "pipeline.example") as dialogue:
        dialogue.offer(message)
        dialogue.transmit(message)


def password_is(expected):
    """An authenticator that takes one password."""

    def check(server, session, envelope, mechanism, data):
        given = data.password.decode() if isinstance(data, LoginPassword) else None
        return AuthResult(success=given == expected, handled=False)

    return check


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    """A certificate for 127.0.0.1 that this process trusts."""
    path = write_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return path


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example", SmtpServer("mail.example", 587, "", "", "starttls")),
        ("smtp://mail.example:25?starttls=never", SmtpServer("mail.example", 25, "", "", "none")),
        ("smtp://u%40x:p%2F%3A@mail.example", SmtpServer("mail.example", 587, "u@x", "p/:", "starttls")),
        ("smtps://u:p@mail.example", SmtpServer("mail.example", 465, "u", "p", "tls")),
        ("smtp://[::1]:2525", SmtpServer("::1", 2525, "", "", "none")),
        ("smtp://127.0.0.1?starttls=required", SmtpServer("127.0.0.1", 587, "", "", "starttls")),
    ],
)
def test_a_url_names_the_server_and_how_it_is_spoken_to(url, server):
    assert server_of(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://mail.example",
        "smtp://",
        "smtp://u:secret@mail.example:port",
        "smtp://u:secret@mail.example/path",
        "smtp://u:secret@mail.example?starttls=maybe",
        "smtp://u:secret@mail.example?tls=1",
        "smtp://u:secret%C3%A9@mail.example",
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_showing_its_password(url):
    with pytest.raises(SettingsError, match="SMTP_URL") as error:
        server_of(url)
    assert "secret" not in str(error.value)


def test_the_password_goes_over_starttls_or_tls_from_the_first_byte(certificate):
    context, checked = serving(certificate), {"authenticator": password_is("p/:")}
    with MailServer(tls_context=context, require_starttls=True, **checked) as server:
        send(server.url.replace("smtp://", "smtp://user:p%2F%3A@") + "?starttls=required")
    with MailServer(ssl_context=context) as from_the_first_byte:
        send(from_the_first_byte.url.replace("smtp://", "smtps://"))
    whole = [(MESSAGE.sender, MESSAGE.recipient, MESSAGE.content)]
    assert server.accepted == from_the_first_byte.accepted == whole, "lines that begin with a dot too"


def assert_not_sent(why, **options):
    """A server with these options gets neither password nor message, over STARTTLS."""
    with MailServer(authenticator=password_is("right"), **options) as server, pytest.raises(NotSent, match=why):
        send(server.url.replace("smtp://", "smtp://user:wrong@") + "?starttls=required")
    assert server.accepted == []


def test_a_server_without_starttls_or_that_takes_another_password_gets_no_message(certificate):
    assert_not_sent("STARTTLS", auth_require_tls=False)
    assert_not_sent("535", tls_context=serving(certificate))


@pytest.mark.parametrize(("host", "trusted"), [("127.0.0.1", False), ("127.0.0.2", True)])
def test_a_certificate_that_nobody_vouches_for_or_of_another_host_is_not_believed(host, trusted, tmp_path, monkeypatch):
    certificate = write_certificate(tmp_path, host)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert_not_sent("certificate", tls_context=serving(certificate))


def test_an_international_address_goes_to_a_server_that_takes_it(server):
    message = MESSAGE._replace(recipient="pät@prospect.example", international=True)
    send(server.url, message)
    assert server.accepted[0][1] == "pät@prospect.example"
    with MailServer(enable_SMTPUTF8=False) as old, pytest.raises(Refused, match="beyond ASCII"):
        send(old.url, message)


@pytest.mark.parametrize("code", [530, 534, 535, 538])
def test_a_refusal_of_ourselves_is_no_refusal_of_the_message(code, server):
    server.refuse["MAIL"] = f"{code} Authentication required"
    with pytest.raises(NotSent, match="Authentication required"):
        send(server.url)


@pytest.fixture
def silent():
    """(URL, how often somebody has connected) of a server that never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)

        def connections():
            count = 0
            with contextlib.suppress(TimeoutError):
                while listening.accept()[0].close() is None:
                    count += 1
            return count

        yield f"smtp://127.0.0.1:{listening.getsockname()[1]}", connections


def test_a_server_that_was_silent_is_spared_for_a_while(silent):
    url, connections = silent
    for expected in ("cannot be used", "does not answer", "does not answer"):
        with pytest.raises(NotSent, match=expected):
            send(url, timeout=0.3)
    assert connections() == 1


def test_a_silent_server_is_tried_again_by_one_at_a_time(silent, monkeypatch):
    url, connections = silent
    monkeypatch.setitem(smtp._silent, server_of(url), 0)
    with ThreadPoolExecutor(4) as threads:
        failures = threads.map(lambda _: pytest.raises(NotSent, send, url, timeout=0.3), range(4))
    assert sum("cannot be used" in str(failure.value) for failure in failures) == 1
    assert connections() == 1


@pytest.mark.parametrize(("name", "value"), [("mail_from", ""), ("mail_from", "nobody"), ("smtp_url", "")])
def test_the_worker_asks_for_what_mail_needs_before_it_starts(name, value, mail_settings):
    mail.check(mail_settings)
    mail.check(dataclasses.replace(mail_settings, mail_transport="log", mail_from="", smtp_url=""))
    with pytest.raises(SettingsError, match=name.upper()):
        mail.check(dataclasses.replace(mail_settings, **{name: value}))


ENDLESS = {"lines": b"220-and\r\n", "a line": b"2", "a flood": b"220-and\r\n" * 10_000}


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_reply_without_an_end_is_waited_for_no_longer_than_the_timeout(kind):
    def talk(listener):
        with listener.accept()[0] as taken, contextlib.suppress(OSError):
            while True:
                taken.sendall(ENDLESS[kind])
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor() as threads:
        threads.submit(talk, listener)
        started = time.monotonic()
        with pytest.raises(NotSent):
            send(f"smtp://127.0.0.1:{listener.getsockname()[1]}", timeout=1)
        assert time.monotonic() - started < SECONDS
