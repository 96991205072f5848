"""The whole run: clients work, everything fails, and at the end nothing is missing or doubled."""

import contextlib
import queue
import time
from typing import NamedTuple

import psycopg

from development.ports import free_port
from pipeline.accounts.passwords import hash_password
from pipeline.database.execution import DEATH
from pipeline.database.parts import record_parts
from pipeline.http.core.security import Tokens
from pipeline.process.settings import load
from tests.chaos import faults
from tests.chaos.client import Client, Place
from tests.chaos.clients import Drafter, Prospect, Rep, Visitor
from tests.chaos.faults import VICTIMS, Faults
from tests.chaos.invariants import Outcome
from tests.chaos.ledger import Ledger
from tests.chaos.people import Person, Recruiter
from tests.chaos.probe import Probe
from tests.chaos.processes import wait_until
from tests.chaos.signatories import Signatory
from tests.chaos.system import System
from tests.chaos.told import KEEP, subscribe
from tests.conftest import PASSWORD
from tests.homes import Superuser
from tests.mail.mailserver import MailServer
from tests.support import TEMPLATE, Organization
from tests.webhooks.receiver import Receiver

# Without a single event closed for this long, the worker stands still.
STANDSTILL_SECONDS = 60
EMAIL = {"key": "email", "type": "email", "label": "Your address?"}
FORM = {
    **TEMPLATE,
    "pages": [{**TEMPLATE["pages"][0], "questions": [*TEMPLATE["pages"][0]["questions"], "email"]}],
    "questions": [*TEMPLATE["questions"], EMAIL],
    "lead_capture_enabled": True,
    "public_slug": "chaos",
}
# Who uses nothing but their own accounts.
PEOPLE = ("ada", "kim")
CLAUSE = '<li>The Licensee may use {{Deal.product_line}} from {{Contract.effective_date | date: "long"}} on.</li>'
CONTRACT = {
    "name": "Licence",
    "content": f'<h1>Contract {{{{Contract.number}}}}</h1><ol class="clauses">{CLAUSE * 60}</ol>'
    "{{Contract.signature_block}}",
    "footer_center": "{{page}} of {{pages}}",
}


OPEN = """
    select (select count(*) from app.outbox where done_at is null)
        + (select count(*) from app.webhook_deliveries where status = 'pending')
        + (select count(*) from app.changes c join app.webhook_states s on s.organization_id = c.organization_id
           where (c.transaction_id, c.id) > (s.after_transaction, s.after_id))"""


class Report(NamedTuple):
    """What has been killed (Counter), every violation found (list of str), and lines to print."""

    kills: dict
    violations: list
    lines: list


