"""What the database keeps by itself when a row comes, changes or goes."""

import pytest

TOUCHED = [
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
    "organizations",
    "quotes",
    "tasks",
    "teams",
    "users",
]
COUNTED = ["companies", "configurations", "contacts", "contracts", "deals", "interview_invites", "leads", "quotes"]
# In an order in which nothing refers any more to what is deleted.
DELETED = [
    "tasks",
    "notes",
    "emails",
    "contract_documents",
    "contract_refusals",
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


def here(owner, world):
    """The superuser's connection in the organization acme; its id."""
    made = world["acme"]["organizations"]
    owner.execute("select set_config('app.organization_id', %s, true)", (str(made),))
    return made


@pytest.mark.parametrize("table", TOUCHED)
def test_a_change_moves_updated_at(owner, world, table):
    column = "name" if table == "users" else "created_at"
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


def test_when_each_lead_was_changed_is_kept_and_goes_with_it(owner, world):
    made, lead = here(owner, world), world["acme"]["leads"]
    other = world["globex"]["leads"]
    kept = f"select lead_id, changed_at = now() from app.lead_changes where lead_id in ({lead}, {other}) order by 1"
    assert (lead, False) in owner.execute(kept).fetchall()
    owner.execute("update app.leads set notes = 'x' where id = %s", (lead,))
    assert owner.execute(kept).fetchall() == [(lead, True), (other, False)]
    owner.execute("delete from app.leads where id = %s and organization_id = %s", (lead, made))
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
