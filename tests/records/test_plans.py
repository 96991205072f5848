"""The lists as most people open them read their page from an index: nothing sorts the whole organization."""

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.database import queries

DEALS = 5_000
LISTS = [
    ("company_list", "name", ["words"]), ("company_list", "created_at", ["words"]),
    ("contact_list", "name", ["words", "company_id"]),
    ("deal_list", "title", ["words", "stage_id", "company_id", "contact_id", "owner_id"]),
    ("deal_list", "expected_close_date", ["words", "stage_id", "company_id", "contact_id", "owner_id"]),
    ("quote_list", "quote_number", ["words", "deal_id", "status"]),
    ("quote_list", "created_at", ["words", "deal_id", "status"]),
]
# Deals without a date come last in both directions; only the soonest first is read from an index.
ORDERS = [
    (*row, direction) for row in LISTS for direction in ("ASC", "DESC")
    if (row[1], direction) != ("expected_close_date", "DESC")
]


@pytest.fixture(scope="module")
def crowd(owner):
    """The ids of an organization with DEALS companies, contacts, deals and quotes, and of its user."""
    organization = owner.execute(
        "insert into app.organizations (name, slug) values ('Many', 'many-records') returning id"
    ).fetchone()[0]
    user = owner.execute(
        "insert into app.users (email, name, password_hash) values ('crowded@records.example', 'M', 'x') returning id"
    ).fetchone()[0]
    owner.execute("select set_config('app.organization_id', %s, false)", (str(organization),))
    for statement in (
        "organization_users (user_id) values (%(user)s)",
        "companies (name) select 'Company ' || md5(i::text) from generate_series(1, %(many)s) i",
        "contacts (first_name, company_id) select 'P ' || name, id from app.companies where name like 'Company %%'",
        "deals (title, company_id, expected_close_date) select name, id, date '2026-01-01' + (id %% 365)::int"
        " from app.companies where organization_id = %(organization)s",
        "quotes (deal_id, quote_number) select id, 'Q-' || id from app.deals where organization_id = %(organization)s",
    ):
        owner.execute(
            f"insert into app.{statement}", {"user": user, "many": DEALS, "organization": organization}
        )
    owner.execute("select set_config('app.organization_id', '', false)")
    for table in ("companies", "contacts", "deals", "quotes"):
        owner.execute(f"vacuum analyze app.{table}")
    return organization, user


def sorted_rows(plan):
    """How many rows the plan's sorts were given."""
    below = [child for child in plan.get("Plans", [])]
    own = sum(child["Actual Rows"] for child in below) if "Sort" in plan["Node Type"] else 0
    return own + sum(sorted_rows(child) for child in below)


@pytest.mark.parametrize(("name", "sort", "filters", "direction"), ORDERS)
def test_a_page_is_read_in_the_order_of_an_index(name, sort, filters, direction, crowd, login_url):
    organization, user = crowd
    with psycopg.connect(login_url("pipeline_app"), row_factory=dict_row) as connection, queries.on(connection):
        queries.authenticate(organization_id=organization, user_id=user)
        values = {**dict.fromkeys(filters), "sort_by": sort, "sort_dir": direction, "limit": 25, "offset": 0}
        (plan,) = getattr(queries, name).explained("analyze, format json", **values)
    assert sorted_rows(plan[0]["Plan"]) < 200
