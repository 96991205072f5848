"""The requests for each list's plans, and the nodes of a plan."""

import itertools
import re

from pipeline.database import queries
from tests.database.crowd import SIZES

LISTS = ("company_list", "contact_list", "deal_list", "quote_list", "configuration_list", "interview_invite_list")
LISTS += ("contract_list", "lead_list")
# What a filter that leaves few of the crowd's records is asked for with: by its name, else by the type of its cast.
# `deal` and so on stand for ids.
FEW = {"company_id": "company", "deal_id": "deal", "external_id": "crm-3000", "date_to": "2026-01-01T00:10Z"}
FEW |= {"expiring_within": 1, "tag": ["hot"]}
TYPES = {"bigint": -1, "text": "rare", "timestamptz": "2099-01-01Z"}
# Filters of few words, each of which many records have; a person's own leads, who may have all; and filters without an
# index of their own.
BROAD = {"status", "scope", "domain", "value_min", "value_max", "expected_close_from", "expected_close_to"}
BROAD |= {"effective_from", "effective_to", "fields"}
# Those that are looked at otherwise.
OTHERS = {"search", "after_id", "ids"}
# Kinds without a search.
UNSEARCHED = {"configuration_list"}
# What a statement needs whatever is asked for.
ALWAYS = {"interview_invite_list": {"forms_url": ""}}
# An order by what depends on the day.
COMPUTED = {("contract_list", "status")}


def few(name):
    """{filter: value that few records have} of a list."""
    statement = getattr(queries, name).statement
    casts = dict(re.findall(r"cast\(:(\w+) as (\w+)\)", statement.all_lines))
    narrow = [word for word in statement.filters if word not in BROAD | OTHERS]
    return {word: FEW[word] if word in FEW else TYPES[casts[word]] for word in narrow}


def orders(name):
    """(sort_by, sort_dir) of the orders of a list that an index holds.

    One by another table's column is sorted, and so is one whose missing values stand last where the index has them
    first.
    """
    lines = getattr(queries, name).statement.lines
    words = {line.text: {term.names[0]: term.words for term in line.terms} for line in lines}
    joined = {word for text, terms in words.items() if "left join" in text for word in terms.get("sort_by", ())}
    for text, terms in words.items():
        for sort_by, sort_dir in itertools.product(terms.get("sort_by", ()), terms.get("sort_dir", ())):
            sorts = sort_by in joined or (name, sort_by) in COMPUTED or ("nulls last" in text and sort_dir == "DESC")
            if not sorts:
                yield sort_by, sort_dir


def known(value, ids):
    """A value with the ids in the place of their names."""
    return ids.get(value, value) if isinstance(value, str) else value


def walk(node):
    """A plan's node and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def read(nodes):
    """The most rows that one node read, those that it then left out too."""
    return max((node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in nodes)


def scanned(nodes):
    """The tables of many rows that the plan reads from end to end."""
    return {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"} & set(SIZES)
