"""Organizations on a cluster, and clients that find the worker of one and work there, as a web process would."""

import threading
import time
from collections import Counter, defaultdict

import psycopg

from pipeline.database import dumps, queries


class Customer:
    """An organization with one administrator, who has a session."""

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        with cluster.coordinator.connect() as owner:

            def made(table, returned, **values):
                columns, places = ", ".join(values), ", ".join(["%s"] * len(values))
                insert = f"insert into app.{table} ({columns}) values ({places}) returning {returned}"
                return owner.execute(insert, [*values.values()]).fetchone()[0]

            self.id = made("organizations", "id", name=name, slug=name)
            self.user_id = made("users", "id", email=f"{name}@customer.example", name=name)
            made("organization_users", "user_id", organization_id=self.id, user_id=self.user_id, role="admin")
            ends = "2100-01-01T00:00:00Z"
            self.session_id = made("sessions", "id", organization_id=self.id, user_id=self.user_id, expires_at=ends)

    def worker(self):
        return self.cluster.worker(self.id)

    def enter(self, connection):
        """Give the connection's transaction the administrator's context."""
        who = {"user_id": self.user_id, "organization_id": self.id, "session_id": self.session_id}
        return queries.authenticate(**who, request_id=f"of {self.name}")

    def do(self, work, connection):
        """What `work()` answers in a transaction of the administrator's."""
        with connection.transaction(), queries.on(connection):
            assert self.enter(connection)["organization_id"] == self.id
            return work()

    def asked(self, work):
        """The same on the organization's worker, on a connection of its own."""
        with self.worker().connect("pipeline_app") as connection:
            return self.do(work, connection)


def add_lead(name):
    """A lead added in the current context; its id."""
    return queries.lead_insert(rows=dumps([{"first_name": name, "source": "web"}]).decode())[0]["id"]


class Clients:
    """A thread for each Customer that adds leads one after the other until the block ends.

    `added` are the ids of the leads that were committed, by organization; `failures` count (organization, what was
    said). Who is refused asks again where the organization is, and tries once more.
    """

    def __init__(self, customers):
        self.added = {customer.id: [] for customer in customers}
        self.failures, self.ended = Counter(), threading.Event()
        self.threads = [threading.Thread(target=self._work, args=[customer]) for customer in customers]

    def __str__(self):
        return f"{sum(map(len, self.added.values()))} leads promised, {self.failures.total()} requests refused"

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join(60)

    def _work(self, customer):
        while not self.ended.is_set():
            try:
                with customer.worker().connect("pipeline_app") as connection:
                    self._add(customer, connection)
            except psycopg.Error as error:
                self.failures[customer.id, str(error)] += 1
                time.sleep(0.05)

    def _add(self, customer, connection):
        while not self.ended.is_set():
            self.added[customer.id].append(customer.do(lambda: add_lead("Lee"), connection))


def neighbours(cluster, customers):
    """Two Customers whose rows lie in the same shards."""
    homes = defaultdict(list)
    for customer in customers:
        homes[cluster.shard(customer.id)].append(customer)
    return next(home for home in homes.values() if len(home) > 1)[:2]
