"""The record of change: complete, append-only, and without secrets."""

import re

import pytest
from psycopg import errors

from pipeline.changes.schemas import TYPES

# Tables whose changes nobody follows, and why.
UNRECORDED = {
    "account_links": "links sent by email; their use is told by what it changes",
    "capture_drafts": "unfinished answers of a public form, deleted after a day",
    "changes": "the record itself",
    "contract_documents": "told as a change of the contract, once both are there",
    "contract_numbers": "a counter",
    "contract_refusals": "the service's note about printing",
    "contract_revisions": "former texts of a contract, which tells of its new one",
    "emails": "letters on their way; an invite tells of its own",
    "file_chunks": "contents of files",
    "files": "what has a file tells of it",
    "idempotency_keys": "kept answers",
    "interview_tallies": "a counter",
    "interview_template_versions": "made with the template, which tells of its new version",
    "mail_days": "a counter",
    "mail_hours": "a counter",
    "notifications": "each person's own",
    "outbox": "events on their way",
    "record_count_deltas": "a counter",
    "refresh_tokens": "credentials of a session",
    "sessions": "each person's own",
    "signature_codes": "credentials of a signer",
    "signature_events": "told by what the request tells",
    "signature_links": "credentials of a signer",
    "signature_signers": "told as a change of the request",
    "storage_use": "a counter",
    "webhook_deliveries": "messages on their way; of what has changed",
    "webhook_secrets": "credentials of a webhook",
    "webhook_states": "the service's notes about a webhook",
}
SERVING = ("pipeline_app", "pipeline_forms", "pipeline_jobs", "pipeline_member", "pipeline_admin", "pipeline_public")


def test_every_table_records_its_changes_or_says_why_not(catalog):
    """`call app.record_changes('app.…', '…');` in the table's file."""
    rows = catalog.execute("""select relname, (select count(*) from pg_trigger t where t.tgrelid = c.oid
            and t.tgenabled = 'O' and t.tgname in ('record_inserted', 'record_updated', 'record_deleted')) as triggers
        from pg_class c where relnamespace = 'app'::regnamespace and relkind = 'r'""").fetchall()
    found = {row["relname"]: row["triggers"] for row in rows}
    unrecorded = {name for name, triggers in found.items() if not triggers}
    assert unrecorded == {*UNRECORDED, "users"}, "call app.record_changes in the table's file, or name it in UNRECORDED"
    # A quote's lines come and go with the quote. A person is told of in each of their organizations (record_renamed).
    assert {name for name, triggers in found.items() if triggers not in (0, 3)} == {"quote_lines"}


def test_the_types_of_the_feed_are_those_that_are_recorded(owner, world):
    found = owner.execute(
        "select distinct type from app.changes where organization_id = any(%s)",
        [[ids["organizations"] for ids in world.values()]],
    ).fetchall()
    assert sorted(type for (type,) in found) == sorted(TYPES), "name the type in TYPES of pipeline/changes/schemas.py"


@pytest.mark.parametrize("role", SERVING)
@pytest.mark.parametrize("verb", ["insert", "update", "delete", "truncate"])
def test_the_record_is_append_only_for_every_role_that_serves(catalog, role, verb):
    may = catalog.execute(
        "select has_table_privilege(%(role)s, 'app.changes', %(verb)s) or case when %(verb)s in ('insert', 'update') "
        "then has_any_column_privilege(%(role)s, 'app.changes', %(verb)s) else false end as it",
        {"role": role, "verb": verb},
    ).fetchone()
    assert may == {"it": False}


def test_a_member_does_not_see_who_changed_what_into_what(acting):
    with acting("pipeline_member", "acme") as connection:
        assert connection.execute("select count(type) from app.changes").fetchone()[0] > 0
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute("select changed from app.changes")


RECORDED = """
    select c.relname, a.attname, a.atttypid = 'timestamptz'::regtype as is_time, a.attgenerated <> '' as is_computed,
        a.attname = any (app.recorded_columns(c.oid)) as recorded
    from pg_trigger t join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'app'::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where t.tgname = 'record_updated'"""


def test_no_secret_and_nothing_that_the_database_computes_is_recorded(catalog):
    recorded = [row for row in catalog.execute(RECORDED) if row["recorded"]]
    assert [
        row for row in recorded if row["is_computed"] or re.search("secret|token|hash|password", row["attname"])
    ] == []


