"""An attacker, as a process of its own: `python -m experiments.fair.attacker NAME < spec`.

It stops by itself when its seconds are over, with everything that it holds open, and prints what it got as JSON: how
often each answer, and the part of a core that it used.
"""

import collections
import http.client
import itertools
import json
import os
import sys
import threading
import time

from experiments.fair.attacks import ATTACKS
from experiments.fair.http import Client, address, descriptors

# So far an attack's process leaves the processors to the others; a real one has its own.
NICE = 10
CROWD = 3


class Field:
    """What an attack works with: `spec` (what the World says of the attacker), `end` (time.monotonic()), counts."""

    def __init__(self, spec):
        self.spec, self.port = spec, spec["port"]
        self.begin = time.monotonic()
        self.end = self.begin + spec["seconds"]
        self.got, self.lock = collections.Counter(), threading.Lock()

    @property
    def going(self):
        return time.monotonic() < self.end

    def count(self, what, number=1):
        """Note something that the attacker got."""
        with self.lock:
            self.got[what] += number

    def rest(self):
        """Return at the end."""
        while self.going:
            time.sleep(0.05)

    def source(self, number):
        """An address of the attacker's; it has `addresses` of them."""
        return address(CROWD, number % self.spec["addresses"])

    def user(self, number):
        """A Client of one of the attacker's people, at an address of their own."""
        return Client(self.port, self.spec["tokens"][number % len(self.spec["tokens"])], self.source(number))

    def contract(self, kind, number):
        """The path of one of the attacker's contracts, `signed` or `complex`."""
        ids = self.spec[kind]
        return f"/api/contracts/{ids[number % len(ids)]}"

    def ask(self, client, *request, **options):
        """Send and count; the Answer, or None when the connection broke."""
        try:
            answer = client.ask(*request, **options)
        except (OSError, http.client.HTTPException) as error:
            self.count(type(error).__name__)
            return None
        self.count(f"{answer.status} {answer.code}".strip())
        return answer

    def make(self, client, path, body):
        """A new record, once the limits that an earlier attack has used admit it; the attack ends as much later."""
        asked = time.monotonic()
        while (answer := self.ask(client, "POST", path, body)).status == 429:
            time.sleep(0.2)
        self.end += time.monotonic() - asked
        return answer.json

    def crowd(self, number, function, turns=None):
        """Call function(thread, turn) in `number` threads for each turn (by default 0, 1, …), until the end."""
        left = itertools.count() if turns is None else iter(turns)

        def work(index):
            for turn in left:
                if not self.going:
                    break
                function(index, turn)

        for index in range(number):
            threading.Thread(target=work, args=(index,), daemon=True).start()
        self.rest()


def main():
    """Attack, print, and leave whatever is under way to the kernel."""
    os.nice(NICE)
    descriptors()
    field = Field(json.loads(sys.stdin.readline()))
    print("begins", flush=True)
    ATTACKS[sys.argv[1]](field)
    field.rest()
    used = time.process_time() / (time.monotonic() - field.begin)
    with field.lock:
        print(json.dumps({"got": dict(field.got.most_common()), "core": used}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
