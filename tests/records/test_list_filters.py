"""Every list with every filter, order, search and page, compared with what Python makes of all of its records.

Filters and orders are those that the marks of its statement know. One that has the name of a field is compared by that
field; MEANT says what any other filter means. The whole list in any other order says what the pages of a part must be.
"""

import datetime
import itertools
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pipeline.api.fields.own_filters import COMPUTED
from pipeline.database import queries
from tests.database.crowd import MOMENT, ONCE, SIZES, fill_tables
from tests.leads.csv_files import exported
from tests.support import TEMPLATE, codes

SQL = Path(__file__).resolve().parents[2] / "sql"
MANY = 24
# The statement of a list; a word that some of its records have, and in which fields it is found. Legal names have
# none of these: by them a company is found, and so are its contacts, deals and contracts.
LISTS = {
    "/api/companies": ("company_list", "1", ("name", "legal_name", "website", "email", "phone")),
    "/api/contacts": ("contact_list", "f3", ("name", "email", "phone", "company_name")),
    "/api/deals": ("deal_list", "f3", ("title", "company_name")),
    "/api/quotes": ("quote_list", "1", ("quote_number", "deal_title")),
    "/api/configurations": ("configuration_list", "", ()),
    "/api/interview-invites": ("interview_invite_list", "1", ("recipient_name", "recipient_email")),
    "/api/leads": ("lead_list", "1", ("name", "email", "company", "job_title")),
    "/api/contracts": ("contract_list", "f3", ("contract_number", "name", "company_name", "deal_title")),
    "/api/interview-templates": ("interview_template_list", "fo", ("name", "slug")),
    "/api/contract-templates": ("contract_template_list", "te", ("name",)),
    "/api/configurator-definitions": ("configurator_definition_list", "3", ("name", "slug")),
    "/api/deal-stages": ("deal_stage_list", "", ()),
    "/api/teams": ("team_list", "b", ("name",)),
    "/api/users": ("user_list", "adm", ("name", "email")),
}
DAY, FIRST = "2026-01-12", "2024-01-12"
SINCE = "2026-01-01T00:04:00.000000Z"


def expires(record):
    """Whether a contract runs, and ends within a hundred days."""
    today = datetime.datetime.now(datetime.UTC).date()
    left = datetime.date.fromisoformat(record["termination_date"]) - today
    return record["status"] in ("active", "executed") and 0 <= left.days <= 100


# What a filter that is no field of the record is asked for with, and which records it leaves.
MEANT = {
    "updated_since": (SINCE, lambda record, me: record["updated_at"] >= SINCE),
    "expiring_within": ("100", lambda record, me: expires(record)),
    "scope": ("me", lambda record, me: record["assigned_to"] == me),
    "tag": ("hot", lambda record, me: "hot" in (record["tags"] or "").split(", ")),
    "value_min": ("0.12", lambda record, me: record["value"] >= 0.12),
    "value_max": ("0.12", lambda record, me: record["value"] <= 0.12),
    "expected_close_from": (DAY, lambda record, me: (record["expected_close_date"] or "") >= DAY),
    "expected_close_to": (DAY, lambda record, me: (record["expected_close_date"] or "9") <= DAY),
    "fields": ("{}", lambda record, me: True),
    "effective_from": (FIRST, lambda record, me: record["effective_date"] >= FIRST),
    "effective_to": (FIRST, lambda record, me: record["effective_date"] <= FIRST),
    "number": ("-", lambda record, me: record["contract_number"] == "-"),
    "domain": ("https://www.C7.example/a", lambda record, me: record["website"] == "https://c7.example"),
    "date_from": ("2026-01-01", lambda record, me: record["created_at"] >= "2026-01-01"),
    "date_to": ("2026-01-01", lambda record, me: record["created_at"] < "2026-01-02"),
}
# What some records refer to.
SOME = (
    "update app.deals set contact_id = {contacts} where id % 3 = 0 and organization_id = {organization}",
    "update app.configurations set invite_id = {interview_invites} where id = {configurations}",
    "update app.interview_invites set lead_id = {leads} where id % 3 = 0 and organization_id = {organization}",
    "update app.organization_users set team_id = {teams} where user_id = {user}",
)


@pytest.fixture(scope="module")
def filled(new_organization):
    """An organization with MANY records of each kind, of which some have the same values and some have none."""
    organization = new_organization()
    owner = organization.owner
    ids = {"organization": organization.id, "user": organization.users["member"], "moment": MOMENT}
    for slug in ("other", "form"):
        form = organization.admin.post("/api/interview-templates", TEMPLATE | {"slug": slug}, status=201).json["id"]
    version = "select version_id from app.interview_templates where id = %s"
    ids["interview_templates"] = form
    (ids["interview_template_versions"],) = owner.execute(version, (form,)).fetchone()
    made = ("organization_users", "interview_templates", "interview_template_versions")
    once = {table: filled for table, filled in ONCE.items() if table not in made}
    tables = {"teams": ("name", "'Team ' || chr(97 + i % 3)", 5), **once}
    with owner.transaction():
        owner.execute("select set_config('app.organization_id', %s, true)", (str(organization.id),))
        fill_tables(owner, ids, {**tables, **{table: (*filled, MANY) for table, filled in SIZES.items()}})
        for statement in SOME:
            owner.execute(statement.format(**ids))
    return organization


