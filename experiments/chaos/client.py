"""A client that works without a pause, records each response, and repeats requests without one."""

import http.client
import json
import random
import threading
import time
import traceback
import uuid
from typing import NamedTuple

from experiments.chaos.ledger import Asked

# Longer than any answer may take: what is cut off here has hung.
PATIENCE = 60
AGAIN_SECONDS = 0.1
IN_FLIGHT = "idempotency_key_in_flight"


class Place(NamedTuple):
    """What the clients work on: the web server's port, headers of a rep, the templates, the capture slug."""

    port: int
    headers: dict
    template_id: int = 0
    contract_template_id: int = 0
    slug: str = "chaos"


class Answer(NamedTuple):
    """An answer; `told` is false for a broken connection and for "not now"."""

    status: int | None
    body: dict
    told: bool


class Client(threading.Thread):
    """One client on one connection, until `stopping`. Its `turns` are chosen at random.

    All together raise fewer events than the worker handles between two kills.
    """

    turns = ()
    pause = 0.1

    def __init__(self, place, ledger, seed=None):
        super().__init__(daemon=True)
        self.place, self.ledger, self.random = place, ledger, random.Random(seed)
        self.stopping = threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=PATIENCE)

    def run(self):
        try:
            while not self.stopping.is_set():
                getattr(self, self.random.choice(self.turns))()
                time.sleep(self.random.uniform(0.5, 1.5) * self.pause)
        except Exception:
            self.ledger.surprise(traceback.format_exc())
        finally:
            self.close()

    def close(self):
        self.connection.close()

    def ask(self, kind, method, path, body=None, good=(200,), key=None, token=None, raw=None):
        """One request; an answer that is neither in `good` nor "not now" is a surprise.

        `token` is an access token of the client's own, instead of the place's. `raw` is a (media type, bytes) to send.
        """
        media_type, content = raw or ("application/json", json.dumps(body) if body is not None else None)
        headers = {"Content-Type": media_type, **(self.place.headers if "/public/" not in path else {})}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        started = time.monotonic()
        response, text = self._exchange(method, path, content, headers)
        replayed = response is not None and bool(response.headers["Idempotency-Replayed"])
        status = response.status if response is not None else None
        self.ledger.note(Asked(kind, status, time.monotonic() - started, replayed))
        if response is None:
            return Answer(None, {}, False)
        body = json.loads(text) if "json" in (response.headers["Content-Type"] or "") else {}
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
        return f"{word}-{uuid.uuid4().hex[:16]}@prospect.example"


def keep(book, name, value, answer):
    """Note that `name` has this value now, or may have it."""
    if answer.status == 200:
        book[name] = {value}
    elif answer.status in (None, 503):
        book[name].add(value)
