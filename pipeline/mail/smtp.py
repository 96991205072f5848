"""Sends one message through SMTP.

    with connection(server, timeout, helo) as dialogue:
        dialogue.offer(message)          # nothing is sent
        dialogue.transmit(message)       # the server may have the message

Raises NotSent or OwnFault (retry), Unanswered (perhaps delivered) or effects.Refused (no retry).
"""

import contextlib
import io
import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from pipeline.database.effects import Refused
from pipeline.mail.addresses import one_line
from pipeline.mail.message import Message
from pipeline.process.settings import SettingsError

PORTS = {"smtp": 587, "smtps": 465}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Refusals of this installation, not of the recipient: login, and the checks of the sender (RFC 7372, 7489).
_ABOUT_US = (530, 534, 535, 538)
_OUR_STATUS = re.compile(r"^5\.7\.(?:[89]|1[0-4]|2[0-7])\b")
_OUR_FAULT = re.compile(
    r"\b(?:SPF|DKIM|DMARC|HELO|EHLO|PTR|rDNS|reverse DNS|block ?list(?:ed)?|black ?list(?:ed)?|RBL|DNSBL|Spamhaus"
    r"|relay(?:ing)?|authenticat\w+)\b",
    re.IGNORECASE,
)
# The size of the message is refused, not its sender.
_TOO_LARGE = 552
# The bytes of a reply; servers say less than a tenth.
_LONGEST_REPLY = 64 * 1024


class NotSent(Exception):
    """Not accepted; a retry can help."""


class OwnFault(NotSent):
    """The server refuses this installation: operators can mend it within the 24 hours of retries."""


class Unanswered(Exception):
    """The server may have the message but did not reply."""


class SmtpServer(NamedTuple):
    """`encryption`: `tls`, `starttls` or `none`."""

    host: str
    port: int
    user: str
    password: str
    encryption: str


# Next tries (time.monotonic()) of servers that timed out.
_silent: dict[SmtpServer, float] = {}
_lock = threading.Lock()


def server_of(url: str) -> SmtpServer:
    """Parses `smtp[s]://[user:password@]host[:port][?starttls=required|never]`; by default only loopback needs no TLS.
    SettingsError never shows the password.
    """
    parts = urlsplit(url)
    options = parse_qs(parts.query)
    try:
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError):
        raise SettingsError("Setting SMTP_URL must be smtp://user:password@host:port or smtps://…") from None
    if not parts.hostname or parts.path not in ("", "/") or set(options) - {"starttls"}:
        raise SettingsError("Setting SMTP_URL must name a host; its one option is starttls=required or never")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not (user + password).isascii():  # required by smtplib
        raise SettingsError("Setting SMTP_URL: user and password must be ASCII")
    starttls = options.get("starttls", ["never" if parts.hostname in LOOPBACK else "required"])[-1]
    if starttls not in ("required", "never"):
        raise SettingsError("Setting SMTP_URL: starttls must be required or never")
    encryption = "tls" if parts.scheme == "smtps" else {"required": "starttls", "never": "none"}[starttls]
    return SmtpServer(parts.hostname, port, user, password, encryption)


@contextlib.contextmanager
def connection(server: SmtpServer, timeout: float, helo: str) -> Iterator["Dialogue"]:
    """A connection for one message; `timeout` (seconds) for each reply; `helo` is this host's name."""
    with contextlib.ExitStack() as closing:
        with _not_sent(), _pause_after_timeout(server, timeout):
            context = ssl.create_default_context()
            if server.encryption == "tls":
                client: smtplib.SMTP = _TlsClient(
                    server.host, server.port, timeout=timeout, local_hostname=helo, context=context
                )
            else:
                client = _Client(server.host, server.port, helo, timeout)
            closing.callback(client.close)
            if server.encryption == "starttls":
                client.starttls(context=context)
            client.ehlo_or_helo_if_needed()
            if server.user:
                client.login(server.user, server.password)
        yield Dialogue(client)
        with contextlib.suppress(smtplib.SMTPException, OSError):
            client.quit()


