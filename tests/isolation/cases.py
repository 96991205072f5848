"""One row for each route: how its records come to be, the body to send, and how a stranger is denied."""

import uuid
from collections.abc import Callable
from typing import NamedTuple

from tests.conftest import PASSWORD
from tests.contracts import support as contracts
from tests.leads.csv_files import multipart
from tests.support import TEMPLATE, Organization, interview


class Case(NamedTuple):
    """`arrange(organization)` returns the path's ids (and further ids for the body); `body(ids)` a valid
    body: data for JSON, bytes for a form.

    `denied` is the status a stranger gets; None where everybody may call (lists, own account) and the answer
    must only hold nothing of the victim.
    """

    arrange: Callable = lambda organization: {}
    body: Callable | None = None
    denied: int | None = 404


def notification(organization):
    """Something each person of the organization is told, named after it; the id is the admin's."""
    told = [
        organization.insert(
            "notifications",
            user_id=organization.users[person],
            event="lead_captured",
            effect_key="lead_captured:1",
            title=organization.name,
        )
        for person in ("member", "admin")
    ]
    return {"id": told[-1]}


def session(organization):
    """One more session of the admin's."""
    return {"id": organization.session(organization.users["admin"])}


def switchable(organization):
    """What the admin needs to switch to the organization: its id and a refresh token of their session."""
    token = organization.refresh_token(organization.sessions[organization.users["admin"]])
    return {"organization_id": organization.id, "refresh_token": token}


def switch_body(ids):
    return {**ids, "refresh_token": str(ids["refresh_token"])}


def password_body(ids):
    return {"current_password": PASSWORD, "new_password": "rather violet umbrella 7"}


def template(organization):
    return {"id": organization.template()["id"]}


def invite(organization):
    return {"id": organization.invite()["id"]}


