"""What the database keeps by itself when a row comes, changes or goes."""

from collections import Counter

import psycopg
import pytest

from tests.database.conftest import here
from tests.database.crowd import TIMED
from tests.database.test_told import RECORDED

TOUCHED = [
    "api_keys",
    "companies",
    "configurations",
    "configurator_definitions",
    "contacts",
    "contract_templates",
    "contracts",
    "deal_stages",
    "deals",
    "emails",
    "interview_invites",
    "interview_templates",
    "invitations",
    "leads",
    "notes",
    "organization_users",
    "organizations",
    "quotes",
    "tasks",
    "teams",
    "users",
    "webhook_deliveries",
    "webhooks",
]
COUNTED = ["companies", "configurations", "contacts", "contracts", "deals", "interview_invites", "leads", "quotes"]
# In an order in which nothing refers any more to what is deleted.
DELETED = [
    "tasks",
    "notes",
    "emails",
    "contract_documents",
    "contract_refusals",
    "contract_revisions",
    "contracts",
    "configurations",
    "quote_lines",
    "quotes",
    "interview_invites",
    "leads",
    "deals",
    "contacts",
    "companies",
]


@pytest.mark.parametrize("table", TOUCHED)
def test_a_change_moves_updated_at(owner, world, table):
    change = {
        "api_keys": "name = name || '!'",
        "organization_users": "seat_active = not seat_active",
        "users": "name = name || '!'",
    }.get(table, "created_at = created_at - interval '1 second'")
    owner.execute(f"update app.{table} set {change}")
    assert owner.execute(f"select bool_and(updated_at = now()) from app.{table}").fetchone() == (True,)


@pytest.mark.parametrize("table", sorted(set(TOUCHED) - {"emails", "webhook_deliveries"}))
def test_an_update_to_the_same_values_does_not_move_updated_at(owner, world, table):
    owner.execute(f"update app.{table} set created_at = created_at")
    assert owner.execute(f"select bool_or(updated_at = now()) from app.{table}").fetchone() == (False,)


def test_a_transaction_that_began_before_the_last_change_does_not_turn_its_time_back(owner, world):
    owner.execute("set local session_replication_role = replica")  # so that no trigger takes the later time away
    owner.execute("update app.teams set updated_at = now() + interval '1 second'")
    owner.execute("set local session_replication_role = origin")
    owner.execute("update app.teams set name = name || '!'")
    later = "select bool_and(updated_at = now() + interval '1 second') from app.teams"
    assert owner.execute(later).fetchone() == (True,)


@pytest.mark.parametrize("table", COUNTED)
def test_the_number_of_records_follows_what_comes_and_goes(owner, world, table):
    made = here(owner, world)
    total = "select sum(delta) from app.record_count_deltas where organization_id = %s and kind = %s"
    assert owner.execute(total, (made, table)).fetchone() == (1,)
    for deleted in DELETED[: DELETED.index(table) + 1]:
        owner.execute(f"delete from app.{deleted} where organization_id = %s", (made,))
    assert owner.execute(total, (made, table)).fetchone() == (0,)


def test_a_lead_of_an_organization_that_does_not_exist_is_refused_once_it_is_counted(owner):
    with pytest.raises(psycopg.errors.ForeignKeyViolation, match="record_count_deltas"):
        owner.execute("insert into app.leads (organization_id, first_name) values (-1, 'X')")


@pytest.mark.parametrize(
    ("table", "columns", "change"),
    [
        ("leads", "status, source, assigned_to", "status = 'contacted', source = 'fair', assigned_to = null"),
        (
            "deals",
            "stage_id, owner_id",
            "owner_id = (select min(m.user_id) from app.organization_users m "
            "where m.organization_id = deals.organization_id)",
        ),
        ("quotes", "status", "status = 'sent'"),
        ("contracts", "status", "status = 'terminated'"),
        ("configurations", "status, definition_id", "status = 'final'"),
    ],
)
def test_the_columns_that_lists_are_filtered_by_are_counted_too(owner, world, table, columns, change):
    made = here(owner, world)
    owner.execute(f"update app.{table} set {change} where organization_id = %s", (made,))
    kept = owner.execute(
        f"select jsonb_agg(kept) from (select {columns}, count(*) as n from app.{table} where organization_id = %s"
        f" group by {columns}) as kept",
        (made,),
    )
    there = added_up(kept)
    counted = "select facets from app.record_count_deltas where organization_id = %s and kind = %s"
    assert added_up(owner.execute(counted, (made, table))) == there
    owner.execute(f"call app.recount('app.{table}')")
    assert added_up(owner.execute(counted, (made, table))) == there


