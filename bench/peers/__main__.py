"""The service beside its peers: `python -m bench.peers [--quick]`.

25 of 1,000 leads, one lead, and a new lead, on one database with the same rows, under the same load, in alternating
rounds. The service is `pipeline serve` as in production: with row-level security, the exact total, rate limits, log
lines and entity tags. The peers verify the token, read the seat (the lean one does not), count the total, and return
the same fields (one lead with its notes and tasks); they have none of the rest. The floor sends the service's
statements through psycopg from a bare WSGI function (`bench/floor.py`).
"""

import argparse
import contextlib
import itertools
import json
import os
import signal
import statistics
import subprocess
import sys
import urllib.request

import psycopg

from bench.data import running
from bench.measure import measure, median, raw_request
from bench.peers import serving
from bench.report import progress
from bench.servers import ROOT, cores
from bench.site import server_process

LEADS = 1_000
# All contestants stay connected, with up to four processes of eight threads each.
SETTINGS = {"max_connections": "300"}
# Seconds of load before each measurement: connecting, compiling and preparing are not measured.
WARM_SECONDS = 2.0
CONNECTIONS = 8
# The service's least multiple of a contestant's requests a second.
AIMS = {
    "GET /leads": {"Django REST": 6, "FastAPI + SQLAlchemy": 3, serving.LEAN: 1.2},
    "GET /leads/{id}": {serving.LEAN: 1.1},
    "POST /leads": {serving.LEAN: 1.0},
}
ENDPOINTS = ("GET /leads", "GET /leads/{id}", "POST /leads")
LEAD = 500
# Fields of leads that the service alone reads.
OWN = {"fields", "hidden_fields"}
# The notes and tasks of the one lead.
ENTRIES = """
with n as (insert into app.notes (organization_id, lead_id, content, created_by)
    select organization_id, id, 'Asked for the terms of renewal, ' || i, 1 from app.leads, generate_series(1, 3) i
    where id = %(id)s returning 1)
insert into app.tasks (organization_id, lead_id, title, due_date, created_by)
select organization_id, id, 'Call again, ' || i, current_date, 1 from app.leads, generate_series(1, 2) i
where id = %(id)s"""
BODY = {
    "first_name": "Ines",
    "last_name": "Okafor",
    "email": "ines@company.example",
    "company": "Company GmbH",
    "phone": "+49 30 1234567",
    "job_title": "Buyer",
    "source": "web",
    "tags": "fair, priority",
}


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one process, three short rounds")
    given = parser.parse_args()
    given.processes, given.rounds, given.seconds = ((1,), 3, 1.0) if given.quick else ((1, 2, 4), 5, 3.0)
    return given


def main():
    """Measure and print; exit status 1 after a failed measurement."""
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # unwinds, so that all servers stop
    try:
        python = serving.install(progress)
        with running(LEADS, settings=SETTINGS) as (site, site_file, owner_url, _ids):
            _add_entries(owner_url)
            environ = _environ(site, owner_url)
            for workers in given.processes:
                found = _rounds(given, python, site_file, environ, workers, owner_url)
                _print(workers, found)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def _environ(site, owner_url):
    """The environment of the contestants."""
    return {
        "PIPELINE_ENVIRONMENT": "production",
        "DATABASE_URL": site.database_url,
        "DATABASE_FORMS_URL": site.database_forms_url,
        "DATABASE_OWNER_URL": owner_url,
        "JWT_SECRET": site.jwt_secret,
        "REDIS_URL": site.redis_url,
        "RATE_LIMIT_FACTOR": "1000000",
        "PUBLIC_URL": "https://pipeline.example",
        "MAIL_TRANSPORT": "log",
        "ACCESS_TOKEN_MINUTES": "600",
        "PEERS_DATABASE_URL": owner_url,
        "PEERS_SECRET": site.jwt_secret,
    }


def _rounds(given, python, site_file, environ, workers, owner_url):
    """{endpoint: {contestant: [requests a second of each round]}}."""
    core, others = cores() if workers == 1 else (None, None)
    os.sched_setaffinity(0, others or range(os.cpu_count()))
    token, postgres = _token(environ), server_process(owner_url)
    requests = _requests(token)
    found = {endpoint: {} for endpoint in ENDPOINTS}
    with _contestants(python, site_file, environ, workers, core) as webs:
        _check_alike(webs, token)

        def run(endpoint, name, seconds, warmup):
            connections = [[requests[endpoint]]] * CONNECTIONS * workers
            result = measure(webs[name], endpoint, connections, postgres, seconds, warmup)
            if endpoint.startswith("POST"):
                _forget_posted(owner_url)
            return result

        for endpoint, name in itertools.product(ENDPOINTS, webs):
            progress(f"{workers} processes, warming: {endpoint}, {name}")
            run(endpoint, name, 1.0, WARM_SECONDS)
        for number, endpoint in itertools.product(range(given.rounds), ENDPOINTS):
            progress(f"{workers} processes, round {number + 1} of {given.rounds}: {endpoint}")
            # The first target meets a machine in another state, so the order alternates too.
            for name in sorted(webs, reverse=number % 2 == 1):
                found[endpoint].setdefault(name, []).append(run(endpoint, name, given.seconds, 0.5))
    return found


