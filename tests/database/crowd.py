"""An organization with many records of every kind, and one with a thousandth of them."""

import contextlib

import psycopg

from pipeline.database import migrations
from tests.database.beside import BESIDE, MANY, OTHERS
from tests.waiting import wait_until

SMALL = 200

# How each kind is filled: the columns and what they are for the number i; ids of earlier kinds count from their first.
SIZES = {
    "companies": (
        "name, legal_name, website, city, country, external_id, updated_at",
        "'Company ' || md5(i::text), case when i % 3 = 0 then 'Legal ' || i end, 'https://c' || i || '.example',"
        " case when i % 4 > 0 then 'City ' || i % 500 end, case when i % 5 > 0 then chr(65 + i % 26) end,"
        " case when i % 3 = 0 then 'crm-' || i end, {moment}",
    ),
    "contacts": (
        "first_name, email, company_id, external_id, updated_at",
        "'Pat ' || md5(i::text), case when i % 4 > 0 then i || '@c.example' end,"
        " case when i % 5 > 0 then {companies} + i end, case when i % 3 = 0 then 'crm-' || i end, {moment}",
    ),
    "deals": (
        "title, value_minor, stage_id, company_id, owner_id, expected_close_date, external_id, updated_at",
        "'Deal ' || md5(i::text), i % 100000, {deal_stages} + i % 8, case when i % 5 > 0 then {companies} + i end,"
        " case when i % 3 > 0 then {user} end, case when i % 4 > 0 then date '2026-01-01' + i % 700 end,"
        " case when i % 3 = 0 then 'crm-' || i end, {moment}",
    ),
    "quotes": (
        "deal_id, quote_number, status, quote_date, valid_until, external_id, updated_at",
        "{deals} + i, 'Q-' || lpad(i::text, 7, '0'), (array['draft', 'sent', 'accepted', 'declined'])[1 + i % 4],"
        " case when i % 4 > 0 then date '2026-01-01' + i % 700 end,"
        " case when i % 3 > 0 then date '2026-03-01' + i % 700 end, case when i % 3 = 0 then 'crm-' || i end, {moment}",
    ),
    "configurations": (
        "deal_id, definition_id, status",
        "{deals} + i, {configurator_definitions} + i % 5, case when i % 3 = 0 then 'final' else 'draft' end",
    ),
    "interview_invites": (
        "template_id, template_version_id, deal_id, token, recipient_email, recipient_name, status, submitted_at,"
        " expires_at, updated_at",
        "{interview_templates}, {interview_template_versions}, {deals} + i,"
        " md5(i || 'a' || {organization}) || md5(i || 'b' || {organization}), i || '@p.example',"
        # What ran out earlier the worker has found; a sixtieth runs out at this moment, which the time alone tells.
        " 'Prospect ' || md5(i::text), case when i % 60 < 20 and i % 4 < 2 then 'expired'"
        " else (array['pending', 'started', 'submitted', 'expired'])[1 + i % 4] end,"
        " case when i % 4 = 2 then now() end, now() + (i % 60 - 20) * interval '1 day', {moment}",
    ),
    "leads": (
        "first_name, email, company, tags, source, status, assigned_to, external_id, created_at, updated_at",
        "'Lead ' || md5(i::text), case when i % 4 > 0 then i || '@l.example' end, 'Company ' || i % 5000,"
        " case when i % 1000 = 0 then 'hot, new' end,"
        " case when i % 10000 = 0 then 'rare' when i % 9 = 0 then 'fair' else 'web' end,"
        " (array['new', 'contacted', 'qualified', 'disqualified'])[1 + i % 4], case when i % 3 > 0 then {user} end,"
        " case when i % 3 = 0 then 'crm-' || i end, {moment}, {moment}",
    ),
    "contracts": (
        "contract_number, name, status, template_id, deal_id, company_id, effective_date, term_months,"
        " termination_date, content, external_id, updated_at",
        "'RO-' || lpad(i::text, 7, '0'), 'Contract ' || md5(i::text),"
        " (array['draft', 'active', 'executed', 'expired', 'terminated', 'archived'])[1 + i % 6], {contract_templates},"
        " case when i % 3 > 0 then {deals} + i end, case when i % 3 > 0 then {companies} + i end,"
        " date '2024-01-01' + i % 900, 36, current_date - 30 + i % 1500, 'text',"
        " case when i % 3 = 0 then 'crm-' || i end, {moment}",
    ),
}
ONCE = {
    "organization_users": ("user_id, role", "{user}, 'admin'", 1),
    "deal_stages": ("name, position", "'Stage ' || i, i", 8),
    "configurator_definitions": ("name, slug", "'Definition ' || i, 'definition-' || i", 5),
    "interview_templates": ("name, slug", "'Form', 'form'", 1),
    "interview_template_versions": (
        "template_id, version, name, pages, questions, branding, thank_you, hints, field_map",
        "{interview_templates}, 1, 'Form', '[]', '[]', '{{}}', '{{}}', '{{}}', '[]'",
        1,
    ),
    "contract_templates": ("name, content", "'Terms', 'text'", 1),
}
# When the number i was written, or changed last.
MOMENT = "timestamptz '2026-01-01Z' + i * interval '20 seconds'"