class _Replies(io.RawIOBase):
    """The replies of a server. Each has `seconds` and _LONGEST_REPLY bytes in all, however many lines it has."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self.connection, self.seconds = connection, seconds
        self.begin()

    def begin(self) -> None:
        self.end, self.room = time.monotonic() + self.seconds, _LONGEST_REPLY

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.end - time.monotonic()
        if left <= 0 or self.room <= 0:
            raise TimeoutError("timed out" if self.room > 0 else "the reply is too long")
        self.connection.settimeout(left)
        read = self.connection.recv_into(buffer)
        self.connection.settimeout(self.seconds)
        self.room -= read
        return read


class _Client(smtplib.SMTP):
    """Waits `timeout` seconds for a whole reply; smtplib does so for each part of it."""

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = io.BufferedReader(_Replies(self.sock, self.timeout))
        if self.file is not None:
            self.file.raw.begin()
        return super().getreply()


class _TlsClient(_Client, smtplib.SMTP_SSL):
    """The same over TLS from the first byte."""


class Dialogue:
    """One message's dialogue."""

    def __init__(self, client: smtplib.SMTP) -> None:
        self.client = client

    def offer(self, message: Message) -> None:
        """Sends the envelope, up to the go-ahead for the content."""
        options: tuple[str, ...] = ()
        if message.international:
            if not self.client.has_extn("smtputf8"):
                raise Refused("The mail server does not take addresses with letters beyond ASCII.")
            options = ("SMTPUTF8", "BODY=8BITMIME")
        if self.client.has_extn("size"):
            options += (self._size(len(message.content)),)
        with _not_sent():
            self._expect(2, self.client.mail(message.sender, options), of_sender=True)
            self._expect(2, self.client.rcpt(message.recipient))
            self._expect(3, self.client.docmd("DATA"))

    def transmit(self, message: Message) -> None:
        """Sends the content and reads the reply."""
        stuffed = re.sub(rb"(?m)^\.", b"..", message.content)
        ended = stuffed if stuffed.endswith(b"\r\n") else stuffed + b"\r\n"
        try:
            self.client.send(ended + b".\r\n")
            code, text = self.client.getreply()
        except (smtplib.SMTPException, OSError) as error:
            raise Unanswered(f"The mail server broke off before it answered: {reason(error)}") from None
        if not 200 <= code < 600:
            raise Unanswered("The mail server gave no answer that can be read.")
        self._expect(2, (code, text))

    def _size(self, size: int) -> str:
        """The SIZE of a message for MAIL; raises Refused above the server's limit (RFC 1870)."""
        limit = self.client.esmtp_features["size"].strip()
        if limit.isdecimal() and 0 < int(limit) < size:
            raise Refused(f"The mail server takes at most {int(limit):,} bytes; the email has {size:,}.")
        return f"SIZE={size}"

    def _expect(self, kind: int, reply: tuple[int, bytes], of_sender: bool = False) -> None:
        code, text = reply
        if code // 100 == kind:
            return
        answer = one_reply(text)
        said = f"{code} {answer}".strip()
        if code // 100 != 5:
            raise NotSent(f"The mail server did not take the message: {said}")
        if is_own_fault(code, answer, of_sender):
            raise OwnFault(f"The mail server refuses this installation: {said}")
        raise Refused(f"The mail server refused the message: {said}")


def is_own_fault(code: int, answer: str, of_sender: bool) -> bool:
    """Whether a refusal concerns this installation; `of_sender`: the reply to MAIL."""
    if code in _ABOUT_US or (of_sender and code != _TOO_LARGE):
        return True
    return bool(_OUR_STATUS.match(answer) or (answer.startswith("5.7.") and _OUR_FAULT.search(answer)))


def own_name(helo: str, public_url: str) -> str:
    """The name for EHLO: the setting MAIL_HELO, else PUBLIC_URL's host; an IP address as a literal."""
    name = helo or urlsplit(public_url).hostname or "localhost"
    try:
        found = ip_address(name)
    except ValueError:
        return name.rstrip(".").encode("idna").decode()
    return f"[IPv6:{found}]" if found.version == 6 else f"[{found}]"


@contextlib.contextmanager
def _not_sent() -> Iterator[None]:
    try:
        yield
    except (smtplib.SMTPException, OSError) as error:
        # Before a message, a final answer is to this installation: the greeting, EHLO, the login.
        if isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500:
            raise OwnFault(f"The mail server refuses this installation: {reason(error)}") from None
        raise NotSent(f"The mail server cannot be used: {reason(error)}") from None


@contextlib.contextmanager
def _pause_after_timeout(server: SmtpServer, timeout: float) -> Iterator[None]:
    """Raises NotSent for `timeout` seconds after a timeout; then one thread retries."""
    started = time.monotonic()
    with _lock:
        if started < _silent.get(server, 0):
            raise NotSent("The mail server does not answer.")
        if server in _silent:
            _silent[server] = started + 2 * timeout
    try:
        yield
    except BaseException:
        now = time.monotonic()
        if now - started >= timeout:
            _silent[server] = now + timeout
        else:
            _silent.pop(server, None)
        raise
    _silent.pop(server, None)


def reason(error: Exception) -> str:
    """An error on one line."""
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {one_reply(error.smtp_error)}"
    return str(error) or type(error).__name__


def one_reply(text: bytes | str) -> str:
    """A reply on one line, at most 300 characters."""
    return one_line(text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text), 300)
