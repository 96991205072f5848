"""The record of change: complete, append-only, and without secrets."""

import re

from pipeline.changes.schemas import TYPES
from tests.database.conftest import here


def test_the_types_of_the_feed_are_those_that_are_recorded(owner, world):
    found = owner.execute(
        "select distinct type from app.changes where organization_id = any(%s)",
        [[ids["organizations"] for ids in world.values()]],
    ).fetchall()
    recorded = sorted(type for (type,) in found)
    steps = "call app.record_changes, add a row to seed.sql, name the type in TYPES of pipeline/changes/schemas.py"
    assert recorded == sorted(TYPES), steps


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


def test_every_recorded_time_is_shown_as_one(catalog):
    """By the end of its name (`app.shown_value`)."""
    times = [row["attname"] for row in catalog.execute(RECORDED) if row["recorded"] and row["is_time"]]
    assert times
    assert [name for name in times if not name.endswith("_at")] == []
    others = [row["attname"] for row in catalog.execute(RECORDED) if row["recorded"] and not row["is_time"]]
    assert [name for name in others if name.endswith("_at")] == []


def test_a_prospect_s_answers_are_the_prospect_s_change_and_long_values_are_cut(owner, world):
    here(owner, world)
    invite = world["acme"]["interview_invites"]
    enter = "set_config('app.invite_id', id::text, true), set_config('app.invite_token', token, true)"
    owner.execute(f"select {enter} from app.interview_invites where id = %s", [invite])
    owner.execute("set local role pipeline_public")
    owner.execute("update app.interview_invites set answers = jsonb_build_object('a', repeat('x', 9000))")
    owner.execute("reset role")
    told = "select actor_kind, actor_id, actor_name, changed from app.changes where transaction_id = cast(%s as bigint)"
    (number,) = owner.execute("select pg_current_xact_id()::text").fetchone()
    ((*actor, changed),) = owner.execute(told, [number]).fetchall()
    assert actor == ["prospect", invite, None]
    assert len(changed["answers"]["new"]) == 2001
