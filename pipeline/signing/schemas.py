"""Bodies of signature requests."""

from pipeline.validation import Body, Boolean, Choice, Email, Group, Integer, Listing, Locale, Text, optional, required

PARTIES = ("licensee", "licensor")
MAX_SIGNERS, MAX_DAYS = 10, 90


class Signer(Body):
    """A signer of a contract."""

    name = required(Text())
    email = required(Email())
    party = required(Choice(*PARTIES))
    order = optional(Integer(1, MAX_SIGNERS), default=1)


class SignatureRequest(Body):
    """A new signature request."""

    signers = required(Listing(Group(Signer()), MAX_SIGNERS, min_items=1))
    message = optional(Text(max_length=5000, lines=True))
    expires_in_days = optional(Integer(1, MAX_DAYS), default=30)
    language = optional(Locale())
    verify_email = optional(Boolean(), default=False)
