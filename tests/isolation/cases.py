"""One row for each route: its records, the body to send, and the response to a stranger."""

import functools
import uuid
from collections.abc import Callable
from typing import NamedTuple

from tests.conftest import PASSWORD
from tests.contracts import support as contracts
from tests.isolation import prepared
from tests.isolation.prepared import record
from tests.leads.csv_files import multipart
from tests.support import TEMPLATE


class Case(NamedTuple):
    """`arrange(organization)` returns the path's ids (and further ids for the body); `body(ids)` a valid
    body: data for JSON, bytes for a form.

    `denied` is the status a stranger gets; None where everybody may call (lists, own account) and the answer
    must only hold nothing of the victim.
    """

    arrange: Callable
    body: Callable | None
    denied: int | None


def nothing(organization):
    return {}


class Id(str):
    """In a body: the id of this name."""


def filled(body, ids):
    """A body with the ids in the place of their names."""
    if isinstance(body, dict):
        return {name: filled(value, ids) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(value, ids) for value in body]
    return ids[body] if isinstance(body, Id) else body


def at(path, arrange, *methods, denied=404, **bodies):
    """The rows of a path: of the methods without a body, and of those with one, which may be a function of the ids."""
    given = {method: body if callable(body) else functools.partial(filled, body) for method, body in bodies.items()}
    return {(method, path): Case(arrange, given.get(method), denied) for method in (*methods, *given)}


def crud(path, arrange, body, create=None, reference=None):
    """The rows of a kind of record; `create` takes the ids of `reference`, of records that it refers to."""
    return {
        **at(path, arrange, "GET", denied=None),
        **at(path, reference or nothing, POST=create or body, denied=422 if reference else None),
        **at(f"{path}/{{id}}", arrange, "GET", "DELETE", PUT=body),
    }


def notes_and_tasks(path, arrange):
    return {
        **at(f"{path}/notes", arrange, "GET", POST={"content": "Called"}),
        **at(f"{path}/notes/{{noteId}}", arrange, "GET", "DELETE"),
        **at(f"{path}/tasks", arrange, "GET", POST={"title": "Call"}),
        **at(f"{path}/tasks/{{taskId}}", arrange, "GET", "DELETE", PUT={"title": "Call"}),
    }


def user(ids):
    return {"email": f"{uuid.uuid4().hex}@new.example", "name": "Kim", "team_id": ids["id"]}


def organization(ids):
    return {"name": "Changed", "slug": f"changed-{uuid.uuid4().hex[:12]}"}


COLLEAGUE = {"first_name": "Ada", "company_id": Id("id")}
QUOTE = {"deal_id": Id("deal_id"), "lines": [{"sku": "A"}]}
BATCH = {"update": [{"id": Id("id")}]}
CONTRACT = {"template_id": Id("template_id"), "effective_date": "2026-02-01"}
CONFIGURATION = {"deal_id": Id("deal_id"), "definition_id": Id("definition_id")}
COMPANY, STAGE, TEAM = (record(table, name=None) for table in ("companies", "deal_stages", "teams"))
CONTACT, DEAL = record("contacts", first_name=None), record("deals", title=None)
DEFINITION = record("configurator_definitions", name=None, slug=None)
CLAUSE = record("clauses", key="liability", name=None, content="<p>Text</p>")
FIELD = record("contract_fields", key="cap", label="Cap", type="money")
TERM = {"name": "Term", "content": "<p>Text</p>"}
LOGO = multipart(contracts.image_file("PNG"), "logo", "logo.png")
SIGNED_COPY = multipart(contracts.pdf_file(), filename="signed.pdf")
LEADS = multipart(b"first_name,email\nPat,pat@prospect.example\n")
WEBHOOK = {"url": "http://127.0.0.1:1/another", "events": ["lead.deleted"]}
PASSWORDS = {"current_password": PASSWORD, "new_password": "rather violet umbrella 7"}

