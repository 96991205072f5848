"""Clients that work without a pause, and record each response."""

import contextlib
import http.client
import itertools
import json
import threading
import time
import uuid
from collections import Counter

from tests.chaos.processes import wait_until

# A client that got no answer, or a 503, asks again so soon, with the same Idempotency-Key.
AGAIN_SECONDS = 0.2
PATIENCE_SECONDS = 60


class Load:
    """So many clients of some Customers; a context manager, in whose block they work.

    port: tells a client, at each request, where to ask. `answers` counts (what, status), `troubles` what failed on the
    way, `waited` the longest time until a lead was acknowledged. Email addresses of acknowledged requests: `leads` for
    those that created a lead, `changed` that changed it, `submitted` that submitted answers.
    """

    def __init__(self, customers, clients, port):
        self.customers, self.port, self.stopping = customers, port, threading.Event()
        self.answers, self.troubles, self.waited = Counter(), Counter(), 0.0
        self.leads, self.changed, self.submitted = set(), set(), set()
        self.lock = threading.Lock()
        turns = itertools.cycle(customers)
        self.threads = [threading.Thread(target=self._work, args=(next(turns),)) for _ in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_error):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    @property
    def failures(self):
        """{(what, status): times} of all that is no success."""
        with self.lock:
            return {key: times for key, times in self.answers.items() if key[1] >= 400} | dict(self.troubles)

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
        """How many requests have succeeded."""
        with self.lock:
            return sum(times for (_, status), times in self.answers.items() if status < 300)

    def _work(self, customer):
        client = Client(self, customer)
        while not self.stopping.is_set():
            client.day()
        client.close()

    def note(self, what, status):
        """Count an answer."""
        with self.lock:
            self.answers[what, status] += 1

    def trouble(self, what, error):
        """Count a request that got no answer."""
        with self.lock:
            self.troubles[what, type(error).__name__] += 1


class Client:
    """One who works: makes a lead, changes and finds it, invites, and answers as the prospect."""

    def __init__(self, load, customer):
        self.load, self.customer, self.connection, self.place = load, customer, None, None

    def day(self):
        """One round of work."""
        email = f"{uuid.uuid4().hex}@load.example"
        begun = time.monotonic()
        lead = self.ask("create lead", "POST", "/api/leads", {"first_name": "Load", "email": email})
        if lead:
            self.load.waited = max(self.load.waited, time.monotonic() - begun)
            self.load.leads.add(email)
            changed = {"first_name": "Loaded", "email": email}
            if self.ask("change lead", "PUT", f"/api/leads/{lead['id']}", changed):
                self.load.changed.add(email)
            self.ask("list leads", "GET", "/api/leads?sort_by=created_at&sort_dir=DESC")
        body = {"template_id": self.customer.template_id, "recipient_email": email, "send_email": True}
        invite = self.ask("invite", "POST", "/api/interview-invites", body)
        if invite:
            path = f"/api/public/interview/{invite['token']}"
            self.ask("read form", "GET", path)
            self.ask("save answers", "PATCH", path, {"answers": {"product_line": "server"}})
            if self.ask("submit answers", "POST", f"{path}/submit", {}):
                self.load.submitted.add(email)

    def ask(self, what, method, path, body=None):
        """The JSON of a success; who gets no answer, or a 503, asks again, while there is time."""
        key, end = uuid.uuid4().hex, time.monotonic() + PATIENCE_SECONDS
        while not self.load.stopping.is_set():
            try:
                status, answer = self._ask(method, path, body, key)
                self.load.note(what, status)
            except (OSError, http.client.HTTPException) as error:
                self.load.trouble(what, error)
                self.close()
                status = None
            if status not in (None, 503) or time.monotonic() > end:
                return json.loads(answer) if status and status < 300 else None
            time.sleep(AGAIN_SECONDS)
        return None

    def _ask(self, method, path, body, key):
        place = self.load.port()
        if place != self.place:
            self.close()
        if self.connection is None:
            self.place, self.connection = place, http.client.HTTPConnection("127.0.0.1", place, timeout=30)
        headers = {"Authorization": self.customer.authorization}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        if method == "POST":
            headers["Idempotency-Key"] = key
        self.connection.request(method, path, data, headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.will_close:
            self.close()
        return response.status, answer

    def close(self):
        """Let go of the connection."""
        if self.connection is not None:
            with contextlib.suppress(OSError):
                self.connection.close()
            self.connection = None
