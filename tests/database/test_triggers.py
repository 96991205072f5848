"""What the database keeps by itself when a row comes, changes or goes."""

from collections import Counter

import psycopg
import pytest

from tests.database.crowd import TIMED

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

# What a record is told as, when its table is not called so, and a change of it.
RECORDED = {
    "api_keys": "name = 'X'",
    "companies": "name = 'X'",
    "configurations": "status = 'final'",
    "configurator_definitions": "name = 'X'",
    "contacts": "first_name = 'X'",
    "contract_templates": "name = 'X'",
    "contracts": "name = 'X'",
    "deal_stages": "name = 'X'",
    "deals": "title = 'X'",
    "interview_invites": "recipient_name = 'X'",
    "interview_templates": "name = 'X'",
    "invitations": "role = 'admin'",
    "leads": "first_name = 'X'",
    "notes": "content = 'X'",
    "organization_users": "seat_active = not seat_active",
    "organizations": "name = 'X'",
    "quotes": "quote_number = 'X'",
    "tasks": "title = 'X'",
    "teams": "name = 'X'",
    "webhooks": "description = 'X'",
}
TOLD_AS = {"organizations": "organization", "organization_users": "users", "invitations": "users"}


def here(owner, world):
    """The superuser's connection in the organization acme; its id."""
    made = world["acme"]["organizations"]
    owner.execute("select set_config('app.organization_id', %s, true)", (str(made),))
    return made


@pytest.mark.parametrize("table", TOUCHED)
def test_a_change_moves_updated_at(owner, world, table):
    column = {"api_keys": "name", "organization_users": "role", "users": "name"}.get(table, "created_at")
    owner.execute(f"update app.{table} set {column} = {column}")
    assert owner.execute(f"select bool_and(updated_at = now()) from app.{table}").fetchone() == (True,)


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


@pytest.mark.parametrize(("table", "changes", "key"), [(table, *kept) for table, kept in TIMED.items()])
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


@pytest.mark.parametrize("table", RECORDED)
def test_the_making_changing_and_deleting_of_every_record_is_told(owner, world, table):
    made = here(owner, world)
    own = "id" if table == "organizations" else "organization_id"
    told_as = TOLD_AS.get(table, table.replace("_", "-"))

    def told():
        """How often each has been told."""
        rows = "select action, count(*) from app.changes where organization_id = %s and type = %s group by action"
        return Counter(dict(owner.execute(rows, (made, told_as)).fetchall()))

    assert told()["created"] == (2 if told_as == "users" else 1)
    before = told()
    owner.execute(f"update app.{table} set {RECORDED[table]} where {own} = %s", (made,))
    assert told() - before == Counter(updated=1)
    # Whatever refers to it: that is another test's.
    rows = "select tgname from pg_trigger where tgisinternal and tgrelid = %s::regclass"
    for (name,) in owner.execute(rows, (f"app.{table}",)).fetchall():
        owner.execute(f'alter table app.{table} disable trigger "{name}"')
    before = told()
    owner.execute(f"delete from app.{table} where {own} = %s", (made,))
    assert told() - before == Counter(deleted=1)


def test_a_contract_is_told_of_when_its_present_text_has_both_documents(owner, world):
    here(owner, world)
    contract, file = world["acme"]["contracts"], world["acme"]["files"]
    told = "select changed from app.changes where type = 'contracts' and action = 'updated' and record_id = %s"
    found = []
    for revision, kind in ((8, "pdf"), (8, "docx"), (1, "pdf"), (1, "docx")):
        owner.execute(
            "insert into app.contract_documents (contract_id, revision, kind, file_id) values (%s, %s, %s, %s)",
            (contract, revision, kind, file),
        )
        found.append([changed for (changed,) in owner.execute(told, (contract,)).fetchall()])
    assert found == [[], [], [], [{"documents": {"old": [], "new": ["docx", "pdf"]}}]]
