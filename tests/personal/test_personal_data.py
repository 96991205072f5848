from tests.interviews.language import question, template
from tests.personal.conftest import contract
from tests.support import interview


def data(api, lead):
    return api.get(f"/api/leads/{lead}/personal-data", status=200)


def test_the_file_holds_all_that_is_known_of_the_person(organization, person, met, post):
    made = contract(organization, person)
    post.deliver(organization)
    answer = data(organization.admin, person.lead)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="personal-data-lead-{person.lead}.json"'
    body = answer.json
    assert (body["lead_id"], body["addresses"]) == (person.lead, [person.email.lower()])
    counts = {name: len(body[name]) for name in list(body)[2:]}
    once = ("contacts", "files", "notes", "tasks", "deals", "contracts")
    several = {"leads": 2, "interviews": 2, "emails": 3, "notifications": 2, "signatures": 0, "changes": 12}
    assert counts == {**dict.fromkeys(once, 1), **several}
    # A file is named; its content is read where the interview is.
    assert [word for word in person.words if word not in answer.text] == [person.said["file"]]
    assert body["contracts"][0]["contract_number"] == made["contract_number"]


def test_former_words_of_a_task_are_in_the_file(organization, person, met):
    path = f"/api/leads/{person.lead}/tasks"
    (task,) = organization.member.get(path, status=200).json["data"]
    organization.member.patch(f"{path}/{task['id']}", {"title": "Call"}, status=200)
    changes = [change for change in data(organization.admin, person.lead).json["changes"] if change["type"] == "tasks"]
    assert changes[-1]["changed"] == {"title": {"old": person.said["task"], "new": "Call"}}


def test_answers_stand_beside_what_was_asked(organization, person, met):
    body = data(organization.admin, person.lead).json
    answered, (file,) = body["interviews"][0], body["files"]
    papers = answered["answers"].pop("papers")
    assert answered["answers"] == {"product_line": "server", "notes": person.said["answer"]}
    assert answered["labels"] == {"product_line": "Which product?", "notes": "Anything else?", "papers": "Papers"}
    assert answered["submitted_at"] >= answered["started_at"] >= answered["sent_at"]
    assert answered["opened_at"] is None
    assert {name: file[name] for name in ("id", "filename", "size")} == papers[0]
    assert (file["interview_id"], file["content_type"]) == (answered["id"], "text/plain")


def test_consents_stand_in_the_file_as_they_were_shown(organization, anonymous):
    asked = template(question("terms", "consent", label="I agree to be called."))
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    made = organization.invite(organization.template(**asked), lead_id=lead)
    anonymous.post(interview(made) + "/submit", {"answers": {"terms": True}}, status=200)
    (answered,) = data(organization.admin, lead).json["interviews"]
    assert answered["consents"]["terms"]["text"] == "I agree to be called."


def test_nothing_of_others_is_in_it(organization, new_organization, person, known):
    known(new_organization(), person)
    known(organization, person)
    organization.member.post("/api/leads", {"first_name": "Somebody", "email": "else@prospect.example"}, status=201)
    body = data(organization.admin, person.lead).json
    assert len(body["leads"]) == 2
    assert {record["organization_id"] for record in body["leads"] + body["notes"]} == {organization.id}


def test_thousands_of_notes_come_in_pieces_and_only_the_audit_is_told(organization, owner, person, met):
    owner.execute(
        "insert into app.notes (organization_id, content, lead_id) "
        "select %s, repeat('x', 1000), %s from generate_series(1, 2000)",
        (organization.id, person.lead),
    )
    before = organization.rows()
    path, admin = f"/api/leads/{person.lead}/personal-data", organization.admin
    request = admin.app.RequestClass.blank(path, headers=admin.headers)
    pieces = [len(piece) for piece in admin.app.app(request.environ, lambda *_: None)]
    assert sum(pieces) > 2_000_000
    assert max(pieces) < 100_000
    after = organization.rows()
    (told,) = set(after.pop("changes")) - set(before.pop("changes"))
    assert '"exported"' in told
    assert f'"id": "{person.lead}"' in told
    assert after == before
