"""A story with one email of each kind."""

import contextlib
import re
from email import message_from_bytes, policy

from pipeline.accounts.notifications import digest
from tests.mail.delivery import raise_event
from tests.support import interview

NAME = "Acme & Söhne"
LOOK = """update app.organizations set name = %s, locale = %s, time_zone = 'Europe/Berlin', country = 'DE',
    branding = '{"primary_color": "#0b5fff"}' where id = %s"""
# A day that no recorded text outlives.
EXPIRY = "2099-03-06 13:30+00"
PAUSED = "update app.webhooks set active = false, paused_at = now(), paused_reason = %s where id = %s"
CAUSES = ("no_success", "receiver_gone", "key_revoked", "key_expired", "scope_missing")
TAMPERED = "update app.contracts set content = content || 'x' where id = %s"


class Story:
    """tell() yields (kind, EmailMessage)."""

    def __init__(self, organization, worker, server, signing, requested, language):
        self.organization, self.worker, self.server, self.language = organization, worker, server, language
        self.signing, self.requested, self.owner = signing, requested, organization.owner
        self.owner.execute(LOOK, [NAME, language, organization.id])

    def tell(self):
        for part in (self.accounts, self.interviews, self.leads, self.webhooks, self.signatures, self.endings):
            yield from part()

    def sent(self, kind, to=None):
        """Deliver what waits; (kind, message to this local part)."""
        before = len(self.server.accepted)
        self.worker.run(due=kind != "lead_digest")
        found = [message_from_bytes(one, policy=policy.default) for _, _, one in self.server.accepted[before:]]
        (message,) = [one for one in found if to is None or one["To"].addresses[0].username == to]
        return kind, message

    def event(self, event, **payload):
        raise_event(self.worker, event, f"{event}:story:{len(self.server.accepted)}", **payload)

    def accounts(self):
        new = {"email": "new@acme.example", "name": "Nora New", "role": "member"}
        self.organization.admin.post("/api/users", new, status=201)
        yield self.sent("activate")
        member = self.organization.admin.get("/api/seats", status=200).json["data"][0]
        self.organization.anonymous.post("/api/auth/password/forgot", {"email": member["email"]}, status=202)
        yield self.sent("reset")

    def interviews(self):
        template = self.organization.template(language=self.language, slug="story")
        options = {"recipient_name": "Pat Prospect", "personal_note": "Dear Pat,\nas we said: +49 30 1234."}
        invite = self.organization.invite(template, send_email=True, reminders=[3], **options)
        where = "where id = %s"
        self.owner.execute(f"update app.interview_invites set expires_at = '{EXPIRY}' {where}", [invite["id"]])
        yield self.sent("invite")
        about = {"invite_id": invite["id"]}
        for kind in ("invite_reminder", "interview_link_asked", "invite_undelivered"):
            self.event(kind, **about)
            yield self.sent(kind)
        self.organization.anonymous.post(
            f"{interview(invite)}/submit", {"answers": {"product_line": "server"}}, status=200
        )
        yield self.sent("interview_submitted")
        self.event("copy_documents", language=self.language, **about)
        yield self.sent("copy")
        later = self.organization.invite(template, recipient_name="Pat Prospect")
        moved = f"update app.interview_invites set origin = 'capture', expires_at = '{EXPIRY}' {where}"
        self.owner.execute(moved, [later["id"]])
        self.event("invite_email", invite_id=later["id"])
        yield self.sent("continue")

    def leads(self):
        template = self.organization.template(name="Trade fair", slug="fair")
        about = {"assigned_to": self.organization.users["member"], "company": "Engines & Co"}
        for kind, limit in (("lead_captured", digest.SINGLE_EMAILS), ("lead_digest", 0)):
            lead = self.organization.insert("leads", first_name="Pat", **about)
            self.event("lead_captured", lead_id=lead, template_id=template["id"])
            with _single_emails(limit):
                yield self.sent(kind)

    def webhooks(self):
        hook = {"url": "http://127.0.0.1:9/hooks/acme?key=secret", "events": ["lead.created"], "description": "ERP"}
        id = self.organization.admin.post("/api/webhooks", hook, status=201).json["id"]
        for cause in CAUSES:
            self.owner.execute(PAUSED, [cause, id])
            self.event("webhook_paused", webhook_id=id)
            yield self.sent(f"webhook_paused_{cause}")

    def request(self, *orders, **changes):
        request = self.requested(*orders, language=self.language, message="Please read clause 3.", **changes)
        later = f"update app.signature_requests set expires_at = '{EXPIRY}' where id = %s"
        self.owner.execute(later, [request["id"]])
        return request, self.signing.link(request["signers"][0])

    def signatures(self):
        request, _ = self.request(verify_email=True)
        yield self.sent("signature_request")
        (signer,) = request["signers"]
        self.organization.member.post(_path(request, "remind"), status=200)
        yield self.sent("signature_reminder")
        self.signing("send_code", self.signing.link(signer))
        yield self.sent("signature_code")
        self.event("signature_undelivered", request_id=request["id"])
        yield self.sent("signature_undelivered")
        self.organization.member.post(_path(request, "cancel"), status=200)
        yield self.sent("signature_cancelled")
        declined, link = self.request(1, 1)
        self.worker.run()
        self.signing("decline", link, "No.")
        yield self.sent("signature_declined", to="s1")
        self.event("signature_ended", request_id=declined["id"])
        yield self.sent("signature_declined_rep", to="member")

    def endings(self):
        expired, _ = self.request()
        self.worker.run()
        status = "update app.signature_requests set status = %s, ended_at = now() where id = %s"
        self.owner.execute(status, ["expired", expired["id"]])
        self.event("signature_ended", request_id=expired["id"])
        yield self.sent("signature_expired", to="member")
        request, link = self.request(cc=["files@acme.example"])
        self.worker.run()
        self.signing.sign(link)
        yield self.sent("signature_completed", to="s0")
        for kind, to in (("signature_copy", "files"), ("signature_completed_rep", "member")):
            self.event("signature_ended", request_id=request["id"])
            yield self.sent(kind, to)
        self.owner.execute("update app.contracts set status = 'draft' where id = %s", [request["contract_id"]])
        self.event("signature_ended", request_id=request["id"])
        yield self.sent("signature_partly", to="member")
        yield self.unsealed()

    def unsealed(self):
        """A signed request whose contract is no longer the one that was signed."""
        request, link = self.request()
        self.worker.run()
        self.signing.sign(link)
        with self.owner.transaction():
            self.owner.execute("set local session_replication_role = replica")
            self.owner.execute(TAMPERED, [request["contract_id"]])
        return self.sent("seal_failed", to="member")


