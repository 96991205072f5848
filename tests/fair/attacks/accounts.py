"""Logins with wrong passwords."""

import itertools

from tests.fair.http import Client

CROWD = 16
# How many wrong logins one address may send before it is refused.
EACH = 20
# Attacks after which the owner of the other organization must still be able to log in.
OWNER_LOGS_IN = ("wrong logins, 11",)


def wrong_logins(number):
    """An attack of so many addresses that each try one wrong password for the owner of the other organization."""

    def attack(field):
        numbers = itertools.count()

        def turn(_index, _turn):
            source = next(numbers)
            return field.rest() if source >= number else login(field, source, field.spec["victim"])

        field.crowd(CROWD, turn)

    return attack


def guessed_logins(field):
    """Sixteen at once try passwords for addresses that nobody has, from as many network addresses as they need."""
    numbers = itertools.count()

    def turn(_index, _turn):
        number = next(numbers)
        login(field, number // EACH, f"nobody-{number}@prospect.example")

    field.crowd(CROWD, turn)


def login(field, source, email):
    """One wrong login."""
    client = Client(field.port, source=field.source(source))
    field.ask(client, "POST", "/api/auth/login", {"email": email, "password": "not the right password"})
    client.close()


ATTACKS = {
    "wrong logins, 11": wrong_logins(11),
    "wrong logins, 150": wrong_logins(150),
    "guessed logins": guessed_logins,
}
