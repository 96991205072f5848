import contextlib
import hashlib
import queue
import uuid

from experiments.chaos.client import Client, keep
from tests.files import real
from tests.leads.csv_files import FORM, multipart


class Rep(Client):
    """Makes leads, changes its own, and sends invites, some of which go to the prospects."""

    turns = ("lead", "change", "invite", "look")
    # More invites would delay all emails.
    pause = 0.4

    def __init__(self, *arguments, invites):
        super().__init__(*arguments)
        self.invites, self.own = invites, []

    def lead(self):
        email = self.address("lead")
        body = {"first_name": "Chaos", "email": email, "notes": "0"}
        answer = self.create(self.ledger.leads, email, "lead", "POST", "/api/leads", body)
        if answer.status == 201:
            self.own.append((answer.body["id"], email))
            self.ledger.notes[answer.body["id"]] = {"0"}

    def change(self):
        if not self.own:
            return
        (id, email), note = self.random.choice(self.own), uuid.uuid4().hex
        body = {"first_name": "Chaos", "email": email, "notes": note}
        answer = self.ask("lead change", "PUT", f"/api/leads/{id}", body)
        keep(self.ledger.notes, id, note, answer)

    def invite(self):
        email = self.address("invite")
        body = {"template_id": self.place.template_id, "recipient_email": email, "send_email": True}
        answer = self.create(self.ledger.invites, email, "invite", "POST", "/api/interview-invites", body)
        if answer.status == 201 and self.random.random() < 0.6:
            self.ledger.answers[answer.body["id"]] = {}
            self.invites.put(answer.body)

    def look(self):
        self.ask("lead list", "GET", "/api/leads?per_page=10")


class Prospect(Client):
    """Answers invites: some answers more than once, most of them to the end."""

    turns = ("interview",)

    def __init__(self, *arguments, invites):
        super().__init__(*arguments)
        self.invites = invites

    def interview(self):
        with contextlib.suppress(queue.Empty):
            invite = self.invites.get(timeout=0.1)
            path, known = f"/api/public/interview/{invite['token']}", self.ledger.answers[invite["id"]]
            for _ in range(self.random.randrange(1, 6)):
                self.answer(path, known)
            if self.random.random() < 0.8:
                self.submit(path, known, invite["id"])

    def answer(self, path, known):
        question, value = self.some_answer()
        ask = self.insist if self.random.random() < 0.5 else lambda *request: (self.ask(*request), False)
        known.setdefault(question, {None})
        answer, _ = ask("answer", "PATCH", path, {"answers": {question: value}})
        keep(known, question, value, answer)

    def some_answer(self):
        return self.random.choice((("seats", self.random.randrange(1, 1000)), ("notes", uuid.uuid4().hex)))

    def submit(self, path, known, id):
        (question, value), key = self.some_answer(), uuid.uuid4().hex if self.random.random() < 0.5 else None
        self.ledger.submits[id] = None
        body = {"answers": {"product_line": "server", question: value}}
        request = ("submit", "POST", f"{path}/submit", body)
        answer, again = self.insist(*request, good=(200,) if key else (200, 409), key=key)
        if answer.status == 409 and answer.told and not again:
            self.ledger.surprise(f"invite {id} was submitted by nobody")
        if answer.told:
            self.ledger.submits[id] = answer.body
            known.update({"product_line": {"server"}, question: {value}})
        else:
            for name, given in body["answers"].items():
                known.setdefault(name, {None}).add(given)


class Visitor(Client):
    turns = ("capture",)
    pause = 0.3

    def capture(self):
        email, path = self.address("capture"), f"/api/public/interview/capture/{self.place.slug}"
        if self.random.random() < 0.3:
            self.ask("capture form", "GET", path)
        body = {"answers": {"product_line": "desktop", "email": email}}
        self.create(self.ledger.captures, email, "capture", "POST", f"{path}/submit", body)


class Drafter(Client):
    """Makes contracts, changes them and has them made again; reads their documents; uploads signed copies."""

    turns = ("contract", "contract", "change", "regenerate", "read", "sign")
    pause = 0.6

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.own = []

    def inputs(self, **changes):
        return {"template_id": self.place.contract_template_id, "effective_date": "2026-01-31", **changes}

    def contract(self):
        name = f"Contract {uuid.uuid4().hex}"
        body = self.inputs(name=name, term_months=12)
        answer = self.create(self.ledger.contracts, name, "contract", "POST", "/api/contracts", body)
        if answer.status == 201:
            self.own.append(answer.body)
            self.ledger.terms[answer.body["id"]] = {12}
            self.ledger.revisions[answer.body["id"]] = answer.body["revision"]

    def change(self):
        if self.own:
            contract, months = self.random.choice(self.own), self.random.randrange(1, 1200)
            body = self.inputs(name=contract["name"], term_months=months)
            answer = self.ask("contract change", "PUT", f"/api/contracts/{contract['id']}", body)
            keep(self.ledger.terms, contract["id"], months, answer)
            self.note_revision(answer)

    def regenerate(self):
        if self.own:
            contract = self.random.choice(self.own)
            self.note_revision(self.ask("regenerate", "PUT", f"/api/contracts/{contract['id']}/regenerate"))

    def read(self):
        if self.own:
            contract, kind = self.random.choice(self.own), self.random.choice(("pdf", "docx"))
            self.ask("document", "GET", f"/api/contracts/{contract['id']}/{kind}")

    def sign(self):
        """Upload a signed copy; the contract is nobody's to change after it."""
        if self.own:
            contract = self.own.pop(self.random.randrange(len(self.own)))
            content = real.pdf(self.random.randrange(100_000, 3_000_000))
            sha256, known = hashlib.sha256(content).hexdigest(), self.ledger.signed.setdefault(contract["id"], {None})
            known.add(sha256)
            sent = {"good": (201,), "raw": (FORM, multipart(content, filename="signed.pdf"))}
            answer = self.ask("signed copy", "POST", f"/api/contracts/{contract['id']}/executed", **sent)
            if answer.status == 201:
                self.ledger.signed[contract["id"]] = {sha256}
            elif answer.status in (429, 503):
                known.discard(sha256)

    def note_revision(self, answer):
        """What has been acknowledged is the least that there must be."""
        if answer.status == 200:
            self.ledger.revisions[answer.body["id"]] = answer.body["revision"]
