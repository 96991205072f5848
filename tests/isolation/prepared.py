import hashlib
import uuid

from tests.contracts import support as contracts
from tests.contracts.word_files import word_file
from tests.support import Organization, interview

SIGNERS = {"signers": [{"name": "Pat", "email": "pat@signers.example", "party": "licensee"}], "confirm": ["blanks"]}


def record(table, **values):
    """arrange: a row named after its organization, written directly."""
    return lambda organization: {
        "id": organization.insert(table, **{field: value or organization.name for field, value in values.items()})
    }


def notification(organization):
    """Something that the member and the admin are told; the id is the admin's."""
    told = [
        organization.insert(
            "notifications",
            user_id=organization.users[person],
            event="webhook_paused",
            effect_key="webhook_paused:1",
            title=organization.name,
            data='{"webhook_id": 1, "host": "crm.example", "place": "crm.example/hook", "reason": "gone", '
            '"url": "https://pipeline.example/api/webhooks/1"}',
        )
        for person in ("member", "admin")
    ]
    return {"id": told[-1]}


def session(organization):
    return {"id": organization.session(organization.users["admin"])}


def switchable(organization):
    """What the admin needs to switch to the organization: its id and a refresh token of their session."""
    token = organization.refresh_token(organization.sessions[organization.users["admin"]])
    return {"organization_id": organization.id, "refresh_token": token}


def switch_body(ids):
    return {**ids, "refresh_token": str(ids["refresh_token"])}


def webhook(organization):
    body = {"url": f"http://127.0.0.1:1/{organization.name}", "events": ["lead.created"]}
    made = organization.admin.post("/api/webhooks", body, status=201).json["id"]
    return {"id": made, "deliveryId": organization.admin.post(f"/api/webhooks/{made}/test", status=200).json["id"]}


def template(organization):
    return {"id": organization.template()["id"]}


def invite(organization):
    return {"id": organization.invite()["id"]}


def undelivered(organization):
    """An invite whose email has failed."""
    made = organization.invite()["id"]
    organization.owner.execute("update app.interview_invites set email_status = 'failed' where id = %s", [made])
    return {"id": made}


