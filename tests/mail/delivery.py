"""A worker for one organization, driven by the test: delivers what is in the outbox, one try for each call."""

from pipeline.database import dumps, queries
from pipeline.effects import Event, Refused, handler_of, organization
from pipeline.interviews import tasks as _interviews
from pipeline.mail import tasks as _mail
from pipeline.notifications import tasks as _notifications

HANDLERS = (_interviews, _mail, _notifications)  # importing them registers the handlers
OPEN = """select organization_id, id, event, key, payload, attempts, created_at from outbox
          where done_at is null and id = any(cast(%s as bigint [])) for update skip locked"""


class Worker:
    """Delivers an organization's events by the jobs login, each in the transaction that closes it."""

    def __init__(self, database, settings, organization_id):
        self.database, self.settings, self.organization_id = database, settings, organization_id
        self.last_try = False

    def run(self):
        """One try for every open event, and for those that they raise; returns the errors of what failed."""
        errors, tried = [], set()
        while due := [id for id in self.open() if id not in tried]:
            tried.update(due)
            errors += [error for error in map(self.deliver, due) if error]
        return errors

    def open(self):
        """The ids of the events that are not delivered."""
        with organization(self.database, self.organization_id) as connection:
            rows = connection.execute("select id from outbox where done_at is null order by id").fetchall()
        return [row["id"] for row in rows]

    def deliver(self, id):
        """Try one event; the error, or None when it is delivered or another transaction has it."""
        try:
            with organization(self.database, self.organization_id) as connection:
                row = connection.execute(OPEN, ([id],)).fetchone()
                if row is not None:
                    event = Event(
                        **row, last_try=self.last_try, settings=self.settings, database=self.database
                    )
                    handler_of(event.event)(event)
                    self.close(connection, id)
        except Refused as error:
            self.give_up(event, str(error))
            return error
        except Exception as error:
            return error
        return None

    def give_up(self, event, error):
        """What the worker does with what can never succeed, or has not for a day."""
        with organization(self.database, self.organization_id) as connection:
            given_up = handler_of(event.event).given_up
            if given_up:
                given_up(event, error)
            self.close(connection, event.id, error)

    def close(self, connection, id, error=None):
        connection.execute("update outbox set done_at = now(), error = %s where id = %s", (error, id))


def raise_event(worker, event, key, **payload):
    """Write an event as a request does."""
    with organization(worker.database, worker.organization_id):
        queries.outbox_insert(event=event, key=key, payload=dumps(payload).decode())
