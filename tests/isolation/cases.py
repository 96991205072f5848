"""One row for each route: its records, the body to send, and the response to a stranger."""

import uuid
from collections.abc import Callable
from typing import NamedTuple

from tests.contracts import support as contracts
from tests.isolation.prepared import (
    api_key,
    configuration_body,
    configured,
    contract,
    contract_body,
    contract_template,
    erasable,
    executed_contract,
    invite,
    invite_body,
    invited_admin,
    invited_user,
    lead,
    lead_body,
    lead_file,
    logo_file,
    logo_template,
    notification,
    organization_body,
    organization_logo,
    password_body,
    preview_body,
    previewable,
    quote,
    quote_body,
    record,
    removable_user,
    seedable,
    session,
    signable,
    signature_body,
    signed_copy,
    switch_body,
    switchable,
    task_body,
    template,
    template_body,
    uploaded,
)


class Case(NamedTuple):
    """`arrange(organization)` returns the path's ids (and further ids for the body); `body(ids)` a valid
    body: data for JSON, bytes for a form.

    `denied` is the status a stranger gets; None where everybody may call (lists, own account) and the answer
    must only hold nothing of the victim.
    """

    arrange: Callable = lambda organization: {}
    body: Callable | None = None
    denied: int | None = 404


def crud(path, arrange, create, update, reference=None):
    """The five rows of a supporting record; `create` takes the ids of `reference`, of records that it refers to."""
    return {
        ("GET", path): Case(arrange, denied=None),
        ("POST", path): Case(reference, create, denied=422) if reference else Case(body=create, denied=None),
        ("GET", f"{path}/{{id}}"): Case(arrange),
        ("PUT", f"{path}/{{id}}"): Case(arrange, update),
        ("DELETE", f"{path}/{{id}}"): Case(arrange),
    }


RECORDS = {
    **crud("/api/companies", record("companies", name=None), lambda ids: {"name": "C"}, lambda ids: {"name": "C"}),
    **crud(
        "/api/contacts",
        record("contacts", first_name=None),
        lambda ids: {"first_name": "Ada", "company_id": ids["id"]},
        lambda ids: {"first_name": "Ada"},
        reference=record("companies", name=None),
    ),
    **crud("/api/deal-stages", record("deal_stages", name=None), lambda ids: {"name": "S"}, lambda ids: {"name": "S"}),
    **crud(
        "/api/deals",
        record("deals", title=None),
        lambda ids: {"title": "D", "stage_id": ids["id"]},
        lambda ids: {"title": "D"},
        reference=record("deal_stages", name=None),
    ),
    **crud(
        "/api/configurator-definitions",
        record("configurator_definitions", name=None, slug=None),
        lambda ids: {"name": "D", "slug": "d"},
        lambda ids: {"name": "D", "slug": "d"},
    ),
    **crud("/api/teams", record("teams", name=None), lambda ids: {"name": "T"}, lambda ids: {"name": "T"}),
    **crud(
        "/api/users",
        removable_user,
        lambda ids: {"email": f"{uuid.uuid4().hex}@new.example", "name": "Kim", "team_id": ids["id"]},
        lambda ids: {"role": "member"},
        reference=record("teams", name=None),
    ),
    **crud("/api/quotes", quote, quote_body, quote_body, reference=quote),
    **crud("/api/configurations", configured, configuration_body, configuration_body, reference=configured),
    ("POST", "/api/users/{id}/invite"): Case(invited_user),
    ("GET", "/api/organization"): Case(denied=None),
    ("PUT", "/api/organization"): Case(body=organization_body, denied=None),
    ("POST", "/api/organization/logo"): Case(body=logo_file, denied=None),
    ("DELETE", "/api/organization/logo"): Case(organization_logo),
}


def change(ids):
    """A batch that changes a record."""
    return {"update": [{"id": ids["id"]}]}


