"""The list of contracts: filters, search, sorts, totals."""

import datetime
import itertools
from urllib.parse import quote

import pytest

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


def test_the_longest_names_can_be_kept_and_searched(member, add):
    made = add(name="契" * 600, company="約" * 255, deal="😀" * 255)
    assert ids(member, f"search={quote('契契')}") == [made]
