"""An admin who deletes invites and erases leads while their emails are on the way, and programs that read the feed."""

import time

from experiments.chaos.client import Client

# Recipients of these invites, in an organization of their own: their emails may have left or not.
WORD = "removed"
LEFT = """
    select 'invite', id from app.interview_invites where organization_id = %(organization)s
    union all select 'lead', id from app.leads where organization_id = %(organization)s"""


class Remover(Client):
    """Invites a lead, and at once deletes the invite or erases the lead."""

    turns = ("invite",)
    pause = 0.6

    def invite(self):
        email = self.address(WORD)
        lead = self.made("/api/leads", {"first_name": "Chaos", "email": email})
        body = {"template_id": self.place.template_id, "recipient_email": email, "send_email": True}
        invite = self.made("/api/interview-invites", {**body, **({"lead_id": lead} if lead else {})})
        # As long as the worker takes to be in the midst of the email, and shorter.
        self.stopping.wait(self.random.uniform(0, 0.3))
        if invite and self.random.random() < 0.5:
            self.remove("invite", invite, "DELETE", f"/api/interview-invites/{invite}", None)
        elif lead:
            self.remove("lead", lead, "POST", f"/api/leads/{lead}/erase", {"confirm": email})

    def made(self, path, body):
        """The id of a new record, or None."""
        answer = self.ask("removed record", "POST", path, body, good=(201,))
        return answer.body["id"] if answer.status == 201 else None

    def remove(self, kind, id, method, path, body):
        """Ask until told; an earlier try without an answer may have done it."""
        answer, again = self.insist(f"removal of {kind}", method, path, body, good=(200, 204, 404))
        if answer.told:
            self.ledger.removed.add((kind, id))
        if answer.status == 404 and not again:
            self.ledger.surprise(f"{kind} {id} was removed by nobody")


class Reader(Client):
    """A program that follows the feed with its records; only a PostgreSQL that is away refuses it."""

    turns = ("read",)
    pause = 0.5
    after = None

    def read(self):
        after = f"&after={self.after}" if self.after else ""
        answer = self.ask("feed", "GET", f"/api/changes?include=record&limit=300{after}")
        if answer.status == 200:
            self.after = answer.body["next"]
            if not all("record" in entry for entry in answer.body["data"]):
                self.ledger.surprise("an entry of the feed has no record")
        elif answer.status == 503:
            self.ledger.refused.append(time.monotonic())


def unexplained(ledger, away):
    """A sentence for each feed reader that got a 503 while PostgreSQL was there; `away` is Faults.away."""
    for moment in ledger.refused:
        if not any(since <= moment <= until for since, until in away):
            yield "a reader of the feed got a 503 while PostgreSQL was there"


def violations(connection, organization, ledger):
    """A sentence for each record that was removed and is there."""
    there = set(connection.execute(LEFT, {"organization": organization.id}).fetchall())
    yield from (f"{kind} {id} was removed and is there" for kind, id in ledger.removed & there)