BATCHES = {
    ("POST", "/api/leads/batch"): Case(lead, change, denied=422),
    ("POST", "/api/companies/batch"): Case(record("companies", name=None), change, denied=422),
    ("POST", "/api/contacts/batch"): Case(record("contacts", first_name=None), change, denied=422),
    ("POST", "/api/deals/batch"): Case(record("deals", title=None), change, denied=422),
}


def webhook(organization):
    """A webhook named after its organization, with a delivery."""
    body = {"url": f"http://127.0.0.1:1/{organization.name}", "events": ["lead.created"]}
    made = organization.admin.post("/api/webhooks", body, status=201).json["id"]
    return {"id": made, "deliveryId": organization.admin.post(f"/api/webhooks/{made}/test", status=200).json["id"]}


def webhook_body(ids):
    return {"url": "http://127.0.0.1:1/another", "events": ["lead.deleted"]}


CASES = {
    **RECORDS,
    **BATCHES,
    **crud("/api/webhooks", webhook, webhook_body, webhook_body),
    ("POST", "/api/webhooks/{id}/rotate"): Case(webhook),
    ("POST", "/api/webhooks/{id}/test"): Case(webhook),
    ("GET", "/api/webhooks/{id}/deliveries"): Case(webhook),
    ("GET", "/api/webhooks/{id}/deliveries/{deliveryId}"): Case(webhook),
    ("POST", "/api/webhooks/{id}/deliveries/{deliveryId}/redeliver"): Case(webhook),
    ("GET", "/api/api-keys"): Case(api_key, denied=None),
    ("POST", "/api/api-keys"): Case(body=lambda ids: {"name": "CRM", "scopes": ["all"]}, denied=None),
    ("GET", "/api/api-keys/{id}"): Case(api_key),
    ("PUT", "/api/api-keys/{id}"): Case(api_key, lambda ids: {"name": "ERP", "scopes": ["all"]}),
    ("DELETE", "/api/api-keys/{id}"): Case(api_key),
    ("GET", "/api/auth/me"): Case(denied=None),
    ("POST", "/api/auth/organization"): Case(switchable, switch_body, denied=401),
    ("GET", "/api/auth/sessions"): Case(session, denied=None),
    ("DELETE", "/api/auth/sessions"): Case(session, denied=None),
    ("DELETE", "/api/auth/sessions/{id}"): Case(session),
    ("PUT", "/api/auth/password"): Case(body=password_body, denied=None),
    ("PUT", "/api/auth/me"): Case(body=lambda ids: {"name": "Kim"}, denied=None),
    ("POST", "/api/auth/invitations/{id}/accept"): Case(invited_admin),
    ("DELETE", "/api/auth/invitations/{id}"): Case(invited_admin),
    ("GET", "/api/leads"): Case(lead, denied=None),
    ("POST", "/api/leads"): Case(
        lambda organization: {"assigned_to": organization.users["member"]},
        lambda ids: {"first_name": "Pat", "assigned_to": ids["assigned_to"]},
        denied=422,
    ),
    ("GET", "/api/leads/template"): Case(denied=None),
    ("GET", "/api/leads/export"): Case(lead, denied=None),
    ("POST", "/api/leads/import"): Case(lead, lead_file, denied=None),
    ("GET", "/api/leads/match-company"): Case(denied=None),
    ("GET", "/api/leads/match-contact"): Case(denied=None),
    ("GET", "/api/leads/{id}"): Case(lead),
    ("PUT", "/api/leads/{id}"): Case(lead, lead_body),
    ("DELETE", "/api/leads/{id}"): Case(lead),
    ("POST", "/api/leads/{id}/qualify"): Case(lead, lambda ids: {"create_deal": True}),
    ("PUT", "/api/leads/{id}/disqualify"): Case(lead, lambda ids: {"reason": "No budget"}),
    ("GET", "/api/leads/{id}/notes"): Case(lead),
    ("POST", "/api/leads/{id}/notes"): Case(lead, lambda ids: {"content": "Called"}),
    ("GET", "/api/leads/{id}/notes/{noteId}"): Case(lead),
    ("DELETE", "/api/leads/{id}/notes/{noteId}"): Case(lead),
    ("GET", "/api/leads/{id}/tasks"): Case(lead),
    ("POST", "/api/leads/{id}/tasks"): Case(lead, task_body),
    ("GET", "/api/leads/{id}/tasks/{taskId}"): Case(lead),
    ("PUT", "/api/leads/{id}/tasks/{taskId}"): Case(lead, task_body),
    ("DELETE", "/api/leads/{id}/tasks/{taskId}"): Case(lead),
    ("GET", "/api/leads/{id}/linked-emails"): Case(lead),
    ("GET", "/api/leads/{id}/personal-data"): Case(lead),
    ("POST", "/api/leads/{id}/erase"): Case(erasable, lambda ids: {"confirm": str(ids["name"])}),
    ("GET", "/api/changes"): Case(lead, denied=None),
    ("GET", "/api/audit"): Case(lead, denied=None),
    ("GET", "/api/audit/export"): Case(lead, denied=None),
    ("GET", "/api/notifications"): Case(notification, denied=None),
    ("GET", "/api/notifications/{id}"): Case(notification),
    ("PUT", "/api/notifications/{id}/read"): Case(notification),
    ("PUT", "/api/notifications/read-all"): Case(notification, denied=None),
    **crud(
        "/api/clauses",
        record("clauses", key="liability", name=None, content="<p>Text</p>"),
        lambda ids: {"key": "term", "name": "Term", "content": "<p>Text</p>"},
        lambda ids: {"name": "Term", "content": "<p>Text</p>"},
    ),
    **crud(
        "/api/contract-fields",
        record("contract_fields", key="cap", label="Cap", type="money"),
        lambda ids: {"key": "law", "label": "Law", "type": "text"},
        lambda ids: {"label": "Limit"},
    ),
    ("GET", "/api/contract-templates"): Case(contract_template, denied=None),
    ("POST", "/api/contract-templates"): Case(body=lambda ids: contracts.TEMPLATE, denied=None),
    ("POST", "/api/contract-templates/preview"): Case(previewable, preview_body, denied=422),
    ("GET", "/api/contract-templates/tags"): Case(denied=None),
    ("GET", "/api/contract-templates/tags/pdf"): Case(denied=None),
    ("GET", "/api/contract-templates/{id}"): Case(contract_template),
    ("PUT", "/api/contract-templates/{id}"): Case(contract_template, lambda ids: {"name": "Another"}),
    ("DELETE", "/api/contract-templates/{id}"): Case(contract_template),
    ("POST", "/api/contract-templates/{id}/logo"): Case(contract_template, logo_file),
    ("DELETE", "/api/contract-templates/{id}/logo"): Case(logo_template),
    ("GET", "/api/contracts"): Case(contract, denied=None),
    ("POST", "/api/contracts"): Case(
        lambda organization: {"template_id": contract_template(organization)["id"]}, contract_body, denied=422
    ),
    ("GET", "/api/contracts/{id}"): Case(contract),
    ("PUT", "/api/contracts/{id}"): Case(contract, contract_body),
    ("DELETE", "/api/contracts/{id}"): Case(contract),
    ("GET", "/api/contracts/{id}/pdf"): Case(contract),
    ("GET", "/api/contracts/{id}/docx"): Case(contract),
    ("GET", "/api/contracts/{id}/redline"): Case(contract),
    ("PUT", "/api/contracts/{id}/regenerate"): Case(contract),
    ("GET", "/api/contracts/{id}/notes"): Case(contract),
    ("POST", "/api/contracts/{id}/notes"): Case(contract, lambda ids: {"content": "Called"}),
    ("GET", "/api/contracts/{id}/notes/{noteId}"): Case(contract),
    ("DELETE", "/api/contracts/{id}/notes/{noteId}"): Case(contract),
    ("GET", "/api/contracts/{id}/tasks"): Case(contract),
    ("POST", "/api/contracts/{id}/tasks"): Case(contract, task_body),
    ("GET", "/api/contracts/{id}/tasks/{taskId}"): Case(contract),
    ("PUT", "/api/contracts/{id}/tasks/{taskId}"): Case(contract, task_body),
    ("DELETE", "/api/contracts/{id}/tasks/{taskId}"): Case(contract),
    ("GET", "/api/contracts/{id}/signature-requests"): Case(signable),
    ("POST", "/api/contracts/{id}/signature-requests"): Case(contract, signature_body),
    ("GET", "/api/contracts/{id}/signature-requests/{requestId}"): Case(signable),
    ("POST", "/api/contracts/{id}/signature-requests/{requestId}/remind"): Case(signable),
    ("POST", "/api/contracts/{id}/signature-requests/{requestId}/cancel"): Case(signable),
    ("GET", "/api/contracts/{id}/signature"): Case(signable),
    ("GET", "/api/contracts/{id}/signature/document"): Case(signable),
    ("GET", "/api/contracts/{id}/executed"): Case(executed_contract),
    ("POST", "/api/contracts/{id}/executed"): Case(contract, signed_copy),
    ("DELETE", "/api/contracts/{id}/executed"): Case(executed_contract),
    ("GET", "/api/interview-templates"): Case(template, denied=None),
    ("POST", "/api/interview-templates"): Case(body=template_body, denied=None),
    ("GET", "/api/interview-templates/{id}"): Case(template),
    ("PUT", "/api/interview-templates/{id}"): Case(template, template_body),
    ("DELETE", "/api/interview-templates/{id}"): Case(template),
    ("POST", "/api/interview-templates/{id}/preview"): Case(template),
    ("GET", "/api/interview-templates/{id}/statistics"): Case(template),
    ("GET", "/api/interview-invites"): Case(invite, denied=None),
    ("POST", "/api/interview-invites"): Case(
        lambda organization: {"template_id": organization.template()["id"]}, invite_body, denied=422
    ),
    ("GET", "/api/interview-invites/{id}"): Case(invite),
    ("DELETE", "/api/interview-invites/{id}"): Case(invite),
    ("PUT", "/api/interview-invites/{id}/expire"): Case(invite),
    ("GET", "/api/interview-invites/{id}/responses"): Case(invite),
    ("GET", "/api/interview-invites/{id}/responses.csv"): Case(invite),
    ("GET", "/api/interview-invites/{id}/responses.pdf"): Case(invite),
    ("GET", "/api/interview-invites/{id}/files/{fileId}"): Case(uploaded),
    ("POST", "/api/interview-invites/{id}/seed-configuration"): Case(seedable),
}

# What changes no record, or not by its fields.
ACTIONS = ("password", "read", "read-all", "disqualify", "expire", "regenerate")
# What takes a record's fields as a whole takes some of them, too.
CASES |= {
    ("PATCH", path): case
    for (method, path), case in CASES.items()
    if method == "PUT" and path.rpartition("/")[2] not in ACTIONS
}

# Without a token by design; tests/interviews and tests/accounts show what they let through.
OPEN = [
    ("POST", "/api/auth/login"),
    ("POST", "/api/auth/refresh"),
    ("POST", "/api/auth/logout"),
    ("POST", "/api/auth/password/forgot"),
    ("POST", "/api/auth/password/reset"),
    ("POST", "/api/auth/activate"),
    ("GET", "/api/public/interview/{token}"),
    ("PATCH", "/api/public/interview/{token}"),
    ("POST", "/api/public/interview/{token}/submit"),
    ("POST", "/api/public/interview/{token}/files"),
    ("DELETE", "/api/public/interview/{token}/files/{fileId}"),
    ("GET", "/api/public/interview/capture/{slug}"),
    ("POST", "/api/public/interview/capture/{slug}/submit"),
]
