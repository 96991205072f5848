"""Where the attacks are made: the production service, an organization that works, and one that attacks.

People, and what is too much for the API (companies, leads), are written by a superuser.
"""

import contextlib
import http.client
import json
import re
import secrets
from email import message_from_bytes, policy
from math import inf
from time import monotonic, sleep

import psutil
import psycopg

from development.ports import free_port
from experiments.chaos.processes import Worker, wait_until
from experiments.chaos.story import FORM
from experiments.chaos.system import System
from experiments.fair.attacks.heavy import signed_copy
from experiments.fair.attacks.strangers import FORM as TYPED
from experiments.fair.http import Client, address
from pipeline.accounts.passwords import hash_password
from pipeline.http.security import Tokens
from pipeline.process.settings import load
from tests.contracts.support import pdf_file
from tests.leads.csv_files import FORM as MULTIPART
from tests.leads.csv_files import multipart
from tests.mail.mailserver import MailServer
from tests.support import Organization
from tests.webhooks.receiver import Receiver, respond

GOOD, EVIL = "good", "evil"
# Seconds of a stranger.
PATIENCE = 60
# A real attacker has many machines.
ADDRESSES = 250
OWNERS, SIGNERS, CHECKERS = 8, 9, 10
SIGNER, LINK = "sam@signers.example", re.compile(r"/sign/([0-9a-f]{64})")
# Strangers have had as many copies of answers emailed as a day admits.
SPENT = """
    insert into app.mail_days (organization_id, day, kind, used)
    select id, cast(now() at time zone 'UTC' as date) + days, 'asked', %s
    from app.organizations cross join generate_series(0, 1) days where slug = %s
"""
INVITES, OWN_LEADS = 40, 2_000
# The attacker's people, and contracts.
SEATS, SIGNED, COMPLEX = 40, 16, 12
# In each company's name; together with its number not longer than a name may be.
WORDS = [f"{first}{second}" for first in "bcdfghjklmn" for second in "aeiouy"]
LINES = [{"description": "Floating licence", "quantity": 1, "unit_price": 10}] * 500
# Forty columns: 20,000 cells, whose widths take the renderer longer than it may have.
TOO_COMPLEX = f'<h1>Lines</h1><table><tr data-each="Quote.lines">{"<td>{{Line.description}}</td>" * 40}</tr></table>'
COMPANIES = """
    insert into app.companies (organization_id, name)
    select %(organization)s, %(words)s || ' ' || i from generate_series(1, %(number)s) i
"""
LEADS = """
    insert into app.leads (organization_id, first_name, last_name, email, company)
    select %(organization)s, 'Import', 'Number ' || i, 'again-' || i || '@prospect.example', 'again'
    from generate_series(0, %(number)s - 1) i
"""
# In the order in which the worker locks them.
HOOKS = tuple(
    f"delete from app.{table} where organization_id = (select id from app.organizations where slug = %s)"
    for table in ("webhook_deliveries", "webhook_states", "webhooks")
)
LEFT = "done_at is null and organization_id = (select id from app.organizations where slug = %s)"


class Production(System):
    """The service with one worker, its limits at their defaults; tokens outlast the experiment."""

    def __init__(self, folder, mail_url):
        super().__init__(folder, mail_url, fsync="everysec", RATE_LIMIT_FACTOR="1", MAIL_TIMEOUT="30")
        self.worker = Worker("worker", folder, self.environ)
        self.workers = [self.worker]


def is_rendering(program):
    """Whether documents are being made: each in a process of its own below a renderer."""
    with contextlib.suppress(psutil.Error):
        return any(renderer.children() for renderer in program.renderers())
    return True