def fetched(api, path, **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = api.get(f"{path}?{asked}", status=200).json
    return [record["id"] for record in answer["data"]], answer["total"]


def meaning(path, name, records, me):
    """(what a filter is asked for with, the ids of the records that it leaves)."""
    if name == "search":
        _, word, fields = LISTS[path]
        kept = [any(word in str(record[field] or "").lower() for field in fields) for record in records]
    elif name == "ids":
        some = [record["id"] for record in records[::3]]
        word, kept = ",".join(map(str, some)), [record["id"] in some for record in records]
    elif name in MEANT:
        word, leaves = MEANT[name]
        kept = [leaves(record, me) for record in records]
    else:
        value = next((record[name] for record in records if record[name] is not None), "x")
        values = [value]
        if f"cast(:{name} as text[])" in getattr(queries, LISTS[path][0]).statement.all_lines:
            values = sorted({record[name] for record in records})[:2]
        kept = [record[name] in values for record in records]
        word = ",".join(map(str, values)).lower() if isinstance(value, bool) or len(values) > 1 else value
    return word, {record["id"] for record, stays in zip(records, kept, strict=True) if stays}


def in_order(records, sort_by, sort_dir):
    """Ids by a field without regard to case, those without a value last, ties by id in the same direction."""
    key = {record["id"]: record[sort_by] for record in records}
    key = {id: value.lower() if isinstance(value, str) else value for id, value in key.items()}
    named = sorted((id for id in key if key[id] is not None), key=lambda id: (key[id], id))
    blank = sorted(id for id in key if key[id] is None)
    return named + blank if sort_dir == "ASC" else named[::-1] + blank[::-1]


def asked_for(filled, path, *without):
    """(all records of a list, what each filter is asked for with and the ids that it leaves)."""
    records = filled.admin.get(f"{path}?per_page=100", status=200).json["data"]
    filters = getattr(queries, LISTS[path][0]).statement.filters
    names = [name for name in filters if name not in ("after_id", *COMPUTED, *without)]
    return records, {name: meaning(path, name, records, filled.users["admin"]) for name in names}


@pytest.mark.parametrize("path", LISTS)
def test_every_order_has_the_records_of_a_search_on_their_pages(filled, path):
    records, asked = asked_for(filled, path)
    word, kept = asked.get("search", (None, {record["id"] for record in records}))
    search = {"search": word} if word else {}
    orders = [word for word in getattr(queries, LISTS[path][0]).words("sort_by") if not word.startswith("own_")]
    for sort_by, sort_dir in itertools.product(orders, ("ASC", "DESC")):
        query = {"sort_by": sort_by, "sort_dir": sort_dir}
        order, _ = fetched(filled.admin, path, **query, per_page=100)
        if sort_by in records[0]:
            assert order == in_order(records, sort_by, sort_dir), query
        expected = [id for id in order if id in kept]
        for page in (1, 2):
            found = fetched(filled.admin, path, **query, **search, per_page=5, page=page)
            assert found == (expected[5 * page - 5 : 5 * page], len(expected)), query


@pytest.mark.parametrize("path", LISTS)
def test_every_filter_leaves_its_records_on_every_page_and_adds_up_with_the_next(filled, path):
    _, asked = asked_for(filled, path)
    order, _ = fetched(filled.admin, path, per_page=100)
    for names in [*((name,) for name in asked), *itertools.pairwise(asked)]:
        kept = set.intersection(*(asked[name][1] for name in names))
        expected = [id for id in order if id in kept]
        query = {name: asked[name][0] for name in names}
        for page in (1, 2):
            found = fetched(filled.admin, path, **query, per_page=5, page=page)
            assert found == (expected[5 * page - 5 : 5 * page], len(expected)), query


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("x", "wrong_type"),
        ("1e3", "wrong_type"),
        ("NaN", "wrong_type"),
        ("-1", "out_of_range"),
        ("9" * 17, "out_of_range"),
        ("1.2345", "too_precise"),
    ],
)
def test_a_filter_by_value_takes_an_amount(organization, amount, code):
    assert codes(organization.admin.get(f"/api/deals?value_min={amount}", status=422)) == [("value_min", code)]


@pytest.mark.parametrize("path", LISTS)
def test_a_walk_with_every_filter_reads_the_records_in_the_order_of_ids(filled, path):
    records, asked = asked_for(filled, path, "search")
    for query in ({}, *({name: word} for name, (word, _) in asked.items())):
        url, ids = f"{path}?after_id=0&{urlencode({**query, 'per_page': 10})}", []
        while url:
            answer = filled.admin.get(url, status=200)
            ids += [record["id"] for record in answer.json["data"]]
            following = re.search(r'<([^>]+)>; rel="next"', answer.headers["Link"])
            url = following and following[1]
        kept = set.intersection({record["id"] for record in records}, *(asked[name][1] for name in query))
        assert ids == sorted(kept), query


def test_a_list_is_one_statement_of_sixty_lines_at_most():
    texts = [text for file in SQL.glob("*/*.sql") for text in file.read_text().split("--:name ")[1:]]
    lengths = {text.split()[0]: len(text.rstrip().split("\n")) for text in texts}
    assert {name: lines for name, lines in lengths.items() if name.endswith("_list") and lines > 60} == {}


def test_an_export_has_the_records_of_its_list_with_every_filter(filled):
    _, asked = asked_for(filled, "/api/leads", "ids")
    for name, (word, kept) in asked.items():
        rows = exported(filled.admin, f"?{urlencode({name: word})}")
        assert {int(row["id"]) for row in rows} == kept, name
