"""Clients that work, and a count of each response."""

import itertools
import threading
import time
import uuid
from collections import Counter

from experiments.chaos.client import Client
from experiments.chaos.processes import wait_until


class Load:
    """So many clients of some Places; a context manager, in whose block they work.

    port: tells a client, at each request, where to ask. pause: seconds between two rounds of work. `answers` counts
    (what, status), `waited` is the longest time until a lead was acknowledged. Email addresses of acknowledged
    requests: `leads` for those that created a lead, `changed` that changed it, `submitted` that submitted answers.
    """

    def __init__(self, places, clients, port, pause=0):
        self.port, self.lock, self.answers, self.waited = port, threading.Lock(), Counter(), 0.0
        self.leads, self.changed, self.submitted = set(), set(), set()
        self.clients = [Worker(place, self) for place in itertools.islice(itertools.cycle(places), clients)]
        for client in self.clients:
            client.pause = pause

    def __enter__(self):
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, *_error):
        for client in self.clients:
            client.stopping.set()
        for client in self.clients:
            client.join()

    def note(self, asked):
        with self.lock:
            self.answers[asked.kind, asked.status] += 1

    def surprise(self, text):
        with self.lock:
            self.answers[text, None] += 1

    @property
    def failures(self):
        """{(what, status): times} of all that is no success; the status is None where there was no answer."""
        with self.lock:
            return {key: times for key, times in self.answers.items() if key[1] is None or key[1] >= 400}

    def wait_for(self, number):
        """Return when so many further requests have been answered."""
        wanted = self.answers.total() + number
        while self.answers.total() < wanted:
            time.sleep(0.02)

    def wait_for_successes(self, number, seconds):
        """Return when so many further requests have succeeded, within so many seconds."""
        wanted = self.succeeded() + number
        wait_until(lambda: self.succeeded() > wanted, seconds, "work goes on")

    def succeeded(self):
        return self.answers.total() - sum(self.failures.values())


class Worker(Client):
    """One who works: makes a lead, changes and finds it, invites, and answers as the prospect."""

    turns = ("day",)

    def day(self):
        load, email, begun = self.ledger, f"{uuid.uuid4().hex}@load.example", time.monotonic()
        if lead := self.get("create lead", "POST", "/api/leads", {"first_name": "Load", "email": email}):
            load.waited = max(load.waited, time.monotonic() - begun)
            load.leads.add(email)
            changed = {"first_name": "Loaded", "email": email}
            if self.get("change lead", "PUT", f"/api/leads/{lead['id']}", changed):
                load.changed.add(email)
            self.get("list leads", "GET", "/api/leads?sort_by=created_at&sort_dir=DESC")
        body = {"template_id": self.place.template_id, "recipient_email": email, "send_email": True}
        if invite := self.get("invite", "POST", "/api/interview-invites", body):
            path = f"/api/public/interview/{invite['token']}"
            self.get("read form", "GET", path)
            self.get("save answers", "PATCH", path, {"answers": {"product_line": "server"}})
            if self.get("submit answers", "POST", f"{path}/submit", {}):
                load.submitted.add(email)

    def get(self, what, method, path, body=None):
        """The JSON of a success; who gets no answer, or a 503, asks again with the same key."""
        key = uuid.uuid4().hex if method == "POST" else None
        answer, _ = self.insist(what, method, path, body, good=(200, 201), key=key)
        return answer.body if answer.status in (200, 201) else None

    def _exchange(self, *request):
        port = self.ledger.port()
        if port != self.connection.port:
            self.connection.close()
            self.connection.port = port
        return super()._exchange(*request)
