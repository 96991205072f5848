"""The worker's deliveries for one organization, driven by the test: one try for every open event, due or not.

`python -m tests.mail.delivery ORGANIZATION` does the same in a process that a test may kill. Its settings come from the
environment; DATABASE_URL is the jobs login's.
"""

import dataclasses
import os
import sys
from contextlib import closing

import psycopg

from pipeline.database import Database, dumps, queries
from pipeline.database.effects import organization
from pipeline.process.settings import load
from pipeline.worker.app import import_effects
from pipeline.worker.delivery import deliver
from tests.waiting import SECONDS

OPEN = "select id from outbox where done_at is null and (due_at <= now() or not %s) order by id"
HURRY = "update outbox set due_at = now() where id = %s and done_at is null"
ERROR = "select error from outbox where id = %s"

import_effects()


class Worker:
    """Delivers an organization's events by the jobs login, without waiting for their next try to be due."""

    def __init__(self, database, settings, organization_id):
        self.database, self.settings, self.organization_id = database, settings, organization_id

    def run(self, due=False):
        """One try for every open event, or every `due` one, and for those that they raise; the errors (str)."""
        errors, tried = [], set()
        while due_now := [id for id in self.open(due) if id not in tried]:
            tried.update(due_now)
            errors += [error for error in map(self.deliver, due_now) if error]
        return errors

    def open(self, due=False):
        """The ids of the events that are not delivered; with `due` of those whose time has come."""
        return [row["id"] for row in self._execute(OPEN, [due]).fetchall()]

    def deliver(self, id):
        """Try one event; the error, or None when it is delivered, deleted meanwhile, or another transaction has it."""
        self._execute(HURRY, [id])
        try:
            deliver(self.database, self.settings, self.organization_id, id)
        except psycopg.OperationalError as error:  # the worker's task leaves the event to its lease
            return str(error)
        found = self._execute(ERROR, [id]).fetchone()
        return found and found["error"]

    def _execute(self, statement, parameters=()):
        with organization(self.database, self.organization_id) as connection:
            return connection.execute(statement, parameters)


def raise_event(worker, event, key, **payload):
    """Write an event as a request does."""
    with organization(worker.database, worker.organization_id):
        queries.outbox_insert(event=event, key=key, payload=dumps(payload).decode())


def sending_by(server, settings):
    """The settings of a worker that sends by a MailServer."""
    return dataclasses.replace(
        settings,
        mail_transport="smtp",
        smtp_url=server.url,
        mail_from="Pipeline <mail@pipeline.example>",
        mail_timeout=SECONDS,
    )


if __name__ == "__main__":
    environ = load({}, os.environ)
    with closing(Database(environ.database_url, 4, patience=SECONDS)) as database:
        Worker(database, environ, int(sys.argv[1])).run()