def added_up(rows):
    """{columns and values: how many records} of rows that each hold facets."""
    total = Counter()
    for (facets,) in rows:
        for facet in facets:
            total[frozenset(facet.items() - {("n", facet["n"])})] += facet["n"]
    return +total


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


@pytest.mark.parametrize(("table", "changes", "key"), [(table, *kept[:2]) for table, kept in TIMED.items()])
def test_when_each_record_was_changed_is_kept_and_goes_with_it(owner, world, table, changes, key):
    made = here(owner, world)
    ours, other = (world[slug][table] for slug in ("acme", "globex"))
    kept = f"select {key}, changed_at = now() from app.{changes} where {key} in ({ours}, {other}) order by 1"
    assert (ours, False) in owner.execute(kept).fetchall()
    owner.execute(f"update app.{table} set {RECORDED[table]} where id = %s", (ours,))
    assert owner.execute(kept).fetchall() == [(ours, True), (other, False)]
    for deleted in DELETED[: DELETED.index(table) + 1]:
        owner.execute(f"delete from app.{deleted} where organization_id = %s", (made,))
    assert owner.execute(kept).fetchall() == [(other, False)]


def test_the_statistics_of_an_interview_follow_what_becomes_of_its_invites(owner, world):
    made = here(owner, world)

    def facts():
        rows = "select fact from app.interview_tallies where organization_id = %s group by fact having sum(delta) <> 0"
        return {fact for (fact,) in owner.execute(rows, (made,)).fetchall()}

    assert facts() == {"invited"}
    owner.execute("update app.interview_invites set opened_at = now() where organization_id = %s", (made,))
    assert facts() == {"invited", "opened", "left"}
    for deleted in DELETED[: DELETED.index("interview_invites") + 1]:
        owner.execute(f"delete from app.{deleted} where organization_id = %s", (made,))
    assert facts() == set()


def test_records_are_found_by_the_new_name_of_their_company(owner, world):
    here(owner, world)
    company = world["acme"]["companies"]
    for table in ("contacts", "deals", "contracts"):
        owner.execute(f"update app.{table} set company_id = %s where id = %s", (company, world["acme"][table]))
    owner.execute("update app.companies set name = 'Renamed' where id = %s", (company,))
    for table in ("contacts", "deals", "contracts"):
        found = owner.execute(
            f"select company_key, search_text like '%%renamed%%' from app.{table} where company_id = %s", (company,)
        )
        assert found.fetchall() == [("renamed", True)], table


def test_records_are_found_by_the_new_title_of_their_deal(owner, world):
    here(owner, world)
    deal = world["acme"]["deals"]
    owner.execute("update app.contracts set deal_id = %s where id = %s", (deal, world["acme"]["contracts"]))
    owner.execute("update app.deals set title = 'Renamed' where id = %s", (deal,))
    for table in ("quotes", "configurations", "contracts"):
        found = owner.execute(f"select deal_key from app.{table} where deal_id = %s", (deal,)).fetchall()
        assert found == [("renamed",)], table


def test_a_signed_copy_that_comes_into_force_is_kept_with_its_revision(owner, world):
    acme = world["acme"]
    signed = owner.execute(
        "insert into app.files (organization_id, filename, content_type, size, sha256) "
        "values (%s, 'signed.pdf', 'application/pdf', 1, repeat('5', 64)) returning id",
        (acme["organizations"],),
    ).fetchone()[0]
    owner.execute("update app.contracts set executed_file_id = %s where id = %s", (signed, acme["contracts"]))
    kept = "select contract_id, revision from app.contract_documents where kind = 'executed' and file_id = %s"
    assert owner.execute(kept, (signed,)).fetchall() == [(acme["contracts"], 1)]


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
