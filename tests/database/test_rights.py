"""The rows that each caller reads and writes; test_tables.py has the tables and columns that a role touches at all."""

import pytest
from psycopg import errors

from tests.database import shapes
from tests.database.asked import NAMES
from tests.database.conftest import named, short

INVITE, TEMPLATE = {"invite_id": "acme.interview_invites"}, {"template_id": "acme.interview_templates"}
# Who acts in acme: the role, and the settings of the transaction.
CALLERS = {
    "an administrator": ("pipeline_admin", {}),
    "a member": ("pipeline_member", {}),
    "a stranger": ("pipeline_member", {"user_id": "globex.users"}),
    "the worker": ("pipeline_jobs", {"user_id": "globex.users"}),
    "an invite's form": ("pipeline_public", INVITE),
    "a form of another organization's invite": ("pipeline_public", {"invite_id": "globex.interview_invites"}),
    "a capture form": ("pipeline_public", TEMPLATE),
    "a draft's form": ("pipeline_public", TEMPLATE | {"draft_token": "b" * 64}),
    "a form of another draft": ("pipeline_public", TEMPLATE | {"draft_token": "a" * 64}),
}
FILE = "insert into app.files (filename, content_type, size, sha256) values ('a', 'text/plain', 1, repeat('a', 64))"
OTHERS_FILE = FILE.replace("sha256)", "sha256, invite_id)").replace("64))", "64), globex.interview_invites)")
CHUNK = "insert into app.file_chunks (file_id, position, content) values ({}, 0, 'x')"
OWN_CHUNK, OTHERS_CHUNK = CHUNK.format("(select max(id) from app.files)"), CHUNK.format("acme.files")
SUBMITTED = "update app.interview_invites set status = 'submitted', submitted_at = now()"
DRAFT = (
    "insert into app.capture_drafts (organization_id, token, template_id, answers, agreed) "
    "values ({}.organizations, repeat('{}', 64), acme.interview_templates, '{{}}', '')"
)
SAVED, SENT = DRAFT.format("acme", "b"), "update app.capture_drafts set submitted = true"
LEAD = "insert into app.leads (first_name, source) values ('Pat', 'interview')"
ASSIGNED = "insert into app.leads (first_name, source, assigned_to) values ('Pat', 'interview', globex.users)"
# A response that is continued later: from then on the form is an invite's.
BEGUN = (
    "insert into app.interview_invites (template_id, template_version_id, origin, token, status, send_email, "
    "recipient_email) select id, version_id, 'capture', repeat('d', 64), 'started', true, 'pat@x.example' "
    "from app.interview_templates"
)
CONTINUED = "select set_config('app.template_id', '', true), set_config('app.invite_token', repeat('d', 64), true)"
TAKEN_AWAY = "update app.contracts set executed_file_id = null"
REFUSED = "refused"


def response(lead="currval('app.leads_id_seq')", origin="capture"):
    return (
        "insert into app.interview_invites (template_id, template_version_id, lead_id, origin, token, status, "
        f"submitted_at) select id, version_id, {lead}, '{origin}', repeat('c', 64), 'submitted', now() "
        "from app.interview_templates"
    )


def kept(scope):
    """An answer kept for a repeated request."""
    return (
        "insert into app.idempotency_keys (scope, key, request_hash, status, headers, body) "
        f"values ('{scope}', 'mine', 'h', 201, '{{}}', '')"
    )


