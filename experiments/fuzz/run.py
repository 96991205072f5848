"""Schemathesis with all of its checks against a service of its own, with records of every kind."""

import os
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from development.postgres import EmbeddedPostgres
from pipeline.signing.sealing.certificates import made_in
from tests.examples.run import told
from tests.http.processes import ROOT, web_process

# The id of the admin who calls: none that calls try, so that no call puts them out.
CALLER = 1_000_000
CONFIG = Path(__file__).with_name("schemathesis.toml")
PEOPLE = "insert into app.users (id, email, name, confirmed_at) overriding system value values (%s, %s, 'Fuzz', now())"


@contextmanager
def service(folder):
    """(port, the superuser's database URL) of a service with the records of the examples' story; logs go to folder."""
    with EmbeddedPostgres(folder / "postgres", durable=False) as server:
        with told(server.url, "fuzz") as (_, organization):
            organization.owner.execute(PEOPLE, [CALLER, "fuzz@acme.example"])
        # It is about the form of calls, not about their number.
        certificate, _ = made_in(folder)
        environ = {"RATE_LIMIT_FACTOR": "1000000", "SIGNING_CERTIFICATE": str(certificate)}
        with web_process(partial(server.url, database="fuzz"), folder / "web.log", **environ) as (_, port):
            yield port, server.url("postgres", "fuzz")


def run(folder, *options):
    """The exit status of a run against a service whose files are in a folder (Path)."""
    with service(folder) as (port, database_url):
        url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", f"{url}/openapi.json"]
        always = ["--url", url, "--checks", "all", "--request-timeout", "60"]
        environ = {
            "SCHEMATHESIS_HOOKS": "experiments.fuzz.hooks",
            "PYTHONPATH": str(ROOT),
            **os.environ,
            "FUZZ_DATABASE_URL": database_url,
        }
        return subprocess.run([*command, *always, *options], env=environ, cwd=folder, check=False).returncode
