"""The bystander's measurements, and their figures."""

import json
import math
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from tests.chaos.processes import ROOT
from tests.fair.bystander import PATIENCE

NEVER = math.inf


class Sample:
    """A request of the bystander: when it was due, how long it took (None: no answer yet), what was wrong (text)."""

    def __init__(self, kind, due):
        self.kind, self.due, self.took, self.error = kind, due, None, ""

    @property
    def waited(self):
        """Seconds from when it was due to its answer, or until now."""
        return time.monotonic() - self.due if self.took is None else self.took

    def is_good(self, within):
        """Whether nothing is wrong with it so far, and it has not taken longer than so many seconds."""
        return not self.error and self.waited <= within


class Figures(NamedTuple):
    """Of a stretch of time: p50 and p99 of the lists and p99 of all else in seconds, requests, how many failed, why."""

    p50: float
    p99: float
    others: float
    count: int
    errors: int
    reasons: dict


def percentile(values, part):
    """The smallest of the values that `part` (0 to 1) of them do not exceed; nan without values."""
    values = sorted(values)
    return values[max(0, math.ceil(part * len(values)) - 1)] if values else math.nan


class Watch:
    """The running bystander; a context manager. well: seconds within which a service that is well answers."""

    def __init__(self, spec, well):
        self.samples, self.lock, self.well = {}, threading.Lock(), well
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fair.bystander"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.process.stdin.write(json.dumps(spec) + "\n")
        self.process.stdin.flush()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_failure):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def _read(self):
        for line in self.process.stdout:
            told = json.loads(line)
            with self.lock:
                if "due" in told:
                    self.samples[told["number"]] = Sample(told["kind"], told["due"])
                else:
                    sample = self.samples[told["number"]]
                    sample.error, sample.took = told["error"], told["took"]

    def between(self, begin, end=NEVER):
        """The samples by number that were due in this time."""
        with self.lock:
            return {number: sample for number, sample in self.samples.items() if begin <= sample.due < end}

    def figures(self, begin, end):
        """The Figures of what was due in this time, once each has its answer or should have had it long ago."""
        samples = self.between(begin, end).values()
        last = end + PATIENCE + 1
        while any(sample.took is None for sample in samples) and time.monotonic() < last:
            time.sleep(0.05)
        lists = [sample.waited for sample in samples if sample.kind == "leads"]
        others = [sample.waited for sample in samples if sample.kind != "leads"]
        reasons = {}
        for sample in samples:
            if sample.error or sample.took is None:
                reason = f"{sample.kind}: {sample.error or 'no answer'}"
                reasons[reason] = reasons.get(reason, 0) + 1
        p50, p99 = percentile(lists, 0.5), percentile(lists, 0.99)
        return Figures(p50, p99, percentile(others, 0.99), len(samples), sum(reasons.values()), reasons)

    def longest(self, arrivals, begin, end, patience):
        """The longest that an invite of this time took to what it leads to; NEVER when something is missing.

        arrivals: maps recipients to when the email was at the mail server, or the message at the webhook's receiver.
        Waits for them `patience` seconds after `end`.
        """
        while True:
            numbers = [number for number, sample in self.between(begin, end).items() if sample.kind == "invite"]
            delays = [self._delay(arrivals, number) for number in numbers]
            if NEVER not in delays or time.monotonic() > end + patience:
                return max(delays, default=math.nan)
            time.sleep(0.1)

    def _delay(self, arrivals, number):
        arrived = arrivals.get(f"invited-{number}@prospect.example")
        return NEVER if arrived is None else arrived - self.samples[number].due

    def well_since(self, moment):
        """Seconds after `moment` from which every request has been answered well; 0 when all since then were."""
        samples = self.between(moment).values()
        late = [sample.due + sample.waited - moment for sample in samples if not sample.is_good(self.well)]
        return max(late, default=0.0)

    def settle(self, moment, calm, limit):
        """Return when everything has gone well for `calm` seconds since `moment`, or `limit` seconds are over.

        Answers well_since(moment).
        """
        while time.monotonic() < moment + limit:
            since = self.well_since(moment)
            if self.process.poll() is not None:
                raise RuntimeError("The bystander has ended by itself.")
            if time.monotonic() - moment - since >= calm:
                return since
            time.sleep(0.1)
        return NEVER
