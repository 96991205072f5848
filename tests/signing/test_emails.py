import hashlib
import re

import pytest
from bs4 import BeautifulSoup

from pipeline.changes.webhooks.events import EVENTS
from pipeline.mail import TOKEN, tasks
from pipeline.mail.languages import WORDS
from pipeline.signing.tasks import letter
from pipeline.worker.jobs import run
from tests.conftest import BOUNCE_SECRET
from tests.forms.paper import Paper
from tests.signing.conftest import change, path_of, subjects, tokens
from tests.webhooks.conftest import Hook


def test_a_link_in_the_email_opens_the_page_and_only_its_hash_is_stored(owner, deliver, requested, signing):
    requested(1, message="Please read clause 3.")
    (message,) = deliver()
    token = tokens([message])["s0@signers.example"]
    assert signing("open_signing", token)["signer_name"] == "Signer 0"
    assert "Please read clause 3." in message.get_body(["plain"]).get_content()
    stored = owner.execute(
        "select body_text, body_html from app.emails where to_email = 's0@signers.example'"
    ).fetchall()
    assert token not in str(stored)


def test_a_lead_shows_the_emails_that_ask_its_address_to_sign(member, deliver, requested):
    lead = member.post("/api/leads", {"first_name": "Pat", "email": "S0@signers.example"}, status=201).json["id"]
    requested(1, 1)
    deliver()
    emails = member.get(f"/api/leads/{lead}/linked-emails", status=200).json["data"]
    assert [(email["to_email"], email["status"]) for email in emails] == [("s0@signers.example", "sent")]


def test_the_email_that_all_have_signed_leads_to_the_copy_without_an_application(post, deliver, requested, signing):
    assert post.settings.app_url == ""
    requested(1)
    signing.sign(tokens(deliver())["s0@signers.example"])
    (message,) = (one for one in deliver() if one["To"].addresses[0].addr_spec == "s0@signers.example")
    assert signing("open_signing", tokens([message])["s0@signers.example"])["has_copy"]


def test_the_rep_reads_the_sealed_copy_without_an_application(deliver, organization, anonymous, requested, signing):
    request = requested(1)
    signing.sign(tokens(deliver())["s0@signers.example"])
    (message,) = (one for one in deliver() if one["Subject"].startswith("Signed by all"))
    (path,) = set(re.findall(r"/forms/notifications/[\w.-]+", message.get_body(["plain"]).get_content()))
    page = Paper(anonymous.app, path)
    assert page.text("h1") == ["Signed by all: “License agreement”"]
    copy = anonymous.app.get(page.html.select_one("a[download]")["href"], status=200)
    seal = organization.member.get(f"/api/contracts/{request['contract_id']}/signature", status=200).json
    assert hashlib.sha256(copy.body).hexdigest() == seal["sealed_sha256"]


def test_the_next_signers_get_their_email_when_those_before_have_signed(deliver, requested, signing):
    requested(1, 1, 2)
    sent = tokens(deliver())
    assert sent.keys() == {"s0@signers.example", "s1@signers.example"}
    signing.sign(sent["s0@signers.example"])
    assert deliver() == []
    signing.sign(sent["s1@signers.example"])
    assert tokens(deliver()).keys() == {"s2@signers.example"}


def test_a_reminder_has_a_link_of_its_own_and_the_first_one_still_works(member, deliver, requested, signing):
    request = requested(1)
    first = tokens(deliver())["s0@signers.example"]
    member.post(path_of(request, "/remind"), status=200)
    (message,) = deliver()
    assert message["Subject"].startswith("Reminder")
    second = tokens([message])["s0@signers.example"]
    assert first != second
    assert signing("open_signing", first)["signer_id"] == signing("open_signing", second)["signer_id"]


def test_a_reminder_reaches_signers_whose_turn_the_quota_gave_up(member, owner, deliver, worker, requested, signing):
    request = requested(1, 2)
    signing.sign(tokens(deliver())["s0@signers.example"])
    change(worker, mail_quota_per_day=1, rate_limit_factor=1)
    owner.execute("update app.outbox set begins_at = now() - interval '25 hours' where event = 'signature_turn'")
    assert "mail_quota" in worker.run()[0]
    assert deliver() == []
    reminded = member.post(path_of(request, "/remind"), status=200).json
    assert [signer["status"] for signer in reminded["signers"]] == ["signed", "sent"]
    assert tokens(deliver()).keys() == {"s1@signers.example"}
    assert member.post(path_of(request, "/remind"), status=200).json["signers"][1]["reminded_at"]


def test_an_email_whose_request_was_cancelled_before_is_not_sent(member, deliver, requested):
    request = requested(1)
    member.post(path_of(request, "/cancel"), status=200)
    assert [message["Subject"].split(":")[0] for message in deliver()] == ["Cancelled"]


def test_an_email_whose_request_ends_while_it_is_offered_is_skipped(owner, deliver, requested, monkeypatch):
    request, compose = requested(1), tasks.compose

    def late(email):
        ended = "update app.signature_requests set status = 'cancelled', ended_at = now() where id = %s"
        owner.execute(ended, [request["id"]])
        return compose(email)

    monkeypatch.setattr(tasks, "compose", late)
    deliver()
    status = "select status from app.emails where to_email = 's0@signers.example' order by id desc limit 1"
    assert owner.execute(status).fetchone() == ("skipped",)


