import jsonschema_rs
import pytest

from pipeline.changes.webhooks import following
from pipeline.changes.webhooks.events import EVENTS, events_of
from pipeline.database import loads
from tests.contracts import support as contracts
from tests.interviews.language import question, template
from tests.support import interview
from tests.webhooks.conftest import Hook


def is_as_described(document, event, message):
    """Whether a message has the schema of its event in the OpenAPI document."""
    body = document["webhooks"][event]["post"]["requestBody"]["content"]["application/json"]["schema"]
    whole = {**body, "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(whole).is_valid(message)


def verbs(found, subject, id):
    return [event.partition(".")[2] for event, record in found if event.startswith(subject) and record == id]


@pytest.fixture
def told(hook, anonymous):
    """told(): [(event, id of the record)] since the last time, of all events; `told.records` are all so far."""
    everything, described = hook(*EVENTS), anonymous.get("/openapi.json", status=200).json

    def look():
        everything.follow()
        rows = everything.organization.owner.execute(
            "select event, record_id, body from app.webhook_deliveries where webhook_id = %s order by id",
            [everything.id],
        ).fetchall()
        new = [(event, id, loads(body)) for event, id, body in rows[len(look.records) :]]
        for event, id, message in new:
            assert (message["type"], message["data"]["id"]) == (event, id)
            assert is_as_described(described, event, message), message
            look.records.append(message["data"])
        return [(event, id) for event, id, _ in new]

    look.records = []
    return look


def test_a_lead_is_created_updated_qualified_disqualified_and_deleted(organization, new_lead, told):
    first, second = new_lead()["id"], new_lead()["id"]
    organization.member.patch(f"/api/leads/{first}", {"notes": "Called."}, status=200)
    made = organization.member.post(f"/api/leads/{first}/qualify", {"create_deal": True}, status=200).json
    organization.member.put(f"/api/leads/{second}/disqualify", {"reason": "No budget"}, status=200)
    organization.member.delete(f"/api/leads/{second}", status=204)
    found = told()
    assert verbs(found, "lead", first) == ["created", "updated", "updated", "qualified"]
    assert verbs(found, "lead", second) == ["created", "updated", "disqualified", "deleted"]
    assert {("contact.created", made["contact_id"]), ("deal.created", made["deal_id"])} <= set(found)


def test_a_form_that_is_continued_later_is_started_once_by_its_first_answer(organization, told, anonymous):
    organization.public_form()
    for step in ({"_asked": "seats", "seats": "7"}, {}):
        asked = {"_go": "later", "_step": "needs", "_email": "ada@engine.example", **step}
        anonymous.app.post(f"/forms/capture/{organization.name}", asked, status=303)
    by_status = {invite["status"]: invite for invite in organization.member.get("/api/interview-invites").json["data"]}
    assert told() == [("interview.started", by_status["started"]["id"])]
    anonymous.patch(interview(by_status["pending"]), {"answers": {"seats": 7}}, status=200)
    assert told() == [("interview.started", by_status["pending"]["id"])]


def test_a_captured_lead_is_told_as_such_and_its_interview_as_submitted(organization, told):
    organization.public_form(**template(question("first_name")))
    path = f"/api/public/interview/capture/{organization.name}/submit"
    organization.anonymous.post(path, {"answers": {"first_name": "Ada"}}, status=201)
    captured = organization.member.get("/api/leads").json["data"][0]["id"]
    events = [event for event, id in told() if id == captured or event.startswith("interview")]
    assert events == ["lead.created", "lead.captured", "interview.submitted"]


def test_an_interview_is_invited_started_submitted_or_expired(organization, told):
    first, second = organization.invite(), organization.invite(organization.template(slug="other"))
    organization.anonymous.patch(interview(first), {"answers": {"seats": 5}}, status=200)
    organization.anonymous.post(f"{interview(first)}/submit", {"answers": {"product_line": "server"}}, status=200)
    organization.member.put(f"/api/interview-invites/{second['id']}/expire", status=200)
    found = told()
    assert verbs(found, "interview", first["id"]) == ["invited", "started", "submitted"]
    assert verbs(found, "interview", second["id"]) == ["invited", "expired"]


def test_a_contract_is_rendered_once_both_documents_are_there(organization, told):
    made = organization.admin.post("/api/contract-templates", contracts.TEMPLATE, status=201).json["id"]
    body = {"template_id": made, "effective_date": "2026-02-01"}
    contract = organization.member.post("/api/contracts", body, status=201).json["id"]
    file = organization.insert("files", filename="a.pdf", content_type="application/pdf", size=1, sha256="0" * 64)
    organization.insert("contract_documents", contract_id=contract, revision=1, kind="pdf", file_id=file)
    assert told() == [("contract.created", contract)]
    organization.insert("contract_documents", contract_id=contract, revision=1, kind="docx", file_id=file)
    assert told() == [("contract.rendered", contract)]
    path = f"/api/contracts/{contract}/executed"
    contracts.upload(organization.member, path, contracts.pdf_file(), "signed.pdf", status=201)
    assert told() == [(f"contract.{verb}", contract) for verb in ("updated", "status_changed", "executed")]


@pytest.mark.parametrize(
    ("path", "subject", "body", "change"),
    [
        ("companies", "company", {"name": "Acme"}, {"name": "Acme Ltd"}),
        ("contacts", "contact", {"first_name": "Ada"}, {"first_name": "Kim"}),
        ("deals", "deal", {"title": "Deal"}, {"value": 10}),
        ("quotes", "quote", {"lines": [{"sku": "A"}]}, {"lines": [{"sku": "B"}]}),
    ],
)
def test_other_records_are_created_updated_and_deleted(organization, told, path, subject, body, change):
    if path == "quotes":
        body = {**body, "deal_id": organization.insert("deals", title="Deal")}
        told()
    id = organization.member.post(f"/api/{path}", body, status=201).json["id"]
    assert told() == [(f"{subject}.created", id)]
    organization.member.patch(f"/api/{path}/{id}", change, status=200)
    shown = organization.member.get(f"/api/{path}/{id}", status=200).json
    assert (told(), told.records[-1]) == ([(f"{subject}.updated", id)], shown)
    organization.member.delete(f"/api/{path}/{id}", status=204)
    assert (told(), told.records[-1]) == ([(f"{subject}.deleted", id)], {"id": id})


def test_a_record_that_is_gone_before_it_was_told_of_is_told_by_its_id(organization, new_lead, told):
    id = new_lead()["id"]
    organization.member.delete(f"/api/leads/{id}", status=204)
    assert told() == [("lead.created", id), ("lead.deleted", id)]
    assert told.records[0] == {"id": id}


def test_only_what_was_asked_for_is_told_and_only_from_then_on(organization, hook, new_lead, receiver):
    new_lead()
    crm = hook("lead.updated")
    lead = new_lead()
    organization.member.patch(f"/api/leads/{lead['id']}", {"notes": "Called."}, status=200)
    crm.work()
    assert [crm.verified(message)["type"] for message in receiver.received] == ["lead.updated"]


def test_changes_while_a_webhook_is_inactive_are_not_sent(organization, crm, new_lead, receiver):
    organization.admin.patch(crm.path, {"active": False}, status=200)
    new_lead()
    organization.admin.patch(crm.path, {"active": True}, status=200)
    told = new_lead()["id"]
    crm.work()
    assert [crm.verified(message)["data"]["id"] for message in receiver.received] == [told]


def test_a_long_backlog_waits_in_the_record_of_change(organization, crm, monkeypatch):
    monkeypatch.setattr(following, "MOST_OPEN", 50)
    for _ in range(70):
        organization.insert("leads", first_name="Pat")
    crm.follow()
    assert len(crm.deliveries()) == 50
    crm.set(status="'delivered'", next_attempt_at="null", completed_at="now()")
    crm.follow()
    assert len(crm.deliveries()) == 70


def test_large_messages_fill_a_webhook_sooner(organization, hook, monkeypatch):
    monkeypatch.setattr(following, "MOST_BYTES", 1000)
    crm = hook("company.created")
    for _ in range(5):
        organization.insert("companies", name="Acme")
    crm.follow()
    assert 1 <= len(crm.deliveries()) < 5


def test_a_failure_of_one_organization_delays_no_other(new_organization, crm, new_lead, receiver, monkeypatch):
    bad = new_organization()
    theirs = Hook(bad, crm.jobs, crm.settings, receiver.url, ["lead.created"])
    poison, good = bad.insert("leads", first_name="Pat"), new_lead()["id"]

    def failing(change, record):
        return events_of(change, record) if change.record_id != poison else 1 / 0

    monkeypatch.setattr(following, "events_of", failing)
    crm.work()
    assert [crm.verified(message)["data"]["id"] for message in receiver.received] == [good]
    assert theirs.deliveries() == []


def test_the_request_that_made_a_change_stands_in_its_delivery(organization, crm, owner):
    organization.member.post("/api/leads", {"first_name": "Pat"}, headers={"X-Request-Id": "made-by-me"}, status=201)
    crm.follow()
    query = "select request_id from app.webhook_deliveries where webhook_id = %s"
    assert owner.execute(query, [crm.id]).fetchone() == ("made-by-me",)


def test_an_update_names_the_changed_fields_and_no_other_event_does(organization, hook, receiver):
    crm = hook("lead.created", "lead.updated", "lead.qualified", "lead.deleted")
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    organization.member.patch(f"/api/leads/{lead}", {"notes": "Called.", "phone": "+43 1 234567"}, status=200)
    organization.member.post(f"/api/leads/{lead}/qualify", {}, status=200)
    organization.member.delete(f"/api/leads/{lead}", status=204)
    crm.work()
    told = [crm.verified(message) for message in receiver.received]
    assert [(message["type"], message.get("changed")) for message in told] == [
        ("lead.created", None),
        ("lead.updated", ["notes", "phone"]),
        ("lead.updated", ["contact_id", "qualified_at", "status"]),
        ("lead.qualified", None),
        ("lead.deleted", None),
    ]


def test_a_message_has_the_own_fields_and_names_the_changed_ones(organization, hook, receiver):
    field = {"kind": "lead", "key": "seats", "label": "Seats", "type": "number"}
    organization.admin.post("/api/fields", field, status=201)
    crm = hook("lead.created", "lead.updated")
    lead = {"first_name": "Pat", "fields": {"seats": 5}}
    id = organization.member.post("/api/leads", lead, status=201).json["id"]
    organization.member.patch(f"/api/leads/{id}", {"fields": {"seats": 6}}, status=200)
    crm.work()
    told = [crm.verified(message) for message in receiver.received]
    assert [message["data"]["fields"] for message in told] == [{"seats": 6}, {"seats": 6}]
    assert told[1]["changed"] == ["fields.seats"]


def test_a_captured_lead_brings_the_hidden_fields_of_its_form(organization, told, anonymous):
    form = organization.public_form(hidden_fields=["utm_source"])
    path = f"/api/public/interview/capture/{form['public_slug']}/submit?utm_source=mail"
    anonymous.post(path, {"answers": {"product_line": "server"}}, status=201)
    assert "lead.captured" in [event for event, _ in told()]
    assert [record["hidden_fields"] for record in told.records if "hidden_fields" in record] == [
        {"utm_source": "mail"}
    ] * 2
