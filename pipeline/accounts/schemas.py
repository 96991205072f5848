"""Request bodies."""

from pipeline.accounts.strength import LONGEST_PASSWORD, SHORTEST_PASSWORD
from pipeline.validation import Body, Email, EmailFilter, Id, Text, optional, required


def new_password() -> Text:
    """A new password; `strength` judges it later."""
    return Text(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, trim=False, lines=True)


def given_password() -> Text:
    return Text(max_length=LONGEST_PASSWORD, trim=False, lines=True)


class Login(Body):
    """A malformed address counts as a wrong one."""

    email = required(EmailFilter())
    password = required(given_password())


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

    token = required(Text(max_length=255))
    name = optional(Text())
    password = required(given_password())


class NewAccount(Activation):
    """A new person's fields."""

    name = required(Text())
    password = required(new_password())


class ForgotPassword(Body):
    """An account's address."""

    email = required(Email())


class Reset(Body):
    """A link's token and a new password."""

    token = required(Text(max_length=255))
    password = required(new_password())


class Change(Body):
    """The current and the new password."""

    current_password = required(given_password())
    new_password = required(new_password())
