"""Every list of records at a million rows of each kind: `python -m bench.records [--quick | --size N]`.

Lists go over one HTTP connection with a token, one request after the other: in an organization of many records, and in
one of a thousand. The orders are those that the statements' marks know, the filters those of the lists' queries.
"""

import argparse
import itertools
import sys
import time
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from bench.contracts import Client
from bench.leads import sample, say
from bench.leads_data import BIG, MEDIUM, running
from bench.records_data import SETTINGS, SHARE, SMALL, TABLES, TEMPLATES, fill, moment
from bench.records_history import ASKED, places
from bench.servers import serving
from pipeline.contracts import schemas as contracts
from pipeline.database import queries
from pipeline.http.pagination import Paged, PagedByHundred, list_query
from pipeline.interviews import schemas as interviews
from pipeline.records import configurator, quotes
from pipeline.validation import Choice, Choices

SIZE, QUICK = 1_000_000, 20_000
SECONDS, REQUESTS = 0.3, 20
# The list, its statement, its query.
LISTS = (
    ("/companies", queries.company_list, list_query(queries.company_list)),
    ("/contacts", queries.contact_list, list_query(queries.contact_list)),
    ("/deals", queries.deal_list, list_query(queries.deal_list)),
    ("/quotes", queries.quote_list, list_query(queries.quote_list, status=quotes.STATUS)),
    ("/configurations", queries.configuration_list, list_query(queries.configuration_list, status=configurator.STATUS)),
    ("/interview-invites", queries.interview_invite_list, interviews.InviteList()),
    ("/contracts", queries.contract_list, contracts.ContractList()),
    (
        "/interview-templates",
        queries.interview_template_list,
        list_query(queries.interview_template_list, PagedByHundred),
    ),
    ("/contract-templates", queries.contract_template_list, list_query(queries.contract_template_list, PagedByHundred)),
    ("/leads/{leads}/notes", queries.note_list, Paged()),
    ("/leads/{leads}/tasks", queries.task_list, PagedByHundred()),
    ("/notifications", queries.notification_list, list_query(queries.notification_list)),
)
NO_FILTERS = {"page", "per_page", "search", "sort_by", "sort_dir"}
# The table that a filter's id is of.
REFERRED = {
    "company_id": "companies",
    "contact_id": "contacts",
    "deal_id": "deals",
    "stage_id": "deal_stages",
    "owner_id": "user",
    "definition_id": "configurator_definitions",
    "template_id": "interview_templates",
    "invite_id": "interview_invites",
    "lead_id": "leads",
}
# Of how many records one has changed since.
CHANGED = (1000, 20, 2)
RARE, FREQUENT = ("4711", "c0ffee"), ("a1", "1")
FIRST, GROWTH, FILTERED, FOUND, READ, DEEP = 10, 1.5, 60, 100, 300, 150


class Figure(NamedTuple):
    """One measured list: milliseconds with many records and with SMALL, and whether it met its aim."""

    path: str
    large: float
    p99: float
    small: float
    met: bool


class Bench:
    """A client of each organization, and the ids that lists and filters name."""

    def __init__(self, site, web, ids, size):
        self.clients = {organization: Client(site, web, organization) for organization in (BIG, MEDIUM)}
        self.ids, self.size = ids, size
        self.places = places(size)

    def measured(self, path, asked, organization):
        """(p50, p99) of a list in an organization; `asked` are the words of its query."""
        here = self.ids[organization] | self.places
        words = {name: word.format(**here) for name, word in asked.items()}
        url = path.format(**here) + (f"?{urlencode(words)}" if words else "")
        return sample(lambda: self.clients[organization].ask("GET", url), SECONDS, REQUESTS)

    def figures(self, path, asked, aim, growth=None):
        """The Figures of several queries of a list; with `growth` they may take so many times those of SMALL."""
        for words in asked:
            p50, p99 = self.measured(path, words, BIG)
            small = self.measured(path, words, MEDIUM)[0] if growth else 0.0
            told = "&".join(f"{name}={word.strip('{}')}" for name, word in words.items())
            yield Figure(f"{path} {told}", p50, p99, small, p50 <= aim and (not growth or p50 <= growth * small))


def table_of(path):
    """The table of a list: that of the last segment of its path."""
    return path.rpartition("/")[2].replace("-", "_")


def orders(statement):
    """Every order of a list and both directions; a list that has one order is asked for as it is."""
    if "sort_by" not in statement.parameters:
        return [{}]
    words = itertools.product(statement.words("sort_by"), ("ASC", "DESC"))
    return [{"sort_by": word, "sort_dir": direction} for word, direction in words]


