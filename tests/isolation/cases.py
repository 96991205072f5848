"""One row for each route: its records, the body to send, and the response to a stranger."""

import functools
import uuid
from collections.abc import Callable
from typing import NamedTuple

from tests.conftest import PASSWORD
from tests.contracts import support as contracts
from tests.contracts.word_files import word_file
from tests.isolation import prepared
from tests.isolation.prepared import record
from tests.leads.csv_files import multipart
from tests.support import TEMPLATE

KINDS = {"interviews": True, "leads": False, "signatures": True, "webhooks": True}


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


def at(path, arrange, *calls, denied=404, **bodies):
    """The rows of a path: of the calls without a body, such as "GET" or "POST /test", and of the methods with one.

    A body may be a function of the ids.
    """
    given = {method: body if callable(body) else functools.partial(filled, body) for method, body in bodies.items()}
    rows = {(method, path): Case(arrange, body, denied) for method, body in given.items()}
    for method, _, below in (call.partition(" ") for call in calls):
        rows[method, path + below] = Case(arrange, None, denied)
    return rows


def crud(path, arrange, body, create=None, reference=None):
    """The rows of a kind of record; `create` takes the ids of `reference`, of records that it refers to."""
    return {
        **at(path, arrange, "GET", denied=None),
        **at(path, reference or nothing, POST=create or body, denied=422 if reference else None),
        **at(f"{path}/{{id}}", arrange, "GET", "DELETE", PUT=body),
    }


