import psycopg
import pytest

from tests.database.conftest import delete, here
from tests.database.test_isolation import FILE

# The tables that say when a row was changed.
TOUCHED = """
select relname from pg_class join pg_attribute on attrelid = pg_class.oid
where relnamespace = 'app'::regnamespace and relkind = 'r' and attname = 'updated_at'"""
# A change of the tables that others touch by the way.
CHANGE = {
    "api_keys": "name = name || '!'",
    "organization_users": "seat_active = not seat_active",
    "users": "name = name || '!'",
}
# Whose rows are those of acme.
OF_ACME = {"organizations": "id = {organizations}", "users": "id = {users}"}
COUNTED = ["companies", "configurations", "contacts", "contracts", "deals", "interview_invites", "leads", "quotes"]


def moved(owner, world, change):
    """{table: whether a change of acme's row moves its updated_at}."""
    found = {}
    for (table,) in owner.execute(TOUCHED).fetchall():
        own = OF_ACME.get(table, "organization_id = {organizations}").format(**world["acme"])
        with owner.transaction(force_rollback=True):
            owner.execute(f"update app.{table} set {change(table)} where {own}")
            found[table] = owner.execute(f"select bool_and(updated_at = now()) from app.{table} where {own}").fetchone()
    return {table: later for table, (later,) in found.items()}


def test_a_change_moves_updated_at(owner, world):
    found = moved(owner, world, lambda table: CHANGE.get(table, "created_at = created_at - interval '1 second'"))
    assert [table for table, later in found.items() if not later] == []


def test_an_update_to_the_same_values_does_not_move_updated_at(owner, world):
    found = moved(owner, world, lambda table: "created_at = created_at")
    assert {table for table, later in found.items() if later} <= {"emails", "webhook_deliveries"}


def test_a_transaction_that_began_before_the_last_change_does_not_turn_its_time_back(owner, world):
    owner.execute("set local session_replication_role = replica")  # so that no trigger takes the later time away
    owner.execute("update app.teams set updated_at = now() + interval '1 second'")
    owner.execute("set local session_replication_role = origin")
    owner.execute("update app.teams set name = name || '!'")
    later = "select bool_and(updated_at = now() + interval '1 second') from app.teams"
    assert owner.execute(later).fetchone() == (True,)


@pytest.mark.parametrize("table", COUNTED)
def test_the_number_of_records_follows_what_comes_and_goes_and_a_count_anew_finds_the_same(owner, world, table):
    made = here(owner, world)
    total = "select sum(delta) from app.record_count_deltas where organization_id = %s and kind = %s"
    assert owner.execute(total, (made, table)).fetchone() == (1,)
    owner.execute(f"call app.recount('app.{table}')")
    assert owner.execute(total, (made, table)).fetchone() == (1,)
    delete(owner, table, made)
    assert owner.execute(total, (made, table)).fetchone() == (0,)


def test_a_lead_of_an_organization_that_does_not_exist_is_refused_once_it_is_counted(owner):
    with pytest.raises(psycopg.errors.ForeignKeyViolation, match="record_count_deltas"):
        owner.execute("insert into app.leads (organization_id, first_name) values (-1, 'X')")


def test_the_use_of_storage_is_the_sum_of_an_organizations_files(owner, world):
    made = here(owner, world)
    used = "select organization_id, bytes from app.storage_use order by 1"
    before = dict(owner.execute(used).fetchall())
    owner.execute(
        "insert into app.files (filename, content_type, size, sha256) values ('b', 'text/csv', 7, repeat('1', 64))"
    )
    assert dict(owner.execute(used).fetchall()) == {**before, made: before[made] + 7}
    owner.execute("delete from app.files where filename = 'b'")
    assert dict(owner.execute(used).fetchall()) == before


def test_the_statistics_of_an_interview_follow_what_becomes_of_its_invites(owner, world):
    made = here(owner, world)

    def facts():
        rows = "select fact from app.interview_tallies where organization_id = %s group by fact having sum(delta) <> 0"
        return {fact for (fact,) in owner.execute(rows, (made,)).fetchall()}

    assert facts() == {"invited"}
    owner.execute("update app.interview_invites set opened_at = now() where organization_id = %s", (made,))
    assert facts() == {"invited", "opened", "left"}
    delete(owner, "interview_invites", made)
    assert facts() == set()


def test_a_signed_copy_that_comes_into_force_is_kept_with_its_revision(owner, world):
    here(owner, world)
    contract, signed = world["acme"]["contracts"], owner.execute(f"{FILE} returning id").fetchone()[0]
    owner.execute("update app.contracts set executed_file_id = %s where id = %s", (signed, contract))
    kept = "select contract_id, revision from app.contract_documents where kind = 'executed' and file_id = %s"
    assert owner.execute(kept, (signed,)).fetchall() == [(contract, 1)]


