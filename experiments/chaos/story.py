"""The whole run: clients work, everything fails, and at the end nothing is missing or doubled."""

import queue
import time

import psycopg

from experiments.chaos import removers
from experiments.chaos.client import Client, Place
from experiments.chaos.clients import Drafter, Prospect, Rep, Visitor
from experiments.chaos.faults import Faults
from experiments.chaos.invariants import Outcome
from experiments.chaos.ledger import Ledger
from experiments.chaos.people import Person, Recruiter
from experiments.chaos.probe import Probe
from experiments.chaos.processes import wait_until
from experiments.chaos.removers import Reader, Remover
from experiments.chaos.signatories import Signatory
from experiments.chaos.system import System
from experiments.chaos.told import KEEP
from pipeline.accounts.passwords import hash_password
from pipeline.changes.webhooks.events import EVENTS
from pipeline.database.schema_record import record_parts
from pipeline.http.security import Tokens
from pipeline.process.settings import load
from tests.conftest import PASSWORD
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


class Service(System):
    """A System with an organization, a form, a mail server, a receiver of its webhook, and a ledger."""

    def __init__(self, folder):
        self.folder, self.ledger, self.templates = folder, Ledger(), {}
        self.mail, self.receiver = MailServer(), Receiver()
        super().__init__(folder, self.mail.url)

    def __enter__(self):
        self.mail.start()
        return super().__enter__()

    def __exit__(self, *failure):
        super().__exit__(*failure)
        self.receiver.stop()
        self.mail.stop()

    def connect(self):
        return psycopg.connect(self.postgres.url(), autocommit=True)

    def start(self, *programs):
        """Start all; make the organization, the forms, and the invite of the probe."""
        super().start(*programs)
        with self.connect() as owner:
            owner.execute(KEEP)
            # The service starts only on a schema that is as it was recorded.
            with psycopg.connect(self.postgres.url()) as recording:
                record_parts(recording)
            self.organization = Organization(None, owner, "chaos", "no password", Tokens(load({}, self.environ)))
            self.removing = Organization(None, owner, "removing", "no password", Tokens(load({}, self.environ)))
            keys = [self.organization.key(*scopes) for scopes in (("all",), ("changes:read",))]
            self.readers = [Place(self.web.port, key.headers) for key in keys]
            for person in PEOPLE:
                self.organization.add(person, "member", True, hash_password(PASSWORD))
        self.templates["template_id"] = self.made("/api/interview-templates", FORM)["id"]
        self.remover = Place(self.web.port, self.removing.admin.headers)
        form = {**TEMPLATE, "slug": "removing"}
        self.remover = self.remover._replace(
            template_id=self.made("/api/interview-templates", form, self.remover)["id"]
        )
        self.templates["contract_template_id"] = self.made("/api/contract-templates", CONTRACT)["id"]
        body = {"template_id": self.templates["template_id"], "recipient_email": "probe@prospect.example"}
        invite = self.ledger.invites["probe@prospect.example"] = self.made("/api/interview-invites", body)
        self.probe = Probe(self.place(), self.ledger, self.postgres.url(), invite)

    def made(self, path, body, place=None):
        client = Client(place or self.place("admin"), self.ledger)
        answer, _ = client.insist("preparation", "POST", path, body, good=(201,))
        client.close()
        return answer.body

    def place(self, person="member"):
        """The Place of a client that calls as this person."""
        return Place(self.web.port, getattr(self.organization, person).headers, **self.templates)

    def clients(self, seed):
        invites, mail = {"invites": queue.Queue()}, {"mail": self.mail}
        workers = [("member", Rep, invites)] * 2 + [("member", Prospect, invites)] * 3 + [("member", Visitor, {})] * 2
        workers += [("member", Drafter, {}), ("admin", Recruiter, mail)] + [("member", Signatory, mail)] * 2
        for person in PEOPLE:
            login = {"email": f"{person}@{self.organization.name}.example", "password": PASSWORD}
            workers.append((person, Person, mail | login))
        others = [(place, Reader) for place in self.readers] + [(self.remover, Remover)] * 2
        return [
            *(
                kind(self.place(person), self.ledger, f"{seed} {number}", **options)
                for number, (person, kind, options) in enumerate(workers)
            ),
            *(kind(place, self.ledger, f"{seed} other {number}") for number, (place, kind) in enumerate(others)),
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


def run(service, seed, kills, seconds, short=False):
    """Break until `kills` processes are killed, each fault, point and trouble has had its turn, or the time is over.

    A `short` run may leave some out. Returns (violations, lines to print).
    """
    service.webhook = service.made("/api/webhooks", {"url": service.receiver.url, "events": list(EVENTS)})
    breaking, clients, started = Faults(service, seed), service.clients(seed), time.monotonic()
    for client in clients:
        client.start()
    try:
        breaking.begin()
        while breaking.deck or (
            time.monotonic() - started < seconds and (breaking.kills.total() < kills or breaking.untouched())
        ):
            breaking.turn()
            breaking.repeat_tasks()
            breaking.rest(0.2, 1)
        breaking.end()
    finally:
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join()
    service.drain()
    breaking.repeat_tasks(limit=200)
    service.drain()
    with service.connect() as connection:
        found = Outcome(connection, service).violations()
    log = service.web.log.read_text().splitlines()
    found += [*breaking.late, *removers.unexplained(service.ledger, breaking.away)]
    found += [line for line in log if '"event":"crash"' in line]
    if not short:
        found += [f"never broken: {name}" for name in sorted(breaking.untouched())]
    if breaking.kills.total() < kills and not short:
        found.append(f"{breaking.kills.total()} kills instead of {kills}")
    return found, [
        f"seed {seed}, {time.monotonic() - started:.0f} s, {breaking.kills.total()} kills",
        *(f"  killed  {count:4} {victim}" for victim, count in breaking.kills.most_common()),
        *(f"  besides {count:4} {outage}" for outage, count in breaking.outages.most_common()),
        f"recovery {len(breaking.recoveries)} times, within {max(breaking.recoveries):.1f} s at most",
        *service.ledger.totals(),
    ]
