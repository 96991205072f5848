"""The list of contracts: what tests/records/test_list_filters.py, which tries every filter and order, does not ask."""

import datetime
import itertools
from urllib.parse import quote

import pytest

counter = itertools.count(1)


@pytest.fixture
def add(organization, template):
    """add(**values): a contract written directly; returns its id."""

    def make(**values):
        given = {
            "contract_number": f"RO-{next(counter):06d}",
            "name": "Contract",
            "template_id": template["id"],
            "effective_date": "2026-01-01",
            "term_months": 36,
            "termination_date": "2099-12-31",
            "content": "<p></p>",
        }
        return organization.insert("contracts", **{**given, **values})

    return make


def ids(api, query=""):
    """The ids on the page, in their order; the total agrees with them."""
    answer = api.get(f"/api/contracts?{query}", status=200).json
    assert answer["total"] == len(answer["data"])
    return [contract["id"] for contract in answer["data"]]


def test_a_listed_contract_is_the_contract_without_content_notes_and_tasks(member, contract):
    for name in ("content", "note_entries", "note_count", "tasks", "task_count", "warnings"):
        del contract[name]
    assert member.get("/api/contracts", status=200).json["data"] == [contract]


def test_expiring_contracts_are_the_running_ones_from_today_through_the_last_day(owner, member, add):
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


def test_the_longest_names_can_be_kept_and_searched(organization, member, add):
    company, deal = organization.insert("companies", name="約" * 255), organization.insert("deals", title="😀" * 255)
    made = add(name="契" * 600, company_id=company, deal_id=deal)
    assert ids(member, f"search={quote('契契')}") == [made]
