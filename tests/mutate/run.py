"""Runs the tests of behaviour against databases of which each has one mutation."""

import contextlib
import multiprocessing
import os
import tempfile
from multiprocessing.connection import wait
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from development.postgres import EmbeddedPostgres
from pipeline.database import migrations
from tests.mutate.mutations import Mutation, mutations

ROOT = Path(__file__).resolve().parents[1]
# The quickest first: the first failure ends a run. Not test_catalog.py and test_migrations.py, which compare the
# catalog with what it should be and would see any change; here tests have to see what a change does.
TESTS = tuple(
    f"database/test_{name}.py"
    for name in ["tables", "lookups", "rights", "isolation", "keys", "triggers", "accounts", "interviews", "values"]
)
MATRIX = "isolation/test_matrix.py"
TEMPLATE = "mutate_template"
# The tests have to pass with this one, or no failure tells anything.
CONTROL = Mutation("nothing", "select")


class Outcome(NamedTuple):
    """What became of a mutation: the test that failed with it, None when all passed; or why it is none."""

    mutation: str
    killer: str | None = None
    void: str | None = None


class FirstFailure:
    """A plugin of pytest that keeps the name of the first test that failed."""

    name = None

    def pytest_runtest_logreport(self, report):
        if report.failed and self.name is None:
            self.name = report.nodeid

    def pytest_collectreport(self, report):
        if report.failed and self.name is None:
            self.name = report.nodeid


class Laboratory:
    """A server with a migrated database, of which each mutation gets a copy. A context manager."""

    def __init__(self, folder, tests=TESTS):
        self.server, self.tests = EmbeddedPostgres(Path(folder), durable=False), tests

    def __enter__(self):
        self.server.__enter__()
        with self._operator() as connection:
            connection.execute(f"create database {TEMPLATE}")
        migrations.upgrade(self.server.url(database=TEMPLATE))
        # Whatever the tests import is imported once, before the forks.
        self._pytest("--collect-only")
        return self

    def __exit__(self, *reason):
        return self.server.__exit__(*reason)

    def mutations(self):
        """The mutations of the schema."""
        with psycopg.connect(self.server.url(database=TEMPLATE)) as connection:
            return mutations(connection)

    def outcomes(self, chosen, workers):
        """Yield the Outcome of each mutation, in no order: each from a process forked for it, so many at once."""
        forked, waiting, running = multiprocessing.get_context("fork"), list(chosen), {}
        while waiting or running:
            while waiting and len(running) < workers:
                receiver, sender = forked.Pipe(duplex=False)
                mutation = waiting.pop(0)
                process = forked.Process(target=lambda to, tried: to.send(self.outcome(tried)), args=(sender, mutation))
                process.start()
                sender.close()
                running[receiver] = process
            for receiver in wait(running):
                yield receiver.recv()
                running.pop(receiver).join()
                receiver.close()

    def outcome(self, mutation):
        """The Outcome of one mutation, in a process of its own."""
        name = f"mutated_{os.getpid()}"
        with self._operator() as connection:
            connection.execute(f"create database {name} template {TEMPLATE}")
            try:
                with psycopg.connect(self.server.url(database=name)) as mutated:
                    mutated.execute(mutation.statement)
            except psycopg.Error as error:
                return Outcome(mutation.name, void=str(error).partition("\n")[0])
            else:
                return Outcome(mutation.name, killer=self._first_failure(name))
            finally:
                connection.execute(f"drop database {name} with (force)")

    def _first_failure(self, database):
        failure = FirstFailure()
        self._pytest(f"--prepared={self.server.folder}:{database}", failure)
        return failure.name

    def _pytest(self, option, *plugins):
        files = [str(ROOT / test) for test in self.tests]
        with tempfile.TemporaryFile("w") as output, contextlib.redirect_stdout(output):
            pytest.main(["-c", str(ROOT / "pytest.ini"), "-x", "-q", option, *files], plugins=plugins)

    def _operator(self):
        return psycopg.connect(self.server.url(), autocommit=True)