def test_every_other_column_is_recorded(catalog):
    left = {row["attname"] for row in catalog.execute(RECORDED) if not row["recorded"] and not row["is_computed"]}
    assert left == {
        "organization_id", "created_at", "updated_at", "created_by_key", "last_used_at", "chosen_at", "saved_at",
        "missing_glyphs", "warnings", "edit_warnings", "step", "tally", "lines_revision", "key_hash", "token",
    }  # fmt: skip


def test_every_recorded_time_is_shown_as_one(catalog):
    """By the end of its name (`app.shown_value`)."""
    times = [row["attname"] for row in catalog.execute(RECORDED) if row["recorded"] and row["is_time"]]
    assert times
    assert [name for name in times if not name.endswith("_at")] == []
    others = [row["attname"] for row in catalog.execute(RECORDED) if row["recorded"] and not row["is_time"]]
    assert [name for name in others if name.endswith("_at")] == []


def test_the_user_of_an_accepted_invitation_is_not_told_as_deleted_when_the_invitation_is_purged(owner, world):
    organization, user = world["acme"]["organizations"], world["acme"]["users"]
    owner.execute(
        "insert into app.invitations (organization_id, user_id, email, outcome, ended_at) "
        "values (%s, %s, 'seated@acme.example', 'accepted', now())",
        [organization, user],
    )
    owner.execute("delete from app.invitations where user_id = %s", [user])
    query = "select count(*) from app.changes where type = 'users' and record_id = %s and action = 'deleted'"
    assert owner.execute(query, [user]).fetchone() == (0,)


@pytest.mark.parametrize(
    ("settings", "actor"),
    [
        ({"user_id": ""}, ("system", None, None)),
        ({}, ("user", "users", "Rep")),
        ({"key_id": "api_keys"}, ("key", "api_keys", "Key")),
    ],
)
def test_a_change_says_who_made_it_in_which_request(acting, owner, world, settings, actor):
    kind, table, name = actor
    ids = world["acme"]
    settings = {setting: ids.get(value, value) for setting, value in settings.items()}
    with acting("pipeline_admin", "acme", request_id="r-1", **settings) as connection:
        connection.execute("update app.leads set notes = 'Called.'")
        found = connection.execute(
            "select actor_kind, actor_id, actor_name, request_id, changed from app.changes "
            "where transaction_id = cast(pg_current_xact_id() as text)::bigint"
        ).fetchall()
    changed = {"notes": {"old": None, "new": "Called."}}
    assert found == [(kind, ids[table] if table else None, name, "r-1", changed)]


def test_a_prospect_s_answers_are_the_prospect_s_change_and_long_values_are_cut(owner, world):
    context = {"organization_id": world["acme"]["organizations"], "invite_id": world["acme"]["interview_invites"]}
    token = "select token from app.interview_invites where id = %s"
    (context["invite_token"],) = owner.execute(token, (context["invite_id"],)).fetchone()
    for name, value in context.items():
        owner.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
    owner.execute("set local role pipeline_public")
    owner.execute(
        "update app.interview_invites set status = 'started', answers = jsonb_build_object('a', repeat('x', 9000))"
    )
    owner.execute("set local role none")
    kind, id, name, changed = owner.execute(
        "select actor_kind, actor_id, actor_name, changed from app.changes "
        "where transaction_id = cast(pg_current_xact_id() as text)::bigint"
    ).fetchone()
    assert (kind, id, name) == ("prospect", context["invite_id"], None)
    assert changed["status"] == {"old": "pending", "new": "started"}
    assert len(changed["answers"]["new"]) == 2001


def test_erasing_leaves_what_was_changed_and_no_value(owner, world):
    ids = {slug: world[slug]["companies"] for slug in world}
    owner.execute("update app.companies set name = 'Ada Ltd', phone = '1' where id = any(%s)", [list(ids.values())])
    owner.execute("select set_config('app.organization_id', %s, true)", [str(world["acme"]["organizations"])])
    owner.execute("set local role pipeline_admin")
    assert owner.execute("select app.changes_erase('companies', %s)", [list(ids.values())]).fetchone() == (1,)
    owner.execute("set local role none")
    query = "select changed from app.changes where type = 'companies' and record_id = %s and action = 'updated'"
    nothing = {"old": None, "new": None}
    assert owner.execute(query, [ids["acme"]]).fetchall() == [({"name": nothing, "phone": nothing},)]
    assert owner.execute(query, [ids["globex"]]).fetchone()[0]["name"]["new"] == "Ada Ltd"
