"""Foreign keys stay within the organization; unique keys hold for each organization."""

import pytest
from psycopg import errors, sql

from tests.database.test_catalog import GLOBAL_KEYS

# Each column that refers to a record, with the table of the record.
REFERENCES = {
    "account_links": "invitation_id:invitations user_id:users",
    "api_keys": "created_by:users",
    "capture_drafts": "template_id:interview_templates",
    "configurations": "deal_id:deals definition_id:configurator_definitions invite_id:interview_invites",
    "contacts": "company_id:companies",
    "contract_documents": "contract_id:contracts file_id:files",
    "contract_refusals": "contract_id:contracts",
    "contract_revisions": "contract_id:contracts",
    "contract_templates": "logo_file_id:files",
    "contracts": "company_id:companies created_by:users created_by_key:api_keys deal_id:deals executed_file_id:files "
    "template_id:contract_templates",
    "deals": "company_id:companies contact_id:contacts owner_id:users stage_id:deal_stages",
    "emails": "company_id:companies contact_id:contacts deal_id:deals invite_id:interview_invites lead_id:leads "
    "signer_id:signature_signers code_id:signature_codes",
    "file_chunks": "file_id:files",
    "files": "created_by:users invite_id:interview_invites",
    "interview_invites": "assigned_to:users created_by:users created_by_key:api_keys deal_id:deals lead_id:leads "
    "template_id:interview_templates template_version_id:interview_template_versions",
    "interview_tallies": "template_id:interview_templates",
    "interview_template_versions": "created_by:users template_id:interview_templates",
    "interview_templates": "version_id:interview_template_versions",
    "invitations": "invited_by:users open_team_id:teams",
    "leads": "assigned_to:users company_id:companies contact_id:contacts deal_id:deals",
    "mail_hours": "user_id:users",
    "notes": "company_id:companies contact_id:contacts contract_id:contracts created_by:users "
    "created_by_key:api_keys deal_id:deals lead_id:leads",
    "notifications": "user_id:users",
    "organization_users": "team_id:teams",
    "organizations": "logo_file_id:files",
    "quote_lines": "quote_id:quotes",
    "quotes": "deal_id:deals",
    "signature_codes": "link_id:signature_links",
    "signature_events": "request_id:signature_requests signer_id:signature_signers",
    "signature_links": "request_id:signature_requests signer_id:signature_signers",
    "signature_requests": "contract_id:contracts created_by:users created_by_key:api_keys document_file_id:files "
    "sealed_file_id:files",
    "signature_signers": "request_id:signature_requests",
    "tasks": "assigned_to:users company_id:companies contact_id:contacts contract_id:contracts created_by:users "
    "created_by_key:api_keys deal_id:deals lead_id:leads",
    "webhook_deliveries": "webhook_id:webhooks",
    "webhook_secrets": "webhook_id:webhooks",
    "webhook_states": "webhook_id:webhooks",
    "webhooks": "created_by:users created_by_key:api_keys",
}
# A record has one of these, so that the other one has to go.
INSTEAD = {
    ("account_links", "invitation_id"): "kind = 'activate', user_id = null,",
    ("emails", "invite_id"): "invite_part = 'invite',",
    ("emails", "code_id"): "signer_part = 'code', signer_id = (select max(s.id) from app.signature_signers as s "
    "where s.organization_id = emails.organization_id),",
    ("emails", "signer_id"): "signer_part = 'sign',",
    ("notes", "contract_id"): "lead_id = null,",
    ("signature_events", "request_id"): "signer_id = null,",
    ("signature_requests", "sealed_file_id"): "status = 'completed', ended_at = now(),",
    ("tasks", "contract_id"): "lead_id = null,",
}
# What no two rows of an organization share, and rows of two organizations may.
UNIQUE = {
    "capture_drafts": "token",
    "clauses": "key",
    "companies": "external_id",
    "configurations": "invite_id",
    "configurator_definitions": "slug",
    "contacts": "external_id",
    "contract_documents": "contract_id, revision, kind",
    "contract_fields": "key",
    "contract_numbers": "prefix",
    "contract_refusals": "contract_id, kind",
    "contract_revisions": "contract_id, revision",
    "contracts": "contract_number",
    "deals": "external_id",
    "emails": "effect_key",
    "file_chunks": "file_id, position",
    "idempotency_keys": "scope, key",
    "interview_tallies": "template_id, day, fact, name, value",
    "interview_template_versions": "template_id, version",
    "interview_templates": "slug",
    "invitations": "email_key",
    "leads": "external_id",
    "mail_days": "day, kind",
    "mail_hours": "user_id",
    "notifications": "user_id, effect_key",
    "organization_users": "user_id",
    "outbox": "key",
    "quote_lines": "quote_id, position",
    "quotes": "quote_number",
    "signature_requests": "contract_id",
    "storage_use": "",
    "webhook_states": "webhook_id",
}


def references():
    return [(table, *one.split(":")) for table, columns in REFERENCES.items() for one in columns.split()]