def test_a_refusal_is_told_to_the_others_and_to_the_rep(member, organization, deliver, requested, signing):
    requested(1, 1)
    sent = tokens(deliver())
    signing("decline", sent["s0@signers.example"], "Secret reason")
    messages = deliver()
    told = subjects(messages)
    assert told["s1@signers.example"].startswith("Declined:")
    assert "s0@signers.example" not in told
    assert told[f"member@{organization.name}.example"].startswith("Signature declined:")
    assert not any("Secret reason" in str(message) for message in messages)
    (notified,) = member.get("/api/notifications", status=200).json["data"]
    assert notified["title"].startswith("A signer declined to sign")


SIGNER = {
    "name": "Pat \u202e<b>&",
    "organization": "Acme & Söhne",
    "contract": "Order <b>7</b>",
    "contract_number": "RO-000001",
    "rep_name": None,
    "message": "<script>alert(1)</script>",
    "branding": {},
    "logo": None,
    "time_zone": "UTC",
    "region": None,
    "expires_local": None,
    "copy_until_local": None,
}


def test_a_code_stands_at_the_edge_where_its_language_begins():
    html = BeautifulSoup(letter({**SIGNER, "language": "ar"}, "code", "https://sales.example").html, "html.parser")
    # A paragraph from left to right would begin at the other edge.
    assert html.select_one("p > span[dir=ltr]").text == TOKEN
    assert html.select("p[dir]") == []


@pytest.mark.parametrize("part", ["sign", "reminder", "code", "completed", "copy", "declined", "cancelled"])
@pytest.mark.parametrize("language", WORDS)
def test_every_email_is_written_in_every_language_without_markup_of_others(language, part):
    status, part = (part, "ended") if part in ("declined", "cancelled") else ("sent", part)
    subject, text, html = letter({**SIGNER, "language": language, "status": status}, part, "https://x.example")
    assert "Order <b>7</b>" in subject
    assert "<b>" not in html
    assert "<script>" not in html
    assert "{" not in text


@pytest.fixture
def told(organization, jobs, settings):
    """told(): the signature events that a webhook is told of."""
    crm = Hook(organization, jobs, settings, "https://127.0.0.1/", [e for e in EVENTS if e.startswith("signature")])

    def look():
        crm.follow()
        return [delivery["event"] for delivery in crm.deliveries()]

    return look


def test_a_view_a_signature_a_refusal_and_a_cancellation_are_told(member, deliver, requested, signing, told):
    first, second = (signing.link(signer) for signer in requested(1, 1)["signers"])
    deliver()
    signing("view", first)
    signing.sign(first)
    signing("decline", second, "No")
    member.post(path_of(requested(1), "/cancel"), status=200)
    verbs = ("sent", "sent", "viewed", "signed", "declined", "cancelled")
    assert told() == [f"signature.{verb}" for verb in verbs]


def test_an_expiry_is_stored_and_told_once_by_the_daily_job_or_by_a_new_request(
    owner, member, jobs, settings, deliver, requested, told
):
    first = requested(1)
    owner.execute("update app.signature_requests set expires_at = now() where id = %s", [first["id"]])
    run(jobs, settings, "expire_signatures")
    status = "select status, ended_at = expires_at from app.signature_requests where id = %s"
    assert owner.execute(status, [first["id"]]).fetchone() == ("expired", True)
    second = requested(1)
    owner.execute("update app.signature_requests set expires_at = now() where id = %s", [second["id"]])
    requested(1)
    run(jobs, settings, "expire_signatures")
    assert told() == [f"signature.{verb}" for verb in ("expired", "expired")]
    deliver()
    assert member.get("/api/notifications", status=200).json["total"] == 2
    noted = "select count(*) from app.signature_events where request_id = any(%s) and event = 'expired'"
    assert owner.execute(noted, [[first["id"], second["id"]]]).fetchone() == (2,)


def test_the_email_with_the_signed_copy_is_no_further_sent_of_a_link_that_came_back(
    anonymous, deliver, requested, signing, told
):
    requested(1)
    (message,) = deliver()
    bounce = {"message_id": message["Message-ID"], "reason": "550 5.1.1 No such mailbox"}
    anonymous.post("/api/mail/bounces", bounce, headers={"Authorization": f"Bearer {BOUNCE_SECRET}"}, status=204)
    deliver()
    signing.sign(tokens([message])["s0@signers.example"])
    deliver()
    assert told() == [f"signature.{verb}" for verb in ("sent", "signed", "completed")]


def test_the_audit_names_the_signer_as_the_actor(admin, requested, signing):
    request = requested(1)
    signing("view", signing.link(request["signers"][0]))
    entry = admin.get("/api/audit?type=signature-requests&actor=signer", status=200).json["data"][0]
    assert (entry["actor_kind"], entry["actor_id"]) == ("signer", request["signers"][0]["id"])
    assert entry["changed"]["signers"]["new"] == [
        {"id": request["signers"][0]["id"], "status": "viewed", "email_status": "queued"}
    ]
