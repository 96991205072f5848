"""Notes and tasks on a contract; those on a lead are the same."""

import pytest

from tests.contracts.support import deal
from tests.support import codes

TASK = {
    "title": "Call back",
    "description": "Ask for the signature",
    "due_date": "2026-03-01",
    "due_time": "09:30",
    "priority": "high",
}


@pytest.fixture
def path(contract):
    return f"/api/contracts/{contract['id']}"


def test_a_note_stands_on_its_contract_until_it_is_deleted(organization, member, contract, path):
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json
    assert (note["content"], note["contract_id"], note["lead_id"]) == ("Called", contract["id"], None)
    assert note["created_by"] == organization.users["member"]
    assert member.get(path).json["note_entries"] == [note]
    member.delete(f"{path}/notes/{note['id']}", status=204)
    member.delete(f"{path}/notes/{note['id']}", status=404)
    assert member.get(path).json["note_entries"] == []


def test_a_note_takes_over_the_contracts_links(organization, member, new_contract):
    contract = new_contract(deal_id=deal(organization))
    note = member.post(f"/api/contracts/{contract['id']}/notes", {"content": "Called"}, status=201).json
    assert (note["deal_id"], note["company_id"]) == (contract["deal_id"], contract["company_id"])


def test_a_task_takes_over_the_contracts_links_where_it_names_none(organization, member, new_contract):
    contract = new_contract(deal_id=deal(organization))
    other = organization.insert("companies", name="Another")
    task = member.post(f"/api/contracts/{contract['id']}/tasks", {**TASK, "company_id": other}, status=201).json
    assert (task["deal_id"], task["company_id"]) == (contract["deal_id"], other)


def test_a_task_is_created_replaced_and_deleted(organization, member, path):
    body = {**TASK, "assigned_to": organization.users["colleague"]}
    task = member.post(f"{path}/tasks", body, status=201).json
    assert {name: task[name] for name in body} == body
    assert member.get(path).json["tasks"] == [task]
    changed = member.put(f"{path}/tasks/{task['id']}", {"title": "Write"}, status=200).json
    assert (changed["title"], changed["due_date"], changed["priority"]) == ("Write", None, "medium")
    member.delete(f"{path}/tasks/{task['id']}", status=204)
    assert member.get(path).json["tasks"] == []


def test_bad_notes_and_tasks_are_refused_by_field(new_organization, member, path):
    assert codes(member.post(f"{path}/notes", {}, status=422)) == [("content", "required")]
    assert codes(member.post(f"{path}/tasks", {}, status=422)) == [("title", "required")]
    foreign = new_organization().insert("deals", title="Theirs")
    answer = member.post(f"{path}/tasks", {"title": "Call", "deal_id": foreign}, status=422)
    assert codes(answer) == [("deal_id", "unknown_reference")]


def test_a_note_or_task_of_a_lead_is_not_the_contracts(member, path):
    lead = f"/api/leads/{member.post('/api/leads', {'first_name': 'Pat'}, status=201).json['id']}"
    note = member.post(f"{lead}/notes", {"content": "x"}, status=201).json["id"]
    task = member.post(f"{lead}/tasks", {"title": "x"}, status=201).json["id"]
    member.delete(f"{path}/notes/{note}", status=404)
    member.put(f"{path}/tasks/{task}", {"title": "y"}, status=404)
    member.delete(f"{path}/tasks/{task}", status=404)


def test_without_the_contract_there_is_nothing_to_note_or_do(member):
    for method, rest, body in (
        ("POST", "notes", {"content": "x"}),
        ("POST", "tasks", {"title": "x"}),
        ("PUT", "tasks/1", {"title": "x"}),
        ("DELETE", "tasks/1", None),
        ("DELETE", "notes/1", None),
    ):
        assert member.request(method, f"/api/contracts/9000000000/{rest}", body).status_int == 404


def test_a_contract_shows_its_newest_notes_and_tasks_and_lists_them_all(member, path, owner):
    member.post(f"{path}/notes", {"content": "first"}, status=201)
    member.post(f"{path}/tasks", {"title": "first"}, status=201)
    owner.execute(
        """with note as (select organization_id, contract_id from app.notes where contract_id = %(id)s),
               more as (insert into app.notes (organization_id, contract_id, content)
                        select note.*, i from note, generate_series(1, 120) i)
           insert into app.tasks (organization_id, contract_id, title)
           select note.*, i from note, generate_series(1, 120) i""",
        {"id": path.rpartition("/")[2]},
    )
    shown = member.get(path, status=200).json
    assert (shown["note_count"], len(shown["note_entries"]), shown["note_entries"][-1]["content"]) == (121, 100, "120")
    assert (shown["task_count"], len(shown["tasks"]), shown["tasks"][-1]["title"]) == (121, 100, "120")
    notes = member.get(f"{path}/notes?per_page=100&page=2", status=200).json
    assert (notes["total"], notes["last_page"], notes["data"][-1]["content"]) == (121, 2, "first")
    tasks = member.get(f"{path}/tasks", status=200).json
    assert (tasks["total"], tasks["per_page"], tasks["data"][0]["title"]) == (121, 100, "first")
    assert member.get("/api/contracts/9000000000/notes").status_int == 404
    assert member.get("/api/contracts/9000000000/tasks").status_int == 404