class World:
    """The service and both organizations; a context manager.

    rows: the attacker's companies, and leads.
    """

    def __init__(self, folder, rows):
        self.folder, self.rows = folder, rows
        self.stack = contextlib.ExitStack()
        self.arrivals, self.told, self.password = {}, {}, secrets.token_urlsafe(18)
        self.strangers = 0

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.mail = stack.enter_context(MailServer(port=free_port()))
            self.mail.seen = self._arrived
            self.receiver = Receiver()
            stack.callback(self.receiver.stop)
            self.receiver.answer = self._message_came
            self.system = stack.enter_context(Production(self.folder, self.mail.url))
            self.port = self.system.web.port
            self.bystander, self.attacker = self._set_up_good(), self._set_up_evil()
            self.forget(well=True)
            with self.connect() as owner:
                owner.execute("vacuum analyze")
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_failure):
        self.stack.close()

    def _arrived(self, content):
        recipient = message_from_bytes(content, policy=policy.default)["To"].addresses[0].addr_spec
        self.arrivals.setdefault(recipient, monotonic())

    def _message_came(self, handler, number):
        recipient = json.loads(self.receiver.received[number - 1].body)["data"]["recipient_email"]
        self.told.setdefault(recipient, monotonic())
        respond(handler, 204)

    def connect(self):
        return psycopg.connect(self.system.postgres.url(), autocommit=True)

    def _tokens(self, slug, number):
        """The access tokens of so many administrators of a new organization."""
        password_hash, people = hash_password(self.password), [f"person{place}" for place in range(number)]
        with psycopg.connect(self.system.postgres.url(), autocommit=True) as owner:
            made = Organization(None, owner, slug, password_hash, Tokens(load({}, self.system.environ)))
            for person in people:
                made.add(person, "admin", True, password_hash)
        return [getattr(made, person).headers["Authorization"].removeprefix("Bearer ") for person in people]

    def _make(self, client, path, body, headers=None):
        return _told(client.ask("POST", path, body, headers), 201)

    def _set_up_good(self):
        """What the Bystander is told: the organization that works, with some leads and a form."""
        tokens = self._tokens(GOOD, 2)
        client = Client(self.port, tokens[0])
        form = {**FORM, "public_slug": GOOD}
        template = self._make(client, "/api/interview-templates", form)["id"]
        body = {"template_id": template, "recipient_email": "pat@prospect.example"}
        invites = [self._make(client, "/api/interview-invites", body)["token"] for _ in range(INVITES)]
        self._make(client, "/api/webhooks", {"url": self.receiver.url, "events": ["interview.invited"]})
        self.link = self._link(client)
        client.close()
        self._fill(GOOD, (LEADS, OWN_LEADS))
        with self.connect() as owner:
            owner.execute(SPENT, [500, GOOD])
        return {"port": self.port, "tokens": tokens, "invites": invites, "template_id": template}

    def _link(self, client, **options):
        """The token in the email to the signer of a new contract, which may be the only email to this signer so far."""
        terms = self._make(client, "/api/contract-templates", {"name": "Terms", "content": "<p>Terms.</p>"})["id"]
        contract = self._make(client, "/api/contracts", {"template_id": terms, "effective_date": "2026-01-31"})["id"]
        signer = {"name": "Sam Signer", "email": SIGNER, "party": "licensee"}
        body = {"signers": [signer], "verify_email": not options, **options}
        known = len(self.mail.accepted)
        self._make(client, f"/api/contracts/{contract}/signature-requests", body)
        wait_until(lambda: len(self.mail.accepted) > known, PATIENCE, "The email to the signer")
        return LINK.search(self.mail.messages[-1].get_body(["plain"]).get_content())[1]

    def _set_up_evil(self):
        """What an attacker is told: many people, companies, leads, contracts that are too complex, a signed copy."""
        tokens = self._tokens(EVIL, SEATS)
        client = Client(self.port, tokens[0])
        template = self._make(client, "/api/interview-templates", {**FORM, "public_slug": EVIL})["id"]
        terms = self._make(client, "/api/contract-templates", {"name": "Lines", "content": TOO_COMPLEX})["id"]
        body = {"template_id": terms, "effective_date": "2026-01-31"}
        signed = [self._make(client, "/api/contracts", body)["id"] for _ in range(SIGNED)]
        self._make(client, f"/api/contracts/{signed[0]}/executed", signed_copy(), {"Content-Type": MULTIPART})
        deal = self._make(client, "/api/deals", {"title": "Lines"})["id"]
        self._make(client, "/api/quotes", {"deal_id": deal, "lines": LINES})
        body["deal_id"] = deal
        too_complex = [self._make(client, "/api/contracts", body)["id"] for _ in range(COMPLEX)]
        link = self._link(client, verify_email=False)
        rep = _told(client.ask("GET", "/api/auth/me"), 200)["user"]["id"]
        client.close()
        self._fill(EVIL, (COMPANIES, self.rows), (LEADS, self.rows))
        return {
            "port": self.port,
            "tokens": tokens,
            "addresses": ADDRESSES,
            "template_id": template,
            "words": WORDS,
            "signed": signed,
            "complex": too_complex,
            "rows": self.rows,
            "victim": f"person0@{GOOD}.example",
            "link": link,
            "form": f"/forms/capture/{GOOD}",
            "step": FORM["pages"][0]["key"],
            "capture": f"/api/public/interview/capture/{EVIL}/submit?r={rep}",
        }

    def _fill(self, slug, *statements):
        with self.connect() as owner:
            organization = owner.execute("select id from app.organizations where slug = %s", [slug]).fetchone()[0]
            for statement, number in statements:
                values = {"organization": organization, "words": " ".join(WORDS), "number": number}
                owner.execute(statement, values)

    def owners_login(self):
        """The status of a login of the other organization's owner, from a place of their own; "" without an answer."""
        body = {"email": self.attacker["victim"], "password": self.password}
        try:
            with contextlib.closing(Client(self.port, source=address(OWNERS, 0))) as client:
                return client.ask("POST", "/api/auth/login", body).status
        except (OSError, http.client.HTTPException):
            return ""

    def signers_code(self):
        """Seconds until the code is in the mailbox that a signer of the other organization asks for; inf without."""
        self.arrivals.pop(SIGNER, None)
        asked = monotonic()
        self._stranger(SIGNERS, f"/sign/{self.link}", b"_go=code", TYPED, 303)
        while SIGNER not in self.arrivals and monotonic() < asked + PATIENCE:
            sleep(0.05)
        return self.arrivals.get(SIGNER, inf) - asked

    def check_of_a_file(self):
        """Seconds until an honest file is checked, tried again as a page says; inf without."""
        asked, form = monotonic(), multipart(pdf_file(b"signed"), filename="signed.pdf")
        while not self._stranger(CHECKERS, "/verify", form, {"Content-Type": MULTIPART}, 200):
            if monotonic() > asked + PATIENCE:
                return inf
            sleep(1)
        return monotonic() - asked

    def _stranger(self, network, path, body, headers, good):
        """Whether a stranger from a place of their own gets a good answer."""
        self.strangers += 1
        with (
            contextlib.suppress(OSError, http.client.HTTPException),
            contextlib.closing(Client(self.port, source=address(network, self.strangers))) as client,
        ):
            return client.ask("POST", path, body, headers).status == good

    def forget(self, well):
        """Take back what the attacker has left to do, so that the next attack begins in quiet.

        Starts anew what is still at work on it, and the web server too unless it is `well`.
        """
        web, worker = self.system.web, self.system.worker
        if not well or is_rendering(web):
            web.kill()
            web.start_and_wait()
        with self.connect() as owner:
            for statement in HOOKS:
                owner.execute(statement, [EVIL])
            left = owner.execute(f"select exists (select from app.outbox where {LEFT})", [EVIL]).fetchone()[0]
            if left or is_rendering(worker):
                worker.kill()
                owner.execute(f"delete from app.outbox where {LEFT}", [EVIL])
                worker.start_and_wait()


def _told(answer, status):
    """The JSON of an Answer; RuntimeError for another status."""
    if answer.status != status:
        raise RuntimeError(f"{answer.status} instead of {status}: {answer.body[:500]!r}")
    return answer.json
