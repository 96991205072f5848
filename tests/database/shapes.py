"""The shapes of plans: how PostgreSQL goes about each query of sql/ among the many rows of the crowd.

A shape is what `explain` says without what a few more rows, or another id, would change: it has nodes, indexes and what
they look up, orders and groups, and neither costs nor numbers of rows, filters or values.
"""

import difflib
import re
import textwrap
from pathlib import Path

import psycopg

from pipeline.database import queries
from pipeline.database.renewal import NOT_SERVED
from tests.citus.census import typed

FOLDER = Path(__file__).parent / "plans"
ROOT = FOLDER.parents[2]
INDENT = "    "
# A diff shows a plan whole.
CONTEXT = 1000
# Who sends queries, as (login, role): each login as what may do most, and as itself, which may call look-up functions.
APP, FORMS, JOBS = ("pipeline_app", "pipeline_admin"), ("pipeline_forms", "pipeline_public"), ("pipeline_jobs", "none")
SENDERS = (APP, FORMS, JOBS, ("pipeline_app", "none"), ("pipeline_forms", "none"))
# Whom the queries of a file are tried as first; else in the order above.
FIRST = {
    "forms/forms": FORMS,
    "interviews/capture": FORMS,
    "interviews/public": FORMS,
    "mail/emails": JOBS,
    "webhooks/deliveries": JOBS,
    "worker/jobs": JOBS,
    "worker/outbox": JOBS,
}
# What is asked for: parameters by name, those of one query by `query.name`; `user`, `deal` and so on stand for ids.
ASKED = {
    "lead_list.status": "contacted",
    "lead_export.status": "contacted",
    "lead_count.status": "contacted",
    "contract_list.settled": ["draft"],
    "contract_list.running": ["active", "executed"],
    "quote_list.status": "sent",
    "configuration_list.status": "final",
    "user_list.status": "active",
    "webhook_delivery_list.status": "failed",
    "change_feed.transaction_id": 19_000,
    "webhook_changes.after_transaction": 19_000,
    "webhook_changes.since": "10:20:",
    "replica_enter.position": "0/0",
    "replica_state.position": "0/0",
    "actor_kind": "key",
    "action": "updated",
    "assigned_to": "user",
    "assignees": ["user"],
    "before": "2026-01-03T00:00Z",
    "company_id": "company",
    "created_before": "2026-01-12T00:00Z",
    "created_from": "2026-01-10T00:00Z",
    "deal_id": "deal",
    "definition_id": "definition",
    "expired": True,
    "expiring_within": 30,
    "first": "2026-02-01",
    "last": "2026-02-28",
    "limit": 25,
    "offset": 0,
    "organization_id": "organization",
    "owner_id": "user",
    "patterns": ["%4711%"],
    "role": "admin",
    "since": "2026-01-02T00:00Z",
    "source": "fair",
    "stage_id": "stage",
    "statuses": ["new", "contacted"],
    "tag": "%,hot,%",
    "template_id": "template",
    "total": 40_000,
    "type": "deals",
    "types": ["deals"],
    "updated_since": "2026-01-10T00:00Z",
    "user_id": "user",
}
# Where asking for one thing brings another along.
TOGETHER = {
    "alternatives": {"patterns": ["%4711%"], "alternatives": ["%0815%"]},
    "few": {"few": True, "source": "rare"},
    "rare": {"rare": True, "patterns": ["%4711%"]},
}
# Lists that are always asked for something.
NEVER_PLAIN = {"note_list", "task_list"}
# Far down a list, in the orders by a name that many records share.
FAR = {"near": None, "far": True, "offset": 36_000}
SHARED = {"stage_name", "owner_name", "definition_name", "assigned_to_name"}
# The lines of `explain` that are part of a shape, and the rows of tables that are worth one.
_KEPT = re.compile(r"\S|\s*(->|CTE |InitPlan |SubPlan |Sort Key:|Presorted Key:|Group Key:|Index Cond:)")
_NO_PLAN = re.compile(r"\s*(?:--.*\n\s*)*(?:create|copy|analyze) ")
_SCAN = re.compile(r"(?:Seq|Tid|Index|Index Only|Bitmap Heap) Scan .*\bon ([a-z_]+)")
_ORGANIZATION = "(NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint"
_VALUE = re.compile(r"'(?:[^']|'')*'::[a-z]+(?: [a-z]+)*(?:\[\])?")