CASES = {
    **crud("/api/companies", COMPANY, {"name": "C"}),
    **crud("/api/contacts", CONTACT, {"first_name": "Ada"}, create=COLLEAGUE, reference=COMPANY),
    **crud("/api/deal-stages", STAGE, {"name": "S"}),
    **crud("/api/deals", DEAL, {"title": "D"}, create={"title": "D", "stage_id": Id("id")}, reference=STAGE),
    **crud("/api/configurator-definitions", DEFINITION, {"name": "D", "slug": "d"}),
    **crud("/api/quotes", prepared.quote, QUOTE, reference=prepared.quote),
    **crud("/api/configurations", prepared.configured, CONFIGURATION, reference=prepared.configured),
    **crud("/api/teams", TEAM, {"name": "T"}),
    **crud("/api/users", prepared.removable_user, {"role": "member"}, create=user, reference=TEAM),
    **at("/api/users/{id}/invite", prepared.invited_user, "POST"),
    **at("/api/organization", nothing, "GET", PUT=organization, denied=None),
    **at("/api/organization/logo", nothing, POST=LOGO, denied=None),
    **at("/api/organization/logo", prepared.organization_logo, "DELETE"),
    **at("/api/leads/batch", prepared.lead, POST=BATCH, denied=422),
    **at("/api/companies/batch", COMPANY, POST=BATCH, denied=422),
    **at("/api/contacts/batch", CONTACT, POST=BATCH, denied=422),
    **at("/api/deals/batch", DEAL, POST=BATCH, denied=422),
    **crud("/api/webhooks", prepared.webhook, WEBHOOK),
    **at("/api/webhooks/{id}/rotate", prepared.webhook, "POST"),
    **at("/api/webhooks/{id}/test", prepared.webhook, "POST"),
    **at("/api/webhooks/{id}/deliveries", prepared.webhook, "GET"),
    **at("/api/webhooks/{id}/deliveries/{deliveryId}", prepared.webhook, "GET"),
    **at("/api/webhooks/{id}/deliveries/{deliveryId}/redeliver", prepared.webhook, "POST"),
    **crud("/api/api-keys", prepared.api_key, {"name": "ERP", "scopes": ["all"]}),
    **at("/api/auth/me", nothing, "GET", PUT={"name": "Kim"}, denied=None),
    **at("/api/auth/organization", prepared.switchable, POST=prepared.switch_body, denied=401),
    **at("/api/auth/sessions", prepared.session, "GET", "DELETE", denied=None),
    **at("/api/auth/sessions/{id}", prepared.session, "DELETE"),
    **at("/api/auth/password", nothing, PUT=PASSWORDS, denied=None),
    **at("/api/auth/invitations/{id}/accept", prepared.invited_admin, "POST"),
    **at("/api/auth/invitations/{id}", prepared.invited_admin, "DELETE"),
    **at("/api/leads", prepared.lead, "GET", denied=None),
    **at("/api/leads", prepared.assignee, POST={"first_name": "Pat", "assigned_to": Id("assigned_to")}, denied=422),
    **at("/api/leads/template", nothing, "GET", denied=None),
    **at("/api/leads/export", prepared.lead, "GET", denied=None),
    **at("/api/leads/import", prepared.lead, POST=LEADS, denied=None),
    **at("/api/leads/match-company", nothing, "GET", denied=None),
    **at("/api/leads/match-contact", nothing, "GET", denied=None),
    **at("/api/leads/{id}", prepared.lead, "GET", "DELETE", PUT={"first_name": "Pat", "status": "contacted"}),
    **at("/api/leads/{id}/qualify", prepared.lead, POST={"create_deal": True}),
    **at("/api/leads/{id}/disqualify", prepared.lead, PUT={"reason": "No budget"}),
    **notes_and_tasks("/api/leads/{id}", prepared.lead),
    **at("/api/leads/{id}/linked-emails", prepared.lead, "GET"),
    **at("/api/leads/{id}/personal-data", prepared.lead, "GET"),
    # Without an address it is confirmed by its name.
    **at("/api/leads/{id}/erase", prepared.lead, POST=lambda ids: {"confirm": str(ids["name"])}),
    **at("/api/changes", prepared.lead, "GET", denied=None),
    **at("/api/audit", prepared.lead, "GET", denied=None),
    **at("/api/audit/export", prepared.lead, "GET", denied=None),
    **at("/api/notifications", prepared.notification, "GET", denied=None),
    **at("/api/notifications/{id}", prepared.notification, "GET"),
    **at("/api/notifications/{id}/read", prepared.notification, "PUT"),
    **at("/api/notifications/read-all", prepared.notification, "PUT", denied=None),
    **crud("/api/clauses", CLAUSE, TERM, create={"key": "term", **TERM}),
    **crud("/api/contract-fields", FIELD, {"label": "Limit"}, create={"key": "law", "label": "Law", "type": "text"}),
    **crud("/api/contract-templates", prepared.contract_template, {"name": "Another"}, create=contracts.TEMPLATE),
    **at(
        "/api/contract-templates/preview",
        DEAL,
        POST={"content": "<p>{{Deal.title}}</p>", "deal_id": Id("id")},
        denied=422,
    ),
    **at("/api/contract-templates/tags", nothing, "GET", denied=None),
    **at("/api/contract-templates/tags/pdf", nothing, "GET", denied=None),
    **at("/api/contract-templates/{id}/logo", prepared.contract_template, POST=LOGO),
    **at("/api/contract-templates/{id}/logo", prepared.logo_template, "DELETE"),
    **crud("/api/contracts", prepared.contract, CONTRACT, reference=prepared.contract),
    **at("/api/contracts/{id}/pdf", prepared.contract, "GET"),
    **at("/api/contracts/{id}/docx", prepared.contract, "GET"),
    **at("/api/contracts/{id}/redline", prepared.contract, "GET"),
    **at("/api/contracts/{id}/regenerate", prepared.contract, "PUT"),
    **notes_and_tasks("/api/contracts/{id}", prepared.contract),
    **at("/api/contracts/{id}/signature-requests", prepared.signable, "GET"),
    **at("/api/contracts/{id}/signature-requests", prepared.contract, POST=prepared.SIGNERS),
    **at("/api/contracts/{id}/signature-requests/{requestId}", prepared.signable, "GET"),
    **at("/api/contracts/{id}/signature-requests/{requestId}/remind", prepared.signable, "POST"),
    **at("/api/contracts/{id}/signature-requests/{requestId}/cancel", prepared.signable, "POST"),
    **at("/api/contracts/{id}/signature", prepared.signable, "GET"),
    **at("/api/contracts/{id}/signature/document", prepared.signable, "GET"),
    **at("/api/contracts/{id}/executed", prepared.executed_contract, "GET", "DELETE"),
    **at("/api/contracts/{id}/executed", prepared.contract, POST=SIGNED_COPY),
    **crud("/api/interview-templates", prepared.template, {**TEMPLATE, "slug": "another"}),
    **at("/api/interview-templates/{id}/preview", prepared.template, "POST"),
    **at("/api/interview-templates/{id}/statistics", prepared.template, "GET"),
    **at("/api/interview-invites", prepared.invite, "GET", denied=None),
    **at(
        "/api/interview-invites",
        prepared.template,
        POST={"template_id": Id("id"), "recipient_email": "pat@prospect.example"},
        denied=422,
    ),
    **at("/api/interview-invites/{id}", prepared.invite, "GET", "DELETE"),
    **at("/api/interview-invites/{id}/expire", prepared.invite, "PUT"),
    **at("/api/interview-invites/{id}/responses", prepared.invite, "GET"),
    **at("/api/interview-invites/{id}/responses.csv", prepared.invite, "GET"),
    **at("/api/interview-invites/{id}/responses.pdf", prepared.invite, "GET"),
    **at("/api/interview-invites/{id}/files/{fileId}", prepared.uploaded, "GET"),
    **at("/api/interview-invites/{id}/seed-configuration", prepared.seedable, "POST"),
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
