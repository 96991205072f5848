"""From an email's row to the bytes that SMTP carries: the same bytes at every attempt."""

import hashlib
from email import policy
from email.headerregistry import Address as Mailbox
from email.message import EmailMessage
from email.utils import format_datetime
from typing import NamedTuple

from pipeline.mail.addresses import address, one_line


class Message(NamedTuple):
    """A message ready to go: envelope addresses (str), the content (bytes, CRLF lines, 7 bit unless international).

    `international` says that an address needs a server with SMTPUTF8.
    """

    sender: str
    recipient: str
    content: bytes
    international: bool


def compose(email):
    """The Message of an `email_get` row; raises ValueError for an address that no server would take."""
    sender, recipient = address(email["from_email"]), address(email["to_email"])
    reply_to = address(email["reply_to_email"]) if email["reply_to_email"] else None
    international = any(one and one.international for one in (sender, recipient, reply_to))
    message = EmailMessage(policy=policy.SMTPUTF8 if international else policy.SMTP)
    message["From"] = _mailbox(email["from_name"], sender)
    message["To"] = _mailbox(email["to_name"], recipient)
    if reply_to:
        message["Reply-To"] = _mailbox("", reply_to)
    message["Subject"] = one_line(email["subject"], 998)
    message["Date"] = format_datetime(email["created_at"])
    message["Message-ID"] = email["message_id"]
    message["Auto-Submitted"] = "auto-generated"
    # Quoted-printable, so that every server can carry it and no line is too long.
    message.set_content(email["body_text"], cte="quoted-printable")
    message.add_alternative(email["body_html"], subtype="html", cte="quoted-printable")
    # By default the boundary is drawn anew each time; a resend must be the same message.
    message.set_boundary("=_" + hashlib.sha256(email["message_id"].encode()).hexdigest()[:32])
    return Message(sender.spec, recipient.spec, message.as_bytes(), international)


def _mailbox(name, spec):
    return Mailbox(display_name=one_line(name, 998), addr_spec=spec.spec)