@pytest.fixture
def free(owner):
    """The superuser's connection, to which even versions, which never change, do; each key is checked at once."""
    owner.execute("alter table app.interview_template_versions disable trigger user")
    owner.execute("set constraints all immediate")
    return owner


@pytest.mark.parametrize(("table", "column", "target"), references())
def test_no_reference_reaches_into_another_organization(free, world, table, column, target):
    key = "id" if table == "organizations" else "organization_id"
    written = column.removeprefix("open_")  # of a team the key is that of an open invitation, made from the one written
    refer = f"update app.{table} set {INSTEAD.get((table, column), '')} {written} = %s where {key} = %s"
    with pytest.raises(errors.ForeignKeyViolation):
        free.execute(refer, (world["globex"][target], world["acme"]["organizations"]))


@pytest.mark.parametrize(
    ("table", "columns", "targets"),
    [
        (
            "interview_invites",
            "template_id, template_version_id",
            ("interview_templates", "interview_template_versions"),
        ),
        ("signature_links", "request_id, signer_id", ("signature_requests", "signature_signers")),
    ],
)
def test_no_row_refers_to_two_records_of_another_organization(free, world, table, columns, targets):
    change = f"update app.{table} set ({columns}) = (%s, %s) where organization_id = %s"
    others = [world["globex"][target] for target in targets]
    with pytest.raises(errors.ForeignKeyViolation):
        free.execute(change, (*others, world["acme"]["organizations"]))


def test_every_reference_to_a_record_stands_in_the_list(catalog):
    found = catalog.execute("""select conrelid::regclass::text as name, attname from pg_constraint
        join pg_attribute on attrelid = conrelid and attnum = any(conkey)
        where contype = 'f' and connamespace = 'app'::regnamespace
            and cardinality(conkey) > 1 and attname not in ('organization_id', 'id')""").fetchall()
    # link_id is tried in tests/mail: only the worker writes it, with the link that it has just read.
    # A file's draft_token is the default alone: that of the form's own draft.
    apart = {("app.emails", "link_id"), ("app.files", "draft_token")}
    listed = {(f"app.{table}", column) for table, column, _ in references()} | apart
    assert {(row["name"], row["attname"]) for row in found} == listed


def copy(owner, table, source, target):
    """Insert a copy of a row of the organization `source` into the organization `target`, keys alone being checked."""
    names = owner.execute(
        """select attname from pg_attribute where attrelid = ('app.' || %s)::regclass and attnum > 0
           and not attisdropped and attgenerated = '' and attidentity = '' and attname <> 'organization_id'""",
        (table,),
    ).fetchall()
    columns = sql.SQL(", ").join(sql.Identifier(name) for (name,) in names)
    statement = sql.SQL(
        "insert into app.{table} (organization_id, {columns}) "
        "select %s, {columns} from app.{table} where organization_id = %s limit 1"
    ).format(table=sql.Identifier(table), columns=columns)
    return owner.execute(statement, (target, source)).rowcount


@pytest.fixture
def keys_alone(owner, world):
    """The superuser's connection without triggers and foreign keys, each invite and email with what makes it one."""
    owner.execute("set local session_replication_role = replica")
    for change in (
        "emails set effect_key = 'the same'",
        "contract_documents set kind = 'pdf'",
        "interview_templates set public_slug = null, lead_capture_enabled = false",
        "interview_tallies set folded = true",
        *(f"{table} set external_id = 'the same'" for table, key in UNIQUE.items() if key == "external_id"),
        # The sweep of another module may have ended it.
        "signature_requests set status = 'sent', ended_at = null",
    ):
        owner.execute(
            f"update app.{change} where organization_id = any(%s)", ([ids["organizations"] for ids in world.values()],)
        )
    return owner


@pytest.mark.parametrize("table", UNIQUE)
def test_nothing_is_twice_in_an_organization(keys_alone, world, table):
    acme = world["acme"]["organizations"]
    with pytest.raises(errors.UniqueViolation):
        copy(keys_alone, table, acme, acme)


@pytest.mark.parametrize("table", UNIQUE)
def test_what_one_organization_has_another_may_have_too(keys_alone, world, table):
    acme, globex = world["acme"]["organizations"], world["globex"]["organizations"]
    keys_alone.execute(f"delete from app.{table} where organization_id = %s", (globex,))
    assert copy(keys_alone, table, acme, globex) == 1


@pytest.mark.parametrize("key", [key for key in GLOBAL_KEYS if not key.endswith(".id")])
def test_what_finds_a_row_among_all_organizations_finds_one(keys_alone, world, key):
    table, column = key.replace("email_key", "email").split(".")
    own, named = ("id", table) if table in ("organizations", "users") else ("organization_id", "organizations")
    same = "same@x.example" if column == "email" else "a" * 64
    with pytest.raises(errors.UniqueViolation):
        keys_alone.execute(
            f"update app.{table} set {column} = %s where {own} = any(%s)",
            (same, [ids[named] for ids in world.values()]),
        )