# (who, statements, of the last one the number of rows, or that it is refused)
DEEDS = [
    ("an administrator", [TAKEN_AWAY], 1),
    ("a member", [TAKEN_AWAY], REFUSED),
    ("a member", ["select from app.notifications"], 1),
    ("a stranger", ["select from app.notifications"], 0),
    ("a member", ["select from app.idempotency_keys"], 1),
    ("a stranger", ["select from app.idempotency_keys"], 0),
    ("the worker", ["select from app.idempotency_keys"], 1),
    ("a member", [kept("user:acme.users")], 1),
    ("a member", [kept("user:globex.users")], REFUSED),
    ("an invite's form", [kept("invite:acme.interview_invites")], 1),
    ("an invite's form", [kept("invite:globex.interview_invites")], REFUSED),
    ("an invite's form", ["update app.interview_invites set answers = '{\"a\": 1}', revision = revision + 1"], 1),
    ("an invite's form", [LEAD], REFUSED),
    ("an invite's form", [FILE], 1),
    ("an invite's form", [OTHERS_FILE], REFUSED),
    ("an invite's form", [FILE, OWN_CHUNK], 1),
    ("an invite's form", [FILE, OWN_CHUNK, "select from app.file_chunks"], 1),
    ("an invite's form", [OTHERS_CHUNK], REFUSED),
    ("an invite's form", [FILE, "delete from app.files"], 1),
    ("an invite's form", [FILE, SUBMITTED, "delete from app.files"], 0),
    ("a form of another organization's invite", ["select from app.interview_invites"], 0),
    ("a form of another organization's invite", ["select from app.interview_template_versions"], 0),
    ("a capture form", ["select from app.interview_template_versions"], 1),
    ("a capture form", ["select from app.interview_invites"], 0),
    ("a capture form", [FILE], REFUSED),
    ("a capture form", [LEAD, response()], 1),
    ("a capture form", [LEAD, response(), "select from app.leads"], 0),
    ("a capture form", [LEAD, response(origin="invite")], REFUSED),
    ("a capture form", [LEAD, response(lead="(select currval('app.leads_id_seq') - 1)")], REFUSED),
    ("a capture form", [response(lead="acme.leads")], REFUSED),
    ("a capture form", [BEGUN, CONTINUED, LEAD], 1),
    ("a capture form", [ASSIGNED], REFUSED),
    ("a draft's form", [SAVED, "select from app.capture_drafts where token = repeat('b', 64)"], 1),
    ("a draft's form", [SAVED, "select from app.capture_drafts"], 1),
    ("a draft's form", [SAVED, "update app.capture_drafts set agreed = 'x'"], 1),
    ("a form of another draft", ["select from app.capture_drafts"], 1),
    ("a draft's form", [DRAFT.format("acme", "c")], REFUSED),
    ("a draft's form", [DRAFT.format("globex", "b")], REFUSED),
    ("a draft's form", [SAVED, FILE, OWN_CHUNK], 1),
    ("a draft's form", [SAVED, FILE, "select from app.files"], 1),
    ("a draft's form", [SAVED, OTHERS_CHUNK], REFUSED),
    ("a draft's form", [SAVED, FILE, "delete from app.files"], 1),
    # A sent draft keeps its files as they are.
    ("a draft's form", [SAVED, SENT, FILE], REFUSED),
    ("a draft's form", [SAVED, FILE, SENT, OWN_CHUNK], REFUSED),
    ("a draft's form", [SAVED, FILE, SENT, "delete from app.files"], 0),
    ("a draft's form", [SAVED, FILE, SENT, "select from app.files"], 1),
]


@pytest.mark.parametrize(("who", "statements", "outcome"), DEEDS, ids=short)
def test_a_caller_reads_and_writes_its_own_rows_alone(acting, world, who, statements, outcome):
    role, settings = CALLERS[who]
    *before, last = (named(world, one) for one in statements)
    with acting(role, "acme", **{name: named(world, value) for name, value in settings.items()}) as connection:
        for statement in before:
            connection.execute(statement)
        try:
            assert connection.execute(last).rowcount == outcome
        except errors.InsufficientPrivilege:
            assert outcome == REFUSED


@pytest.fixture(scope="module")
def planner(login_url, world):
    made = world["acme"]
    planner = shapes.Planner(login_url, {"tables": made, **{name: made[table] for name, table in NAMES.items()}})
    yield planner
    planner.close()


@pytest.mark.parametrize("place", shapes.places())
def test_each_statement_may_be_sent_by_somebody(planner, place):
    planner.shapes(place)
