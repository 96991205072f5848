"""Email addresses and one-line header texts."""

import re
import unicodedata
from typing import NamedTuple

from email_validator import EmailNotValidError, validate_email

from pipeline.validation.types import DIRECTION_MARKS

MAX_NAME, MAX_SUBJECT = 100, 200
_MAILBOX = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<spec>[^<>\s]+)>|(?P<bare>[^<>\s]+)")


class MailAddress(NamedTuple):
    """An address with ASCII domain; an `international` local part needs SMTPUTF8."""

    spec: str
    international: bool


def address(text: str) -> MailAddress:
    """Parses an email address; raises ValueError."""
    try:
        valid = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError(f"{text!r} is not an email address: {error}") from None
    return MailAddress(f"{valid.local_part}@{valid.ascii_domain}", not valid.local_part.isascii())


def mailbox(text: str) -> tuple[str, str]:
    """(name, address) of `Name <address>` or a bare address; raises ValueError."""
    match = _MAILBOX.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not an address or Name <address>")
    spec = match["spec"] or match["bare"]
    address(spec)
    return one_line((match["name"] or "").strip('"'), MAX_NAME), spec


def one_line(text: str | None, limit: int) -> str:
    """A header text without direction marks and control characters, cut at the limit."""
    shown = DIRECTION_MARKS.sub("", text or "").replace("\ufeff", "")
    kept = "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") else char for char in shown)
    plain = re.sub(r"\s+", " ", kept).strip()
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"
