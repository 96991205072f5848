"""Notes and tasks on a lead."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support import codes, wait_until_waiting

TASK = {
    "title": "Call back",
    "description": "Ask for the budget",
    "due_date": "2026-03-01",
    "due_time": "09:30",
    "priority": "high",
}


@pytest.fixture
def path(member):
    return f"/api/leads/{member.post('/api/leads', {'first_name': 'Pat'}, status=201).json['id']}"


def test_a_note_stands_on_its_lead_until_it_is_deleted(organization, member, path):
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json
    assert (note["content"], note["created_by"]) == ("Called", organization.users["member"])
    assert member.get(path).json["note_entries"] == [note]
    member.delete(f"{path}/notes/{note['id']}", status=204)
    member.delete(f"{path}/notes/{note['id']}", status=404)
    assert member.get(path).json["note_entries"] == []


def test_the_location_of_a_note_or_task_is_where_it_can_be_read_changed_and_deleted(member, path):
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201)
    task = member.post(f"{path}/tasks", TASK, status=201)
    note_path, task_path = (made.headers["Location"].partition("pipeline.example")[2] for made in (note, task))
    member.put(task_path, TASK, status=200)
    for place, made in ((note_path, note), (task_path, task)):
        assert member.get(place, status=200).json["id"] == made.json["id"]
        member.delete(place, status=204)


def test_a_note_needs_content(member, path):
    assert codes(member.post(f"{path}/notes", {"content": ""}, status=422)) == [("content", "required")]


def test_a_note_of_another_lead_is_not_found(member, path):
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json
    other = member.post("/api/leads", {"first_name": "Kim"}, status=201).json["id"]
    member.delete(f"/api/leads/{other}/notes/{note['id']}", status=404)


@pytest.mark.parametrize(("kind", "body"), [("notes", {"content": "Called"}), ("tasks", TASK)])
def test_a_lead_that_is_deleted_meanwhile_is_not_found(organization, owner_url, member, path, kind, body):
    with ThreadPoolExecutor(1) as pool, psycopg.connect(organization.server(owner_url)) as other:
        other.execute("delete from app.leads where id = %s", (path.rpartition("/")[2],))
        answer = pool.submit(member.post, f"{path}/{kind}", body)
        wait_until_waiting(other)
        other.commit()
        assert answer.result().status_int == 404


def test_a_task_is_created_listed_replaced_and_deleted(organization, member, path):
    body = {**TASK, "assigned_to": organization.users["colleague"]}
    task = member.post(f"{path}/tasks", body, status=201).json
    assert {name: task[name] for name in body} == body
    assert member.get(f"{path}/tasks", status=200).json["data"] == [task]
    assert member.get(path).json["tasks"] == [task]
    changed = member.put(f"{path}/tasks/{task['id']}", {"title": "Write"}, status=200).json
    assert (changed["title"], changed["due_date"], changed["priority"]) == ("Write", None, "medium")
    assert changed["assigned_to"] is None
    member.delete(f"{path}/tasks/{task['id']}", status=204)
    assert member.get(f"{path}/tasks").json["data"] == []


def test_notes_and_tasks_made_after_the_qualification_have_its_links(member, path):
    body = {"create_deal": True, "deal_name": "Licences"}
    links = member.post(f"{path}/qualify", body, status=200).json
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json
    task = member.post(f"{path}/tasks", TASK, status=201).json
    for made in (note, task):
        assert (made["contact_id"], made["deal_id"]) == (links["contact_id"], links["deal_id"])


def test_a_bad_task_is_refused_by_field(member, path):
    bad = {"title": None, "due_date": "2026-02-30", "due_time": "25:00", "priority": "urgent"}
    assert {name for name, _ in codes(member.post(f"{path}/tasks", bad, status=422))} == set(bad)


@pytest.mark.parametrize("field", ["assigned_to", "contact_id", "company_id", "deal_id"])
def test_a_task_names_records_of_the_organization_only(new_organization, member, path, field):
    stranger = new_organization()
    foreign = {
        "assigned_to": stranger.users["member"],
        "contact_id": stranger.insert("contacts", first_name="Eve"),
        "company_id": stranger.insert("companies", name="Evil"),
        "deal_id": stranger.insert("deals", title="Theirs"),
    }[field]
    answer = member.post(f"{path}/tasks", {"title": "Call", field: foreign}, status=422)
    assert codes(answer) == [(field, "unknown_reference")]


def test_without_the_lead_there_is_nothing_to_note_or_do(member):
    for method, rest, body in (
        ("POST", "notes", {"content": "x"}),
        ("POST", "tasks", {"title": "x"}),
        ("GET", "tasks", None),
        ("PUT", "tasks/1", {"title": "x"}),
        ("DELETE", "tasks/1", None),
        ("DELETE", "notes/1", None),
        ("GET", "linked-emails", None),
        ("POST", "qualify", {}),
        ("PUT", "disqualify", {}),
    ):
        assert member.request(method, f"/api/leads/9000000000/{rest}", body).status_int == 404
