"""The record of change: complete, append-only, and without secrets."""

import re

import pytest
from psycopg.errors import CheckViolation, UndefinedColumn

from pipeline.changes.schemas import TYPES
from pipeline.changes.shapes import OF_PARENTS
from tests.database.conftest import here


def test_the_types_of_the_feed_are_those_that_are_recorded(owner, world):
    found = owner.execute(
        "select distinct type from app.changes where organization_id = any(%s)",
        [[ids["organizations"] for ids in world.values()]],
    ).fetchall()
    recorded = sorted(type for (type,) in found)
    steps = "call app.record_changes, add a row to seed.sql, run make schema"
    assert recorded == sorted(TYPES), steps


def test_one_function_writes_all_changes(catalog):
    writing = catalog.execute(
        "select proname from pg_proc where prosrc ~* 'insert\\s+into\\s+(app\\.)?changes\\M'"
    ).fetchall()
    assert [row["proname"] for row in writing] == ["changes_write"]


@pytest.mark.parametrize("type", TYPES)
def test_a_change_of_what_belongs_to_a_record_names_it_and_no_other_does(owner, world, type):
    change = "insert into app.changes (organization_id, type, record_id, action, actor_kind, parent_type, parent_id)"
    values = [world["acme"]["organizations"], type]
    parent = (None, None) if type in OF_PARENTS else ("leads", 1)
    with pytest.raises(CheckViolation):
        owner.execute(f"{change} values (%s, %s, 1, 'updated', 'system', %s, %s)", [*values, *parent])


RECORDED = """
    select c.relname, a.attname, a.atttypid = 'timestamptz'::regtype as is_time, a.attgenerated <> '' as is_computed,
        a.attname = any (cast(split_part(encode(t.tgargs, 'escape'), '\\000', 6) as text[])) as recorded,
        has_column_privilege('pipeline_member', c.oid, a.attnum, 'update')
            or has_column_privilege('pipeline_admin', c.oid, a.attnum, 'update') as is_written
    from pg_trigger t join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'app'::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where t.tgname = 'record_updated'"""


# The columns that a caller's request writes beside the fields of the record; only an erasure writes `cc` and
# `reading_copy`. `word` is a file's text; the revision tells its change.
COMPUTED = (
    "cc reading_copy word missing_glyphs warnings edit_warnings lines_revision tally updated_at chosen_at last_used_at"
)


def test_every_column_that_a_caller_writes_is_recorded(catalog):
    rows = catalog.execute(RECORDED).fetchall()
    assert [
        (row["relname"], row["attname"])
        for row in rows
        if row["is_written"] and not row["recorded"] and row["attname"] not in COMPUTED.split()
    ] == [], "name it in the table's call of app.record_changes"


def test_a_column_that_no_declaration_names_is_not_recorded(owner, world):
    here(owner, world)
    owner.execute("alter table app.teams add city text")
    owner.execute("update app.teams set city = 'Berlin', name = 'Field sales'")
    changed = owner.execute(
        "select changed from app.changes where type = 'teams' and transaction_id = app.change_transaction(0)"
    ).fetchall()
    assert {name for (row,) in changed for name in row} == {"name"}


def test_a_declaration_of_an_unknown_column_is_refused(owner):
    with pytest.raises(UndefinedColumn, match="app.teams has no stored column nmae"):
        owner.execute("call app.record_changes('app.teams', 'teams', '{nmae}')")


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
