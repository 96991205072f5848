"""The record of change contains every record and its parts, for each kind of writer."""

from collections import Counter

import pytest

from tests.database.conftest import delete, each, here, named, short, told

# What a record is told as, when its table is not called so, and a change of it.
RECORDED = {
    "api_keys": "name = 'X'",
    "clauses": "name = 'X'",
    "companies": "name = 'X'",
    "configurations": "status = 'final'",
    "configurator_definitions": "name = 'X'",
    "contacts": "first_name = 'X'",
    "fields": "label = 'X'",
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
    "pictures": "name = 'X'",
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

    def counted():
        rows = "select action, count(*) from app.changes where organization_id = %s and type = %s group by action"
        return Counter(dict(owner.execute(rows, (made, told_as)).fetchall()))

    assert counted()["created"] == (2 if told_as == "users" else 1)
    before = counted()
    owner.execute(f"update app.{table} set {RECORDED[table]} where {own} = %s", (made,))
    assert counted() - before == Counter(updated=1)
    before = counted()
    delete(owner, table, made)
    assert counted() - before == Counter(deleted=1)


def updates(kind, shown="changed"):
    """What is told of updates of acme's record of a kind."""
    record = kind.replace("-", "_")
    return f"select {shown} from app.changes where type = '{kind}' and action = 'updated' and record_id = acme.{record}"


def both(path):
    """What stands at a path of the old and of the new values."""
    return ", ".join(f"jsonb_path_query_array(changed, '$.{path.format(side)}')" for side in ("old", "new"))


DOCUMENTS = (
    "insert into app.contract_documents (contract_id, revision, kind, file_id) "
    "values (acme.contracts, 8, 'pdf', acme.files), (acme.contracts, 8, 'docx', acme.files), "
    "(acme.contracts, 1, 'pdf', acme.files)"
)
REVOKED = "update app.api_keys set revoked_at = now() where id = acme.api_keys"
ACCEPTED = (
    "insert into app.invitations (user_id, email, outcome, ended_at) "
    "values (acme.users, 'seated@acme.example', 'accepted', now())"
)
GONE = (
    "select count(*) from app.changes where type = '{}' and action = 'deleted' and organization_id = acme.organizations"
)
TOLD = {
    # A contract's present text has both documents.
    updates("contracts"): {
        DOCUMENTS: "",
        f"{DOCUMENTS}, (acme.contracts, 1, 'docx', acme.files)": "{'documents': {'new': ['docx', 'pdf'], 'old': []}}",
    },
    # The lines that a quote loses and gets are one change of it.
    updates("quotes", both("lines.{}.sku")): {
        "delete from app.quote_lines where organization_id = acme.organizations; "
        "insert into app.quote_lines (quote_id, position, sku) values (acme.quotes, 0, 'X'), (acme.quotes, 1, 'Y')": (
            "[None] ['X', 'Y']"
        )
    },
    # A person's new name is told in each of their organizations.
    updates("users", "organization_id, changed") + " order by 1": {
        "insert into app.organization_users (organization_id, user_id) values (globex.organizations, acme.users); "
        "update app.users set name = 'X' where id = acme.users": (
            "acme.organizations {'name': {'new': 'X', 'old': 'Rep'}} "
            "globex.organizations {'name': {'new': 'X', 'old': 'Rep'}}"
        )
    },
    # A record that has ended is not told of again when its row goes.
    GONE.format("api-keys"): {REVOKED: "1", f"{REVOKED}; delete from app.api_keys where id = acme.api_keys": "1"},
    # The user of an accepted invitation is not deleted with it.
    GONE.format("users"): {f"{ACCEPTED}; delete from app.invitations where user_id = acme.users": "0"},
    # A view is a change of the request for signatures.
    updates("signature-requests", both("signers.{}.status")) + " and changed ? 'signers'": {
        "update app.signature_signers set status = 'viewed' where id = acme.signature_signers": "['sent'] ['viewed']"
    },
}


@pytest.mark.parametrize(("question", "change", "answer"), each(TOLD), ids=short)
def test_a_change_beside_a_record_is_recorded_once(owner, world, question, change, answer):
    assert told(owner, world, question, change) == named(world, answer)
