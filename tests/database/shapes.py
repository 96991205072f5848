"""The shapes of plans: how PostgreSQL goes about each query of sql/ among the many rows of the crowd.

A shape is what `explain` says without what a few more rows, or another id, would change: it has nodes, indexes and what
they look up, orders and groups, and neither costs nor numbers of rows, filters or values.
"""

import re
from pathlib import Path

import psycopg

from pipeline.database import queries
from pipeline.database.renewal import NOT_SERVED
from tests.database.asked import variants

FOLDER = Path(__file__).parent / "plans"
INDENT = "    "
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
    "webhooks/following": JOBS,
    "webhooks/sending": JOBS,
    "worker/jobs": JOBS,
    "worker/outbox": JOBS,
}
FORGOTTEN = "Name each column that it writes in app.share of the table, and call app.present for a view that it reads."
# The lines of `explain` that are part of a shape, and the rows of tables that are worth one.
_KEPT = re.compile(r"\S|\s*(->|CTE |InitPlan |SubPlan |Sort Key:|Presorted Key:|Group Key:|Index Cond:)")
_NO_PLAN = re.compile(r"\s*(?:--.*\n\s*)*(?:create|copy|analyze) ")
_SCAN = re.compile(r"(?:Seq|Tid|Index|Index Only|Bitmap Heap) Scan .*\bon ([a-z_]+)")
_ORGANIZATION = "(NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint"
_NUMBER = re.compile(r"\b(SubPlan|InitPlan) \d+")
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
            queries.lead_import_begin_results()
            app.execute(
                "insert into pg_temp.lead_import_rows (row, first_name, email)"
                " select i, 'Lead ' || i, i || '@l.example' from generate_series(1, 500) as i"
            )
            queries.lead_import_analyze()
        tables = "select relname from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'"
        self.tables = {name for (name,) in app.execute(tables)}

    def _enter(self, connection, role):
        tables = self.ids["tables"]
        context = {
            "organization_id": self.ids["organization"],
            "user_id": self.ids["user"],
            "invite_id": tables["interview_invites"],
            "invite_token": "0" * 64,
            "template_id": tables["interview_templates"],
        }
        for name, value in context.items():
            connection.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
        connection.execute("select set_config('role', %s, true)", (role,))

    def close(self):
        for connection in self.connections.values():
            connection.close()

    def shapes(self, place):
        """{variant and who sends it: the shape} of what a file of sql/ ("leads/list") asks of tables."""
        found = {}
        for query in queries:
            if place_of(query) == place and not _NO_PLAN.match(query.statement.all_lines):
                for values in variants(query, self.ids):
                    name, who, lines = self._plan(query, values)
                    if self.tables.intersection(_SCAN.findall("\n".join(lines))):
                        found[f"{name} ({who})"] = shape(lines)
        return found

    def _plan(self, query, values):
        """(name of the variant, who sends it, lines of its plan) as the first sender that may."""
        first, refused = FIRST.get(place_of(query), APP), []
        for login, role in sorted(SENDERS, key=first.__ne__):
            connection = self.connections[login, role]
            try:
                with connection.transaction(force_rollback=True), queries.on(connection):
                    lines = query.explained("costs off", **values)
            except psycopg.errors.InsufficientPrivilege as error:
                refused.append(error.diag.message_primary)
                continue
            return query.statement.variant(values).name, login if role == "none" else role, lines
        raise AssertionError(f"Nobody may send {query.name} ({refused[0]}). {FORGOTTEN}")


def place_of(query):
    """Where a query stands, without folder and ending: "leads/list"."""
    return f"{query.statement.file.parent.name}/{query.statement.file.stem}"


def places():
    """The files of sql/ whose queries the service sends."""
    return sorted({place_of(query) for query in queries if query.statement.file.parent.name != NOT_SERVED})


def shape(lines):
    """The shape of a plan (text) of lines that `explain (costs off)` has answered."""
    # An index serves both directions.
    kept = "\n".join(INDENT + line.rstrip().replace(" Backward", "") for line in lines if _KEPT.match(line))
    return _NUMBER.sub(r"\1", _VALUE.sub("?", kept.replace(_ORGANIZATION, "?")))


def written(found):
    """The text of what Planner.shapes has found for a file; variants share a shape."""
    names = {text: [name for name in found if found[name] == text] for text in found.values()}
    return "\n\n".join("\n".join([*names[text], text]) for text in names) + "\n" if found else ""


def recorded(place):
    return FOLDER / f"{place}.txt"


def recorded_places():
    return {str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.txt")}
