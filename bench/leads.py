"""The leads at a million rows: `python -m bench.leads [--quick | --size N]`.

Lists and look-ups go over one HTTP connection with a token, one request after the other, so the figures are times of
the service and not of a queue. The floor is the same SQL in a transaction with the caller's context, without HTTP.
"""

import argparse
import http.client
import statistics
import sys
import time
from typing import NamedTuple
from urllib.parse import parse_qsl

from bench import leads_files
from bench.leads_data import BIG, MEDIUM, running
from bench.report import aimed
from bench.servers import serving
from pipeline.database import Database, queries
from pipeline.http.security import Identity, Tokens
from pipeline.leads import schemas, service
from pipeline.validation import deserialize

SIZE, QUICK = 1_000_000, 50_000
SMALL = 1_000
SECONDS, REQUESTS = 1.0, 100
ORDERS = [(sort, direction) for sort in queries.lead_list.words("sort_by") for direction in ("ASC", "DESC")]
GROWTH = 1.5
FILTERS = (
    "status=qualified",
    "source=web",
    "assigned_to=7",
    "scope=me",
    "scope=team",
    "date_from=2024-03-01",
    "date_from=2024-03-01&date_to=2024-03-31",
    "status=new&source=fair",
    "status=contacted&assigned_to=3",
    "status=new,contacted",
    "status=new,contacted&source=fair",
    "tag=hot",
)


class Row(NamedTuple):
    """A line of the report: milliseconds of p50 and p99, the floor's p50, and the aim for p50."""

    label: str
    p50: float
    p99: float
    floor: float
    aim: float


class Bench:
    """One web process and the database behind it."""

    def __init__(self, site, web, database):
        self.site, self.web, self.database = site, web, database
        self.tokens = Tokens(site.settings())
        self.connection = http.client.HTTPConnection("127.0.0.1", web.port)

    def headers(self, organization=BIG):
        """The headers of an admin of the organization."""
        return {"Authorization": f"Bearer {self.tokens.create_token(1, organization, 1)}"}

    def http(self, path, organization=BIG):
        """(p50, p99) in milliseconds of GET requests."""
        headers = self.headers(organization)

        def get():
            self.connection.request("GET", f"/api/leads{path}", headers=headers)
            answer = self.connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise RuntimeError(f"GET {path}: {answer.status} {body[:300]!r}")

        return sample(get)

    def floor(self, work, organization=BIG):
        """p50 in milliseconds of work(caller) in a transaction."""

        def run():
            with self.database.transaction():
                queries.authenticate(user_id=1, organization_id=organization, session_id=1)
                work(Identity(1, organization, "admin", 1))

        return sample(run)[0]

    def list(self, query):
        """(p50, p99, floor) of a page of leads."""
        parameters = dict(parse_qsl(query))
        read = deserialize(schemas.LeadList(), parameters, "query")
        return *self.http(f"?{query}"), self.floor(lambda caller: service.list_leads(caller, read))

    def worst(self, label, aim, lists):
        """The Row of the slowest of several queries."""
        measured = {query: self.list(query) for query in lists}
        query = max(measured, key=lambda name: measured[name][0])
        return Row(f"{label}; slowest: {query}", *measured[query], aim)


def sample(work, seconds=SECONDS, requests=REQUESTS):
    """(p50, p99) in milliseconds of calls of work, up to `seconds` or `requests`, at least 5, after two to warm up."""
    times = []
    for number in range(requests + 2):
        started = time.perf_counter()
        work()
        if number > 1:
            times.append((time.perf_counter() - started) * 1000)
        if sum(times) > seconds * 1000 and len(times) >= 5:
            break
    return statistics.median(times), statistics.quantiles(times, n=100, method="inclusive")[98]


def rows(bench, size):
    """The Rows of lists, searches and look-ups."""
    sorts = [f"sort_by={sort}&sort_dir={direction}" for sort, direction in ORDERS]
    yield bench.worst("first page, every sort and direction", 5, sorts)
    yield bench.worst("one or two filters", 50, FILTERS)
    yield bench.worst("one or two filters, by creation", 50, [f"{query}&sort_by=created_at" for query in FILTERS])
    page = max(1, int(size * 0.9) // 25)
    yield bench.worst(f"page at offset {(page - 1) * 25:,}", 150, [f"page={page}&{sort}" for sort in sorts])
    yield bench.worst("search, rare word (1 lead in 200)", 60, ["search=kestrel"])
    yield bench.worst("search, frequent word", 300, ["search=gmbh", "search=an", "search=anna%20gmbh"])
    for name in ("Kestrel%20Ltd", "company77.example", "Nobody%20Of%20That%20Name"):
        plain = name.replace("%20", " ")
        floor = bench.floor(lambda caller, plain=plain: service.match_companies(plain))
        yield Row(f"match-company: {plain}", *bench.http(f"/match-company?company={name}"), floor, 50)


def growth(bench):
    """(sort and direction, p50 at `size`, p50 at 1,000 leads) of the order whose first page grows most."""
    found = []
    for sort, direction in ORDERS:
        path = f"?sort_by={sort}&sort_dir={direction}"
        found.append((f"{sort} {direction}", bench.http(path)[0], bench.http(path, MEDIUM)[0]))
    return max(found, key=lambda row: row[1] / row[2])


def report(bench, size):
    """Measure and print."""
    print(f"\n{'milliseconds':76}{'p50':>9}{'p99':>9}{'SQL':>9}{'ratio':>7}{'aim':>6}")
    for row in rows(bench, size):
        missed = "" if row.p50 <= row.aim else "  missed"
        print(
            f"{row.label[:75]:76}{row.p50:9.2f}{row.p99:9.2f}{row.floor:9.2f}{row.p50 / row.floor:7.2f}"
            f"{row.aim:6}{missed}",
            flush=True,
        )
    sort, large, small = growth(bench)
    times = aimed(f"{large / small:.2f} times", GROWTH, large / small <= GROWTH)
    print(f"first page by {sort}: {large:.2f} ms, at 1,000 leads {small:.2f} ms: {times}")
    leads_files.report(bench, size)


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.leads", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} leads instead of {SIZE:,}")
    parser.add_argument("--size", type=int, help="leads of each of the two large organizations")
    given = parser.parse_args()
    size = given.size or (QUICK if given.quick else SIZE)
    started = time.monotonic()
    try:
        with running(size, SMALL, say) as (site, file, _owner), serving(["application"], file, None) as webs:
            print(
                f"2 organizations of {size:,} leads, one of 1,000, {SMALL:,} of 100; "
                f"filled in {time.monotonic() - started:.0f} s."
            )
            database = Database(site.database_url, 2)
            try:
                report(Bench(site, webs["application"], database), size)
            finally:
                database.close()
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(f"\n{time.monotonic() - started:.0f} s in all.")
    return 0


def say(text):
    """Progress, on standard error."""
    print(f"  {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