class Planner:
    """Plans queries as the logins that send them; `ids` are those of crowd.fill, `url(login)` leads to its database."""

    def __init__(self, url, ids):
        self.ids, self.connections = ids, {}
        for login, role in SENDERS:
            self.connections[login, role] = connection = psycopg.connect(url(login))
            self._enter(connection, role)
        app = self.connections[APP]
        # The tables that the import makes for its transaction.
        with queries.on(app):
            queries.lead_import_begin()
            app.execute(
                "insert into pg_temp.lead_import_rows (row, first_name, email)"
                " select i, 'Lead ' || i, i || '@l.example' from generate_series(1, 500) as i"
            )
            queries.lead_import_analyze()
            queries.lead_import_match()
            queries.lead_import_plan_begin()
        tables = "select relname from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'"
        self.tables = {name for (name,) in app.execute(tables)}

    def _enter(self, connection, role):
        tables = self.ids["tables"]
        context = {
            "organization_id": self.ids["organization"],
            "user_id": self.ids["user"],
            "invite_id": tables["interview_invites"],
            "template_id": tables["interview_templates"],
        }
        for name, value in context.items():
            connection.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
        connection.execute("select set_config('role', %s, true)", (role,))

    def close(self):
        """Take back the transactions."""
        for connection in self.connections.values():
            connection.close()

    def shapes(self, path):
        """{variant and who sends it: the shape} of what a file of sql/ ("leads/list") asks of tables."""
        found = {}
        for query in queries:
            if place(query) == path and not _NO_PLAN.match(query.statement.whole):
                for values in variants(query, self.ids):
                    name, who, lines = self._plan(query, values)
                    if self.tables.intersection(_SCAN.findall("\n".join(lines))):
                        found[f"{name} ({who})"] = shape(lines)
        return found

    def _plan(self, query, values):
        """(name of the variant, who sends it, lines of its plan) as the first sender that may."""
        first = FIRST.get(place(query), APP)
        for login, role in sorted(SENDERS, key=first.__ne__):
            connection = self.connections[login, role]
            try:
                with connection.transaction(force_rollback=True), queries.on(connection):
                    lines = query.explained("costs off", **values)
            except psycopg.errors.InsufficientPrivilege:
                continue
            return query.statement.variant(values).name, login if role == "none" else role, lines
        raise AssertionError(f"Nobody may send {query.name}.")


def place(query):
    """Where a query stands, without folder and ending: "leads/list"."""
    return f"{query.statement.file.parent.name}/{query.statement.file.stem}"


def places():
    """The files of sql/ whose queries the service sends."""
    return sorted({place(query) for query in queries if query.statement.file.parent.name != NOT_SERVED})


def variants(query, ids):
    """The values for each variant that is recorded: plain, in each order, and with each thing that can be asked for."""
    marks = query.statement.words
    given = {
        name: _known(ASKED.get(f"{query.name}.{name}", ASKED.get(name, value)), ids)
        for name, value in typed(query).items()
    }
    orders = [{"sort_by": by} for by in marks.get("sort_by", ())] or [{}]
    orders = [{**order, "sort_dir": to} for order in orders for to in marks["sort_dir"]] if "sort_dir" in marks else orders
    plain = given | dict.fromkeys(marks) | orders[0] | ({"near": True} if "near" in marks else {})
    if query.name not in NEVER_PLAIN:
        yield from (plain | order for order in orders)
    for name in marks:
        if name == "far":
            yield from (plain | FAR | order for order in orders if order["sort_by"] in SHARED)
        elif name not in ("sort_by", "sort_dir", "near"):
            yield from (plain | asked for asked in _asked(query, name, given))


def _asked(query, name, given):
    """What the variants ask for that have the lines of a mark."""
    if words := query.words(name):
        return [{name: word} for word in words]
    together = {key: value for key, value in TOGETHER.get(name, {}).items() if key in given}
    return [together or {name: True if given[name] is None else given[name]}]


def _known(value, ids):
    """A value with the ids in the place of their names."""
    if isinstance(value, list):
        return [_known(one, ids) for one in value]
    return ids.get(value, value) if isinstance(value, str) else value


def shape(lines):
    """The shape of a plan (text) of lines that `explain (costs off)` has answered."""
    kept = [line.rstrip() for line in lines if _KEPT.match(line)]
    return _VALUE.sub("?", "\n".join(kept).replace(_ORGANIZATION, "?"))


def record(place, found):
    """Write what Planner.shapes has found for a file of sql/ beside those of the others."""
    path = FOLDER / f"{place}.txt"
    path.unlink(missing_ok=True)
    if found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(f"{name}\n{textwrap.indent(text, INDENT)}\n" for name, text in found.items()))


def recorded_places():
    """The files of sql/ of which shapes are recorded."""
    return {str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.txt")}


def changes(place, found):
    """A unified diff for each variant whose shape is not the recorded one; empty when all are."""
    path = FOLDER / f"{place}.txt"
    blocks = path.read_text().split("\n\n") if path.exists() else []
    recorded = dict(block.strip("\n").split("\n", 1) for block in blocks)
    now = {name: textwrap.indent(text, INDENT) for name, text in found.items()}
    differing = [name for name in recorded | now if recorded.get(name) != now.get(name)]
    return "\n".join(
        "\n".join(
            difflib.unified_diff(
                recorded.get(name, "").splitlines(),
                now.get(name, "").splitlines(),
                f"sql/{place}.sql: {name}, as recorded in {path.relative_to(ROOT)}",
                "now",
                n=CONTEXT,
                lineterm="",
            )
        )
        for name in differing
    )