@contextlib.contextmanager
def indexes_last(connection, *tables):
    """Rows first and indexes after: several times faster than the other way round."""
    # An index that a constraint stands on stays; others may refer to it.
    indexes = connection.execute(
        "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index"
        " where indrelid = any(%s::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)"
        # Of two that serve as well PostgreSQL takes the one that was made first, as in every database of the service.
        " order by indexrelid",
        [[f"app.{table}" for table in tables]],
    ).fetchall()
    connection.execute(f"drop index {', '.join(name for name, _ in indexes)}")
    yield
    connection.execute("set maintenance_work_mem = '512MB'")
    for _, definition in indexes:
        connection.execute(definition)
    connection.execute("reset maintenance_work_mem")


def settle(connection):
    """Vacuum the tables of the service until every page is known to be visible to all.

    An autovacuum elsewhere may hold that up for a moment. Of the pages by which a table grows at once, 64 at most, some
    stay empty where several write at the same time, and empty ones are never known to be visible.
    """
    unsettled = (
        "select exists (select from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'"
        " and relpages - relallvisible > 64)"
    )

    def settled():
        connection.execute("vacuum analyze")
        return not connection.execute(unsettled).fetchone()[0]

    wait_until(settled, lambda: "Some pages are not visible to all.")


@contextlib.contextmanager
def database(server_url, name):
    """url(login) of a migrated database of its own, whose statistics are those of all rows, not of a sample.

    So nothing that plans rest on is left to chance: neither what other tests have left, nor which rows are sampled.
    """
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as server:
        server.execute(f"create database {name}")
        # ANALYZE reads 300 rows for each step of the target, and all of a table that has no more: of 45,000.
        server.execute(f"alter database {name} set default_statistics_target = 150")
        migrations.upgrade(server_url("postgres", name))
        yield lambda login: server_url(login, name)
        server.execute(f"drop database {name} with (force)")


def fill(connection, many):
    """Write `many` records of each kind, and SMALL of each beside them: the ids that tests name, by what they are of.

    `organization` is the big one; the user has a seat in both. `tables` are the first ids of the
    big one's tables.
    """
    with connection.transaction():
        connection.execute("set local session_replication_role = replica")
        connection.execute("set local search_path = app, extensions, pg_catalog")
        others = {}
        fill_tables(connection, others, OTHERS)
        (user,) = connection.execute(
            "insert into app.users (email, name) values ('all@crowd.example', 'C') returning id"
        ).fetchone()
        with indexes_last(connection, *SIZES):
            _organization(connection, "crowd-of-few", SMALL, user)
            big = _organization(connection, "crowd-of-all", many, user)
        big["users"] = others["users"]
        fill_tables(connection, big, BESIDE)
        for table in SIZES:
            connection.execute(f"call app.recount('app.{table}')")
    settle(connection)
    first = {
        "stage": "deal_stages",
        "company": "companies",
        "deal": "deals",
        "template": "interview_templates",
        "definition": "configurator_definitions",
    }
    return {
        "organization": big["organization"],
        "user": user,
        **{name: big[table] for name, table in first.items()},
        "tables": big,
    }


def _organization(connection, slug, many, user):
    (organization,) = connection.execute(
        "insert into app.organizations (name, slug) values (%s, %s) returning id", (slug, slug)
    ).fetchone()
    ids = {"organization": organization, "user": user, "moment": MOMENT}
    connection.execute("select set_config('app.organization_id', %s, true)", (str(organization),))
    fill_tables(connection, ids, {**ONCE, **{name: (*filled, many) for name, filled in SIZES.items()}})
    return ids


def fill_tables(connection, ids, tables):
    """Fill tables, for the organization of the context if there is one, and note the first id of each.

    tables: {name: (columns, values for the number i, how many unless MANY)}.
    """
    identified = "select exists (select from pg_attribute where attrelid = %s::regclass and attname = 'id')"
    for table, (columns, values, *count) in tables.items():
        last = (count[0] if count else MANY) - 1
        insert = f"insert into app.{table} ({columns}) select {values.format(**ids)} from generate_series(0, {last}) i"
        if connection.execute(identified, [f"app.{table}"]).fetchone()[0]:
            made = connection.execute(f"with made as ({insert} returning id) select min(id) from made")
            ids.setdefault(table, made.fetchone()[0])
        else:
            connection.execute(insert)
