"""Runs the tests of behaviour against databases of which each has one mutation.

pytest collects the tests once. From there a process is forked for each mutation: it takes a copy of the migrated
database, mutates it, and runs the tests up to the first that fails, beginning with those that are likeliest to.
"""

import collections
import contextlib
import multiprocessing
import os
import re
import tempfile
from multiprocessing.connection import wait
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from development.postgres import EmbeddedPostgres
from experiments.mutate.mutations import Mutation, mutations
from pipeline.database import migrations

ROOT = Path(__file__).resolve().parents[2] / "tests"
# The quickest first. Not test_catalog.py and test_migrations.py, which compare the catalog with what it should be and
# would see any change; here tests have to see what a change does.
DATABASE = "tables lookups search_path rights isolation keys triggers told accounts signatures interviews values"
TESTS = (
    *(f"database/test_{name}.py" for name in DATABASE.split()),
    "accounts/test_login.py",
    "accounts/test_access.py",
)
MATRIX = "isolation/test_matrix.py"
TEMPLATE = "mutate_template"
# Each of the processes keeps pools for each login.
SETTINGS = {"max_connections": "300"}
# The tests have to pass with this one, or no failure tells anything.
CONTROL = Mutation("nothing", "select")


class Outcome(NamedTuple):
    """What became of a mutation: the test that failed with it, None when all passed; or why it is none."""

    mutation: str
    killer: str | None = None
    void: str | None = None

    @property
    def kind(self):
        return self.mutation.partition(":")[0]


class Laboratory:
    """A server with a migrated database, of which each mutation gets a copy; a context manager.

    It is a plugin of pytest too, that runs the collected tests for each mutation where pytest would run them once.
    """

    def __init__(self, folder, tests):
        self.server, self.tests = EmbeddedPostgres(Path(folder), durable=False, settings=SETTINGS), tests
        # {kind of mutation: how many of these each test has seen}, which the next ones of the kind begin with.
        self.seen = collections.defaultdict(collections.Counter)
        self.failed = None

    def __enter__(self):
        self.server.__enter__()
        with self.operator() as connection:
            connection.execute(f"create database {TEMPLATE}")
        migrations.upgrade(self.server.url(database=TEMPLATE))
        return self

    def __exit__(self, *reason):
        return self.server.__exit__(*reason)

    def operator(self):
        return psycopg.connect(self.server.url(), autocommit=True)

    def mutations(self):
        with psycopg.connect(self.server.url(database=TEMPLATE)) as connection:
            return mutations(connection)

    def examine(self, chosen, workers, tell):
        """Call tell(Outcome) for CONTROL, and unless that fails for each of the chosen mutations, so many at once.

        Without a word where the tests cannot be collected.
        """
        self.chosen, self.workers, self.tell = chosen, workers, tell
        files = [str(ROOT / test) for test in self.tests]
        with tempfile.TemporaryFile("w") as output, contextlib.redirect_stdout(output):
            pytest.main(["-c", str(ROOT / "pytest.ini"), "-q", "-s", *files], plugins=[self])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        """Try CONTROL and the mutations; True, so that nobody else runs the tests."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        (control,) = self._outcomes(session, [CONTROL])
        self.tell(control)
        if control == Outcome(CONTROL.name):
            for outcome in self._outcomes(session, self.chosen):
                self.tell(outcome)
                if outcome.killer:
                    self.seen[outcome.kind][_function(outcome.killer)] += 1
        return True

    def pytest_runtest_logreport(self, report):
        if report.failed and self.failed is None:
            self.failed = report.nodeid

    def _outcomes(self, session, chosen):
        """Yield the Outcome of each mutation, in no order: each from a process forked for it."""
        forked, waiting, running = multiprocessing.get_context("fork"), list(chosen), {}
        while waiting or running:
            while waiting and len(running) < self.workers:
                receiver, sender = forked.Pipe(duplex=False)
                process = forked.Process(target=self._send, args=(sender, session, waiting.pop(0)))
                process.start()
                sender.close()
                running[receiver] = process
            for receiver in wait(running):
                yield receiver.recv()
                running.pop(receiver).join()
                receiver.close()

    def _send(self, sender, session, mutation):
        """In a process of its own: try one mutation on a copy of the database, and send its Outcome."""
        name = f"mutated_{os.getpid()}"
        with self.operator() as connection:
            connection.execute(f"create database {name} template {TEMPLATE}")
            try:
                with psycopg.connect(self.server.url(database=name)) as database:
                    database.execute(mutation.statement)
                session.config.option.prepared = f"{self.server.folder}:{name}"
                outcome = Outcome(mutation.name, killer=self._first_failure(session.items, mutation))
            except psycopg.Error as error:
                outcome = Outcome(mutation.name, void=str(error).partition("\n")[0])
            finally:
                connection.execute(f"drop database {name} with (force)")
        sender.send(outcome)

    def _first_failure(self, items, mutation):
        ordered = sorted(items, key=self._likelihood(mutation))
        for item, following in zip(ordered, [*ordered[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                break
        return self.failed

    def _likelihood(self, mutation):
        """The key that sorts tests: who has seen this kind before, the quick ones, those about the same thing."""
        kind, _, subject = mutation.name.partition(":")
        seen, words = self.seen[kind], set(re.findall(r"\w+", subject))

        def key(item):
            about = len(words.intersection(re.findall(r"\w+", item.name)))
            return -seen[_function(item.nodeid)], not item.nodeid.startswith("database/"), -about

        return key


def _function(nodeid):
    return nodeid.partition("[")[0]