class Service:
    """A System with an organization, a form, and a ledger; a context manager."""

    def __init__(self, folder, **settings):
        self.folder, self.settings, self.ledger = folder, settings, Ledger()
        self.templates, self.stack = {}, contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.mail = stack.enter_context(MailServer(port=free_port()))
            self.receiver = Receiver()
            stack.callback(self.receiver.stop)
            self.system = stack.enter_context(System(self.folder, self.mail.url, **self.settings))
            self.set_up()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *failure):
        self.stack.close()

    def connect(self):
        """A superuser's connection to the database."""
        return Superuser.connected(self.system.postgres.url())

    def set_up(self):
        """The organization, the form, and the invite of the probe."""
        tokens = Tokens(load({}, self.system.environ))
        with self.connect() as owner:
            owner.execute(KEEP)
            # The service starts only on a schema that is as it was recorded.
            with psycopg.connect(self.system.postgres.url()) as recording:
                record_parts(recording)
            self.organization = Organization(None, owner, "chaos", "no password", tokens)
            for person in PEOPLE:
                self.organization.add(person, "member", True, hash_password(PASSWORD))
        asking = Client(self.place("admin"), self.ledger)
        for name, path, body in (
            ("template_id", "/api/interview-templates", FORM),
            ("contract_template_id", "/api/contract-templates", CONTRACT),
        ):
            self.templates[name] = asking.ask("template", "POST", path, body, good=(201,)).body["id"]
        invite = {"template_id": self.templates["template_id"], "recipient_email": "probe@prospect.example"}
        made = asking.ask("invite", "POST", "/api/interview-invites", invite, good=(201,)).body
        asking.close()
        self.ledger.invites["probe@prospect.example"] = made
        self.probe = Probe(self.place(), self.ledger, self.system.postgres.url(), made)

    def place(self, person="member"):
        """The Place of a client that calls as this person."""
        return Place(self.system.web.port, getattr(self.organization, person).headers, **self.templates)

    def clients(self, seed):
        """Clients of every kind, not yet at work."""
        invites, mail = {"invites": queue.Queue()}, {"mail": self.mail}
        workers = [("member", Rep, invites)] * 2 + [("member", Prospect, invites)] * 3 + [("member", Visitor, {})] * 2
        workers += [("member", Drafter, {}), ("member", Signatory, mail), ("admin", Recruiter, mail)]
        for person in PEOPLE:
            login = {"email": f"{person}@{self.organization.name}.example", "password": PASSWORD}
            workers.append((person, Person, mail | login))
        return [
            kind(self.place(person), self.ledger, f"{seed} {number}", **options)
            for number, (person, kind, options) in enumerate(workers)
        ]

    def drain(self):
        """Return when no event is open; what waits for its next try is tried at once."""
        with self.connect() as connection:
            while left := self.hurry(connection):
                wait_until(lambda left=left: self.hurry(connection) < left, STANDSTILL_SECONDS, f"{left} events go on")

    def hurry(self, connection):
        """How many events and messages are open, and changes not told."""
        time.sleep(2)
        connection.execute("update app.outbox set due_at = now() where done_at is null and due_at > now()")
        connection.execute("update app.webhook_deliveries set next_attempt_at = now() where next_attempt_at > now()")
        return connection.execute(OPEN).fetchone()[0]


def run(service, seed, kills, seconds, everything=False):
    """Break until `kills` processes are killed or the `seconds` are over; a Report.

    Every kind of fault has its turn; with `everything` each named point and each trouble of the mail server has too.
    """
    service.webhook = subscribe(service.place("admin"), service.ledger, service.receiver)
    breaking = Faults(service.system, service.mail, service.receiver, service.probe, seed)
    clients = service.clients(seed)
    started = time.monotonic()
    for client in clients:
        client.start()
    try:
        breaking.begin()
        deck = []
        while (
            deck
            or time.monotonic() - started < seconds
            and (breaking.kills.total() < kills or (everything and breaking.untouched()))
        ):
            deck = deck or breaking.random.sample(faults.EACH, len(faults.EACH))
            getattr(breaking, deck.pop())()
            breaking.repeat_tasks()
            breaking.rest(breaking.random.uniform(0.2, 1))
        breaking.end()
    finally:
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join()
    service.drain()
    breaking.repeat_tasks(limit=200)
    service.drain()
    missing = breaking.untouched() if everything else VICTIMS - set(breaking.kills)
    return report(service, breaking, seed, time.monotonic() - started, missing)


def report(service, breaking, seed, seconds, missing):
    """The Report; `missing` is what should have been broken and was not."""
    with service.connect() as connection:
        found = Outcome(connection, service).violations()
    log = service.system.web.log.read_text()
    crashes = [line for line in log.splitlines() if '"event":"crash"' in line]
    ends, killed = log.count("Unexpected exit from worker"), log.count(DEATH) + breaking.kills["web process"]
    crashes += [f"never broken: {name}" for name in sorted(missing)]
    lines = [
        f"seed {seed}, {seconds:.0f} s, {breaking.kills.total()} kills",
        *(f"  killed  {count:4} {victim}" for victim, count in breaking.kills.most_common()),
        *(f"  besides {count:4} {outage}" for outage, count in breaking.outages.most_common()),
        f"web processes: {ends} ends that the server saw, {killed} kills",
        f"recovery {len(breaking.recoveries)} times, within {max(breaking.recoveries):.1f} s at most",
        *service.ledger.totals(),
    ]
    return Report(breaking.kills, [*found, *breaking.late, *crashes], lines)
