"""Runs the attacks in turn, with the measurements of the other organization."""

import json
import math
import subprocess
import sys
import time
from typing import NamedTuple

from tests.chaos.processes import ROOT
from tests.fair.attacks.accounts import OWNER_LOGS_IN
from tests.fair.attacks.webhooks import RECEIVER_IS_TOLD
from tests.fair.watch import NEVER, Figures

# How long all must go well before an attack begins and after it has ended (at most half of what the attack takes),
# and how long that is waited for.
CALM, LIMIT = 3, 60
# An email is waited for that long after the attack, and the attacker for its end.
PATIENCE = 60
# Within so many seconds a list is answered, and everything when the service is well.
WELL = 0.25


class Aims(NamedTuple):
    """What the other organization may notice: p99 of its lists and of all else, emails, messages, recovery; seconds.

    All else is about 170 requests of an attack, so their p99 is the second slowest.
    """

    p99: float = WELL
    others: float = 2 * WELL
    email: float = 5.0
    message: float = 5.0
    recovery: float = 1.0


class Outcome(NamedTuple):
    """Of one attack: Figures before, during and after it; seconds until an email arrived and until all was well again.

    got: how often the attacker got which answer. core: the part of a core that it used. owner: the status of a login of
    the other organization's owner afterwards, where that is looked at; "" when there was no answer. message: seconds
    until the receiver of the other organization's webhook was told, where that is looked at.
    """

    name: str
    before: Figures
    during: Figures
    after: Figures
    email: float
    recovery: float
    got: dict
    core: float
    owner: int | str | None
    message: float | None = None

    def violations(self, aims):
        """What misses the Aims: sentences."""
        found = []
        for figures, when in ((self.before, "before"), (self.during, "during"), (self.after, "after")):
            if figures.errors:
                reasons = ", ".join(f"{number} × {reason}" for reason, number in figures.reasons.items())
                found.append(f"{figures.errors} of {figures.count} requests failed {when} it: {reasons}")
        if not self.during.p99 <= aims.p99:
            found.append(f"p99 of lists: {milliseconds(self.during.p99)}, aim {milliseconds(aims.p99)}")
        if not self.during.others <= aims.others:
            found.append(f"p99 of all else: {milliseconds(self.during.others)}, aim {milliseconds(aims.others)}")
        if not self.email <= aims.email:
            found.append(f"an email took: {seconds(self.email)}, aim {aims.email:g} s")
        if self.message is not None and not self.message <= aims.message:
            found.append(f"a message to a webhook took: {seconds(self.message)}, aim {aims.message:g} s")
        if not self.recovery <= aims.recovery:
            found.append(f"well again after: {seconds(self.recovery)}, aim {aims.recovery:g} s")
        if self.owner not in (None, 200):
            found.append(f"the owner's login was answered: {self.owner}")
        return [f"{self.name}: {violation}" for violation in found]


def milliseconds(value):
    """A time in milliseconds, as text."""
    return "—" if math.isnan(value) else f"{value * 1000:.0f} ms"


def seconds(value):
    """A time in seconds, as text."""
    return "—" if math.isnan(value) else "never" if value == NEVER else f"{value:.1f} s"


def quiet(watch, length):
    """The Figures of so many seconds without an attack, once the service has warmed up."""
    watch.settle(time.monotonic(), min(CALM, length / 2), LIMIT)
    begin = time.monotonic()
    time.sleep(length)
    return watch.figures(begin, begin + length)


def attack(world, watch, name, length):
    """Make one attack of `length` seconds; its Outcome."""
    calm = min(CALM, length / 2)
    watch.settle(time.monotonic(), calm, LIMIT)
    before = time.monotonic() - calm
    begin, end, told = strike(world.attacker, name, length)
    owner = world.owners_login() if name in OWNER_LOGS_IN else None
    recovery = watch.settle(end, calm, LIMIT)
    email = watch.longest(world.arrivals, begin, end, PATIENCE)
    message = watch.longest(world.told, begin, end, PATIENCE) if name in RECEIVER_IS_TOLD else None
    stretches = ((before, begin), (begin, end), (end, end + calm))
    world.forget(well=recovery < NEVER)
    figures = (watch.figures(*stretch) for stretch in stretches)
    return Outcome(name, *figures, email, recovery, **told, owner=owner, message=message)


def strike(spec, name, length):
    """Let the attacker do its work, in a process of its own: when it began and ended, and what it told."""
    command = [sys.executable, "-m", "tests.fair.attacker", name]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
        try:
            attacker.stdin.write(json.dumps({**spec, "seconds": length}) + "\n")
            attacker.stdin.flush()
            attacker.stdout.readline()
            begin = time.monotonic()
            told, _ = attacker.communicate(timeout=length + PATIENCE)
        finally:
            attacker.kill()
    if not told:
        raise RuntimeError(f"The attack {name} broke off.")
    return begin, time.monotonic(), json.loads(told)
