"""The requests for each list: all orders and filters of the API's description, and searches."""

import itertools
import re
from typing import NamedTuple

from bench.data import moment
from bench.kinds import KINDS

SIZE, FAR = 1_000_000, 900_000
PATHS = {table: f"/api/{table.replace('_', '-')}" for table in KINDS} | {
    "notes": "/api/leads/{id}/notes",
    "tasks": "/api/leads/{id}/tasks",
}
NO_FILTERS = {"after_id", "id", "page", "per_page", "search", "sort_by", "sort_dir", "If-None-Match"}
# Orders by a column of another table.
JOINED = {
    "leads": {"assigned_to_name"},
    "contacts": {"company_name"},
    "deals": {"company_name", "stage_name", "owner_name"},
    "quotes": {"deal_title"},
    "configurations": {"deal_title", "definition_name"},
    "contracts": {"company_name", "deal_title"},
}
# {filter: the table of its id}; the cases use the first two records.
REFERRED = {
    "company_id": "companies",
    "contact_id": "contacts",
    "deal_id": "deals",
    "stage_id": "deal_stages",
    "definition_id": "configurator_definitions",
    "template_id": "interview_templates",
}
WORDS = {
    "assigned_to": ("1", "7"),
    "owner_id": ("1", "7"),
    "source": ("fair", "web"),
    "tag": ("hot",),
    "expiring_within": ("30",),
    "lead_id": ("1",),
    "invite_id": ("1",),
    "ids": ("1,2,3",),
    "domain": ("company-1.example",),
    "value_min": ("50000",),
    "value_max": ("50000",),
    "expected_close_from": ("2026-06-01",),
    "expected_close_to": ("2026-06-01",),
    "external_id": ("crm-7",),
    "email": ("lead7@company7.example",),
    "number": ("RO-0000007",),
    **dict.fromkeys(("fields", "field_min", "field_max"), ("{}",)),
    "effective_from": ("2026-06-01",),
    "effective_to": ("2026-06-01",),
}
# Words of the generated records (bench/data.py), by their number in a million.
SEARCHES = {
    "10 hits": "zeppelin",
    "5,000 hits": "kestrel",
    "20,000 hits": "heron",
    "a tenth": "plover",
    "two frequent words": "plover gmbh",
}
# Milliseconds at most. A word in a tenth of the records and a sort by another table's column have no aim.
FIRST_PAGE, FILTERED, ALL_FILTERED, FAR_PAGE, SEARCHED = 10, 350, 30, 250, 150


class List(NamedTuple):
    """A list: table, path, orders with directions, {filter: words}, rows of a page, whether it has a search."""

    table: str
    path: str
    orders: list[dict[str, str]]
    filters: dict[str, tuple[str, ...]]
    per_page: int
    searched: bool


def described(document, table, ids, size):
    """The List of a table, from the API's description."""
    operation = document["paths"][PATHS[table]]["get"]
    shared = document["components"].get("parameters", {})
    known = [shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in operation["parameters"]]
    schemas = {one["name"]: one["schema"] for one in known}
    (per_page,) = (one["description"] for one in known if one["name"] == "per_page")
    sort = schemas.get("sort_by", {})
    orders = sort["anyOf"][0]["enum"] if "anyOf" in sort else sort.get("enum", [])
    return List(
        table,
        PATHS[table].format(id=ids.get("leads")),
        [{"sort_by": order, "sort_dir": way} for order in orders for way in ("ASC", "DESC")] or [{}],
        {name: words(name, schema, ids, size) for name, schema in schemas.items() if name not in NO_FILTERS},
        int(re.search(r"Default: `(\d+)`", per_page)[1]),
        "search" in schemas,
    )


def words(name, schema, ids, size):
    """The values for a filter; KeyError for a filter without chosen values."""
    if "enum" in schema:
        return tuple(schema["enum"])
    if schema.get("type") == "boolean":
        return ("true", "false")
    if re.match(r"\^\([a-z_|]+\)", schema.get("pattern", "")):  # some of them, separated by commas
        known = schema["pattern"].removeprefix("^(").partition(")")[0].split("|")
        return (*known, ",".join(known[:2]))
    if name in REFERRED:
        first = ids.get(REFERRED[name], 1)
        return (str(first), str(first + 1))
    if name == "updated_since":
        return tuple(moment(size - size // part).isoformat() for part in (1000, 100, 2))
    days = {"date_from": (size // 100, size - 43_200), "date_to": (43_200,)}
    if name in days:
        return tuple(moment(max(number, 0)).date().isoformat() for number in days[name])
    return WORDS[name]


def parts(listed, size):
    """(title, cases as queries, aim of each, aim of the median) of a List."""
    joined = [order for order in listed.orders if order.get("sort_by") in JOINED.get(listed.table, ())]
    own = [order for order in listed.orders if order not in joined]
    page = {"page": str(max(1, size // KINDS[listed.table].share * FAR // SIZE // listed.per_page + 1))}
    yield "first page", own, FIRST_PAGE, None
    yield "first page by another table's column", joined, None, None
    yield "nine tenths down", _times([page], own), FAR_PAGE, None
    yield "nine tenths down by another table's column", _times([page], joined), None, None
    alone = {name: [{name: word} for word in known] for name, known in listed.filters.items()}
    for name, asked in alone.items():
        yield f"filter {name}", _times(asked, listed.orders), FILTERED, None
    every = list(itertools.chain(*alone.values()))
    yield "all filters", _times(every, listed.orders), FILTERED, ALL_FILTERED
    if listed.table == "leads":
        pairs = [one[0] | other[0] for one, other in itertools.combinations(alone.values(), 2)]
        yield "two filters", _times(pairs, listed.orders), FILTERED, ALL_FILTERED
    if listed.searched:
        for label, word in SEARCHES.items():
            aim = SEARCHED if label.endswith("hits") else None
            yield f"search: {label}", _times([{"search": word}], listed.orders), aim, None


def _times(asked, orders):
    return [one | order for one in asked for order in orders]
