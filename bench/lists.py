"""Lists at many records: what each can be asked for, asked of a large organization and of one of a thousand.

Lists go over one HTTP connection with a token, one request after the other. The orders are those that the statements'
marks know, the filters those of the lists' queries.
"""

import http.client
import itertools
import json
import statistics
import time
from typing import NamedTuple
from urllib.parse import urlencode

from bench.leads_data import BIG, MEDIUM
from pipeline.http.security import Tokens
from pipeline.validation import Choice, Choices

SECONDS, REQUESTS = 0.3, 10
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
# What other filters are asked for.
WORDS = {"expiring_within": ["30"], "unread": ["true", "false"]}
# Of how many records one has changed since.
CHANGED = (1000, 20, 2)
FIRST, GROWTH, FILTERED, FOUND, READ, DEEP = 10, 1.5, 60, 100, 300, 150


class List(NamedTuple):
    """A list: its path, statement and query, how many of its records the size makes (one in `share`), what it is asked.

    words: of filters that have no words by themselves, {name: [word]}. rare, frequent: what is searched for.
    """

    path: str
    statement: object
    schema: object
    share: int = 1
    words: dict = {}
    rare: tuple = ("4711", "c0ffee")
    frequent: tuple = ("a1", "1")


class Figure(NamedTuple):
    """One measured list: milliseconds with many records and with few, and whether it met its aim."""

    path: str
    large: float
    slowest: float
    small: float
    met: bool


def authorization(site, organization=BIG):
    """The header with a token of an admin of the organization."""
    return {"Authorization": f"Bearer {Tokens(site.settings()).create_token(1, organization, 1)}"}


class Client:
    """One HTTP connection with a token of an admin."""

    def __init__(self, site, web, organization=BIG):
        self.connection = http.client.HTTPConnection("127.0.0.1", web.port)
        self.headers = authorization(site, organization) | {"Content-Type": "application/json"}

    def ask(self, method, path, body=None):
        """The answer's JSON; RuntimeError for a failure."""
        self.connection.request(method, f"/api{path}", body and json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return json.loads(content)


class Bench:
    """A client of each organization; `places` are what words name, of each: {organization: {name: text or id}}."""

    def __init__(self, site, web, places, size):
        self.site, self.web, self.places, self.size = site, web, places, size

    def client(self, organization=BIG):
        """A connection of its own."""
        return Client(self.site, self.web, organization)

    def figures(self, path, asked, aim, growth=None):
        """The Figures of several queries of a list; with `growth` they may take so many times those of few records."""
        large, small = self.client(BIG), self.client(MEDIUM)
        for words in asked:
            p50, slowest = self._measured(large, path, words, BIG)
            beside = self._measured(small, path, words, MEDIUM)[0] if growth else 0.0
            told = "&".join(f"{name}={word.strip('{}')}" for name, word in words.items())
            met = p50 <= aim and (not growth or p50 <= growth * beside)
            yield Figure(f"{path}?{told}" if told else path, p50, slowest, beside, met)

    def _measured(self, client, path, asked, organization):
        here = self.places[organization]
        words = {name: word.format(**here) for name, word in asked.items()}
        url = path.format(**here) + (f"?{urlencode(words)}" if words else "")
        return sample(lambda: client.ask("GET", url))


def sample(work):
    """(p50, slowest) in milliseconds of REQUESTS calls of work, or of 5 in SECONDS, after two to warm up."""
    times = []
    for number in range(REQUESTS + 2):
        started = time.perf_counter()
        work()
        if number > 1:
            times.append((time.perf_counter() - started) * 1000)
        if sum(times) > SECONDS * 1000 and len(times) >= 5:
            break
    return statistics.median(times), max(times)


def orders(statement):
    """Every order of a list and both directions; a list that has one order is asked for as it is."""
    if "sort_by" not in statement.parameters:
        return [{}]
    words = itertools.product(statement.words("sort_by"), ("ASC", "DESC"))
    return [{"sort_by": word, "sort_dir": direction} for word, direction in words]


def filters(listed):
    """{filter: the words it is asked for with} of a list's query."""
    known = {node.name: node for node in listed.schema.children if node.name not in NO_FILTERS}
    return {name: listed.words.get(name) or _words(node) for name, node in known.items()}


def _words(node):
    if isinstance(node.typ, (Choice, Choices)):
        return list(node.typ.values)
    if node.name in REFERRED:
        return [f"{{{REFERRED[node.name]}}}"]
    if node.name == "updated_since":
        return [f"{{changed_{part}}}" for part in CHANGED]
    return WORDS[node.name]


def alone(known):
    """Each filter with each of its words."""
    return [{name: word} for name, words in known.items() for word in words]


def pairs(known):
    """Two filters at once, each with its first word."""
    return [{one: known[one][0], other: known[other][0]} for one, other in itertools.combinations(known, 2)]


def parts(bench, listed):
    """(what is measured, its aim, the Figures) of a list, one after the other."""
    path, sorts, known = listed.path, orders(listed.statement), filters(listed)
    per_page = listed.schema["per_page"].missing
    page = {"page": str(max(1, bench.size // listed.share * 9 // 10 // per_page))}
    yield "first page", FIRST, bench.figures(path, sorts, FIRST, GROWTH)
    yield f"page {page['page']}", DEEP, bench.figures(path, [page | sort for sort in sorts], DEEP)
    for label, asked in (("one filter", alone(known)), ("two filters", pairs(known))):
        yield label, FILTERED, bench.figures(path, [one | sort for one in asked for sort in sorts], FILTERED)
    if "search" in {node.name for node in listed.schema.children}:
        yield "rare word", FOUND, bench.figures(path, _searches(listed.rare, sorts), FOUND)
        yield "frequent word", READ, bench.figures(path, _searches(listed.frequent, sorts), READ)


def _searches(words, sorts):
    return [{"search": word} | sort for word in words for sort in sorts]


def report(bench, lists, others=()):
    """Measure and print in Markdown: of each part of a list its slowest figure; below it all that missed their aim.

    lists: of List. others: more of what `parts` yields.
    """
    missed = []
    print("\n| milliseconds, slowest of each | of | p50 | longest | at 1,000 | aim | |\n|---|---|---|---|---|---|---|")
    for label, aim, found in itertools.chain(*(parts(bench, listed) for listed in lists), others):
        figures = list(found)
        if figures:
            worst = max(figures, key=lambda figure: figure.large)
            beside = f"{worst.small:.1f}" if worst.small else ""
            verdict = "" if all(figure.met for figure in figures) else "missed"
            print(
                f"| {label}: `{worst.path}` | {len(figures)} | {worst.large:.1f} | {worst.slowest:.1f} | {beside} "
                f"| {aim} | {verdict} |",
                flush=True,
            )
            missed += [(label, figure) for figure in figures if not figure.met]
    print(f"\n{len(missed)} missed their aim{':' if missed else '.'}")
    for label, figure in missed:
        beside = f", {figure.large / figure.small:.2f} times that of 1,000" if figure.small else ""
        print(f"  {label}: {figure.path}: {figure.large:.1f} ms{beside}")
