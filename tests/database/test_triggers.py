import psycopg
import pytest

from tests.database.conftest import delete, each, here, named, short, told
from tests.database.test_rights import FILE

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
# The rows of acme, and of tables without its column.
OF_ACME = "where organization_id = acme.organizations"
NAMED = {"organizations": "where id = acme.organizations", "users": "where id = acme.users"}
COUNTED = ["companies", "configurations", "contacts", "contracts", "deals", "interview_invites", "leads", "quotes"]


def moved(owner, world, change):
    """The tables in which a change of acme's row moves its updated_at."""
    found = set()
    for (table,) in owner.execute(TOUCHED).fetchall():
        own = NAMED.get(table, OF_ACME)
        with owner.transaction(force_rollback=True):
            owner.execute(named(world, f"update app.{table} set {change(table)} {own}"))
            later = f"select from app.{table} {own} and updated_at = now()"
            found |= {table} if owner.execute(named(world, later)).rowcount else set()
    return found


def test_a_change_moves_updated_at_and_an_update_to_the_same_values_does_not(owner, world):
    tables = {table for (table,) in owner.execute(TOUCHED)}
    assert (
        moved(owner, world, lambda table: CHANGE.get(table, "created_at = created_at - interval '1 second'")) == tables
    )
    assert moved(owner, world, lambda table: "created_at = created_at") <= {"emails", "webhook_deliveries"}


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


def test_a_clause_of_a_current_template_is_not_deleted(owner, world):
    used = f"update app.contract_templates set clauses = array['term'] {OF_ACME}"
    deleted = f"delete from app.clauses {OF_ACME}"
    with pytest.raises(psycopg.errors.ForeignKeyViolation), owner.transaction():
        told(owner, world, deleted, used)
    told(owner, world, "select", f"{used}; update app.contract_templates set deleted_at = now() {OF_ACME}; {deleted}")


STORED = "insert into app.files (filename, content_type, size, sha256) values ('b', 'text/csv', 7, repeat('1', 64))"
BYTES = "select bytes from app.storage_use where organization_id = {}.organizations"
NEW_FILE, NEW_INVITE = "(select max(id) from app.files)", "(select max(id) from app.interview_invites)"
CONTENT = "update app.contracts set revision = {}, content = '<p>{}</p>' where id = acme.contracts"
MESSAGES = "".join(
    "insert into app.webhook_deliveries (webhook_id, event, record_type, record_id, body) "
    f"values (acme.webhooks, 'lead.updated', 'leads', {record}, '{{}}'); "
    for record in (7, 7, 8)
)
LINKED = f"update app.emails set link_id = acme.account_links {OF_ACME}"
SETTLED = f"{LINKED}; update app.emails set status = '%s' {OF_ACME}; update app.emails set status = 'queued' {OF_ACME}"
# {what is asked: {after a change: the answer}}
EFFECTS = {
    # The use of storage is the sum of an organization's files.
    BYTES.format("acme"): {"": "1", STORED: "8", f"{STORED}; delete from app.files where filename = 'b'": "1"},
    BYTES.format("globex"): {"": "1", f"{STORED}; delete from app.files where filename = 'b'": "1"},
    # The statistics of an interview follow its invites.
    "select string_agg(fact, ' ' order by fact) from (select fact from app.interview_tallies "
    "where organization_id = acme.organizations group by fact having sum(delta) <> 0) as facts": {
        "": "invited",
        f"update app.interview_invites set opened_at = now() {OF_ACME}": "invited left opened reached",
        f"update app.configurations set invite_id = null {OF_ACME}; delete from app.interview_invites {OF_ACME}": (
            "None"
        ),
    },
    # A signed copy is kept with the revision that it signs.
    f"select contract_id, revision from app.contract_documents where kind = 'executed' and file_id = {NEW_FILE}": {
        f"{FILE}; update app.contracts set executed_file_id = {NEW_FILE} where id = acme.contracts": "acme.contracts 1"
    },
    "select content from app.contract_revisions where revision = 1 and contract_id = acme.contracts": {
        f"{CONTENT.format(1, 'First')}; {CONTENT.format(2, 'Second')}": "<p>First</p>"
    },
    # Whoever makes a text has its documents rendered.
    "select event from app.outbox where key = 'contract_documents:acme.contracts:1'": {
        "set local role pipeline_member; update app.contracts set missing_glyphs = missing_glyphs; reset role": (
            "contract_documents"
        )
    },
    "select version.version from app.interview_templates as template join app.interview_template_versions as version "
    "on version.id = template.version_id where template.id = acme.interview_templates": {
        "insert into app.interview_template_versions (template_id, version, name, pages, questions) "
        "values (acme.interview_templates, 99, 'Interview', '[]', '[]')": "99"
    },
    # A message waits for those about its record.
    "select array_agg(next_attempt_at is not null order by id) from app.webhook_deliveries "
    "where event = 'lead.updated' and webhook_id = acme.webhooks": {MESSAGES: "[True, False, True]"},
    # The files of a draft go to its response.
    f"select draft_token, invite_id = {NEW_INVITE} from app.files where id = {NEW_FILE}": {
        f"select set_config('app.draft_token', repeat('a', 64), true); {FILE}; "
        "insert into app.interview_invites (template_id, template_version_id, lead_id, token, origin) values "
        "(acme.interview_templates, acme.interview_template_versions, acme.leads, repeat('b', 64), 'capture')": (
            "None True"
        )
    },
    # A link whose email is settled gets no new token.
    "select mailed_at = now() from app.account_links where id = acme.account_links": {
        LINKED: "None",
        **{SETTLED % status: "True" for status in ("sent", "skipped", "failed")},
    },
    # A deal has its organization's currency, and a quote its deal's.
    "select deal.currency, quote.currency from app.deals as deal, app.quotes as quote "
    "where deal.id = acme.deals and quote.id = acme.quotes": {
        "update app.organizations set currency = 'CHF' where id = acme.organizations; "
        f"update app.deals set currency = null {OF_ACME}; update app.quotes set currency = null {OF_ACME}": "CHF CHF"
    },
}


@pytest.mark.parametrize(("question", "change", "answer"), each(EFFECTS), ids=short)
def test_a_change_has_its_effect(owner, world, question, change, answer):
    assert told(owner, world, question, change) == named(world, answer)
