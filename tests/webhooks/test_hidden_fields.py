"""The hidden fields of a form in the messages about its lead."""

from urllib.parse import quote

import pytest

from tests.leads.csv_files import imported
from tests.webhooks.conftest import Hook

BODY = {"answers": {"product_line": "server"}}


@pytest.fixture
def capture(organization, anonymous):
    """capture(query): submits a public form with hidden fields."""
    form = organization.public_form(hidden_fields=["utm_source", "campaign"])
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    return lambda query="": anonymous.post(f"{path}?{query}", BODY, status=201)


def fields(crm, receiver):
    """[(event, the hidden fields of its record)] of the received messages."""
    crm.work()
    told = [crm.verified(message) for message in receiver.received]
    return [(message["type"], message["data"]["hidden_fields"]) for message in told]


def test_every_event_of_a_captured_lead_has_its_fields(organization, hook, receiver, capture):
    events = ("lead.created", "lead.captured", "lead.updated", "lead.qualified", "lead.disqualified")
    crm, kept = hook(*events), {"utm_source": "mail", "campaign": "Überraschung 🎉"}
    capture(f"utm_source=mail&campaign={quote(kept['campaign'])}")
    (lead,) = organization.leads()
    path = f"/api/leads/{lead['id']}"
    organization.member.patch(path, {"notes": "Called"}, status=200)
    organization.member.put(f"{path}/disqualify", {"reason": "No budget"}, status=200)
    organization.member.post(f"{path}/qualify", {}, status=200)
    told = fields(crm, receiver)
    assert {event for event, _ in told} == set(events)
    assert all(given == kept for _, given in told)


def test_a_lead_without_fields_has_none_in_its_messages(organization, hook, receiver, capture):
    crm = hook("lead.created", "lead.captured")
    capture()
    organization.member.post("/api/leads", {"first_name": "Pat"}, status=201)
    assert sorted(fields(crm, receiver)) == [("lead.captured", {}), ("lead.created", {}), ("lead.created", {})]


def test_a_lead_changed_by_a_batch_or_an_import_brings_its_fields(organization, hook, receiver, capture):
    capture("campaign=fair")
    ((lead,), crm) = organization.leads(), hook("lead.updated")
    organization.member.post("/api/leads/batch", {"update": [{"id": lead["id"], "notes": "Called"}]}, status=200)
    file = f"id,created_at,notes\n{lead['id']},{lead['created_at']},Again\n"
    assert imported(organization.member, file, "?on_duplicate=update")["updated"] == 1
    assert fields(crm, receiver) == [("lead.updated", {"campaign": "fair"})] * 2


def test_a_hook_of_another_organization_hears_nothing(new_organization, jobs, settings, receiver, capture):
    crm = Hook(new_organization(), jobs, settings, receiver.url, ["lead.created", "lead.captured"])
    capture("campaign=fair")
    assert fields(crm, receiver) == []
