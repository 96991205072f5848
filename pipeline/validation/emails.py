"""Email addresses and their comparison."""

import re
from typing import Any

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email
from email_validator.rfc_constants import CASE_INSENSITIVE_MAILBOX_NAMES

from pipeline.validation.types import Text, narrow
from pipeline.validation.violations import refuse

EMAIL_LENGTH = 254
# Plain ASCII addresses; the library is twenty times slower.
_PLAIN = re.compile(
    r"[a-z0-9_+-]+(\.[a-z0-9_+-]+)*@((?=[^.]{1,63}\.)[a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,63}", re.ASCII | re.IGNORECASE
)
_SPECIAL_DOMAINS = tuple(f"{sign}{name}" for name in SPECIAL_USE_DOMAIN_NAMES for sign in "@.")
# Latin, Greek, Cyrillic and Armenian: letters whose other case is one letter, and leads back.
_SMALL = {
    code: chr(code).lower()
    for code in (*range(0x590), *range(0x1E00, 0x1F00))
    if len(chr(code).lower()) == 1 and chr(code).lower().upper() == chr(code)
}


class Email(Text):
    """An email address; its domain becomes ASCII (IDNA)."""

    # RFC 6531.
    format = "idn-email"

    def __init__(self) -> None:
        super().__init__(max_length=EMAIL_LENGTH)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        return None if text is None else (_usual(text) or refuse("invalid_email"))


class ShownEmail(Email):
    """An Email with its domain in Unicode."""

    def read(self, given: Any) -> str | None:
        address = super().read(given)
        if address is None or "xn--" not in address:
            return address
        return validate_email(address, check_deliverability=False, test_environment=True).normalized


class AccountEmail(Email):
    """An account's address in ASCII, because other letters can look alike."""

    def read(self, given: Any) -> str | None:
        address = super().read(given)
        if address is not None and not address.isascii():
            refuse("unsupported_address")
        return address


class EmailFilter(Text):
    """An email address to search for, of any form."""

    def __init__(self, max_length: int = EMAIL_LENGTH) -> None:
        super().__init__(max_length)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        return None if text is None else usual_form(text)


def usual_form(text: str) -> str:
    """Returns an address as Email reads it, or other text unchanged."""
    return _usual(text) or text


def email_key(address: str) -> str:
    """Returns the key for comparing addresses, as app.email_key in SQL."""
    return address.lower() if address.isascii() else address.translate(_SMALL)


def _usual(text: str) -> str | None:
    if _PLAIN.fullmatch(text) and not (lower := text.lower()).endswith(_SPECIAL_DOMAINS):
        local, _, domain = text.partition("@")
        return lower if local.lower() in CASE_INSENSITIVE_MAILBOX_NAMES else f"{local}@{domain.lower()}"
    try:
        # `test_environment` accepts the TLD .test.
        valid = validate_email(narrow(text), check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return None
    address = f"{valid.local_part}@{valid.ascii_domain}"
    return address if len(address) <= EMAIL_LENGTH else None
