"""Logins with wrong passwords."""

from contextlib import closing

from experiments.fair.http import Client

CROWD = 16
# How many wrong logins one address may send before it is refused.
EACH = 20


def wrong_logins(field, number):
    """So many addresses each try one wrong password for the owner of the other organization."""
    field.crowd(CROWD, lambda _index, turn: login(field, turn, field.spec["victim"]), range(number))


def guessed_logins(field):
    """Sixteen at once try passwords for addresses that nobody has, from as many network addresses as they need."""
    field.crowd(CROWD, lambda _index, turn: login(field, turn // EACH, f"nobody-{turn}@prospect.example"))


def login(field, source, email):
    with closing(Client(field.port, source=field.source(source))) as client:
        field.ask(client, "POST", "/api/auth/login", {"email": email, "password": "not the right password"})
