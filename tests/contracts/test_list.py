"""The list of contracts beyond tests/records/test_list_filters.py, and their notes and tasks beyond tests/records."""

import datetime

from tests.contracts.support import deal


def test_expiring_contracts_are_the_running_ones_from_today_through_the_last_day(organization, member, template):
    today = organization.owner.execute("select (now() at time zone 'UTC')::date").fetchone()[0]
    same = {"template_id": template["id"], "effective_date": "2026-01-01", "term_months": 36, "content": "<p></p>"}

    def add(status, days):
        number, last_day = f"{status} {days}", today + datetime.timedelta(days)
        dated = {"contract_number": number, "name": number, "status": status, "termination_date": last_day}
        return organization.insert("contracts", **same, **dated)

    statuses = ("active", "executed", "draft", "terminated", "expired", "archived")
    made = {status: [add(status, days) for days in (-1, 0, 1, 30, 31)] for status in statuses}
    for query, expected in (
        ("0", [made["active"][1], made["executed"][1]]),
        ("30", made["active"][1:4] + made["executed"][1:4]),
        ("30&status=executed", made["executed"][1:4]),
        ("1000000&status=draft", []),
    ):
        listed = member.get(f"/api/contracts?expiring_within={query}", status=200).json["data"]
        assert [one["id"] for one in listed] == expected


def test_a_note_and_a_task_take_over_the_contracts_links_where_they_name_none(organization, member, new_contract):
    contract = new_contract(deal_id=deal(organization))
    path, other = f"/api/contracts/{contract['id']}", organization.insert("companies", name="Another")
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json
    task = member.post(f"{path}/tasks", {"title": "Call", "company_id": other}, status=201).json
    assert (note["deal_id"], note["company_id"]) == (contract["deal_id"], contract["company_id"])
    assert (task["deal_id"], task["company_id"]) == (contract["deal_id"], other)


def test_a_contract_shows_its_newest_notes_and_tasks_and_lists_them_all(organization, member, contract):
    path = f"/api/contracts/{contract['id']}"
    for table, text in (("notes", "content"), ("tasks", "title")):
        organization.owner.execute(
            f"insert into app.{table} (organization_id, contract_id, {text})"
            " select %s, %s, i from generate_series(0, 120) i",
            (organization.id, contract["id"]),
        )
    shown = member.get(path, status=200).json
    assert (shown["note_count"], len(shown["note_entries"]), shown["note_entries"][-1]["content"]) == (121, 100, "120")
    assert (shown["task_count"], len(shown["tasks"]), shown["tasks"][-1]["title"]) == (121, 100, "120")
    notes = member.get(f"{path}/notes?per_page=100&page=2", status=200).json
    assert (notes["total"], notes["last_page"], notes["data"][-1]["content"]) == (121, 2, "0")
    tasks = member.get(f"{path}/tasks", status=200).json
    assert (tasks["total"], tasks["per_page"], tasks["data"][0]["title"]) == (121, 100, "0")
