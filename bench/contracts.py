"""Contracts: `python -m bench.contracts [--quick | --size N]`: the list of many, creations by eight clients at once.

Lists go over one HTTP connection, one request after the other; the floor is the same SQL in a transaction with the
caller's context. Creations go over HTTP to one process, of one prefix, without rendering.
"""

import argparse
import http.client
import json
import sys
import threading
import time
from urllib.parse import parse_qsl

import psycopg

from bench.leads import Row, sample, say
from bench.leads_data import BIG, running
from bench.servers import serving
from pipeline.contracts import schemas, service
from pipeline.database import Database, queries
from pipeline.http.security import Tokens
from pipeline.validation import deserialize

SIZE, QUICK = 100_000, 10_000
CLIENTS, EACH = 8, 50
TEMPLATE = {
    "name": "Agreement",
    "content": "<h1>{{Contract.number}}</h1>"
    + "<p>{{Contract.licensor_name}} and {{Licensee.name}} agree from {{Contract.effective_date | date}}.</p>" * 10,
}
# Without the triggers, which would take their time for each row; what they keep is written here.
FILL = """
insert into app.contracts (organization_id, contract_number, name, status, template_id, deal_id, effective_date,
    term_months, termination_date, content, company_key, deal_key, search_text, created_at)
select %(organization)s, 'AA-' || lpad(i::text, 6, '0'), 'Contract ' || md5(i::text),
    (array['draft', 'active', 'executed', 'expired', 'terminated', 'archived'])[1 + i %% 6], 1,
    case when i %% 3 > 0 then 1 + i %% 20000 end, date '2024-01-01' + i %% 900, 36,
    current_date - 2 + i %% 1500, repeat('text ', 300), 'company ' || i %% 5000,
    case when i %% 3 > 0 then 'deal ' || i %% 20000 end,
    'aa-' || lpad(i::text, 6, '0') || ' contract ' || md5(i::text) || ' company ' || i %% 5000,
    timestamptz '2026-01-01Z' + i * interval '20 seconds'
from generate_series(1, %(size)s) i
"""


def fill(owner_url, size):
    """Write the contracts."""
    with psycopg.connect(owner_url) as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute(FILL, {"organization": BIG, "size": size})
        connection.execute("call app.recount('app.contracts')")
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("vacuum analyze app.contracts")


class Client:
    """One HTTP connection with a token of an admin."""

    def __init__(self, site, web, organization=BIG):
        token = Tokens(site.settings()).create_token(1, organization, 1)
        self.connection = http.client.HTTPConnection("127.0.0.1", web.port)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method, path, body=None):
        """The answer's JSON; RuntimeError for a failure."""
        self.connection.request(method, f"/api{path}", body and json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return json.loads(content)


def lists(client, database):
    """The Rows of the list: every sort and direction, filters, a search."""
    words = queries.contract_list.words("sort_by")
    sorts = [f"sort_by={sort}&sort_dir={direction}" for sort in words for direction in ("ASC", "DESC")]
    filters = ["status=draft,active", "status=expired", "expiring_within=90", "deal_id=7"]
    for query, aim in [*((sort, 10) for sort in sorts), *((one, 50) for one in filters), ("search=4a7", 100)]:
        asked = deserialize(schemas.ContractList(), dict(parse_qsl(query)), "query")

        def floor(asked=asked):
            with database.transaction():
                queries.authenticate(user_id=1, organization_id=BIG, session_id=1)
                service.list_contracts(None, asked)

        yield Row(query, *sample(lambda query=query: client.ask("GET", f"/contracts?{query}")), sample(floor)[0], aim)


def creations(site, web):
    """Contracts created in a second by CLIENTS at once."""
    template = Client(site, web).ask("POST", "/contract-templates", TEMPLATE)["id"]
    body = {"template_id": template, "effective_date": "2026-02-01"}
    clients = [Client(site, web) for _ in range(CLIENTS)]
    numbers = []

    def create(client):
        numbers.extend(client.ask("POST", "/contracts", body)["contract_number"] for _ in range(EACH))

    threads = [threading.Thread(target=create, args=(client,)) for client in clients]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    if sorted(numbers) != [f"RO-{number:06d}" for number in range(1, CLIENTS * EACH + 1)]:
        raise RuntimeError("The numbers have a gap or a duplicate.")
    return len(numbers) / seconds


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.contracts", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} contracts instead of {SIZE:,}")
    parser.add_argument("--size", type=int, help="contracts of the organization")
    given = parser.parse_args()
    size = given.size or (QUICK if given.quick else SIZE)
    try:
        with running(1, 1, say) as (site, file, owner_url):
            fill(owner_url, size)
            with serving(["application"], file, None) as webs:
                report(site, webs["application"], size)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def report(site, web, size):
    """Measure and print."""
    print(f"{size:,} contracts, milliseconds".ljust(56) + f"{'p50':>9}{'p99':>9}{'SQL':>9}{'aim':>6}")
    database = Database(site.database_url, 2)
    try:
        for row in lists(Client(site, web), database):
            missed = "" if row.p50 <= row.aim else "  missed"
            print(f"{row.label:56}{row.p50:9.2f}{row.p99:9.2f}{row.floor:9.2f}{row.aim:6}{missed}", flush=True)
    finally:
        database.close()
    created = creations(site, web)
    print(f"creations by {CLIENTS} clients: {created:.0f} in a second (aim 300){'' if created >= 300 else '  missed'}")


if __name__ == "__main__":
    sys.exit(main())
