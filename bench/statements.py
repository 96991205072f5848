"""The cost of statements in PostgreSQL: `python -m bench.statements [--quick]`.

A day's requests, over one HTTP connection to one web process: lists, filters, searches, reads and writes, in turn. The
report of `pg_stat_statements` on the warm process names file and variant of each statement. Planning takes a small part
of the ten hottest.
"""

import argparse
import re
import sys

import psycopg

from bench.client import Client
from bench.data import running
from bench.kinds import KINDS
from bench.report import aimed
from bench.servers import serving

SIZE, ROUNDS, QUICK = 20_000, 200, 20
# A connection plans each statement anew ten times, the driver five and PostgreSQL five, before its plan is reused.
WARM = 12
HOTTEST, SHARE = 10, 0.20
STATISTICS = {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_planning": "on"}
LAST_LINE = re.compile(r"\n(-- \w+.*)$")
LEAD = {"first_name": "Ines", "last_name": "Okafor", "company": "Company GmbH", "source": "web"}
READS = (
    "/api/leads",
    "/api/leads?page=2",
    "/api/leads?sort_by=created_at&sort_dir=DESC",
    "/api/leads?status=new",
    "/api/leads/1",
    "/api/leads/1/notes",
    "/api/companies",
    "/api/contacts",
    "/api/deals",
    "/api/deals?sort_by=updated_at&sort_dir=DESC",
    "/api/quotes",
    "/api/contracts",
    "/api/contracts?status=active",
    "/api/interview-invites",
    "/api/interview-templates",
    "/api/notifications",
    "/api/companies?search=4711",
    "/api/auth/me",
)
HOT = """
    select query, calls, total_plan_time as planning, total_exec_time as execution
    from pg_stat_statements as statistic
    join pg_roles as role on role.oid = statistic.userid
    where role.rolname like 'pipeline%%' and statistic.toplevel and statistic.query !~* '^(begin|commit|rollback)'
    order by total_plan_time + total_exec_time desc
    limit %s
"""


def ask(client, rounds):
    """Send the requests `rounds` times."""
    for _ in range(rounds):
        for path in READS:
            client.ask("GET", path)
        path = f"/api/leads/{client.ask('POST', '/api/leads', LEAD)['id']}"
        client.ask("PUT", path, LEAD | {"status": "contacted"})


def report(connection):
    """Print the hottest statements; RuntimeError for one without a name."""
    rows = connection.execute(HOT, [HOTTEST]).fetchall()
    print(f"\n{'of the hottest statements, milliseconds a call':<100}{'calls':>8}{'planned':>9}{'executed':>9}")
    for query, calls, planning, execution in rows:
        told = LAST_LINE.search(query)
        if told is None:
            raise RuntimeError(f"A statement does not say its name: {query}")
        print(f"{told[1][3:102]:<100}{calls:8}{planning / calls:9.3f}{execution / calls:9.3f}")
    share = sum(row[2] for row in rows) / sum(row[3] for row in rows)
    print(f"planning takes {aimed(f'{share:.0%} of execution', f'{SHARE:.0%}', share < SHARE)}")


def main():
    """Fill, send and print; exit status 1 after a failed measurement."""
    parser = argparse.ArgumentParser(prog="python -m bench.statements", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} rounds of requests instead of {ROUNDS}")
    rounds = QUICK if parser.parse_args().quick else ROUNDS
    try:
        with running(SIZE, KINDS, STATISTICS) as (site, file, owner_url, _ids):
            owner = psycopg.connect(owner_url, autocommit=True)
            with serving(["application"], file, None) as webs, owner as connection:
                connection.execute("create extension pg_stat_statements")
                client = Client(site, webs["application"])
                ask(client, WARM)
                connection.execute("select pg_stat_statements_reset()")
                ask(client, rounds)
                report(connection)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