def _add_entries(owner_url):
    """Add notes and tasks to the one lead."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(ENTRIES, {"id": LEAD})


def _check_alike(webs, token):
    """Raise RuntimeError unless all return the same fields, notes and tasks."""

    def answer(web, path):
        asked = urllib.request.Request(
            f"http://127.0.0.1:{web.port}{path}", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(asked, timeout=30) as response:
            return json.load(response)

    def form(web):
        lead, row = answer(web, f"/api/leads/{LEAD}"), answer(web, "/api/leads")["data"][0]
        entries = {name: [(entry.keys(), entry["id"]) for entry in lead[name]] for name in ("note_entries", "tasks")}
        return row.keys() - OWN, lead.keys() - OWN, entries, lead["note_count"], lead["task_count"]

    wanted = form(webs["pipeline"])
    for name, web in webs.items():
        if (found := form(web)) != wanted:
            raise RuntimeError(f"{name} answers otherwise than the service: {found}, {wanted}")


def _forget_posted(owner_url):
    """Delete the posted leads, so that every list has the same leads."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("delete from app.leads where email = %s", [BODY["email"]])
        connection.execute("call app.recount('app.leads')")
        connection.execute("vacuum analyze app.leads, app.record_count_deltas")


@contextlib.contextmanager
def _contestants(python, site_file, environ, workers, core):
    """The Webs by name, all listening; only the measured one has work."""
    with contextlib.ExitStack() as stack:

        def log(name):
            return stack.enter_context(open(site_file.with_name(f"{name}.log".replace(" ", "")), "w"))

        webs = {name: serving.peer(name, python, environ, workers, core, log(name)) for name in serving.PEERS}
        webs["floor"] = serving.floor(site_file, workers, core, log("floor"))
        webs["pipeline"] = serving.service(environ, workers, core, log("pipeline"))
        for web in webs.values():
            stack.callback(web.stop)
        for web in webs.values():
            web.wait()
        yield webs


def _token(environ):
    """An access token of a rep, as the command line prints it."""
    command = [sys.executable, "-m", "pipeline", "token", "rep2@bench.example", "--organization", "many"]
    return subprocess.check_output(command, cwd=ROOT, env=os.environ | environ, text=True).strip()


def _requests(token):
    """{endpoint: the raw request}."""
    authorization = f"Bearer {token}"
    return {
        "GET /leads": raw_request("GET", "/api/leads", authorization),
        "GET /leads/{id}": raw_request("GET", f"/api/leads/{LEAD}", authorization),
        "POST /leads": raw_request("POST", "/api/leads", authorization, json.dumps(BODY)),
    }


def _print(workers, found):
    """Print requests a second, CPU, and the service's multiple of each contestant (the median of the rounds' ratios).

    If PostgreSQL and the load have too few cores, the CPU of the web process is more reliable than the rate.
    """
    print(f"\nwith {workers} process(es); in brackets the service's multiple, and its aim")
    print(f"{'':40} requests/s   CPU ms: web  PostgreSQL")
    for endpoint, results in found.items():
        ours = results["pipeline"]
        for name in ("pipeline", *serving.PEERS, "floor"):
            middle = median(results[name])
            line = f"{endpoint:18}{name:>22} {middle.rate:10.0f} {middle.web:13.3f} {middle.postgres:11.3f}"
            print(line + (_verdict(ours, results[name], AIMS[endpoint].get(name)) if name != "pipeline" else ""))


def _verdict(ours, others, aim):
    """The service's multiple of a contestant: the rate with its aim, and the CPU of the web process."""
    ratios = [one.rate / other.rate for one, other in zip(ours, others, strict=True)]
    spared = statistics.median(other.web / one.web for one, other in zip(ours, others, strict=True))
    multiple = statistics.median(ratios)
    wanted = "" if aim is None else f", aim {aim}{'' if multiple >= aim else ', missed'}"
    return f"   ({multiple:.2f}{wanted}; {min(ratios):.2f} to {max(ratios):.2f}; web CPU {spared:.2f})"


if __name__ == "__main__":
    sys.exit(main())
