"""The demo data of two organizations, loaded once in one transaction."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from development.demo_contracts import add_contracts
from development.demo_interviews import add_interviews, admin_of
from development.demo_leads import COLUMNS, leads
from pipeline.database import queries

DATA = Path(__file__).parent / "data"
PASSWORD = "pipeline-demo"
# The password is public, so its hash can be here.
PASSWORD_HASH = "$argon2id$v=19$m=47104,t=1,p=1$d+CTDHeOwiZirw6AUm39SA$mvJkoZ03z1e0B+Se3USC0fpQzyrMndx/NtI9dzm/KAE"
LEADS = {"acme": 200, "globex": 25}
LOCK = 4_201_870_234  # of two concurrent commands, the second waits and finds the data


def load(owner_url, log):
    """Load the demo data into the database of `owner_url` (a superuser); False if it exists.

    log: called with a line before the work.
    """
    with psycopg.connect(owner_url, row_factory=dict_row) as connection:
        connection.execute("set local search_path = app, extensions, pg_catalog, pg_temp")
        connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        if connection.execute("select from organizations where slug = 'acme'").fetchone() is not None:
            return False
        log("Loading the demo data (once)")
        with queries.on(connection):
            for organization in read("organizations"):
                _add_organization(connection, organization)
    return True


def read(name):
    """The content of a data file."""
    return json.loads((DATA / f"{name}.json").read_text())


def insert(connection, table, **values):
    """Insert a row; returns its id, or None for a table without an id."""
    statement = sql.SQL("insert into {} ({}) values ({}) returning to_jsonb({}) -> 'id' as id").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, values)),
        sql.SQL(", ").join(sql.Placeholder() * len(values)),
        sql.Identifier(table),
    )
    given = [Jsonb(value) if isinstance(value, dict) else value for value in values.values()]
    return connection.execute(statement, given).fetchone()["id"]


def _add_organization(connection, organization):
    teams, users = organization.pop("teams"), organization.pop("users")
    organization_id = insert(connection, "organizations", **organization)
    # The context is now the default of organization_id, as in a request.
    connection.execute("select set_config('app.organization_id', %s, true)", (str(organization_id),))
    people = _add_people(connection, teams, users)
    deals = _add_records(connection, organization, people)
    _add_leads(connection, organization_id, LEADS[organization["slug"]], people)
    admin = admin_of(organization_id, people)
    add_interviews(connection, admin, deals, read)
    add_contracts(connection, admin, deals, DATA)
    # The first request for a document renders it. In the worker's queue they would stand before a person's.
    connection.execute("update outbox set done_at = now() where queue = 'documents' and done_at is null")


def _add_people(connection, teams, users):
    """Teams, users and seats; returns {email: user id} of those with an active seat, the admin first."""
    team_ids = {name: insert(connection, "teams", name=name) for name in teams}
    people = {}
    for user in users:
        # Users with seats in both organizations exist already.
        user_id = connection.execute(
            "insert into users (email, name, password_hash, confirmed_at) values (%s, %s, %s, now())"
            " on conflict (email_key) do update set name = excluded.name returning id",
            (user["email"], user["name"], PASSWORD_HASH),
        ).fetchone()["id"]
        active = user.get("seat_active", True)
        insert(
            connection,
            "organization_users",
            user_id=user_id,
            role=user["role"],
            seat_active=active,
            team_id=team_ids.get(user.get("team")),
        )
        if active:
            people[user["email"]] = user_id
    return people


def _add_records(connection, organization, people):
    """Add the records that interviews and contracts refer to; returns the deals' ids.

    The data names owners of one organization; in the other one its admin is the owner.
    """
    records, currency = read("records"), organization["currency"]
    definitions = {
        definition["slug"]: insert(connection, "configurator_definitions", **definition)
        for definition in records["configurator_definitions"]
    }
    stages = {
        name: insert(connection, "deal_stages", name=name, position=position)
        for position, name in enumerate(records["deal_stages"], 1)
    }
    admin = next(iter(people.values()))
    deals = []
    for company in records["companies"]:
        contact, deal, quote = company.pop("contact"), company.pop("deal"), company.pop("quote")
        configuration = company.pop("configuration")
        company_id = insert(connection, "companies", **company)
        contact_id = insert(connection, "contacts", company_id=company_id, **contact)
        closes = date.today() + timedelta(days=deal.pop("closes_in_days"))
        stage_id, owner_id = stages[deal.pop("stage")], people.get(deal.pop("owner"), admin)
        deal_id = insert(
            connection,
            "deals",
            company_id=company_id,
            contact_id=contact_id,
            stage_id=stage_id,
            owner_id=owner_id,
            expected_close_date=closes,
            currency=currency,
            **deal,
        )
        deals.append(deal_id)
        definition_id = definitions[deal["product_line"]]
        insert(connection, "configurations", deal_id=deal_id, definition_id=definition_id, **configuration)
        _add_quote(connection, deal_id, currency, quote)
    return deals


def _add_quote(connection, deal_id, currency, quote):
    lines, made = quote.pop("lines"), date.today() + timedelta(days=quote.pop("made_in_days"))
    quote_id = insert(
        connection,
        "quotes",
        deal_id=deal_id,
        currency=currency,
        quote_date=made,
        valid_until=made + timedelta(days=60),
        **quote,
    )
    for position, line in enumerate(lines):
        insert(connection, "quote_lines", quote_id=quote_id, position=position, **line)


def _add_leads(connection, organization_id, count, people):
    columns = sql.SQL(", ").join(map(sql.Identifier, COLUMNS))
    with connection.cursor().copy(sql.SQL("copy leads ({}) from stdin").format(columns)) as copy:
        for row in leads(organization_id, count, [*people.values(), None], datetime.now(UTC)):
            copy.write_row(row)