def seedable(organization):
    """A submitted invite with a deal and a definition that fits its answers."""
    organization.insert("configurator_definitions", name="Server", slug="server")
    made = organization.invite(deal_id=organization.insert("deals", title=organization.name))
    organization.anonymous.post(interview(made) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    return {"id": made["id"]}


def uploaded(organization):
    """An invite with a file that its prospect has uploaded, both named after the organization."""
    questions = [{"key": "papers", "type": "file", "label": "Papers"}]
    template = organization.template(questions=questions, pages=[{"key": "one", "questions": ["papers"]}])
    invite = organization.invite(template, recipient_name=organization.name)
    content, name = organization.name.encode(), f"{organization.name}.txt"
    path = f"/api/public/interview/{invite['token']}/files?question=papers"
    saved = organization.member.app.post(path, upload_files=[("file", name, content)], status=201).json
    return {"id": invite["id"], "fileId": saved["answers"]["papers"][0]["id"]}


def assignee(organization):
    return {"assigned_to": organization.users["member"]}


def with_entries(organization, kind, body):
    member, name = organization.member, organization.name
    made = member.post(f"/api/{kind}", body, status=201).json["id"]
    path = f"/api/{kind}/{made}"
    return {
        "id": made,
        "name": name,
        "noteId": member.post(f"{path}/notes", {"content": name}, status=201).json["id"],
        "taskId": member.post(f"{path}/tasks", {"title": name}, status=201).json["id"],
    }


def lead(organization):
    return with_entries(organization, "leads", {"first_name": organization.name})


def contract_template(organization):
    body = {**contracts.TEMPLATE, "name": organization.name}
    return {"id": organization.admin.post("/api/contract-templates", body, status=201).json["id"]}


def logo_template(organization):
    ids = contract_template(organization)
    path = f"/api/contract-templates/{ids['id']}/logo"
    contracts.upload(organization.admin, path, contracts.image_file("PNG"), "a.png", "logo", status=201)
    return ids


def word_template(organization):
    ids = contract_template(organization)
    path = f"/api/contract-templates/{ids['id']}/word"
    contracts.upload(organization.admin, path, word_file("{{Deal.title}}"), "a.docx", status=201)
    return ids


def picture(organization):
    image = contracts.image_file("PNG")
    return {
        "id": contracts.upload(organization.admin, "/api/pictures", image, "a.png", "picture", status=201).json["id"]
    }


def schedule(organization):
    ids = word_template(organization)
    path = f"/api/contract-templates/{ids['id']}/schedules"
    made = contracts.upload(organization.admin, path, word_file("{{Deal.title}}"), "a.docx", status=201).json["data"]
    return {**ids, "scheduleId": made[0]["id"]}


def contract(organization):
    template = contract_template(organization)["id"]
    body = {"template_id": template, "effective_date": "2026-02-01", "name": organization.name}
    return {"template_id": template, **with_entries(organization, "contracts", body)}


def signable(organization):
    """A contract that its organization has sent to a signer."""
    ids = contract(organization)
    path = f"/api/contracts/{ids['id']}/signature-requests"
    request = organization.member.post(path, SIGNERS, status=201).json
    return {**ids, "requestId": request["id"], "signerId": request["signers"][0]["id"]}


def executed_contract(organization):
    ids = contract(organization)
    path = f"/api/contracts/{ids['id']}/executed"
    contracts.upload(organization.member, path, contracts.pdf_file(), f"{organization.name}.pdf", status=201)
    return ids


def configured(organization):
    deal = organization.insert("deals", title=organization.name)
    definition = organization.insert("configurator_definitions", name=organization.name, slug=organization.name)
    made = organization.insert("configurations", deal_id=deal, definition_id=definition)
    return {"id": made, "deal_id": deal, "definition_id": definition}


def quote(organization):
    deal = organization.insert("deals", title=organization.name)
    return {"id": organization.insert("quotes", deal_id=deal, quote_number=organization.name), "deal_id": deal}


def seat(organization):
    return {"id": organization.users["member"]}


def api_key(organization):
    body = {"name": organization.name, "scopes": ["all"]}
    return {"id": organization.admin.post("/api/api-keys", body, status=201).json["id"]}


def removable_user(organization):
    """A seat that nothing refers to."""
    return {"id": organization.users["colleague"]}


def invited_user(organization):
    body = {"email": f"{uuid.uuid4().hex}@new.example", "name": organization.name}
    return {"id": organization.admin.post("/api/users", body, status=201).json["id"]}


def invited_admin(organization):
    """An invitation by another organization to the admin of this one."""
    email = f"admin@{organization.name}.example"
    inviting = Organization(
        organization.app, organization.owner, f"org-{uuid.uuid4().hex[:12]}", None, organization.tokens
    )
    return {"id": inviting.admin.post("/api/users", {"email": email}, status=201).json["id"]}


def organization_logo(organization):
    logo = contracts.image_file("PNG")
    contracts.upload(organization.admin, "/api/organization/logo", logo, "a.png", "logo", status=201)
    return {}


def lead_import(organization, error=None):
    """An import in the background with the results of its rows; its error is the organization's name by default."""
    content = f"row,result,lead_id,reason\r\n2,failed,,{organization.name}\r\n".encode()
    file = {"filename": "import-results.csv", "content_type": "text/csv", "size": len(content)}
    rows = organization.insert("files", **file, sha256=hashlib.sha256(content).hexdigest())
    organization.insert("file_chunks", "file_id", file_id=rows, position=0, content=content)
    ended = {"state": "failed", "error": error or organization.name, "expires_at": "infinity"}
    return {"id": organization.insert("lead_imports", total=1, rows_file_id=rows, **ended)}
