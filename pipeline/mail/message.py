"""The bytes of an email, identical at every attempt.

Headers are written here: EmailMessage would decode encoded line ends.
"""

import hashlib
import re
from email import policy
from email.header import Header
from email.message import EmailMessage
from email.utils import format_datetime
from typing import NamedTuple

from pipeline.database import Row
from pipeline.mail.addresses import MailAddress, address, one_line

# {part of the signing: name}; of others the first.
ATTACHMENTS = {None: "answers.pdf", "copy": "signed.pdf"}
# Short printable ASCII needs no encoding.
_PLAIN = re.compile(r"[ -~]{0,60}")


class Message(NamedTuple):
    """Envelope and content; `international`: needs SMTPUTF8."""

    sender: str
    recipient: str
    content: bytes
    international: bool


def compose(email: Row) -> Message:
    """The Message of an `email_get` row; raises ValueError for an invalid address."""
    sender, recipient = address(email["from_email"]), address(email["to_email"])
    reply_to = answered_by(email["reply_to_email"])
    headers = {
        "From": mailbox(email["from_name"], sender),
        "To": mailbox(email["to_name"], recipient),
        **({"Reply-To": reply_to.spec} if reply_to else {}),
        "Subject": encoded(email["subject"]),
        "Date": format_datetime(email["created_at"]),
        "Message-ID": email["message_id"],
        "Auto-Submitted": "auto-generated",
        # Exchange answers no automatic reply.
        "X-Auto-Response-Suppress": "All",
    }
    if url := email["unsubscribe_url"]:  # one-click unsubscribe (RFC 8058)
        headers |= {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    written = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    international = any(one.international for one in (sender, recipient))
    return Message(sender.spec, recipient.spec, written.encode() + body(email), international)


def answered_by(text: str | None) -> MailAddress | None:
    """The Address for Reply-To; None if servers could refuse it."""
    try:
        found = address(text or "")
    except ValueError:
        return None
    return None if found.international else found


def body(email: Row) -> bytes:
    # Keeps lines short and 7 bit.
    message = EmailMessage(policy=policy.SMTP)
    message.set_content(email["body_text"], cte="quoted-printable")
    message.add_alternative(email["body_html"], subtype="html", cte="quoted-printable")
    if email["attachment"]:
        filename = ATTACHMENTS[email["signer_part"]]
        message.add_attachment(email["attachment"], maintype="application", subtype="pdf", filename=filename)
    # Fixed, because a resend must be identical.
    for part in filter(EmailMessage.is_multipart, message.walk()):
        named = f"{part.get_content_type()} {email['message_id']}"
        part.set_boundary("=_" + hashlib.sha256(named.encode()).hexdigest()[:32])
    return message.as_bytes()


def mailbox(name: str | None, spec: MailAddress) -> str:
    """`"Name" <address>` for a header."""
    name = one_line(name, 998)
    if not name:
        return spec.spec
    if _PLAIN.fullmatch(name) and "=?" not in name:
        shown = name if re.fullmatch("[A-Za-z0-9 ]+", name) else '"' + re.sub(r'([\\"])', r"\\\1", name) + '"'
    else:
        shown = encoded(name)
    # Folded, to limit the line's length.
    return f"{shown}\r\n <{spec.spec}>" if len(shown) > 40 else f"{shown} <{spec.spec}>"


def encoded(text: str) -> str:
    """A header text, with encoded words if necessary."""
    text = one_line(text, 998)
    if _PLAIN.fullmatch(text) and "=?" not in text:
        return text
    return Header(text, "utf-8", maxlinelen=75, header_name="Reply-To").encode(splitchars="", linesep="\r\n")
