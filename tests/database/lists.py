"""What each list is asked for when its plans are looked at, and what a plan's nodes tell."""

import itertools

from pipeline.database import queries
from tests.database.crowd import SIZES

# What a filter is asked for with; `user`, `stage` and so on stand for ids that are not known before.
FILTERS = {
    "company_list": [{"updated_since": "2099-01-01Z", "few": True}],
    "contact_list": [{"company_id": "company"}, {"updated_since": "2099-01-01Z", "few": True}],
    "deal_list": [
        {"stage_id": "stage"},
        {"company_id": "company"},
        {"owner_id": "user"},
        {"stage_id": "stage", "owner_id": "user"},
        {"updated_since": "2099-01-01Z", "few": True},
    ],
    "quote_list": [{"deal_id": "deal"}, {"status": "sent"}, {"updated_since": "2099-01-01Z", "few": True}],
    "configuration_list": [{"deal_id": "deal"}, {"definition_id": "definition"}, {"status": "final"}],
    "interview_invite_list": [
        {"template_id": "template"},
        {"status": "pending"},
        {"status": "expired"},
        {"status": "submitted"},
        {"deal_id": "deal"},
        {"updated_since": "2099-01-01Z", "few": True},
    ],
    "contract_list": [
        {"settled": ["draft"]},
        {"running": ["active"]},
        {"deal_id": "deal"},
        {"expiring_within": 30},
        {"settled": ["expired"], "expired": True},
        {"updated_since": "2099-01-01Z", "few": True},
    ],
    "lead_list": [
        {"status": "contacted"},
        {"source": "fair"},
        {"status": "new", "source": "fair"},
        {"source": "rare", "few": True},
        {"statuses": ["new", "contacted"]},
        {"assigned_to": "user"},
        {"assignees": ["user"]},
        {"created_from": "2026-01-10T00:00Z", "created_before": "2026-01-12T00:00Z"},
        {"tags": ["%,hot,%"], "rare": True},
        {"patterns": ["%4711%"], "common": True},
        {"updated_since": "2099-01-01Z"},
    ],
}
SEARCHED = {
    "company_list": "companies",
    "contact_list": "contacts",
    "deal_list": "deals",
    "quote_list": "quotes",
    "interview_invite_list": "interview_invites",
    "contract_list": "contracts",
    "lead_list": "leads",
}
# Hundreds of the crowd's records have changed since.
CHANGED = "2026-01-10T00:00Z"
# What a statement needs whatever is asked for.
ALWAYS = {"interview_invite_list": {"forms_url": ""}}


def variants():
    """(list, filters, sort_by, sort_dir) of what a list can be asked for: each filter and a search in each order."""
    for name, filters in FILTERS.items():
        asked = [*filters, *([{"patterns": ["%4711%"], "rare": True}] if name in SEARCHED else [])]
        for chosen in ({}, *asked):
            for order in itertools.product(getattr(queries, name).words("sort_by"), ("ASC", "DESC")):
                yield name, chosen, *order


def known(value, ids):
    """A value with the ids in the place of their names."""
    if isinstance(value, list):
        return [known(one, ids) for one in value]
    return ids.get(value, value) if isinstance(value, str) else value


def walk(node):
    """A plan's node and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def sorted_rows(nodes):
    """The most rows that one sort of the plan read."""
    sorts = [node["Plans"][0] for node in nodes if "Sort" in node["Node Type"]]
    return max((below["Actual Rows"] * below["Actual Loops"] for below in sorts), default=0)


def read(nodes):
    """The most rows that one node read, those that it then left out too."""
    return max((node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in nodes)


def reads_rows(node, table):
    """Whether a node fetches rows of the table, not an index alone."""
    return node.get("Relation Name") == table and "Only" not in node["Node Type"]


def scanned(nodes):
    """The tables of many rows that the plan reads from end to end."""
    return {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"} & set(SIZES)
