import time
import uuid
from datetime import UTC, datetime

import psycopg

from experiments.chaos.client import Client


class Probe(Client):
    """Asks by itself, not as a thread; `url` is the database's, `invite` a record that nobody else uses.

    `missed` is what did not succeed the last time.
    """

    def __init__(self, place, ledger, url, invite):
        super().__init__(place, ledger)
        self.url, self.invite = url, invite

    def seconds(self, limit):
        """How long until everything has succeeded once; more than `limit` when something has not by then."""
        since, started, email = self.database("select now()"), time.monotonic(), self.address("probe")
        interview = f"/api/public/interview/{self.invite['token']}"
        capture = f"/api/public/interview/capture/{self.place.slug}"
        lead, answers = {"first_name": "Probe", "email": email}, {"product_line": "server", "email": f"c{email}"}
        waiting = {
            "ready": self.request("GET", "/readyz"),
            "list": self.request("GET", "/api/leads?per_page=1"),
            "interview": self.request("GET", interview),
            "answer": self.request("PATCH", interview, {"answers": {"seats": 7}}),
            "form": self.request("GET", capture),
            "lead": self.creation(self.ledger.leads, email, "/api/leads", lead),
            "capture": self.creation(self.ledger.captures, f"c{email}", f"{capture}/submit", {"answers": answers}),
            "delivery": lambda: self.database("select count(*) from app.outbox where done_at > %s", since),
        }
        while waiting and time.monotonic() - started <= limit:
            waiting = {name: attempt for name, attempt in waiting.items() if not attempt()}
            time.sleep(0.02)
        self.close()
        self.missed = f"{datetime.now(UTC):%H:%M:%S} {', '.join(waiting)}" if waiting else ""
        return time.monotonic() - started if not waiting else float("inf")

    def request(self, method, path, body=None):
        """A function that asks once and answers whether it was told."""
        return lambda: self.ask("probe", method, path, body).told

    def creation(self, book, email, path, body):
        """The same for a record, noted in the ledger."""
        key = uuid.uuid4().hex

        def attempt():
            book.setdefault(email, None)
            answer = self.ask("probe", "POST", path, body, good=(201,), key=key)
            if answer.told:
                book[email] = answer.body
            return answer.told

        return attempt

    def database(self, statement, *parameters):
        with psycopg.connect(self.url) as connection:
            return connection.execute(statement, parameters).fetchone()[0]
