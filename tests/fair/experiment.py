"""One attack after another, and what the other organization has seen of it."""

import json
import math
import subprocess
import sys
import time
from typing import NamedTuple

from tests.chaos.processes import ROOT
from tests.fair.http import address
from tests.fair.watch import NEVER, Figures

# The aims.
TIMES_QUIET, P99, EMAIL, RECOVERY = 5, 0.25, 5.0, 1.0
# How long all must go well before an attack begins and after it has ended, and how long that is waited for.
CALM, LIMIT = 3, 90
# An email is waited for that long after the attack.
EMAIL_PATIENCE = 60
# Attacks after which the owner of the other organization must still be able to log in.
OWNER_LOGS_IN = ("wrong logins, 11",)
OWNERS_ADDRESS = address(8, 0)


class Aims(NamedTuple):
    """What the other organization's p99, its emails and the recovery may take, in seconds."""

    p99: float
    email: float = EMAIL
    recovery: float = RECOVERY


class Outcome(NamedTuple):
    """Of one attack: Figures before, during and after; seconds; what the attacker got, by answer; the owner's login."""

    name: str
    before: Figures
    during: Figures
    after: Figures
    email: float
    recovery: float
    got: dict
    core: float
    owner: int

    def faults(self, aims):
        """What misses the Aims: sentences."""
        found = []
        for figures, when in ((self.before, "before"), (self.during, "during"), (self.after, "after")):
            if figures.errors:
                found.append(f"{figures.errors} of {figures.count} requests failed {when} it: {figures.reasons}")
        if not self.during.p99 <= aims.p99:
            found.append(f"p99 {milliseconds(self.during.p99)} ms, aim {milliseconds(aims.p99)}")
        if not self.email <= aims.email:
            found.append(f"an email took {seconds(self.email)} s, aim {aims.email:g}")
        if not self.recovery <= aims.recovery:
            found.append(f"well again after {seconds(self.recovery)} s, aim {aims.recovery:g}")
        if self.name in OWNER_LOGS_IN and self.owner != 200:
            found.append(f"the owner's login was answered {self.owner}")
        return [f"{self.name}: {fault}" for fault in found]


def milliseconds(value):
    return "—" if math.isnan(value) else f"{value * 1000:.0f}"


def seconds(value):
    return "—" if math.isnan(value) else "never" if value == NEVER else f"{value:.1f}"


def quiet(watch, length):
    """The Figures of so many seconds without an attack, after the service has warmed up."""
    watch.settle(time.monotonic(), CALM, LIMIT)
    begin = time.monotonic()
    time.sleep(length)
    return watch.figures(begin, begin + length)


def attack(world, watch, name, length):
    """Make one attack of `length` seconds; its Outcome."""
    before = time.monotonic()
    watch.settle(before, CALM, LIMIT)
    before = time.monotonic() - CALM
    command = [sys.executable, "-m", "tests.fair.attacker", name]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
        try:
            attacker.stdin.write(json.dumps({**world.attacker, "seconds": length}) + "\n")
            attacker.stdin.flush()
            if not attacker.stdout.readline():
                raise RuntimeError(f"The attack {name} did not begin.")
            begin = time.monotonic()
            told, _ = attacker.communicate(timeout=length + 60)
        except BaseException:
            attacker.kill()
            raise
    end = time.monotonic()
    if not told:
        raise RuntimeError(f"The attack {name} broke off.")
    owner = world.login(world.attacker["victim"], OWNERS_ADDRESS).status
    recovery = watch.settle(end, CALM, LIMIT)
    email = watch.email(begin, end, EMAIL_PATIENCE)
    world.forget()
    figures = [watch.figures(*when) for when in ((before, begin), (begin, end), (end, end + CALM))]
    result = json.loads(told)
    return Outcome(name, *figures, email, recovery, dict(result["got"]), result["core"], owner)
