"""Webhooks of one organization whose receiver never ends its response."""

import contextlib
import time

from tests.webhooks.receiver import Receiver

HOOKS, CROWD = 20, 4
EVENTS = ["lead.created", "lead.updated"]
# Attacks during which it is looked at how soon the other organization's own webhook is told.
RECEIVER_IS_TOLD = ("endless receivers",)


def endless_receivers(field):
    """Twenty webhooks lead to a receiver that sends a byte now and then; leads are made as fast as limits permit."""
    receiver = Receiver()
    receiver.answer = lambda handler, _number: dribble(field, handler)
    maker = field.user(0)
    for _ in range(HOOKS):
        field.ask(maker, "POST", "/api/webhooks", {"url": receiver.url, "events": EVENTS})
    clients = [field.user(index) for index in range(CROWD)]
    field.crowd(CROWD, lambda index, _turn: field.ask(clients[index], "POST", "/api/leads", {"first_name": "Lee"}))


def dribble(field, handler):
    """Answer with a success that goes on until the sender has had enough."""
    field.count("messages taken")
    with contextlib.suppress(OSError):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while field.going:
            handler.wfile.write(b"x")
            time.sleep(0.2)


ATTACKS = {"endless receivers": endless_receivers}
