"""The values of queries for their plans, for every variant of a list."""

import re

# A parameter's value by the type that the statement casts it to; a list's by its first word.
SAMPLES = {
    "bigint": 1,
    "integer": 1,
    "smallint": 1,
    "boolean": True,
    "text": "x",
    "jsonb": "{}",
    "jsonpath": "$.seats >= 1",
    "json": "{}",
    "timestamptz": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "numeric": 1,
    "interval": "1 day",
    "bytea": b"x",
    "double precision": 1.0,
    "pg_snapshot": "10:20:",
}
_CAST = re.compile(r"cast\(:(\w+) as ([a-z_ ]+?)\s*(\[\])?\)")

# What is asked for: parameters by name, those of one query by `query.name`; `user`, `deal` and so on stand for ids.
ASKED = {
    "lead_list.status": ["contacted"],
    "lead_export.status": ["contacted"],
    "lead_import_same_addresses.rows": [2],
    "contract_list.status": ["draft"],
    "contract_list.fields": '{"governing_law": "Irish law"}',
    "interview_invite_list.status": ["pending"],
    "quote_list.status": ["sent"],
    "configuration_list.status": ["final"],
    "user_list.status": ["active"],
    "webhook_delivery_list.status": ["failed"],
    "user_list.role": ["admin"],
    **dict.fromkeys(("audit_list.type", "audit_export.type"), ["deals"]),
    **dict.fromkeys(("audit_list.action", "audit_export.action"), ["updated"]),
    "change_feed.transaction_id": 19_000,
    "public_capture_id.of": "leads",
    "webhook_changes.after_transaction": 19_000,
    "webhook_changes.since": "10:20:",
    "actor_kind": "key",
    "action": "updated",
    "assigned_to": "user",
    "before": "2026-01-03T00:00Z",
    "company_id": "company",
    "date_from": "2026-01-10T00:00Z",
    "date_to": "2026-01-12T00:00Z",
    "deal_id": "deal",
    "definition_id": "definition",
    "expiring_within": 30,
    "external_id": "crm-3000",
    "external_ids": ["crm-3000"],
    "rows": "[]",
    "first": "2026-02-01",
    "last": "2026-02-28",
    "limit": 25,
    "offset": 0,
    "organization_id": "organization",
    "owner_id": "user",
    "search": ["4711"],
    "role": "admin",
    "since": "2026-01-02T00:00Z",
    "source": "fair",
    "stage_id": "stage",
    "tag": ["hot"],
    "template_id": "template",
    "type": "deals",
    "types": ["deals"],
    "updated_since": "2026-01-10T00:00Z",
    "user_id": "user",
}
# The rows of seed.sql by the names that samples have.
NAMES = {
    "lead": "leads",
    "user": "users",
    "deal": "deals",
    "company": "companies",
    "contact": "contacts",
    "stage": "deal_stages",
    "definition": "configurator_definitions",
    "template": "interview_templates",
    "organization": "organizations",
    "webhook": "webhooks",
}
# Lists of another record's entries, and the parameter that names the record.
NEVER_PLAIN = {"note_list": "lead_id", "task_list": "lead_id"}


def typed(query):
    """{parameter: a value of the type that the statement casts it to; None without a cast}."""
    types = {name: (kind, array) for name, kind, array in _CAST.findall(query.statement.all_lines)}
    values = {}
    for name in query.parameters:
        kind, array = types.get(name, (None, ""))
        values[name] = ("{1}" if kind in ("bigint", "integer") else "{}") if array else SAMPLES.get(kind)
    return values


def variants(query, ids):
    """The values for each variant that is recorded: plain, in each order, and with each thing that can be asked for."""
    marks = query.statement.words
    given = {
        name: _known(ASKED.get(f"{query.name}.{name}", ASKED.get(name, value)), ids)
        for name, value in typed(query).items()
    }
    orders = [{"sort_by": by} for by in marks.get("sort_by", ())] or [{}]
    orders = (
        [{**order, "sort_dir": to} for order in orders for to in marks["sort_dir"]] if "sort_dir" in marks else orders
    )
    plain = given | dict.fromkeys(query.statement.filters) | orders[0]
    owner = {name: given[name] for name in (NEVER_PLAIN.get(query.name),) if name}
    if not owner:
        yield from (plain | order for order in orders)
    for name in query.statement.filters:
        for value in query.words(name) or [True if given[name] is None else given[name]]:
            yield plain | (owner if name in ("after_id", "ids") else {}) | {name: value}


def _known(value, ids):
    """A value with the ids in the place of their names."""
    if isinstance(value, list):
        return [_known(one, ids) for one in value]
    return ids.get(value, value) if isinstance(value, str) else value
