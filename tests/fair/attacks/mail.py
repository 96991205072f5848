"""Much work for the worker by one organization: emails, documents, leads."""

import itertools

from tests.fair.http import Client

INVITES = 500
QUEUED = 8
ADDRESSES, SUBMITS = 25, 20


def many_invites(field):
    """Four reps send 500 invites by email, as fast as they can."""
    numbers = itertools.count()
    clients = [field.user(index) for index in range(4)]

    def turn(index, _turn):
        number = next(numbers)
        if number >= INVITES:
            return field.rest()
        body = {"template_id": field.spec["template_id"], "send_email": True}
        recipient = f"flooded-{number}@prospect.example"
        return field.ask(clients[index], "POST", "/api/interview-invites", {**body, "recipient_email": recipient})

    field.crowd(4, turn)


def queued_documents(field):
    """Eight contracts that are too complex are made anew, for the worker to print."""

    def turn(index, turn):
        if turn:
            return field.rest()
        return field.ask(field.user(index), "PUT", f"{field.contract('complex', index)}/regenerate")

    field.crowd(QUEUED, turn)


def captured_leads(field):
    """Twenty-five addresses submit the public form of a rep twenty times each."""

    def turn(index, turn):
        if turn >= SUBMITS:
            return field.rest()
        client = Client(field.port, source=field.source(index))
        answers = {"product_line": "server", "email": f"captured-{index}-{turn}@prospect.example"}
        field.ask(client, "POST", field.spec["capture"], {"answers": answers})
        return client.close()

    field.crowd(ADDRESSES, turn)


ATTACKS = {"many invites": many_invites, "queued documents": queued_documents, "captured leads": captured_leads}
