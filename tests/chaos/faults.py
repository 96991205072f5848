"""The faults: processes are killed at random and at named points, servers stop, the mail server misbehaves."""

import contextlib
import os
import random
import time
from collections import Counter

import psutil
import psycopg
from kombu.exceptions import OperationalError

from pipeline.process.settings import load
from pipeline.worker.app import make_app
from pipeline.worker.queues import MAIL, queue_of
from tests.chaos import told
from tests.chaos.processes import START_SECONDS, wait_until

RECOVERY_SECONDS = float(os.environ.get("CHAOS_RECOVERY_SECONDS", "5"))
# How long a fault waits for somebody to hit.
VICTIM_SECONDS = 60.0
# Where a process kills itself, and in how many of its passes. Each start of a process gets the next.
WORKER_POINTS = {
    "mail": (
        "before_commit:0.02",
        "after_publish:0.05",
        "claimed:0.1",
        "after_250:0.1",
        "before_done:0.05",
        "sent:0.1",
        "after_commit:0.02",
        "before_content:0.1",
    ),
    "documents": (
        "document_rendered:0.2",
        "document_sealed:1",
        "document_stored:0.2",
        "contract_executed:1",
        "chunk_stored:0.2",
        "before_done:0.1",
        "after_publish:0.1",
    ),
    "webhooks": (
        "webhook_claimed:0.01",
        "webhook_sent:0.01",
        "before_commit:0.003",
        "webhook_noted:0.01",
        "after_publish:0.01",
        "after_commit:0.003",
    ),
}
WEB_POINTS = ("before_commit:0.0015", "after_commit:0.0015", "chunk_stored:0.1")
MAIL_TROUBLES = ("connect", "MAIL", "DATA", "unread", "taken", "refuse", "delay", "away")
EACH = (
    "kill_web_process",
    "kill_web",
    "kill_worker",
    "kill_renderer",
    "kill_postgres",
    "kill_backend",
    "kill_redis",
    "lose_redis",
    "freeze_redis",
    # These have more forms than the others.
    "trouble_mail",
    "trouble_mail",
    "trouble_receiver",
)
VICTIMS = {
    "web process",
    "web, all of it",
    "worker",
    "render process",
    "PostgreSQL",
    "PostgreSQL, one backend",
    "Redis",
    "Redis, its data lost",
}


