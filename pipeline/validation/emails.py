"""Email addresses: their form, and the key by which two of them are the same mailbox."""

import re
from typing import Any

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email
from email_validator.rfc_constants import CASE_INSENSITIVE_MAILBOX_NAMES

from pipeline.validation.types import Text
from pipeline.validation.violations import refuse

EMAIL_LENGTH = 254
# How most addresses are written: in ASCII without quotes. The library looks at each letter several times, which takes
# twenty times as long.
_PLAIN = re.compile(
    r"[a-z0-9_+-]+(\.[a-z0-9_+-]+)*@((?=[^.]{1,63}\.)[a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,63}", re.ASCII | re.IGNORECASE
)
_SPECIAL_DOMAINS = tuple(f"{sign}{name}" for name in SPECIAL_USE_DOMAIN_NAMES for sign in "@.")


class Email(Text):
    """An email address by its form, its domain in ASCII as mail servers carry it (IDNA); no look-up is made."""

    # That of RFC 6531: letters beyond ASCII, too.
    format = "idn-email"

    def __init__(self) -> None:
        super().__init__(max_length=EMAIL_LENGTH)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        return None if text is None else (_usual(text) or refuse("invalid_email"))


class AccountEmail(Email):
    """The address of an account. Before the @ it is ASCII: letters beyond that can look alike, or be folded alike."""

    def read(self, given: Any) -> str | None:
        address = super().read(given)
        if address is not None and not address.isascii():
            refuse("unsupported_address")
        return address


class SoughtEmail(Text):
    """A text that an address is looked for by. Nothing is said about its form: a wrong one is nobody's."""

    def __init__(self, max_length: int = EMAIL_LENGTH) -> None:
        super().__init__(max_length)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        return None if text is None else usual_form(text)


def usual_form(text: str) -> str:
    """An address with its domain in ASCII, as Email reads it; a text that is no address as it is."""
    return _usual(text) or text


def email_key(address: str) -> str:
    """What addresses are compared by: A to Z in lower case, every other character as it is.

    The function app.email_key of the database gives the same. For an address in its usual form.
    """
    return address.encode().lower().decode()


def _usual(text: str) -> str | None:
    if _PLAIN.fullmatch(text) and not (lower := text.lower()).endswith(_SPECIAL_DOMAINS):
        local, _, domain = text.partition("@")
        return lower if local.lower() in CASE_INSENSITIVE_MAILBOX_NAMES else f"{local}@{domain.lower()}"
    try:
        # The TLD .test is let through: its form is right, and nothing here sends mail.
        valid = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return None
    address = f"{valid.local_part}@{valid.ascii_domain}"
    return address if len(address) <= EMAIL_LENGTH else None
