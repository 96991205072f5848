"""The other organization at work, as a process of its own: `python -m tests.fair.bystander < spec`.

Each request goes out at its own time, whatever became of those before it, and its time is counted from when it was to
be sent: a service that stands still is seen as such. Prints a line of JSON when a request is due and another when it is
over; ends when standard input does.
"""

import http.client
import itertools
import json
import os
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from tests.fair.http import Client, address, descriptors

# Longer than this nobody waits.
PATIENCE = 10
# Of each kind so many a second. Two reps share the lists: 600 a minute for each, of the 1,200 that each may send.
RATES = {"leads": 20, "health": 5, "form": 3, "save": 3, "invite": 0.3}
OFFICE, PROSPECTS = 1, 2
# As many may wait as PATIENCE admits when nothing is answered any more.
THREADS = int(PATIENCE * sum(RATES.values())) + 50


class Bystander:
    """What the other organization asks; `spec` holds port, tokens (of its reps), invites (tokens) and template_id."""

    def __init__(self, spec):
        self.spec, self.numbers, self.lock = spec, itertools.count(), threading.Lock()
        self.idle = {token: queue.LifoQueue() for token in spec["tokens"]}
        self.turns = itertools.cycle(spec["tokens"])

    def leads(self, _number):
        """A rep's list, over a connection that is kept, as a browser does."""
        token = next(self.turns)
        try:
            client = self.idle[token].get_nowait()
        except queue.Empty:
            client = self.client(token, address(OFFICE, 0))
        answer = client.ask("GET", "/api/leads")
        self.idle[token].put(client)
        return answer, 200

    def health(self, _number):
        """What a supervisor asks, each time anew."""
        return self.once("GET", "/healthz"), 200

    def form(self, number):
        """A prospect opens an interview; each comes from an address of their own."""
        return self.once("GET", self.interview(number), None, number), 200

    def save(self, number):
        """A prospect answers a question."""
        return self.once("PATCH", self.interview(number), {"answers": {"seats": 1 + number % 999}}, number), 200

    def invite(self, number):
        """A rep invites somebody by email."""
        recipient = f"invited-{number}@prospect.example"
        body = {"template_id": self.spec["template_id"], "recipient_email": recipient, "send_email": True}
        token = self.spec["tokens"][0]
        return self.once("POST", "/api/interview-invites", body, token=token, source=address(OFFICE, 0)), 201

    def client(self, token, source):
        return Client(self.spec["port"], token, source, PATIENCE)

    def interview(self, number):
        return f"/api/public/interview/{self.spec['invites'][number % len(self.spec['invites'])]}"

    def once(self, method, path, body=None, number=0, token=None, source=None):
        client = self.client(token, source or address(PROSPECTS, number))
        try:
            return client.ask(method, path, body)
        finally:
            client.close()

    def run(self, kind, number, due):
        """One request and its line."""
        try:
            answer, good = getattr(self, kind)(number)
            error = "" if answer.status == good else f"{answer.status} {answer.code}"
        except (OSError, http.client.HTTPException) as failure:
            error = type(failure).__name__
        took = time.monotonic() - due
        self.tell(number=number, took=took, error=error or ("late" if took > PATIENCE else ""))

    def tell(self, **line):
        with self.lock:
            print(json.dumps(line), flush=True)


def timetable(start):
    """(due, kind) of every request for ever, in order."""
    ticks = {kind: start for kind in RATES}
    while True:
        kind = min(ticks, key=ticks.get)
        yield ticks[kind], kind
        ticks[kind] += 1 / RATES[kind]


def main():
    """Ask until standard input ends."""
    descriptors()
    bystander = Bystander(json.loads(sys.stdin.readline()))
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    with ThreadPoolExecutor(THREADS) as pool:
        for due, kind in timetable(time.monotonic()):
            if ended.wait(max(0, due - time.monotonic())):
                break
            number = next(bystander.numbers)
            bystander.tell(number=number, kind=kind, due=due)
            pool.submit(bystander.run, kind, number, due)
        # Nobody asks any more what becomes of those under way.
        os._exit(0)


if __name__ == "__main__":
    main()