def _path(request, action):
    return f"/api/contracts/{request['contract_id']}/signature-requests/{request['id']}/{action}"


@contextlib.contextmanager
def _single_emails(limit):
    usual, digest.SINGLE_EMAILS = digest.SINGLE_EMAILS, limit
    yield
    digest.SINGLE_EMAILS = usual


# What differs from run to run: {pattern: replacement}.
CHANGING = {
    r"org-[0-9a-f]{12}": "acme",
    r"eyJ[\w-]+\.[\w-]+\.[\w-]+": "SIGNED",
    r"\b[0-9a-f]{64}\b": "TOKEN",
    r"(?m)^Date: .*": "Date: DATE",
    r"(?m)^Message-ID: .*": "Message-ID: <ID@pipeline.example>",
    r"=_[0-9a-f]{32}": "BOUNDARY",
    r"until \w+, \d+ \w+ (?!2099)\d{4}, \d\d:\d\d": "until DAY",
    r"(?:&#847;&zwnj;&nbsp;)+": "FILLER",
    r"(?<!-)\b\d{6}\b(?=\n|</span>)": "CODE",
    r"Webhook: \d+": "Webhook: ID",
}


def recorded(message):
    """The headers and texts of a message and its parts."""
    parts = []
    for part in message.walk():
        headers = "".join(f"{name}: {value}\n" for name, value in part.items())
        body = part.get_content() if part.get_content_maintype() == "text" else ""
        parts.append(f"{headers}\n{body}".replace("\r\n", "\n"))
    text = "\n".join(parts)
    for pattern, replacement in CHANGING.items():
        text = re.sub(pattern, replacement, text)
    return text
