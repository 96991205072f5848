"""A real SMTP server on loopback that can be told to misbehave."""

import contextlib
import socket
import time
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP


class _Server(SMTP):
    def connection_made(self, transport):
        mail = self.event_handler
        if mail.drop == "connect":
            transport.abort()
        else:
            super().connection_made(transport)

    def connection_lost(self, error):
        if self.session is not None:
            super().connection_lost(error)

    async def smtp_DATA(self, arg):
        if "DATA" in self.event_handler.refuse:
            await self.push(self.event_handler.refuse["DATA"])
        else:
            await super().smtp_DATA(arg)


class MailServer:
    """Takes mail and keeps it in `accepted`: (sender, recipient, bytes).

    refuse: {"MAIL" | "RCPT" | "DATA" | "CONTENT": reply} or {recipient: reply}; the reply replaces the server's own.
    drop: "connect", "MAIL", "DATA" (before the content), "unread" (the content is thrown away, then the connection
    breaks) or "taken" (the content is kept, then the connection breaks before the 250). delay: seconds before
    content is answered. seen: called with the content before it is answered.
    """

    def __init__(self, **options):
        self.accepted, self.refuse, self.drop, self.delay = [], {}, None, 0
        self.connections = 0
        self.seen = lambda content: None
        options = {"hostname": "127.0.0.1", "port": _free_port(), "server_hostname": "mail.test", **options}
        self.controller = _Controller(self, **options)

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.controller.port}"

    @property
    def messages(self):
        """The accepted messages, parsed."""
        return [message_from_bytes(content, policy=policy.default) for _, _, content in self.accepted]

    def __enter__(self):
        self.controller.start()
        return self

    def __exit__(self, *failure):
        self.controller.stop()

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if self.drop == "MAIL":
            server.transport.abort()
        if "MAIL" in self.refuse:
            return self.refuse["MAIL"]
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.drop == "DATA":
            server.transport.abort()
        refused = self.refuse.get(address) or self.refuse.get("RCPT")
        if refused:
            return refused
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.seen(envelope.content)
        if self.delay:
            time.sleep(self.delay)
        if self.drop != "unread" and "CONTENT" not in self.refuse:
            self.accepted += [(envelope.mail_from, to, envelope.original_content) for to in envelope.rcpt_tos]
        if self.drop in ("unread", "taken"):
            server.transport.abort()
        return self.refuse.get("CONTENT", "250 OK taken")


class _Controller(Controller):
    def factory(self):
        return _Server(self.handler, **self.SMTP_kwargs)


def _free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