def seedable(organization):
    """A submitted invite with a deal and a definition that fits its answers."""
    organization.insert("configurator_definitions", name="Server", slug="server")
    made = organization.invite(deal_id=organization.insert("deals", title=organization.name))
    organization.anonymous.post(interview(made) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    return {"id": made["id"]}


def template_body(ids):
    return {**TEMPLATE, "slug": "another"}


def invite_body(ids):
    return {"template_id": ids["template_id"], "recipient_email": "pat@prospect.example"}


def lead(organization):
    """A lead named after its organization, with a note and a task."""
    made = organization.member.post("/api/leads", {"first_name": organization.name}, status=201).json["id"]
    path = f"/api/leads/{made}"
    return {
        "id": made,
        "noteId": organization.member.post(f"{path}/notes", {"content": organization.name}, status=201).json["id"],
        "taskId": organization.member.post(f"{path}/tasks", {"title": organization.name}, status=201).json["id"],
    }


def erasable(organization):
    """A lead without an address, which is confirmed by its name."""
    return {**lead(organization), "name": organization.name}


def lead_file(ids):
    """A form with a CSV file."""
    return multipart(b"first_name,email\nPat,pat@prospect.example\n")


def lead_body(ids):
    return {"first_name": "Pat", "status": "contacted"}


def task_body(ids):
    return {"title": "Call"}


def uploaded(organization):
    """An invite with a file that its prospect has uploaded, both named after the organization."""
    questions = [{"key": "papers", "type": "file", "label": "Papers"}]
    template = organization.template(questions=questions, pages=[{"key": "one", "questions": ["papers"]}])
    invite = organization.invite(template, recipient_name=organization.name)
    content, name = organization.name.encode(), f"{organization.name}.txt"
    path = f"/api/public/interview/{invite['token']}/files?question=papers"
    saved = organization.member.app.post(path, upload_files=[("file", name, content)], status=201).json
    return {"id": invite["id"], "fileId": saved["answers"]["papers"][0]["id"]}


def contract_template(organization):
    """A contract template named after its organization."""
    body = {**contracts.TEMPLATE, "name": organization.name}
    return {"id": organization.admin.post("/api/contract-templates", body, status=201).json["id"]}


def logo_template(organization):
    """A contract template with a logo."""
    ids = contract_template(organization)
    path = f"/api/contract-templates/{ids['id']}/logo"
    contracts.upload(organization.admin, path, contracts.image_file("PNG"), "a.png", "logo", status=201)
    return ids


def previewable(organization):
    """A deal, of which a preview would tell."""
    return {"deal_id": organization.insert("deals", title=organization.name)}


def preview_body(ids):
    return {"content": "<p>{{Deal.title}}</p>", **ids}


def contract(organization):
    """A contract named after its organization, with a note and a task."""
    body = {"template_id": contract_template(organization)["id"], "effective_date": "2026-02-01"}
    made = organization.member.post("/api/contracts", {**body, "name": organization.name}, status=201).json["id"]
    path = f"/api/contracts/{made}"
    return {
        "id": made,
        "template_id": body["template_id"],
        "noteId": organization.member.post(f"{path}/notes", {"content": organization.name}, status=201).json["id"],
        "taskId": organization.member.post(f"{path}/tasks", {"title": organization.name}, status=201).json["id"],
    }


def executed_contract(organization):
    """A contract with an executed copy."""
    ids = contract(organization)
    path = f"/api/contracts/{ids['id']}/executed"
    contracts.upload(organization.member, path, contracts.pdf_file(), f"{organization.name}.pdf", status=201)
    return ids


def contract_body(ids):
    return {"template_id": ids["template_id"], "effective_date": "2026-02-01"}


def signed_copy(ids):
    return multipart(contracts.pdf_file(), filename="signed.pdf")


def logo_file(ids):
    return multipart(contracts.image_file("PNG"), "logo", "logo.png")


def record(table, **values):
    """arrange: a row named after its organization, written directly."""
    return lambda organization: {
        "id": organization.insert(table, **{field: value or organization.name for field, value in values.items()})
    }


def configured(organization):
    """A deal, a definition and a configuration of them."""
    deal = organization.insert("deals", title=organization.name)
    definition = organization.insert("configurator_definitions", name=organization.name, slug=organization.name)
    made = organization.insert("configurations", deal_id=deal, definition_id=definition)
    return {"id": made, "deal_id": deal, "definition_id": definition}


def quote(organization):
    deal = organization.insert("deals", title=organization.name)
    return {"id": organization.insert("quotes", deal_id=deal, quote_number=organization.name), "deal_id": deal}


def api_key(organization):
    """A key named after its organization."""
    return {"id": organization.admin.post("/api/api-keys", {"name": organization.name}, status=201).json["id"]}


def removable_user(organization):
    """A seat that nothing refers to."""
    return {"id": organization.users["colleague"]}


def invited_user(organization):
    """Somebody who is invited."""
    body = {"email": f"{uuid.uuid4().hex}@new.example", "name": organization.name}
    return {"id": organization.admin.post("/api/users", body, status=201).json["id"]}


def invited_admin(organization):
    """An invitation by another organization to the admin of this one."""
    email = f"admin@{organization.name}.example"
    inviting = Organization(
        organization.app, organization.owner, f"org-{uuid.uuid4().hex[:12]}", None, organization.tokens
    )
    return {"id": inviting.admin.post("/api/users", {"email": email}, status=201).json["id"]}


def quote_body(ids):
    return {"deal_id": ids["deal_id"], "lines": [{"sku": "A"}]}


def configuration_body(ids):
    return {"deal_id": ids["deal_id"], "definition_id": ids["definition_id"]}


def organization_logo(organization):
    """The organization shows a logo."""
    contracts.upload(
        organization.admin, "/api/organization/logo", contracts.image_file("PNG"), "a.png", "logo", status=201
    )
    return {}


def organization_body(ids):
    return {"name": "Changed", "slug": f"changed-{uuid.uuid4().hex[:12]}"}


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


def webhook(organization):
    """A webhook named after its organization, with a delivery."""
    body = {"url": f"http://127.0.0.1:1/{organization.name}", "events": ["lead.created"]}
    made = organization.admin.post("/api/webhooks", body, status=201).json["id"]
    return {"id": made, "deliveryId": organization.admin.post(f"/api/webhooks/{made}/test", status=200).json["id"]}


def webhook_body(ids):
    return {"url": "http://127.0.0.1:1/another", "events": ["lead.deleted"]}


CASES = {
    **RECORDS,
    **crud("/api/webhooks", webhook, webhook_body, webhook_body),
    ("POST", "/api/webhooks/{id}/rotate"): Case(webhook),
    ("POST", "/api/webhooks/{id}/test"): Case(webhook),
    ("GET", "/api/webhooks/{id}/deliveries"): Case(webhook),
    ("POST", "/api/webhooks/{id}/deliveries/{deliveryId}/redeliver"): Case(webhook),
    ("GET", "/api/api-keys"): Case(api_key, denied=None),
    ("POST", "/api/api-keys"): Case(body=lambda ids: {"name": "CRM"}, denied=None),
    ("GET", "/api/api-keys/{id}"): Case(api_key),
    ("PUT", "/api/api-keys/{id}"): Case(api_key, lambda ids: {"name": "ERP"}),
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
    ("DELETE", "/api/leads/{id}/notes/{noteId}"): Case(lead),
    ("GET", "/api/leads/{id}/tasks"): Case(lead),
    ("POST", "/api/leads/{id}/tasks"): Case(lead, task_body),
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
    ("DELETE", "/api/contracts/{id}/notes/{noteId}"): Case(contract),
    ("GET", "/api/contracts/{id}/tasks"): Case(contract),
    ("POST", "/api/contracts/{id}/tasks"): Case(contract, task_body),
    ("PUT", "/api/contracts/{id}/tasks/{taskId}"): Case(contract, task_body),
    ("DELETE", "/api/contracts/{id}/tasks/{taskId}"): Case(contract),
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