class Faults:
    """Breaks a System, its MailServer, and the Receiver of its webhook.

    `kills` and `outages` count what was done, by victim or point; `recoveries` are in seconds, `late` tells what took
    longer.
    """

    def __init__(self, system, mail, receiver, probe, seed):
        self.system, self.mail, self.receiver, self.probe = system, mail, receiver, probe
        self.random = random.Random(seed)
        self.kills, self.outages, self.recoveries, self.late = Counter(), Counter(), [], []
        self.points = {program: 0 for program in system.programs}
        self.chosen, self.troubles = {}, {"mail server": [], "receiver": []}
        self.known = []
        settings = load({}, system.environ)
        self.celery = make_app(settings, None, queue_of(settings, MAIL))

    def arm(self, program, points):
        """Let the program's next start kill itself at the next of these points; none: let it live."""
        point = points[self.points[program] % len(points)] if points else ""
        self.points[program] += 1
        self.chosen[program] = point.partition(":")[0]
        program.environ["PIPELINE_CHAOS"] = point

    def begin(self):
        """Give every process its first point; the worker processes begin at different ones."""
        for program in (self.system.workers[1], self.system.workers[-1]):
            self.points[program] = len(WORKER_POINTS[program.queue]) // 2
        for program in self.system.programs:
            program.kill()
            self.restart(program)
        self.known = self.system.web.workers()

    def restart(self, program):
        """Start it anew, as a supervisor would; a dead one's children do not outlive it."""
        program.kill()
        self.arm(program, WEB_POINTS if program is self.system.web else WORKER_POINTS[program.queue])
        program.start()

    def supervise(self):
        """Count the processes that killed themselves, and start again what has ended."""
        alive = self.system.web.workers()
        for _ in range(len([process for process in self.known if process not in alive])):
            self.kills[f"web at {self.chosen[self.system.web]}"] += 1
        self.known = alive
        for program in self.system.programs:
            if not program.is_running():
                if program is not self.system.web:
                    self.kills[f"worker at {self.chosen[program]}"] += 1
                self.restart(program)

    def rest(self, seconds):
        """Let time pass under supervision, and tasks come again and again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.supervise()
            time.sleep(0.1)

    def kill_web_process(self):
        if self.wait_for(lambda: self.known):
            victim = self.random.choice(self.known)
            with contextlib.suppress(psutil.Error):
                victim.kill()
            self.known.remove(victim)
            self.kills["web process"] += 1

    def kill_web(self):
        self.kill_program(self.system.web, "web, all of it")

    def kill_worker(self):
        self.kill_program(self.random.choice(self.system.workers), "worker")

    def kill_program(self, program, name):
        self.supervise()
        program.kill()
        self.known = [] if program is self.system.web else self.known
        self.kills[name] += 1
        self.restart(program)
        self.recover()

    def kill_renderer(self):
        """In the middle of a document: its process, or the one that makes these."""
        if at_work := self.wait_for(self.rendering):
            renderer, document = self.random.choice(at_work)
            with contextlib.suppress(psutil.Error):
                self.random.choice((renderer, document)).kill()
            self.kills["render process"] += 1

    def rendering(self):
        """Pairs of a renderer and its process of one document, as psutil.Process."""
        renderers = [found for program in self.system.programs for found in program.renderers()]
        by_number = {found.pid: found for found in renderers}
        with contextlib.suppress(psutil.Error):
            return [(by_number[found.ppid()], found) for found in renderers if found.ppid() in by_number]
        return []

    def wait_for(self, victims):
        """What `victims()` finds, under supervision; nothing when nobody comes in time."""
        end = time.monotonic() + VICTIM_SECONDS
        while not (found := victims()) and time.monotonic() < end:
            self.supervise()
            time.sleep(0.01)
        return found

    def kill_postgres(self):
        self.system.postgres.kill()
        self.kills["PostgreSQL"] += 1
        self.rest(self.random.uniform(0, 1.5))
        self.system.postgres.start_and_wait()
        self.recover()

    def kill_backend(self):
        backends = self.system.postgres.backends()
        if backends:
            with contextlib.suppress(psutil.Error):
                self.random.choice(backends).kill()
            self.kills["PostgreSQL, one backend"] += 1
            self.rest(0.5)
            self.system.postgres.start_and_wait()

    def kill_redis(self, lose=False):
        self.system.redis.kill()
        self.kills["Redis, its data lost" if lose else "Redis"] += 1
        if lose:
            self.system.redis.forget()
        self.rest(self.random.uniform(0, 3))
        self.system.redis.start_and_wait()
        self.recover()

    def lose_redis(self):
        self.kill_redis(lose=True)

    def freeze_redis(self):
        self.system.redis.freeze(True)
        self.outages["Redis is silent"] += 1
        self.rest(self.random.uniform(0.3, 2))
        self.system.redis.freeze(False)
        self.recover()

    def trouble(self, who, troubles):
        """The next trouble of a server, each in its turn."""
        self.troubles[who] = self.troubles[who] or self.random.sample(troubles, len(troubles))
        trouble = self.troubles[who].pop()
        self.outages[f"{who}: {trouble}"] += 1
        return trouble

    def trouble_mail(self):
        trouble = self.trouble("mail server", MAIL_TROUBLES)
        if trouble == "away":
            # First no newcomers, so that nobody is cut off whose content was taken.
            self.mail.drop = "connect"
            self.rest(0.3)
            self.mail.stop()
        elif trouble == "refuse":
            self.mail.refuse = {self.random.choice(("MAIL", "RCPT", "DATA", "CONTENT")): "451 Not now"}
        elif trouble == "delay":
            self.mail.delay = 0.2
        else:
            self.mail.drop = trouble
        self.rest(self.random.uniform(0.5, 2.5))
        self.mail.drop, self.mail.refuse, self.mail.delay = None, {}, 0
        if trouble == "away":
            self.mail.start()
        self.recover()

    def trouble_receiver(self):
        trouble = self.trouble("receiver", told.TROUBLES)
        if trouble == "away":
            self.receiver.stop()
        else:
            self.receiver.answer = getattr(told, trouble)
        self.rest(self.random.uniform(0.5, 2.5))
        self.receiver.answer = None
        if trouble == "away":
            self.receiver.start()

    def untouched(self):
        """The victims, named points and troubles that nothing has happened to yet, as `kills` and `outages` say."""
        points = {f"worker at {point}" for points in WORKER_POINTS.values() for point in points}
        points |= {f"web at {point}" for point in WEB_POINTS}
        named = VICTIMS | {point.partition(":")[0] for point in points}
        troubles = {f"mail server: {trouble}" for trouble in MAIL_TROUBLES} | {"Redis is silent"}
        troubles |= {f"receiver: {trouble}" for trouble in told.TROUBLES}
        return named - set(self.kills) | troubles - set(self.outages)

    def repeat_tasks(self, limit=10):
        """Hand events that are done, open or in work to the queue once more: three times, out of order."""
        with psycopg.connect(self.system.postgres.url()) as connection:
            rows = connection.execute(
                "select organization_id, id from app.outbox order by random() limit %s", (limit,)
            ).fetchall()
        tasks = rows * 3
        self.random.shuffle(tasks)
        with contextlib.suppress(OperationalError):
            for task in tasks:
                self.celery.send_task("deliver", list(task), retry=False)
                self.outages["tasks handed over again"] += 1

    def recover(self):
        """Wait until the service works again, and note the seconds since all its processes are up."""
        while True:
            self.supervise()
            for program in self.system.programs:
                wait_until(lambda p=program: p.is_ready() or not p.is_running(), START_SECONDS, program.name)
            before = self.generation()
            seconds = self.probe.seconds(RECOVERY_SECONDS)
            # Whoever killed himself meanwhile begins the time anew.
            if seconds <= RECOVERY_SECONDS:
                self.recoveries.append(seconds)
                return
            if self.generation() == before and all(program.is_running() for program in self.system.programs):
                self.late.append(f"not recovered {RECOVERY_SECONDS} s after an outage: {self.probe.missed}")

    def generation(self):
        """The numbers of the processes that run."""
        programs = [program.process.pid for program in self.system.programs if program.is_running()]
        return programs, sorted(process.pid for process in self.system.web.workers())

    def end(self):
        """Let everything live, and wait until it works."""
        for program in self.system.programs:
            program.kill()
            self.arm(program, ())
            program.start()
        self.known = []
        self.recover()
