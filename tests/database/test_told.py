"""The record of change contains every record and its parts, for each kind of writer."""

from collections import Counter

import pytest

from tests.database.conftest import delete, here

# What a record is told as, when its table is not called so, and a change of it.
RECORDED = {
    "api_keys": "name = 'X'",
    "clauses": "name = 'X'",
    "companies": "name = 'X'",
    "configurations": "status = 'final'",
    "configurator_definitions": "name = 'X'",
    "contacts": "first_name = 'X'",
    "contract_fields": "label = 'X'",
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
    "signature_requests": "language = 'X'",
    "tasks": "title = 'X'",
    "teams": "name = 'X'",
    "webhooks": "description = 'X'",
}
TOLD_AS = {"organizations": "organization", "organization_users": "users", "invitations": "users"}


@pytest.mark.parametrize("table", RECORDED)
def test_the_making_changing_and_deleting_of_every_record_is_told(owner, world, table):
    made = here(owner, world)
    own = "id" if table == "organizations" else "organization_id"
    told_as = TOLD_AS.get(table, table.replace("_", "-"))

    def told():
        rows = "select action, count(*) from app.changes where organization_id = %s and type = %s group by action"
        return Counter(dict(owner.execute(rows, (made, told_as)).fetchall()))

    assert told()["created"] == (2 if told_as == "users" else 1)
    before = told()
    owner.execute(f"update app.{table} set {RECORDED[table]} where {own} = %s", (made,))
    assert told() - before == Counter(updated=1)
    before = told()
    delete(owner, table, made)
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


def test_the_lines_that_a_quote_loses_and_gets_are_told_as_one_change_of_it(owner, world):
    made, quote = here(owner, world), world["acme"]["quotes"]
    owner.execute("delete from app.quote_lines where organization_id = %s", (made,))
    owner.execute(
        "insert into app.quote_lines (quote_id, position, sku) values (%s, 0, 'X'), (%s, 1, 'Y')", (quote, quote)
    )
    told = "select changed from app.changes where type = 'quotes' and action = 'updated' and record_id = %s"
    ((changed,),) = owner.execute(told, (quote,)).fetchall()
    assert [[line["sku"] for line in changed["lines"][side]] for side in ("old", "new")] == [[None], ["X", "Y"]]


def test_a_persons_new_name_is_told_in_each_of_their_organizations(owner, world):
    person, organizations = world["acme"]["users"], [ids["organizations"] for ids in world.values()]
    seat = "insert into app.organization_users (organization_id, user_id) values (%s, %s)"
    owner.execute(seat, (organizations[1], person))
    owner.execute("update app.users set name = 'X' where id = %s", (person,))
    told = (
        "select organization_id, changed from app.changes "
        "where action = 'updated' and type = 'users' and record_id = %s order by 1"
    )
    changed = {"name": {"old": "Rep", "new": "X"}}
    assert owner.execute(told, (person,)).fetchall() == [(one, changed) for one in sorted(organizations)]


def test_a_record_that_has_ended_is_not_told_of_again_when_its_row_goes(owner, world):
    made = here(owner, world)
    told = "select count(*) from app.changes where organization_id = %s and type = 'api-keys' and action = 'deleted'"
    owner.execute("update app.api_keys set revoked_at = now() where organization_id = %s", [made])
    assert owner.execute(told, [made]).fetchone() == (1,)
    delete(owner, "api_keys", made)
    assert owner.execute(told, [made]).fetchone() == (1,)
