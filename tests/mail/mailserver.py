"""A real SMTP server on loopback that can misbehave."""

import asyncio
import time
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from development.ports import free_port
from tests.waiting import SECONDS


class _Server(SMTP):
    def connection_made(self, transport):
        mail = self.event_handler.mail
        mail.transports.add(transport)
        if mail.drop == "connect":
            transport.abort()
        elif "greeting" in mail.refuse:
            transport.write(f"{mail.refuse['greeting']}\r\n".encode())
            transport.close()
        else:
            super().connection_made(transport)

    def connection_lost(self, error):
        self.event_handler.mail.transports.discard(self.transport)
        if self.session is not None:
            super().connection_lost(error)

    async def smtp_EHLO(self, hostname):
        # A server of RFC 821 alone: the client goes on with HELO, and without extensions.
        await (super().smtp_EHLO(hostname) if self.event_handler.mail.extended else self.push("502 Not implemented"))

    async def smtp_DATA(self, arg):
        refuse = self.event_handler.mail.refuse
        if "DATA" in refuse:
            await self.push(refuse["DATA"])
        else:
            await super().smtp_DATA(arg)


class MailServer:
    """Takes mail and keeps it in `accepted`: (sender, recipient, bytes).

    refuse: {"greeting" | "MAIL" | "RCPT" | "DATA" | "CONTENT": reply} or {recipient: reply}; the reply replaces the
    server's own.
    drop: "connect", "MAIL", "DATA" (before the content), "unread" (the content is thrown away, then the connection
    breaks) or "taken" (the content is kept, then the connection breaks before the 250). delay: seconds before
    content is answered. seen: called with the content before it is answered. unanswered: the contents that were
    dropped on purpose. extended: whether EHLO is known.
    """

    def __init__(self, **options):
        self.accepted, self.refuse, self.drop, self.delay = [], {}, None, 0
        self.unanswered, self.extended = [], True
        # (EHLO's name, options of MAIL) of each message.
        self.offered = []
        self.transports = set()
        self.seen = lambda content: None
        place = {"hostname": "127.0.0.1", "port": free_port(), "server_hostname": "mail.test"}
        self.options = {**place, "ready_timeout": SECONDS, **options}

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.options['port']}"

    @property
    def messages(self):
        return [message_from_bytes(content, policy=policy.default) for _, _, content in self.accepted]

    def start(self):
        """Listen, at the same place each time."""
        self.controller = _Controller(_Hooks(self), **self.options)
        self.controller.start()

    def stop(self):
        """Listen no longer; what is under way breaks off."""
        asyncio.run_coroutine_threadsafe(self._break_off(), self.controller.loop).result(SECONDS)
        self.controller.stop()

    async def _break_off(self):
        for transport in list(self.transports):
            transport.abort()
        await asyncio.sleep(0.01)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        self.stop()


class _Hooks:
    """What aiosmtpd calls. Apart from MailServer, because it reads every attribute of it for each connection."""

    def __init__(self, mail):
        self.mail = mail

    async def handle_MAIL(self, server, session, envelope, address, options):
        self.mail.offered.append((session.host_name, options))
        if self.mail.drop == "MAIL":
            server.transport.abort()
        if "MAIL" in self.mail.refuse:
            return self.mail.refuse["MAIL"]
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.mail.drop == "DATA":
            server.transport.abort()
        refused = self.mail.refuse.get(address) or self.mail.refuse.get("RCPT")
        if refused:
            return refused
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.mail.seen(envelope.content)
        if self.mail.delay:
            time.sleep(self.mail.delay)
        # Once: another thread may set them at any time.
        drop, refused = self.mail.drop, self.mail.refuse.get("CONTENT")
        if drop != "unread" and not refused:
            self.mail.accepted += [(envelope.mail_from, to, envelope.original_content) for to in envelope.rcpt_tos]
        if drop in ("unread", "taken"):
            self.mail.unanswered.append(envelope.original_content)
            server.transport.abort()
        return refused or "250 OK taken"


class _Controller(Controller):
    def factory(self):
        return _Server(self.handler, **self.SMTP_kwargs)