def notes_and_tasks(path, arrange):
    note, task = "/notes/{noteId}", "/tasks/{taskId}"
    return {
        **at(
            path, arrange, "GET /notes", f"GET {note}", f"DELETE {note}", "GET /tasks", f"GET {task}", f"DELETE {task}"
        ),
        **at(f"{path}/notes", arrange, POST={"content": "Called"}),
        **at(f"{path}/tasks", arrange, POST={"title": "Call"}),
        **at(f"{path}{task}", arrange, PUT={"title": "Call"}),
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
FIELD = record("fields", kind="contract", key="cap", label="Cap", type="money")
TERM = {"name": "Term", "content": "<p>Text</p>"}
WORD = multipart(word_file("{{Deal.title}}"), "file", "a.docx")
LOGO = multipart(contracts.image_file("PNG"), "logo", "logo.png")
SIGNED_COPY = multipart(contracts.pdf_file(), filename="signed.pdf")
PICTURE = multipart(contracts.image_file("PNG"), "picture", "map.png")
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
    **at("/api/webhooks/{id}", prepared.webhook, "POST /rotate", "POST /test", "GET /deliveries"),
    **at("/api/webhooks/{id}/deliveries/{deliveryId}", prepared.webhook, "GET", "POST /redeliver"),
    **crud("/api/api-keys", prepared.api_key, {"name": "ERP", "scopes": ["all"]}),
    **at("/api/interview-invites/{id}/resend", prepared.undelivered, "POST"),
    **at("/api/auth/key", nothing, "GET", denied=None),
    **at("/api/seats", nothing, "GET", denied=None),
    **at("/api/seats/{id}", prepared.seat, "GET"),
    **at("/api/auth/me", nothing, "GET", PUT={"name": "Kim"}, denied=None),
    **at("/api/auth/notification-emails", nothing, "GET", PUT=KINDS, denied=None),
    **at("/api/auth/organization", prepared.switchable, POST=prepared.switch_body, denied=401),
    **at("/api/auth/sessions", prepared.session, "GET", "DELETE", denied=None),
    **at("/api/auth/sessions/{id}", prepared.session, "DELETE"),
    **at("/api/auth/password", nothing, PUT=PASSWORDS, denied=None),
    **at("/api/auth/invitations/{id}", prepared.invited_admin, "POST /accept", "DELETE"),
    **at("/api/leads", prepared.lead, "GET", "GET /export", denied=None),
    **at("/api/leads", prepared.assignee, POST={"first_name": "Pat", "assigned_to": Id("assigned_to")}, denied=422),
    **at("/api/leads", nothing, "GET /template", "GET /match-company", "GET /match-contact", denied=None),
    **at("/api/leads/import", prepared.lead, POST=LEADS, denied=None),
    **at("/api/leads/imports/{id}", prepared.lead_import, "GET", "GET /rows"),
    **at("/api/leads/import/preview", prepared.lead, POST=LEADS, denied=None),
    **at("/api/leads/{id}", prepared.lead, "GET", "DELETE", PUT={"first_name": "Pat", "status": "contacted"}),
    **at("/api/leads/{id}/qualify", prepared.lead, POST={"create_deal": True}),
    **at("/api/leads/{id}/disqualify", prepared.lead, PUT={"reason": "No budget"}),
    **notes_and_tasks("/api/leads/{id}", prepared.lead),
    **at("/api/leads/{id}", prepared.lead, "GET /linked-emails", "GET /duplicates", "GET /personal-data"),
    # Without an address it is confirmed by its name.
    **at("/api/leads/{id}/erase", prepared.lead, POST=lambda ids: {"confirm": str(ids["name"])}),
    **at("/api", prepared.lead, "GET /changes", "GET /audit", "GET /audit/export", denied=None),
    **at("/api/notifications", prepared.notification, "GET", "PUT /read-all", denied=None),
    **at("/api/notifications/{id}", prepared.notification, "GET", "PUT /read"),
    **crud("/api/clauses", CLAUSE, TERM, create={"key": "term", **TERM}),
    **at("/api/pictures", nothing, "GET", POST=PICTURE, denied=None),
    **at(
        "/api/pictures/{id}", prepared.picture, "GET", "GET /file", "DELETE", PUT={"name": "Map"}, PATCH={"name": "Map"}
    ),
    **at("/api/fields/schema", nothing, "GET", denied=None),
    **crud(
        "/api/fields",
        FIELD,
        {"label": "Limit"},
        create={"kind": "contract", "key": "law", "label": "Law", "type": "text"},
    ),
    **crud("/api/contract-templates", prepared.contract_template, {"name": "Another"}, create=contracts.TEMPLATE),
    **at(
        "/api/contract-templates/preview",
        DEAL,
        POST={"content": "<p>{{Deal.title}}</p>", "deal_id": Id("id")},
        denied=422,
    ),
    **at("/api/contract-templates/tags", nothing, "GET", "GET /pdf", "GET /word", denied=None),
    **at("/api/contract-templates/{id}/logo", prepared.contract_template, POST=LOGO),
    **at("/api/contract-templates/{id}/logo", prepared.logo_template, "DELETE"),
    **at("/api/contract-templates/{id}/word", prepared.contract_template, POST=WORD),
    **at("/api/contract-templates/{id}/word", prepared.word_template, "GET", "DELETE"),
    **at("/api/contract-templates/{id}/schedules", prepared.word_template, "GET", POST=WORD),
    **at("/api/contract-templates/{id}/schedules/order", prepared.word_template, PUT={"ids": []}),
    **at("/api/contract-templates/{id}/schedules/{scheduleId}", prepared.schedule, "DELETE"),
    **crud("/api/contracts", prepared.contract, CONTRACT, reference=prepared.contract),
    **at("/api/contracts/{id}", prepared.contract, "GET /pdf", "GET /docx", "GET /redline", "PUT /regenerate"),
    **notes_and_tasks("/api/contracts/{id}", prepared.contract),
    **at("/api/contracts/{id}/signature-requests", prepared.signable, "GET"),
    **at("/api/contracts/{id}/signature-requests", prepared.contract, POST=prepared.SIGNERS),
    **at(
        "/api/contracts/{id}/signature-requests/{requestId}", prepared.signable, "GET", "POST /remind", "POST /cancel"
    ),
    **at(
        "/api/contracts/{id}/signature-requests/{requestId}/signers/{signerId}",
        prepared.signable,
        PATCH={"title": "CFO"},
    ),
    **at("/api/contracts/{id}/signature", prepared.signable, "GET", "GET /document"),
    **at("/api/contracts/{id}/executed", prepared.executed_contract, "GET", "DELETE"),
    **at("/api/contracts/{id}/executed", prepared.contract, POST=SIGNED_COPY),
    **crud("/api/interview-templates", prepared.template, {**TEMPLATE, "slug": "another"}),
    **at(
        "/api/interview-templates/{id}",
        prepared.template,
        *("POST /preview", "GET /statistics", "GET /responses.csv", "GET /responses.xlsx"),
    ),
    **at("/api/interview-invites", prepared.invite, "GET", denied=None),
    **at(
        "/api/interview-invites",
        prepared.template,
        POST={"template_id": Id("id"), "recipient_email": "pat@prospect.example"},
        denied=422,
    ),
    **at("/api/interview-invites/{id}", prepared.invite, "GET", "DELETE", "PUT /expire", "POST /renew"),
    **at("/api/interview-invites/{id}/responses", prepared.invite, "GET", "GET .csv", "GET .pdf"),
    **at("/api/interview-invites/{id}/files/{fileId}", prepared.uploaded, "GET"),
    **at("/api/interview-invites/{id}/seed-configuration", prepared.seedable, "POST"),
}

# What changes no record, or not by its fields.
ACTIONS = ("password", "read", "read-all", "disqualify", "expire", "regenerate", "order")
# What takes a record's fields as a whole takes some of them, too.
CASES |= {
    ("PATCH", path): case
    for (method, path), case in CASES.items()
    if method == "PUT" and path.rpartition("/")[2] not in ACTIONS
}

# Without a token by design; tests/interviews and tests/accounts show what they let through.
SIGNING_IN = ("login", "refresh", "logout", "password/forgot", "password/reset", "activate")
OPEN = [
    *(("POST", f"/api/auth/{word}") for word in SIGNING_IN),
    ("POST", "/api/mail/bounces"),
    ("GET", "/api/public/interview/{token}"),
    ("PATCH", "/api/public/interview/{token}"),
    ("POST", "/api/public/interview/{token}/submit"),
    ("POST", "/api/public/interview/{token}/files"),
    ("DELETE", "/api/public/interview/{token}/files/{fileId}"),
    ("GET", "/api/public/interview/capture/{slug}"),
    ("POST", "/api/public/interview/capture/{slug}/submit"),
]
