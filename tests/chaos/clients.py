"""Clients that never rest: they ask, note what they were told, and repeat what they were told nothing about."""

import contextlib
import http.client
import json
import queue
import random
import threading
import time
import traceback
import uuid
from typing import NamedTuple

from tests.chaos.ledger import Asked

PATIENCE = 30
AGAIN_SECONDS = 0.1
IN_FLIGHT = "idempotency_key_in_flight"


class Place(NamedTuple):
    """What the clients work on: the web server's port, headers of a rep, the interview template, the capture slug."""

    port: int
    headers: dict
    template_id: int
    slug: str


class Answer(NamedTuple):
    """An answer; `told` is false for a broken connection and for "not now"."""

    status: int | None
    body: dict
    told: bool


class Client(threading.Thread):
    """One client on one connection, until `stopping`. Its `turns` are chosen at random."""

    turns = ()

    def __init__(self, place, ledger, seed=None):
        super().__init__(daemon=True)
        self.place, self.ledger, self.random = place, ledger, random.Random(seed)
        self.stopping = threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=PATIENCE)

    def run(self):
        """Take turns."""
        try:
            while not self.stopping.is_set():
                getattr(self, self.random.choice(self.turns))()
                time.sleep(self.random.uniform(0, 0.06))
        except Exception:
            self.ledger.surprise(traceback.format_exc())
        finally:
            self.close()

    def close(self):
        """Give the connection up; the next request makes another."""
        self.connection.close()

    def ask(self, kind, method, path, body=None, good=(200,), key=None):
        """One request; an answer that is neither in `good` nor "not now" is a surprise."""
        headers = {"Content-Type": "application/json", **(self.place.headers if "/public/" not in path else {})}
        headers |= {"Idempotency-Key": key} if key else {}
        started = time.monotonic()
        response, text = self._exchange(method, path, json.dumps(body) if body is not None else None, headers)
        replayed = response is not None and bool(response.headers["Idempotency-Replayed"])
        status = response.status if response is not None else None
        self.ledger.note(Asked(kind, status, time.monotonic() - started, replayed))
        if response is None:
            return Answer(None, {}, False)
        body = json.loads(text) if text else {}
        not_now = status in (429, 503) or body.get("code") == IN_FLIGHT
        if not_now and not int(response.headers["Retry-After"] or 0):
            self.ledger.surprise(f"{kind}: {status} without Retry-After")
        if not not_now and status not in good:
            self.ledger.surprise(f"{kind}: {status} {text[:500]!r}")
        return Answer(status, body, not not_now)

    def _exchange(self, method, path, body, headers):
        try:
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            return response, response.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            if self.random.random() < 0.5:
                # Somebody who comes back on a connection of another process.
                time.sleep(AGAIN_SECONDS)
            return None, b""

    def insist(self, *arguments, **options):
        """Ask until told; (answer, whether an earlier try may have done it). Not told only when all ends before."""
        again = False
        while True:
            answer = self.ask(*arguments, **options)
            if answer.told or self.stopping.is_set():
                return answer, again
            again = True
            time.sleep(AGAIN_SECONDS)

    def create(self, book, name, *arguments):
        """A record noted in `book` under `name`, mostly with a key and until told, else by one try; its answer."""
        book[name] = None
        if self.random.random() < 0.8:
            answer, _ = self.insist(*arguments, good=(201,), key=uuid.uuid4().hex)
        else:
            answer = self.ask(*arguments, good=(201,))
        if answer.status == 201:
            book[name] = answer.body
        return answer

    def address(self, word):
        """An email address that nobody else has."""
        return f"{word}-{uuid.uuid4().hex[:16]}@prospect.example"


class Rep(Client):
    """Makes leads, changes its own, and sends invites, some of which go to the prospects."""

    turns = ("lead", "change", "invite", "look")

    def __init__(self, *arguments, invites):
        super().__init__(*arguments)
        self.invites, self.own = invites, []

    def lead(self):
        email = self.address("lead")
        body = {"first_name": "Chaos", "email": email, "notes": "0"}
        answer = self.create(self.ledger.leads, email, "lead", "POST", "/api/leads", body)
        if answer.status == 201:
            self.own.append((answer.body["id"], email))
            self.ledger.notes[answer.body["id"]] = {"0"}

    def change(self):
        if not self.own:
            return
        (id, email), note = self.random.choice(self.own), uuid.uuid4().hex
        body = {"first_name": "Chaos", "email": email, "notes": note}
        answer = self.ask("lead change", "PUT", f"/api/leads/{id}", body)
        keep(self.ledger.notes, id, note, answer)

    def invite(self):
        email = self.address("invite")
        body = {"template_id": self.place.template_id, "recipient_email": email, "send_email": True}
        answer = self.create(self.ledger.invites, email, "invite", "POST", "/api/interview-invites", body)
        if answer.status == 201 and self.random.random() < 0.6:
            self.ledger.answers[answer.body["id"]] = {}
            self.invites.put(answer.body)

    def look(self):
        self.ask("lead list", "GET", "/api/leads?per_page=10")


class Prospect(Client):
    """Answers invites: some answers more than once, most of them to the end."""

    turns = ("interview",)

    def __init__(self, *arguments, invites):
        super().__init__(*arguments)
        self.invites = invites

    def interview(self):
        with contextlib.suppress(queue.Empty):
            invite = self.invites.get(timeout=0.1)
            path, known = f"/api/public/interview/{invite['token']}", self.ledger.answers[invite["id"]]
            for _ in range(self.random.randrange(1, 6)):
                self.answer(path, known)
            if self.random.random() < 0.8:
                self.submit(path, known, invite["id"])

    def answer(self, path, known):
        question, value = self.some_answer()
        ask = self.insist if self.random.random() < 0.5 else lambda *request: (self.ask(*request), False)
        known.setdefault(question, {None})
        answer, _ = ask("answer", "PATCH", path, {"answers": {question: value}})
        keep(known, question, value, answer)

    def some_answer(self):
        return self.random.choice((("seats", self.random.randrange(1, 1000)), ("notes", uuid.uuid4().hex)))

    def submit(self, path, known, id):
        (question, value), key = self.some_answer(), uuid.uuid4().hex if self.random.random() < 0.5 else None
        self.ledger.submits[id] = None
        body = {"answers": {"product_line": "server", question: value}}
        request = ("submit", "POST", f"{path}/submit", body)
        answer, again = self.insist(*request, good=(200,) if key else (200, 409), key=key)
        if answer.status == 409 and answer.told and not again:
            self.ledger.surprise(f"invite {id} was submitted by nobody")
        if answer.told:
            self.ledger.submits[id] = answer.body
            known.update({"product_line": {"server"}, question: {value}})
        else:
            for name, given in body["answers"].items():
                known.setdefault(name, {None}).add(given)


class Visitor(Client):
    """Fills in the public form, again and again."""

    turns = ("capture",)

    def capture(self):
        email, path = self.address("capture"), f"/api/public/interview/capture/{self.place.slug}"
        if self.random.random() < 0.3:
            self.ask("capture form", "GET", path)
        body = {"answers": {"product_line": "desktop", "email": email}}
        self.create(self.ledger.captures, email, "capture", "POST", f"{path}/submit", body)


def keep(book, name, value, answer):
    """Note that `name` has this value now, or may have it."""
    if answer.status == 200:
        book[name] = {value}
    elif answer.status in (None, 503):
        book[name].add(value)