def test_the_text_that_a_revision_replaces_is_kept(owner, world):
    contract = (world["acme"]["contracts"],)
    owner.execute("update app.contracts set content = '<p>First</p>' where id = %s", contract)
    owner.execute("update app.contracts set revision = 2, content = '<p>Second</p>' where id = %s", contract)
    kept = "select content from app.contract_revisions where revision = 1 and contract_id = %s"
    assert owner.execute(kept, contract).fetchall() == [("<p>First</p>",)]


def test_whoever_makes_a_text_has_its_documents_rendered(owner, world):
    here(owner, world)
    contract = world["acme"]["contracts"]
    owner.execute("set local role pipeline_member")
    owner.execute("update app.contracts set missing_glyphs = missing_glyphs where id = %s", (contract,))
    owner.execute("reset role")
    raised = "select event from app.outbox where key = %s"
    assert owner.execute(raised, (f"contract_documents:{contract}:1",)).fetchall() == [("contract_documents",)]


def test_a_template_turns_to_the_version_that_was_made_last(owner, world):
    template = (world["acme"]["interview_templates"],)
    made = owner.execute(
        "insert into app.interview_template_versions (organization_id, template_id, version, name, pages, questions) "
        "select organization_id, template_id, 99, name, pages, questions from app.interview_template_versions "
        "where template_id = %s returning id",
        template,
    ).fetchone()
    assert owner.execute("select version_id from app.interview_templates where id = %s", template).fetchone() == made


def test_a_message_is_due_at_once_or_waits_behind_those_about_its_record(owner, world):
    webhook = (world["acme"]["webhooks"],)
    insert = (
        "insert into app.webhook_deliveries (organization_id, webhook_id, event, record_type, record_id, body) "
        "select organization_id, id, 'lead.updated', 'leads', %s, '{}' from app.webhooks where id = %s "
        "returning next_attempt_at is not null"
    )
    due = [owner.execute(insert, (record, *webhook)).fetchone()[0] for record in (7, 7, 8)]
    assert due == [True, False, True]


def test_a_clause_of_a_current_template_is_not_deleted(owner, world):
    acme = [here(owner, world)]
    owner.execute("update app.contract_templates set clauses = array['term'] where organization_id = %s", acme)
    with pytest.raises(psycopg.errors.ForeignKeyViolation), owner.transaction():
        owner.execute("delete from app.clauses where organization_id = %s", acme)
    owner.execute("update app.contract_templates set deleted_at = now() where organization_id = %s", acme)
    assert owner.execute("delete from app.clauses where organization_id = %s", acme).rowcount == 1


def test_the_files_of_a_draft_go_to_its_response(owner, world):
    acme = [here(owner, world)]
    owner.execute("select set_config('app.draft_token', repeat('a', 64), true)")
    (file,) = owner.execute(FILE + " returning id").fetchone()
    response = """insert into app.interview_invites (template_id, template_version_id, lead_id, token, origin)
        select template_id, template_version_id, lead_id, repeat('b', 64), 'capture' from app.interview_invites
        where organization_id = %s returning id"""
    made = owner.execute(response, acme).fetchone()
    moved = owner.execute("select draft_token, invite_id from app.files where id = %s", [file])
    assert moved.fetchone() == (None, *made)


@pytest.mark.parametrize("status", ["sent", "skipped", "failed"])
def test_a_link_whose_email_is_settled_gets_no_new_token(owner, world, status):
    acme = [here(owner, world)]
    link = [world["acme"]["account_links"]]
    owner.execute("update app.emails set link_id = %s where organization_id = %s", link + acme)
    assert owner.execute("select mailed_at from app.account_links where id = %s", link).fetchone() == (None,)
    owner.execute("update app.emails set status = %s where organization_id = %s", [status, *acme])
    owner.execute("update app.emails set status = 'queued' where organization_id = %s", acme)
    assert owner.execute("select mailed_at = now() from app.account_links where id = %s", link).fetchone() == (True,)


def test_a_deal_has_its_organizations_currency_and_a_quote_its_deals(owner, world):
    acme = [here(owner, world)]
    owner.execute("update app.organizations set currency = 'CHF' where id = %s", acme)
    for table in ("deals", "quotes"):
        owner.execute(f"update app.{table} set currency = null where organization_id = %s", acme)
        found = owner.execute(f"select currency from app.{table} where organization_id = %s", acme)
        assert found.fetchone() == ("CHF",)
