import pytest

from tests.contracts.support import TEMPLATE
from tests.support import codes, held_up

TASK = {
    "title": "Call back",
    "description": "Ask for the budget",
    "due_date": "2026-03-01",
    "due_time": "09:30",
    "priority": "high",
}
BODIES = {"notes": {"content": "Called"}, "tasks": TASK}


def made(organization, kind):
    body = {"first_name": "Pat"}
    if kind == "contracts":
        template = organization.admin.post("/api/contract-templates", TEMPLATE, status=201).json["id"]
        body = {"template_id": template, "effective_date": "2026-02-01"}
    return f"/api/{kind}/{organization.member.post(f'/api/{kind}', body, status=201).json['id']}"


@pytest.fixture(params=["leads", "contracts"])
def kind(request):
    return request.param


@pytest.fixture
def path(organization, kind):
    return made(organization, kind)


def test_a_note_stands_on_its_record_until_it_is_deleted(organization, member, kind, path):
    answer = member.post(f"{path}/notes", BODIES["notes"], status=201)
    note, own = answer.json, f"{path}/notes/{answer.json['id']}"
    assert answer.headers["Location"] == f"https://pipeline.example{own}"
    assert answer.headers["ETag"] == member.get(own, status=200).headers["ETag"]
    assert (note["content"], note["created_by"]) == ("Called", organization.users["member"])
    ids = {"leads": note["lead_id"], "contracts": note["contract_id"]}
    assert ids == {"leads": None, "contracts": None, kind: int(path.rpartition("/")[2])}
    assert member.get(path).json["note_entries"] == [note]
    member.delete(own, status=204)
    member.delete(own, status=404)
    assert member.get(path).json["note_entries"] == []


def test_a_task_is_created_listed_replaced_and_deleted(organization, member, path):
    body = {**TASK, "assigned_to": organization.users["colleague"]}
    task = member.post(f"{path}/tasks", body, status=201).json
    assert {name: task[name] for name in body} == body
    assert member.get(f"{path}/tasks", status=200).json["data"] == member.get(path).json["tasks"] == [task]
    changed = member.put(f"{path}/tasks/{task['id']}", {"title": "Write"}, status=200).json
    assert changed.items() >= {"title": "Write", "due_date": None, "priority": "medium", "assigned_to": None}.items()
    member.delete(f"{path}/tasks/{task['id']}", status=204)
    assert member.get(f"{path}/tasks").json["data"] == []


def test_bad_notes_and_tasks_are_refused_by_field(member, path):
    assert codes(member.post(f"{path}/notes", {"content": ""}, status=422)) == [("content", "required")]
    bad = {"title": None, "due_date": "2026-02-30", "due_time": "25:00", "priority": "urgent"}
    assert {name for name, _ in codes(member.post(f"{path}/tasks", bad, status=422))} == set(bad)


def test_a_note_or_task_of_another_record_is_not_found(organization, member, path):
    for other in (made(organization, "leads"), made(organization, "contracts")):
        note, task = (member.post(f"{other}/{kind}", body).json["id"] for kind, body in BODIES.items())
        member.delete(f"{path}/notes/{note}", status=404)
        member.put(f"{path}/tasks/{task}", TASK, status=404)
        member.delete(f"{path}/tasks/{task}", status=404)


@pytest.mark.parametrize(("entries", "body"), BODIES.items())
def test_a_record_that_is_deleted_meanwhile_is_not_found(owner, member, kind, path, entries, body):
    deleted = f"delete from app.{kind} where id = %s", [path.rpartition("/")[2]]
    assert held_up(owner, *deleted, lambda: member.post(f"{path}/{entries}", body)).status_int == 404


def test_a_task_names_records_of_the_organization_only(new_organization, member, path):
    stranger = new_organization()
    foreign = {
        "assigned_to": stranger.users["member"],
        "contact_id": stranger.insert("contacts", first_name="Eve"),
        "company_id": stranger.insert("companies", name="Evil"),
        "deal_id": stranger.insert("deals", title="Theirs"),
    }
    refused = member.post(f"{path}/tasks", {"title": "Call", **foreign}, status=422)
    assert dict(codes(refused)) == dict.fromkeys(foreign, "unknown_reference")
