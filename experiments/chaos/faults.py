import contextlib
import random
import time
from collections import Counter

import psutil
from kombu.exceptions import OperationalError

from experiments.chaos import told
from experiments.chaos.processes import START_SECONDS, wait_until
from pipeline.process.settings import load
from pipeline.worker.app import make_app
from pipeline.worker.queues import MAIL, queue_of

RECOVERY_SECONDS = 5
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
# What is broken in turn; what is counted elsewhere, by trouble, has no name of its own.
EACH = (
    ("kill_web_process", "web process"),
    ("kill_web", "web, all of it"),
    ("kill_worker", "worker"),
    ("kill_renderer", "render process"),
    ("kill_postgres", "PostgreSQL"),
    ("kill_backend", "PostgreSQL, one backend"),
    ("kill_redis", "Redis"),
    ("lose_redis", "Redis, its data lost"),
    ("freeze_redis", None),
    # These have more forms than the others.
    ("trouble_mail", None),
    ("trouble_mail", None),
    ("trouble_receiver", None),
)
SILENT = "Redis is silent"


class Faults:
    """Breaks a Service.

    `kills` and `outages` count what was done, by victim or point; `recoveries` are in seconds, `late` tells what took
    longer. `away` has the times (time.monotonic(): since, until) when PostgreSQL was away or had just come back.
    """

    def __init__(self, service, seed):
        self.service, self.web, self.random = service, service.web, random.Random(seed)
        self.kills, self.outages, self.recoveries, self.late = Counter(), Counter(), [], []
        self.away = []
        self.points = dict.fromkeys(service.programs, 0)
        self.chosen, self.troubles, self.deck, self.known = {}, {"mail server": [], "receiver": []}, [], []
        settings = load({}, service.environ)
        self.celery = make_app(settings, None, queue_of(settings, MAIL))

    def begin(self):
        """Give every process its first point; the worker processes begin at different ones."""
        for program in (self.service.workers[1], self.service.workers[-1]):
            self.points[program] = len(WORKER_POINTS[program.queue]) // 2
        for program in self.service.programs:
            self.restart(program)
        self.known = self.web.workers()

    def restart(self, program, lives=False):
        """Start it anew, as a supervisor would, to kill itself at the next of its points unless it `lives`.

        A dead one's children do not outlive it.
        """
        program.kill()
        points = WEB_POINTS if program is self.web else WORKER_POINTS[program.queue]
        point = "" if lives else points[self.points[program] % len(points)]
        self.points[program] += 1
        self.chosen[program] = point.partition(":")[0]
        program.environ["PIPELINE_CHAOS"] = point
        program.start()

    def supervise(self):
        """Count the processes that killed themselves, and start again what has ended."""
        alive = self.web.workers()
        self.kills.update(f"web at {self.chosen[self.web]}" for process in self.known if process not in alive)
        self.known = alive
        for program in self.service.programs:
            if not program.is_running():
                if program is not self.web:
                    self.kills[f"worker at {self.chosen[program]}"] += 1
                self.restart(program)

    def rest(self, shortest, longest):
        end = time.monotonic() + self.random.uniform(shortest, longest)
        while time.monotonic() < end:
            self.supervise()
            time.sleep(0.1)

    def turn(self):
        """The next fault; who is killed by it is counted."""
        self.deck = self.deck or self.random.sample(EACH, len(EACH))
        fault, victim = self.deck.pop()
        if getattr(self, fault)():
            self.kills[victim] += 1

    def kill_one(self, processes):
        """Kill one of these (psutil.Process), if there is one: the victim."""
        victim = self.random.choice(processes) if processes else None
        with contextlib.suppress(psutil.Error):
            if victim:
                victim.kill()
        return victim

    def kill_web_process(self):
        victim = self.kill_one(self.wait_for(lambda: self.known))
        self.known = [process for process in self.known if process != victim]
        return victim

    def kill_web(self):
        return self.kill_program(self.web)

    def kill_worker(self):
        return self.kill_program(self.random.choice(self.service.workers))

    def kill_program(self, program):
        self.supervise()
        program.kill()
        self.known = [] if program is self.web else self.known
        self.restart(program)
        return self.recover()

    def kill_renderer(self):
        """In the middle of a document: its process, or the one that makes these."""
        at_work = self.wait_for(self.rendering)
        return self.kill_one(self.random.choice(at_work) if at_work else ())

    def rendering(self):
        """Pairs of a renderer and its process of one document, as psutil.Process."""
        renderers = [found for program in self.service.programs for found in program.renderers()]
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
        since = time.monotonic()
        self.service.postgres.kill()
        self.rest(0, 1.5)
        self.service.postgres.start_and_wait()
        self.recover()
        self.away.append((since, time.monotonic()))
        return True

    def kill_backend(self):
        """PostgreSQL ends all others, too, when one is killed."""
        since = time.monotonic()
        victim = self.kill_one(self.service.postgres.children("pipeline_"))
        if victim:
            self.rest(0.5, 0.5)
            self.service.postgres.start_and_wait()
            self.recover()
            self.away.append((since, time.monotonic()))
        return victim

    def kill_redis(self, lose=False):
        redis = self.service.redis
        redis.kill()
        if lose:
            redis.forget()
        self.rest(0, 3)
        redis.start_and_wait()
        return self.recover()

    def lose_redis(self):
        return self.kill_redis(lose=True)

    def freeze_redis(self):
        self.service.redis.freeze(True)
        self.outages[SILENT] += 1
        self.rest(0.3, 2)
        self.service.redis.freeze(False)
        self.recover()

    def trouble(self, who, troubles):
        """The next trouble of a server, each in its turn."""
        self.troubles[who] = self.troubles[who] or self.random.sample(troubles, len(troubles))
        trouble = self.troubles[who].pop()
        self.outages[f"{who}: {trouble}"] += 1
        return trouble

    def trouble_mail(self):
        mail, trouble = self.service.mail, self.trouble("mail server", MAIL_TROUBLES)
        if trouble == "away":
            # First no newcomers, so that nobody is cut off whose content was taken.
            mail.drop = "connect"
            self.rest(0.3, 0.3)
            mail.stop()
        elif trouble == "refuse":
            mail.refuse = {self.random.choice(("MAIL", "RCPT", "DATA", "CONTENT")): "451 Not now"}
        elif trouble == "delay":
            mail.delay = 0.2
        else:
            mail.drop = trouble
        self.rest(0.5, 2.5)
        mail.drop, mail.refuse, mail.delay = None, {}, 0
        if trouble == "away":
            mail.start()
        self.recover()

    def trouble_receiver(self):
        receiver, trouble = self.service.receiver, self.trouble("receiver", told.TROUBLES)
        if trouble == "away":
            receiver.stop()
        else:
            receiver.answer = getattr(told, trouble)
        self.rest(0.5, 2.5)
        receiver.answer = None
        if trouble == "away":
            receiver.start()

    def untouched(self):
        """The victims, named points and troubles that nothing has happened to yet, as `kills` and `outages` say."""
        points = {"web": WEB_POINTS, "worker": [point for points in WORKER_POINTS.values() for point in points]}
        named = {f"{who} at {point.partition(':')[0]}" for who, several in points.items() for point in several}
        troubles = {"mail server": MAIL_TROUBLES, "receiver": told.TROUBLES}
        named |= {f"{who}: {trouble}" for who, several in troubles.items() for trouble in several}
        named |= {victim for _, victim in EACH if victim} | {SILENT}
        return named - set(self.kills) - set(self.outages)

    def repeat_tasks(self, limit=10):
        """Hand events that are done, open or in work to the queue once more: three times, out of order."""
        with self.service.connect() as connection:
            some = "select organization_id, id from app.outbox order by random() limit %s"
            tasks = 3 * connection.execute(some, (limit,)).fetchall()
        self.random.shuffle(tasks)
        with contextlib.suppress(OperationalError):
            for task in tasks:
                self.celery.send_task("deliver", list(task), retry=False)
                self.outages["tasks handed over again"] += 1

    def recover(self):
        """Wait until the service works again, and note the seconds since all its processes are up; true."""
        while True:
            self.supervise()
            for program in self.service.programs:
                wait_until(lambda p=program: p.is_ready() or not p.is_running(), START_SECONDS, program.name)
            before = self.generation()
            seconds = self.service.probe.seconds(RECOVERY_SECONDS)
            # Whoever killed himself meanwhile begins the time anew.
            if seconds <= RECOVERY_SECONDS:
                self.recoveries.append(seconds)
                return True
            if self.generation() == before and all(program.is_running() for program in self.service.programs):
                missed = self.service.probe.missed
                self.late.append(f"not recovered {RECOVERY_SECONDS} s after an outage: {missed}")

    def generation(self):
        programs = [program.process.pid for program in self.service.programs if program.is_running()]
        return programs, sorted(process.pid for process in self.web.workers())

    def end(self):
        """Let everything live, and wait until it works."""
        for program in self.service.programs:
            self.restart(program, lives=True)
        self.known = []
        self.recover()
