"""Request bodies."""

from pipeline.accounts.strength import LONGEST_PASSWORD, SHORTEST_PASSWORD
from pipeline.validation import Body, Boolean, Email, EmailFilter, Id, Name, Text, optional, required

GIVEN_PASSWORD = Text(max_length=LONGEST_PASSWORD, trim=False, lines=True)
# `strength` judges it later.
NEW_PASSWORD = Text(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, trim=False, lines=True)
LINK_TOKEN = Text(max_length=255)


class Login(Body):
    """A malformed address counts as a wrong one."""

    email = required(EmailFilter())
    password = required(GIVEN_PASSWORD)


class RefreshToken(Body):
    """A refresh token."""

    refresh_token = required(Text(max_length=255))


class CurrentOrganization(RefreshToken):
    """The organization to switch to."""

    organization_id = required(Id(), description="The id of the organization.")


class Person(Body):
    """The caller's own fields; `email` cannot change."""

    name = required(Name())


class NotificationEmails(Body):
    """The kinds of notifications that the caller gets by email too."""

    interviews = required(Boolean())
    leads = required(Boolean())
    signatures = required(Boolean())
    webhooks = required(Boolean())


class Activation(Body):
    """A link's token, and a new or known password."""

    token = required(LINK_TOKEN, description="The token of the link, 64 hexadecimal characters.")
    name = optional(Name())
    password = required(GIVEN_PASSWORD)


class NewAccount(Activation):
    """A new person's fields."""

    name = required(Name())
    password = required(NEW_PASSWORD)


class ForgotPassword(Body):
    """An account's address."""

    email = required(Email())


class Reset(Body):
    """A link's token and a new password."""

    token = required(LINK_TOKEN, description="The token of the link, 64 hexadecimal characters.")
    password = required(NEW_PASSWORD)


class Change(Body):
    """The current and the new password."""

    current_password = required(GIVEN_PASSWORD, description="The caller's current password.")
    new_password = required(NEW_PASSWORD, description="10 to 1,024 characters, hard to guess.")
