"""Bodies of the account endpoints."""

from pipeline.accounts.strength import LONGEST_PASSWORD, SHORTEST_PASSWORD
from pipeline.validation import Body, Email, Id, SoughtEmail, Text, optional, required


def new_password() -> Text:
    """The type of a password that is being chosen; how hard it is to guess is judged later."""
    return Text(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, trim=False, lines=True)


def given_password() -> Text:
    """The type of a password that is being checked. Nothing is said about its form: a wrong one is wrong."""
    return Text(max_length=LONGEST_PASSWORD, trim=False, lines=True)


class Login(Body):
    """Credentials. Nothing is said about their form: a wrong address is a wrong credential."""

    email = required(SoughtEmail())
    password = required(given_password())


class RefreshToken(Body):
    """A refresh token as it was issued."""

    refresh_token = required(Text(max_length=255))


class CurrentOrganization(RefreshToken):
    """The organization to switch to, and the session's refresh token."""

    organization_id = required(Id())


class Person(Body):
    """What a person says of themselves; their email address is what they log in by."""

    once = ("email",)
    name = required(Text())


class Activation(Body):
    """The token of an invitation's link; the password that a new person chooses, or that of somebody known."""

    token = required(Text(max_length=255))
    name = optional(Text())
    password = required(given_password())


class NewAccount(Activation):
    """The same for a new person, with the fields that the page asks for."""

    name = required(Text())
    password = required(new_password())


class Forgotten(Body):
    """The address of an account whose password is forgotten."""

    email = required(Email())


class Reset(Body):
    """A link's token and the password to set with it."""

    token = required(Text(max_length=255))
    password = required(new_password())


class Change(Body):
    """The current password and the new one."""

    current_password = required(given_password())
    new_password = required(new_password())
