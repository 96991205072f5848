"""Runs the attacks in turn, with the measurements of the other organization."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from experiments.chaos.processes import ROOT
from experiments.fair.attacks import ERRANDS, OWNER_LOGS_IN, RECEIVER_IS_TOLD
from experiments.fair.watch import NEVER, Figures

# How long all must go well before an attack begins and after it has ended (at most half of what the attack takes),
# and how long that is waited for.
CALM, LIMIT = 3, 60
# An email is waited for that long after the attack, and the attacker for its end.
PATIENCE = 60
# Within so many seconds a list is answered, and everything when the service is well.
WELL = 0.25


# What the other organization may notice, in seconds. All else is about 170 requests of an attack, so their p99 is the
# second slowest.
AIMS = {
    "p99 of lists": WELL,
    "p99 of all else": 2 * WELL,
    "an email": 5.0,
    "a message to a webhook": 5.0,
    "well again": 1.0,
    "an errand of a stranger": 10.0,
}


class Outcome(NamedTuple):
    """Of one attack: Figures during it, and from before until after it; `took`: {one of AIMS: seconds}.

    got: how often the attacker got which answer. core: the part of a core that it used. owner: the status of a login of
    the other organization's owner afterwards, where that is looked at; "" when there was no answer.
    """

    name: str
    during: Figures
    around: Figures
    took: dict[str, float]
    got: dict
    core: float
    owner: int | str | None

    def violations(self):
        """What misses the AIMS: sentences."""
        # What was not measured (nan) misses its aim, too.
        found = [
            f"{what}: {value:.3f} s, aim {AIMS[what]:g} s"
            for what, value in self.took.items()
            if not value <= AIMS[what]
        ]
        if self.around.errors:
            found.append(f"{self.around.errors} requests failed: {told(self.around.reasons)}")
        if self.owner not in (None, 200):
            found.append(f"the owner's login was answered: {self.owner}")
        return [f"{self.name}: {violation}" for violation in found]

    def __str__(self):
        took = "; ".join(f"{what} {value:.3f} s" for what, value in self.took.items())
        return (
            f"{self.name}: p50 of lists {self.during.p50:.3f} s; {took}; owner's login {self.owner}; "
            f"the attacker got {told(self.got)}; {self.core:.1f} cores"
        )


def told(counts):
    return ", ".join(f"{number} × {what}" for what, number in counts.items())


def run(world, watch, names, length):
    """Print a line for each attack of `length` seconds; the violations (list of str)."""
    calm = quiet(watch, length)
    print(f"quiet: p50 {calm.p50:.3f} s, p99 {calm.p99:.3f} s, {calm.errors} errors; {AIMS}", flush=True)
    violations = [f"quiet: {reason}" for reason in calm.reasons]
    for name in names:
        outcome = attack(world, watch, name, length)
        found = outcome.violations()
        print(f"{outcome}{'; missed' if found else ''}", flush=True)
        violations += found
    return violations


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
    errand = getattr(world, ERRANDS[name]) if name in ERRANDS else lambda: None
    with ThreadPoolExecutor(1) as thread:
        begin, end, told, errand = strike(world.attacker, name, length, lambda: thread.submit(errand))
    owner = world.owners_login() if name in OWNER_LOGS_IN else None
    recovery = watch.settle(end, calm, LIMIT)
    email = watch.longest(world.arrivals, begin, end, PATIENCE)
    message = watch.longest(world.told, begin, end, PATIENCE) if name in RECEIVER_IS_TOLD else None
    world.forget(well=recovery < NEVER)
    during, around = watch.figures(begin, end), watch.figures(before, end + calm)
    found = (during.p99, during.others, email, message, recovery, errand.result())
    took = {what: value for what, value in zip(AIMS, found, strict=True) if value is not None}
    return Outcome(name, during, around, took, **told, owner=owner)


def strike(spec, name, length, meanwhile):
    """Let the attacker do its work, in a process of its own: when it began and ended, what it told; `meanwhile()`."""
    command = [sys.executable, "-m", "experiments.fair.attacker", name]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
        try:
            attacker.stdin.write(json.dumps({**spec, "seconds": length}) + "\n")
            attacker.stdin.flush()
            attacker.stdout.readline()
            begin, beside = time.monotonic(), meanwhile()
            told, _ = attacker.communicate(timeout=length + PATIENCE)
        finally:
            attacker.kill()
    if not told:
        raise RuntimeError(f"The attack {name} broke off.")
    return begin, time.monotonic(), json.loads(told), beside
