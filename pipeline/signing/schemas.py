"""Bodies of signature requests."""

from pipeline.mail.reminders import reminders
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Email,
    Group,
    Integer,
    Listing,
    Locale,
    Name,
    Text,
    optional,
    required,
)

PARTIES = ("licensee", "licensor")
CONFIRMATIONS = ("blanks", "signer")
MAX_SIGNERS, MAX_COPIES, MAX_DAYS = 10, 10, 90


class Signer(Body):
    """A signer of a contract."""

    name = required(Name())
    title = optional(Text())
    email = required(Email())
    party = required(Choice(*PARTIES))
    order = optional(
        Integer(1, MAX_SIGNERS),
        default=1,
        description="Signers with a smaller number sign first; those with the same number sign in any order.",
    )


class Correction(Body):
    """A correction of a signer."""

    name = required(Name())
    title = optional(Text())
    email = required(Email())
    confirm = optional(Listing(Choice("signer"), 1, unique=True), default=[])


class SignatureRequest(Body):
    """A new signature request."""

    signers = required(Listing(Group(Signer()), MAX_SIGNERS, min_items=1))
    message = optional(Text(max_length=5000, lines=True))
    expires_in_days = optional(
        Integer(1, MAX_DAYS), default=30, description="The number of days after which the request expires."
    )
    language = optional(Locale())
    verify_email = optional(
        Boolean(), default=False, description="Whether signers must enter a code from an email first."
    )
    cc = optional(Listing(Email(), MAX_COPIES, unique=True), default=[])
    reminders = reminders()
    confirm = optional(Listing(Choice(*CONFIRMATIONS), len(CONFIRMATIONS), unique=True), default=[])
    complete_without = optional(Listing(Choice(*PARTIES), len(PARTIES), unique=True), default=[])
