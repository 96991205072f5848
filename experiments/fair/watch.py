"""The other organization at work, and what it notices.

Each request goes out at its own time, whatever became of those before it, and its time is counted from when it was to
be sent: a service that stands still is seen as such.
"""

import http.client
import itertools
import math
import queue
import threading
import time
from bisect import bisect_left
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple

from experiments.fair.http import Client, address

NEVER = math.inf
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
        self.spec, self.kept = spec, {token: queue.LifoQueue() for token in spec["tokens"]}
        self.turns = itertools.cycle(spec["tokens"])

    def leads(self, _number):
        """A rep's list, over a connection that is kept, as a browser does."""
        token = next(self.turns)
        try:
            client = self.kept[token].get_nowait()
        except queue.Empty:
            client = Client(self.spec["port"], token, address(OFFICE, 0), PATIENCE)
        answer = client.ask("GET", "/api/leads")
        self.kept[token].put(client)
        return answer, 200

    def health(self, _number):
        """What a supervisor asks, each time anew."""
        return self.once("GET", "/healthz"), 200

    def form(self, number):
        """A prospect opens an interview; each comes from an address of their own."""
        return self.once("GET", self.interview(number), None, number), 200

    def save(self, number):
        return self.once("PATCH", self.interview(number), {"answers": {"seats": 1 + number % 999}}, number), 200

    def invite(self, number):
        recipient = f"invited-{number}@prospect.example"
        body = {"template_id": self.spec["template_id"], "recipient_email": recipient, "send_email": True}
        token = self.spec["tokens"][0]
        return self.once("POST", "/api/interview-invites", body, token=token, source=address(OFFICE, 0)), 201

    def interview(self, number):
        return f"/api/public/interview/{self.spec['invites'][number % len(self.spec['invites'])]}"

    def once(self, method, path, body=None, number=0, token=None, source=None):
        with closing(Client(self.spec["port"], token, source or address(PROSPECTS, number), PATIENCE)) as client:
            return client.ask(method, path, body)

    def close(self):
        for client in (one for kept in self.kept.values() for one in kept.queue):
            client.close()


class Sample:
    """A request: when it was due, how long it took (None: no answer yet), what was wrong (text)."""

    def __init__(self, number, kind, due):
        self.number, self.kind, self.due, self.took, self.error = number, kind, due, None, ""

    @property
    def waited(self):
        """Seconds from when it was due to its answer, or until now."""
        took = self.took
        return time.monotonic() - self.due if took is None else took

    def ask(self, bystander):
        """Send it, and keep what became of it."""
        try:
            answer, good = getattr(bystander, self.kind)(self.number)
            error = "" if answer.status == good else f"{answer.status} {answer.code}"
        except (OSError, http.client.HTTPException) as failure:
            error = type(failure).__name__
        took = time.monotonic() - self.due
        self.error = error or ("late" if took > PATIENCE else "")
        self.took = took


class Figures(NamedTuple):
    """Of a stretch of time: p50 and p99 of the lists and p99 of all else in seconds, how many requests failed, why."""

    p50: float
    p99: float
    others: float
    errors: int
    reasons: dict


def percentile(values, part):
    """The smallest of the values that `part` (0 to 1) of them do not exceed; nan without values."""
    values = sorted(values)
    return values[max(0, math.ceil(part * len(values)) - 1)] if values else math.nan


class Watch:
    """The Bystander at work; a context manager. well: seconds within which a service that is well answers."""

    def __init__(self, spec, well):
        self.bystander, self.well, self.samples, self.ended = Bystander(spec), well, [], threading.Event()
        self.thread = threading.Thread(target=self._work)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_failure):
        self.ended.set()
        self.thread.join()
        self.bystander.close()

    def _work(self):
        due = dict.fromkeys(RATES, time.monotonic())
        with ThreadPoolExecutor(THREADS) as pool:
            for number in itertools.count():
                kind = min(due, key=due.get)
                if self.ended.wait(max(0, due[kind] - time.monotonic())):
                    break
                self.samples.append(Sample(number, kind, due[kind]))
                pool.submit(self.samples[-1].ask, self.bystander)
                due[kind] += 1 / RATES[kind]

    def between(self, begin, end=NEVER):
        """The samples that were due in this time."""
        first, last = (bisect_left(self.samples, moment, key=lambda sample: sample.due) for moment in (begin, end))
        return self.samples[first:last]

    def figures(self, begin, end):
        """The Figures of what was due in this time, once each has its answer or should have had it long ago."""
        samples = self.between(begin, end)
        last = end + PATIENCE + 1
        while any(sample.took is None for sample in samples) and time.monotonic() < last:
            time.sleep(0.05)
        lists = [sample.waited for sample in samples if sample.kind == "leads"]
        others = [sample.waited for sample in samples if sample.kind != "leads"]
        failed = [sample for sample in samples if sample.error or sample.took is None]
        reasons = Counter(f"{sample.kind}: {sample.error or 'no answer'}" for sample in failed)
        p50, p99 = percentile(lists, 0.5), percentile(lists, 0.99)
        return Figures(p50, p99, percentile(others, 0.99), len(failed), reasons)

    def longest(self, arrivals, begin, end, patience):
        """The longest that an invite of this time took to what it leads to; NEVER when something is missing.

        arrivals: maps recipients to when the email was at the mail server, or the message at the webhook's receiver.
        Waits for them `patience` seconds after `end`.
        """
        while True:
            invites = [sample for sample in self.between(begin, end) if sample.kind == "invite"]
            delays = [arrivals.get(f"invited-{one.number}@prospect.example", NEVER) - one.due for one in invites]
            if NEVER not in delays or time.monotonic() > end + patience:
                return max(delays, default=math.nan)
            time.sleep(0.1)

    def settle(self, moment, calm, limit):
        """Seconds after `moment` from which all has gone well for `calm` seconds; NEVER if not within `limit`."""
        while time.monotonic() < moment + limit:
            bad = [one for one in self.between(moment) if one.error or one.waited > self.well]
            since = max((one.due + one.waited - moment for one in bad), default=0.0)
            if not self.thread.is_alive():
                raise RuntimeError("The bystander has ended by itself.")
            if time.monotonic() - moment - since >= calm:
                return since
            time.sleep(0.1)
        return NEVER
