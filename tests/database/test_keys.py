"""Foreign keys stay within the organization; unique keys hold for each organization."""

import re
from collections import Counter

import pytest
from psycopg import errors

from pipeline.database import revisions
from tests.database.conftest import named, short
from tests.database.test_catalog import GLOBAL_KEYS

# The keys as sql/schema writes them, not as the catalog has them: from there a key may be missing.
FOREIGN = re.compile(
    r"(?:create|alter) table app\.(\w+)"
    r"|foreign key \(\w+, ([^)]*)\)\s*references app\.(\w+)(?: \(\w+, ([^)]*)\))?"
)
UNIQUE = re.compile(
    r"create table app\.(\w+)|create unique index \w+\s+on app\.(\w+)\s*\(organization_id"
    r"|((?:unique|primary key) \(organization_id(?![^)]* id\)))"
)
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


def foreign_keys():
    """(table, columns, table that they refer to, its columns) of each, without organizations and a record's own id."""
    found, table = [], None
    for created, columns, target, referenced in FOREIGN.findall("\n".join(revisions.schema())):
        table = created or table
        if columns:
            default = "user_id" if target == "organization_users" else "id"
            pairs = zip(columns.split(", "), (referenced or default).split(", "), strict=True)
            own, theirs = zip(*(pair for pair in pairs if pair[0] != "id"), strict=True)
            found.append((table, own, target, theirs))
    return found


def tables_with_a_key():
    """The tables in which no two rows of an organization have something in common."""
    found, table = {"storage_use"}, None
    for created, indexed, key in UNIQUE.findall("\n".join(revisions.schema())):
        table = created or table
        found |= {indexed or table} if indexed or key else set()
    return sorted(found)


@pytest.fixture
def free(owner):
    """The superuser's connection, to which even versions, which never change, do; each key is checked at once."""
    owner.execute("alter table app.interview_template_versions disable trigger user")
    owner.execute("set constraints all immediate")
    return owner


def test_every_foreign_key_of_the_schema_is_there(catalog):
    found = catalog.execute("""select relname as name, count(*) as keys from pg_constraint
        join pg_class on pg_class.oid = conrelid where contype = 'f' and connamespace = 'app'::regnamespace
        and cardinality(conkey) > 1 group by 1""")
    assert {row["name"]: row["keys"] for row in found} == Counter(table for table, *_ in foreign_keys())


# A file's draft is that of the form, by default alone.
@pytest.mark.parametrize(
    ("table", "columns", "target", "referenced"),
    [key for key in foreign_keys() if key[2] != "capture_drafts"],
    ids=short,
)
def test_no_reference_reaches_into_another_organization(free, world, table, columns, target, referenced):
    key = "id" if table == "organizations" else "organization_id"
    written = ", ".join(columns).replace("open_", "")  # of a team: made from the one written, while invited
    change = f"""update app.{table} set {INSTEAD.get((table, columns[-1]), "")} ({written}) = (
        select {", ".join(referenced)} from app.{target} where organization_id = %s limit 1) where {key} = %s"""
    with pytest.raises(errors.ForeignKeyViolation):
        free.execute(change, (world["globex"]["organizations"], world["acme"]["organizations"]))


def copy(owner, world, table, into):
    """Insert a copy of acme's row into an organization, keys alone being checked."""
    (columns,) = owner.execute(
        """select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = ('app.' || %s)::regclass and attnum > 0
            and not attisdropped and attgenerated = '' and attidentity = '' and attname <> 'organization_id'""",
        (table,),
    ).fetchone()
    row = f"select {into}.organizations, {columns} from app.{table} where organization_id = acme.organizations limit 1"
    return owner.execute(named(world, f"insert into app.{table} (organization_id, {columns}) {row}")).rowcount


@pytest.fixture
def keys_alone(owner, world):
    """The superuser's connection without triggers and foreign keys, each invite and email with what makes it one."""
    owner.execute("set local session_replication_role = replica")
    for change in (
        "emails set effect_key = 'the same'",
        "contract_documents set kind = 'pdf'",
        "interview_templates set public_slug = null, lead_capture_enabled = false",
        "interview_tallies set folded = true",
        *(
            f"{table} set external_id = 'the same'"
            for table in ("companies", "contacts", "contracts", "deals", "leads", "quotes")
        ),
        # The sweep of another module may have ended it.
        "signature_requests set status = 'sent', ended_at = null",
    ):
        ours = "organization_id in (acme.organizations, globex.organizations)"
        owner.execute(named(world, f"update app.{change} where {ours}"))
    return owner


@pytest.mark.parametrize("table", tables_with_a_key())
def test_nothing_is_twice_in_an_organization_and_another_may_have_it_too(keys_alone, world, table):
    with pytest.raises(errors.UniqueViolation), keys_alone.transaction():
        copy(keys_alone, world, table, "acme")
    keys_alone.execute(named(world, f"delete from app.{table} where organization_id = globex.organizations"))
    assert copy(keys_alone, world, table, "globex") == 1


@pytest.mark.parametrize("key", [key for key in GLOBAL_KEYS if not key.endswith(".id")])
def test_a_global_key_finds_one_row_among_all_organizations(keys_alone, world, key):
    table, column = key.replace("email_key", "email").split(".")
    own, ids = ("id", table) if table in ("organizations", "users") else ("organization_id", "organizations")
    same = "same@x.example" if column == "email" else "a" * 64
    with pytest.raises(errors.UniqueViolation):
        keys_alone.execute(
            named(world, f"update app.{table} set {column} = '{same}' where {own} in (acme.{ids}, globex.{ids})")
        )
