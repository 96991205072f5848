"""The list of contracts: filters, search, sorts, totals."""

import datetime
import itertools
from urllib.parse import quote

import pytest

from pipeline.database import queries
from tests.support import codes

SORTS = queries.contract_list.words("sort_by")

counter = itertools.count(1)


@pytest.fixture
def add(organization, template):
    """add(**values): a contract written directly; returns its id. `company` and `deal` are names."""

    def make(company=None, deal=None, **values):
        if company:
            values["company_id"] = organization.insert("companies", name=company)
        if deal:
            values["deal_id"] = organization.insert("deals", title=deal)
        values = {
            "contract_number": f"RO-{next(counter):06d}",
            "name": "Contract",
            "template_id": template["id"],
            "effective_date": "2026-01-01",
            "term_months": 36,
            "termination_date": "2099-12-31",
            "content": "<p></p>",
            **values,
        }
        return organization.insert("contracts", **values)

    return make


def listed(api, query="", status=200):
    return api.get(f"/api/contracts?{query}", status=status).json


def ids(api, query=""):
    """The ids on the page, in their order; the total agrees with them."""
    answer = listed(api, query)
    assert answer["total"] == len(answer["data"])
    return [contract["id"] for contract in answer["data"]]


def test_a_listed_contract_is_the_contract_without_content_notes_and_tasks(member, contract):
    for name in ("content", "note_entries", "note_count", "tasks", "task_count", "warnings"):
        del contract[name]
    assert listed(member)["data"] == [contract]


def test_pages_are_cut_and_linked(member, add):
    made = [add() for _ in range(5)]
    answer = member.get("/api/contracts?per_page=2&page=2", status=200)
    assert [contract["id"] for contract in answer.json["data"]] == made[2:4]
    assert (answer.json["total"], answer.json["last_page"]) == (5, 3)
    assert 'rel="next"' in answer.headers["Link"]


@pytest.mark.parametrize(
    "query",
    [
        "page=0",
        "per_page=101",
        "status=won",
        "status=draft,won",
        "status=draft,",
        "status=,",
        "sort_by=id",
        "sort_dir=asc",
        "deal_id=x",
        "expiring_within=-1",
        "expiring_within=x",
        "expiring_within=1000001",
        "color=red",
    ],
)
def test_a_bad_parameter_is_refused_by_name(member, query):
    answer = member.get(f"/api/contracts?{query}", status=422)
    assert [name for name, _ in codes(answer)] == [query.split("=")[0]]


def test_a_status_or_several_are_filtered_as_they_are_shown(member, add):
    draft, active = add(status="draft"), add(status="active")
    over, stored = add(status="executed", termination_date="2020-01-01"), add(status="expired")
    assert ids(member, "status=draft") == [draft]
    assert ids(member, "status=active") == [active]
    assert ids(member, "status=executed") == []
    assert ids(member, "status=expired") == [over, stored]
    assert ids(member, "status=expired,active,draft") == [draft, active, over, stored]
    assert ids(member, "status=draft,%20draft") == [draft]


def test_expiring_contracts_are_the_running_ones_from_today_through_the_last_day(organization, owner, member, add):
    today = owner.execute("select (now() at time zone 'UTC')::date").fetchone()[0]
    day = datetime.timedelta(days=1)
    made = {
        status: [add(status=status, termination_date=today + n * day) for n in (-1, 0, 1, 30, 31)]
        for status in ("active", "executed", "draft", "terminated", "expired", "archived")
    }
    running = made["active"], made["executed"]
    assert ids(member, "expiring_within=0") == [row[1] for row in running]
    assert ids(member, "expiring_within=30") == [id for row in running for id in row[1:4]]
    assert ids(member, "expiring_within=30&status=executed") == made["executed"][1:4]
    assert ids(member, "expiring_within=1000000&status=draft") == []


