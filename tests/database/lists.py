"""What each list is asked for when its plans are looked at, and what a plan's nodes tell."""

import itertools

from pipeline.database import queries
from tests.database.crowd import SIZES

# What a filter that leaves few of the crowd's records is asked for with; `deal` and so on stand for ids.
FILTERS = {
    "company_list": {"external_id": "crm-3000", "updated_since": "2099-01-01Z"},
    "contact_list": {"company_id": "company", "external_id": "crm-3000", "updated_since": "2099-01-01Z"},
    "deal_list": {"company_id": "company", "external_id": "crm-3000", "contact_id": -1, "owner_id": -1, "stage_id": -1}
    | {"updated_since": "2099-01-01Z"},
    "quote_list": {"deal_id": "deal", "updated_since": "2099-01-01Z"},
    "configuration_list": {"deal_id": "deal", "definition_id": -1, "invite_id": -1},
    "interview_invite_list": {"lead_id": -1, "deal_id": "deal", "template_id": -1, "updated_since": "2099-01-01Z"},
    "contract_list": {"deal_id": "deal", "expiring_within": 1, "updated_since": "2099-01-01Z"},
    "lead_list": {
        "source": "rare",
        "assigned_to": -1,
        "external_id": "crm-3000",
        "date_from": "2099-01-01Z",
        "date_to": "2026-01-01T00:10Z",
        "updated_since": "2099-01-01Z",
        "tag": ["hot"],
    },
}
# Filters of few words, each of which many records have; a person's own leads, who may have all; and filters without an
# index of their own.
BROAD = {"status", "scope", "domain", "value_min", "value_max", "expected_close_from", "expected_close_to"}
BROAD |= {"effective_from", "effective_to", "fields"}
# Kinds without a search.
UNSEARCHED = {"configuration_list"}
# What a statement needs whatever is asked for.
ALWAYS = {"interview_invite_list": {"forms_url": ""}}
# An order by what depends on the day.
COMPUTED = {("contract_list", "status")}


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
