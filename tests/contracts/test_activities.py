"""Notes and tasks of contracts, as far as they differ; tests/records has the rest."""

import pytest

from tests.contracts.support import deal


@pytest.fixture
def path(contract):
    return f"/api/contracts/{contract['id']}"


def test_a_note_takes_over_the_contracts_links(organization, member, new_contract):
    contract = new_contract(deal_id=deal(organization))
    note = member.post(f"/api/contracts/{contract['id']}/notes", {"content": "Called"}, status=201).json
    assert (note["deal_id"], note["company_id"]) == (contract["deal_id"], contract["company_id"])


def test_a_task_takes_over_the_contracts_links_where_it_names_none(organization, member, new_contract):
    contract = new_contract(deal_id=deal(organization))
    other = organization.insert("companies", name="Another")
    body = {"title": "Call", "company_id": other}
    task = member.post(f"/api/contracts/{contract['id']}/tasks", body, status=201).json
    assert (task["deal_id"], task["company_id"]) == (contract["deal_id"], other)


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