def filters(schema, size):
    """{filter: the words it is asked for with} of a list's query."""
    return {node.name: _words(node, size) for node in schema.children if node.name not in NO_FILTERS}


def _words(node, size):
    if isinstance(node.typ, (Choice, Choices)):
        return list(node.typ.values)
    if node.name in REFERRED:
        return [f"{{{REFERRED[node.name]}}}"]
    if node.name == "updated_since":
        return [moment(size - size // part).isoformat() for part in CHANGED]
    return {"expiring_within": ["30"], "unread": ["true", "false"]}[node.name]


def alone(known):
    """Each filter with each of its words."""
    return [{name: word} for name, words in known.items() for word in words]


def pairs(known):
    """Two filters at once, each with its first word."""
    return [{one: known[one][0], other: known[other][0]} for one, other in itertools.combinations(known, 2)]


def parts(bench, path, statement, schema):
    """(what is measured, its aim, the Figures) of a list, one after the other."""
    share = SHARE if table_of(path) in TEMPLATES or "sort_by" not in statement.parameters else 1
    sorts, known = orders(statement), filters(schema, bench.size)
    per_page = schema["per_page"].missing
    page = {"page": str(max(1, bench.size // share * 9 // 10 // per_page))}
    yield "first page, every order", FIRST, bench.figures(path, sorts, FIRST, GROWTH)
    yield f"page {page['page']}, every order", DEEP, bench.figures(path, [page | sort for sort in sorts], DEEP)
    asked = [one | sort for one in alone(known) for sort in sorts]
    yield "one filter, every order", FILTERED, bench.figures(path, asked, FILTERED)
    yield "two filters", FILTERED, bench.figures(path, pairs(known), FILTERED)
    if "search" in {node.name for node in schema.children}:
        yield "rare word", FOUND, bench.figures(path, [{"search": word} for word in RARE], FOUND)
        yield "frequent word", READ, bench.figures(path, [{"search": word} for word in FREQUENT], READ)


def report(bench, tables):
    """Measure and print: of each part its slowest figure, and at the end all that missed their aim."""
    missed = []
    print(f"\n{'milliseconds, slowest of each':<72}{'of':>4}{'p50':>9}{'p99':>9}{f'at {SMALL:,}':>10}{'aim':>6}")
    lists = [parts(bench, *listed) for listed in LISTS if table_of(listed[0]) in tables]
    others = [
        ("asked of it", FILTERED, bench.figures(path, [dict(parse_qsl(words)) for words in asked], FILTERED))
        for table, path, asked in ASKED
        if table in tables
    ]
    for found_of_one in [*lists, others]:
        for label, aim, found in found_of_one:
            figures = list(found)
            if not figures:
                continue
            worst = max(figures, key=lambda figure: figure.large)
            beside = f"{worst.small:10.2f}" if worst.small else " " * 10
            verdict = "" if all(figure.met for figure in figures) else "  missed"
            text = f"{label}: {worst.path}"[:71]
            print(f"{text:<72}{len(figures):4}{worst.large:9.2f}{worst.p99:9.2f}{beside}{aim:6}{verdict}", flush=True)
            missed += [(label, figure) for figure in figures if not figure.met]
    print(f"\n{len(missed)} missed their aim{':' if missed else '.'}")
    for label, figure in missed:
        beside = f", {figure.large / figure.small:.2f} times that of {SMALL:,}" if figure.small else ""
        print(f"  {label}: {figure.path}: {figure.large:.2f} ms{beside}")


def main():
    """Fill, measure, print; exit status 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.records", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} records of each kind instead of {SIZE:,}")
    parser.add_argument("--size", type=int, help="records of each kind in the large organization")
    parser.add_argument("--only", nargs="+", choices=TABLES, metavar="TABLE", help=f"some of {', '.join(TABLES)}")
    given = parser.parse_args()
    tables = given.only or TABLES
    size = given.size or (QUICK if given.quick else SIZE)
    started = time.monotonic()
    try:
        with running(1, 1, say, SETTINGS) as (site, file, owner_url):
            ids = fill(owner_url, size, say, tables)
            print(
                f"{size:,} records of each kind in one organization (templates, and one lead's notes and tasks and "
                f"one user's notifications: {size // SHARE:,}), {SMALL:,} in another; "
                f"filled kind beside kind in {time.monotonic() - started:.0f} s.",
                flush=True,
            )
            with serving(["application"], file, None) as webs:
                report(Bench(site, webs["application"], ids, size), tables)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(f"\n{time.monotonic() - started:.0f} s in all.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