def test_a_deal_narrows_the_list(organization, member, add):
    deal_id = organization.insert("deals", title="Deal")
    mine = add(deal_id=deal_id)
    add(deal="Other")
    assert ids(member, f"deal_id={deal_id}") == [mine]
    assert ids(member, "deal_id=9000000000") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("angstrom", [0]),
        ("ÅNGSTRÖM", [0]),
        ("café deal", [0]),
        ("deal", [0, 1]),
        ("AB-000007", [1]),
        ("ab 7", [1]),
        ("renewal", [1]),
        ("100%", [1]),
        ("%", [1]),
        ("_", []),
        ("\\", []),
        ("cafe nobody", []),
        ("'", []),
        ("  ", [0, 1]),
    ],
)
def test_a_search_finds_what_holds_every_word(member, add, text, found):
    made = [
        add(contract_number="AA-000001", name="Ångström", company="Café Soft", deal="Big Deal"),
        add(contract_number="AB-000007", name="Renewal 100%", deal="Small deal"),
    ]
    assert ids(member, f"search={quote(text)}") == [made[index] for index in found]


def test_the_longest_names_can_be_kept_and_searched(member, add):
    made = add(name="契" * 600, company="約" * 255, deal="😀" * 255)
    assert ids(member, f"search={quote('契契')}") == [made]


ORDERED = {
    "contract_number": [{"contract_number": "A-000001"}, {"contract_number": "B-000001"}],
    "name": [{"name": "alpha"}, {"name": "Ämter"}, {"name": "Beta"}],
    "company_name": [{"company": "alpha"}, {"company": "Ämter"}, {"company": "Beta"}, {}, {}],
    "deal_title": [{"deal": "alpha"}, {"deal": "Ämter"}, {"deal": "Beta"}, {}, {}],
    "status": [
        {"status": "active"},
        {"status": "archived"},
        {"status": "draft"},
        {"status": "executed"},
        {"status": "expired"},
        {"status": "active", "termination_date": "2020-01-01"},
        {"status": "terminated"},
    ],
    "effective_date": [{"effective_date": "2026-01-01"}, {"effective_date": "2026-01-02"}],
    "termination_date": [{"termination_date": "2099-01-01"}, {"termination_date": "2099-01-02"}],
    "created_at": [{"created_at": "2026-01-01T00:00Z"}, {"created_at": "2026-01-02T00:00Z"}],
    "updated_at": [{"updated_at": "2026-01-01T00:00Z"}, {"updated_at": "2026-01-02T00:00Z"}],
}


@pytest.mark.parametrize("sort_by", SORTS)
def test_every_sort_runs_both_ways_with_nulls_last_and_the_id_at_the_end(member, add, sort_by):
    rows = ORDERED[sort_by]
    twins = sort_by not in ("contract_number", "company_name", "deal_title", "status")
    made = [[add(**row), add(**row)] if twins else [add(**row)] for row in rows]
    ascending = [id for twin in made for id in twin]
    assert ids(member, f"sort_by={sort_by}") == ascending
    blank = [id for row, twin in zip(rows, made, strict=True) for id in twin if row == {}]
    named = [id for id in ascending if id not in blank]
    assert ids(member, f"sort_by={sort_by}&sort_dir=DESC") == named[::-1] + blank[::-1]


@pytest.mark.parametrize("sort_by", SORTS)
@pytest.mark.parametrize("sort_dir", ["ASC", "DESC"])
def test_pages_never_overlap(member, add, sort_by, sort_dir):
    company, deal = ("C", "D")
    for status in ("active", "draft", "expired") * 3:
        add(status=status, **({"company": company, "deal": deal} if status == "draft" else {}))
    order = f"sort_by={sort_by}&sort_dir={sort_dir}"
    pages = [listed(member, f"{order}&per_page=2&page={page}")["data"] for page in range(1, 7)]
    assert [contract["id"] for page in pages for contract in page] == ids(member, order)


def test_the_total_follows_every_change(member, new_contract):
    kept, gone = new_contract(), new_contract()
    assert listed(member)["total"] == 2
    member.delete(f"/api/contracts/{gone['id']}", status=204)
    assert ids(member) == [kept["id"]]


def test_filters_add_up(organization, member, add):
    deal_id = organization.insert("deals", title="Deal")
    wanted = add(status="active", deal_id=deal_id, name="Wanted")
    add(status="draft", deal_id=deal_id, name="Wanted")
    add(status="active", name="Wanted")
    add(status="active", deal_id=deal_id)
    assert ids(member, f"status=active&deal_id={deal_id}&search=wanted&expiring_within=100000") == [wanted]
