"""Much work for the worker by one organization: emails, documents, leads, and webhooks that never end."""

import contextlib
import time
from pathlib import Path

from experiments.fair.http import Client
from tests.leads.csv_files import FORM, multipart
from tests.webhooks.receiver import Receiver

REPS = 4
QUEUED = 8
# Twenty pages.
LICENCE = Path(__file__).parents[3] / "tests/documents/authored/licence.docx"
MAKERS, CONVERTED = 8, 100
ADDRESSES = 25
HOOKS, EVENTS = 20, ["lead.created", "lead.updated"]


def pause(answer):
    """Wait a moment after a refusal, so that the quotas of requests last for the whole attack."""
    if answer is not None and answer.status == 429:
        time.sleep(0.2)


def many_invites(field):
    """Four reps send invites by email, as fast as they can, and try again when the day's 500 have been sent."""
    clients = [field.user(index) for index in range(REPS)]

    def turn(index, turn):
        recipient = f"flooded-{turn}@prospect.example"
        body = {"template_id": field.spec["template_id"], "recipient_email": recipient, "send_email": True}
        pause(field.ask(clients[index], "POST", "/api/interview-invites", body))

    field.crowd(REPS, turn)


def queued_documents(field):
    """Eight contracts that are too complex are made anew, for the worker to print."""

    def turn(_index, turn):
        field.ask(field.user(turn), "PUT", f"{field.contract('complex', turn)}/regenerate")

    field.crowd(QUEUED, turn, range(QUEUED))


def converted_files(field):
    """Eight people make 100 contracts of a Word file for the worker to convert, and ask for the PDF of each."""
    maker = field.user(0)
    template = field.make(maker, "/api/contract-templates", {"name": "Word", "content": "<p>Word</p>"})["id"]
    form = multipart(LICENCE.read_bytes(), filename="licence.docx")
    field.ask(maker, "POST", f"/api/contract-templates/{template}/word", form, {"Content-Type": FORM})

    def turn(index, _turn):
        with contextlib.closing(field.user(index)) as client:
            body = {"template_id": template, "effective_date": "2026-01-31"}
            while (answer := field.ask(client, "POST", "/api/contracts", body)) is not None and field.going:
                if answer.status == 201:
                    field.ask(client, "GET", f"/api/contracts/{answer.json['id']}/pdf")
                    break
                time.sleep(0.2)

    field.crowd(MAKERS, turn, range(CONVERTED))


def captured_leads(field):
    """Twenty-five addresses submit the public form of a rep, and try again when its quota is used up."""

    def turn(_index, turn):
        answers = {"product_line": "server", "email": f"captured-{turn}@prospect.example"}
        with contextlib.closing(Client(field.port, source=field.source(turn % ADDRESSES))) as client:
            pause(field.ask(client, "POST", field.spec["capture"], {"answers": answers}))

    field.crowd(ADDRESSES, turn)


def endless_receivers(field):
    """Twenty webhooks lead to a receiver that sends a byte now and then; leads are made as fast as limits permit."""
    receiver = Receiver()
    receiver.answer = lambda handler, _number: dribble(field, handler)
    maker = field.user(0)
    for _ in range(HOOKS):
        field.ask(maker, "POST", "/api/webhooks", {"url": receiver.url, "events": EVENTS})
    clients = [field.user(index) for index in range(REPS)]
    field.crowd(REPS, lambda index, _turn: field.ask(clients[index], "POST", "/api/leads", {"first_name": "Lee"}))


def dribble(field, handler):
    """Answer with a success that goes on until the sender has had enough."""
    field.count("messages taken")
    with contextlib.suppress(OSError):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while field.going:
            handler.wfile.write(b"x")
            time.sleep(0.2)
