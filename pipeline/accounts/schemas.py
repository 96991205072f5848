"""Request bodies."""

from pipeline.accounts.strength import LONGEST_PASSWORD, SHORTEST_PASSWORD
from pipeline.validation import Body, Email, EmailFilter, Id, Text, optional, required

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

    organization_id = required(Id())


class Person(Body):
    """The caller's own fields; `email` cannot change."""

    name = required(Text())


class Activation(Body):
    """A link's token, and a new or known password."""

    token = required(LINK_TOKEN)
    name = optional(Text())
    password = required(GIVEN_PASSWORD)


class NewAccount(Activation):
    """A new person's fields."""

    name = required(Text())
    password = required(NEW_PASSWORD)


class ForgotPassword(Body):
    """An account's address."""

    email = required(Email())


class Reset(Body):
    """A link's token and a new password."""

    token = required(LINK_TOKEN)
    password = required(NEW_PASSWORD)


class Change(Body):
    """The current and the new password."""

    current_password = required(GIVEN_PASSWORD)
    new_password = required(NEW_PASSWORD)
