import dataclasses
import json
import secrets

import pytest

from tests.mail.delivery import raise_event
from tests.mail.post import contents
from tests.support import PEOPLE, interview

BAIT = "Pay at www.evil.example now"


@pytest.fixture
def submit(organization, anonymous):
    """submit(**invite): an invite of the member's, answered and submitted."""

    def make(**options):
        invite = organization.invite(**{"recipient_name": "Pat Prospect", **options})
        answers = {"product_line": "server", "notes": "our budget is secret"}
        anonymous.post(interview(invite) + "/submit", {"answers": answers}, status=200)
        return invite

    return make


@pytest.fixture
def capture(organization, worker):
    """capture(**lead): a lead that came in through a form, and its event."""

    def make(**values):
        template = organization.template(slug="captures")
        lead = organization.insert("leads", first_name="Pat", last_name="Prospect", **values)
        raise_event(worker, "lead_captured", f"lead_captured:{lead}", lead_id=lead, template_id=template["id"])
        return lead, template

    return make


LIST = "/api/notifications"


def told(organization, person):
    return getattr(organization, person).get(LIST, status=200).json["data"]


def recipients(server):
    return sorted(to.partition("@")[0] for _, to, _ in server.accepted)


@pytest.mark.parametrize(
    ("app_url", "base"), [("", "https://pipeline.example/api"), ("https://crm.example/", "https://crm.example")]
)
def test_the_rep_who_invited_is_told_with_ids_names_and_a_link(app_url, base, organization, worker, server, submit):
    worker.settings = dataclasses.replace(worker.settings, app_url=app_url)
    invite = submit()
    assert worker.run() == []
    (notification,) = told(organization, "member")
    assert (notification["event"], notification["read_at"]) == ("interview_submitted", None)
    assert notification["title"] == "Pat Prospect submitted “Qualification”"
    assert notification["data"] == {
        "invite_id": invite["id"],
        "lead_id": None,
        "template_id": invite["template_id"],
        "template_name": "Qualification",
        "name": "Pat Prospect",
        "url": f"{base}/interview-invites/{invite['id']}/responses",
    }
    assert recipients(server) == ["member"]


def test_the_email_names_the_prospect_the_lead_and_the_flags_and_no_answer(organization, worker, server, submit):
    flags = [{"flag": flag, "when": {"question": "product_line", "op": "answered"}} for flag in ("big", "urgent")]
    lead = organization.insert("leads", first_name="Kim", last_name="Lee")
    invite = submit(template=organization.template(hints={"rep_flags": flags}), lead_id=lead)
    worker.run()
    (message,) = server.messages
    assert message["Subject"] == "Interview submitted: Qualification"
    link = "https://pipeline.example/forms/answers/"
    for content in contents(message):
        for line in (link, "Prospect: Pat Prospect", "Lead: Kim Lee", "Flags: big, urgent"):
            assert line in content
        assert "secret" not in content
        assert invite["token"] not in content


def test_no_link_that_a_stranger_has_typed_stands_in_an_email(organization, worker, server, submit, capture):
    submit(lead_id=organization.insert("leads", first_name=BAIT))
    capture(company=BAIT, phone=BAIT, assigned_to=organization.users["member"])
    worker.run()
    subjects = sorted(message["Subject"] for message in server.messages)
    assert subjects == ["Interview submitted: Qualification", "New lead: Qualification"]
    for message in server.messages:
        assert "evil" not in message.as_string() + "".join(contents(message))


def test_the_rep_is_told_that_an_expired_invites_prospect_asks_for_a_new_link(organization, worker, server):
    invite = organization.invite(recipient_name="Pat Prospect")
    raise_event(worker, "interview_link_asked", f"interview_link_asked:{invite['id']}:1", invite_id=invite["id"])
    worker.run()
    (notification,) = told(organization, "member")
    assert notification["title"] == "Pat Prospect asks for a new link: “Qualification”"
    assert notification["data"]["invite_id"] == invite["id"]
    assert [message["Subject"] for message in server.messages] == ["A new link is asked for: Qualification"]


@pytest.mark.parametrize(("assigned_to", "recipient"), [("colleague", "colleague"), ("inactive", "member")])
def test_the_active_rep_of_the_lead_comes_before_the_one_who_invited(
    organization, worker, server, submit, assigned_to, recipient
):
    lead = organization.insert("leads", first_name="Kim", assigned_to=organization.users[assigned_to])
    submit(lead_id=lead)
    worker.run()
    assert recipients(server) == [recipient]
    assert [row["data"]["lead_id"] for row in told(organization, recipient)] == [lead]


@pytest.mark.parametrize(("gone", "told"), [(["member"], ["admin"]), (PEOPLE, [])], ids=["the rep", "all"])
def test_without_a_rep_the_active_administrators_are_told(gone, told, organization, worker, server, submit):
    submit()
    for person in gone:
        organization.deactivate(person)
    assert (worker.run(), worker.open(), recipients(server)) == ([], [], told)


def test_a_captured_lead_is_told_to_its_rep(organization, worker, server, capture):
    lead, template = capture(company="Prospect Ltd", assigned_to=organization.users["colleague"])
    worker.run()
    (notification,) = told(organization, "colleague")
    assert (notification["event"], notification["title"]) == ("lead_captured", "New lead: Pat Prospect, Prospect Ltd")
    about = {"lead_id": lead, "invite_id": None, "template_id": template["id"], "company": "Prospect Ltd"}
    assert notification["data"].items() >= about.items()
    assert notification["data"]["url"] == f"https://pipeline.example/api/leads/{lead}"
    assert recipients(server) == ["colleague"]


def test_a_captured_lead_without_a_rep_is_told_to_every_admin(organization, worker, server, capture, password_hash):
    organization.add("second", "admin", True, password_hash)
    capture()
    worker.run()
    assert recipients(server) == ["admin", "second"]
    assert [len(told(organization, person)) for person in ("admin", "second", "member")] == [1, 1, 0]


def test_a_lead_deleted_meanwhile_is_not_told_of(organization, worker, server, capture):
    lead, _ = capture()
    organization.member.delete(f"/api/leads/{lead}", status=204)
    assert (worker.run(), server.accepted) == ([], [])


def test_an_event_that_is_delivered_again_tells_nothing_again(organization, owner, worker, server, submit):
    submit()
    worker.run()
    again = "update app.outbox set done_at = null where organization_id = %s and event = 'interview_submitted'"
    owner.execute(again, (organization.id,))
    assert worker.run() == []
    assert len(told(organization, "member")) == len(server.accepted) == 1


def test_a_persons_mail_that_cannot_be_sent_leaves_the_notification(organization, worker, server, submit):
    server.refuse["RCPT"] = "550 No such mailbox"
    submit()
    worker.run()
    assert (len(told(organization, "member")), worker.open()) == (1, [])


def test_notification_and_email_are_in_the_organizations_language(organization, worker, server, owner, submit):
    owner.execute("update app.organizations set locale = 'ar' where id = %s", (organization.id,))
    submit()
    assert worker.run() == []
    assert [row["title"] for row in told(organization, "member")] == ["أرسل Pat Prospect إجابات «Qualification»"]
    (message,) = server.messages
    assert message["Subject"] == "أُرسلت إجابات المقابلة: Qualification"
    assert 'lang="ar" dir="rtl"' in contents(message)[1]


@pytest.fixture
def notify(organization):
    """notify(person): the id of a new notification of theirs."""

    def make(person="member"):
        data = {"webhook_id": 1, "host": "crm.example", "url": "https://pipeline.example/api/webhooks/1"}
        told = {"event": "webhook_paused", "title": "A webhook is paused", "effect_key": secrets.token_hex()}
        told["data"] = json.dumps(data)
        return organization.insert("notifications", user_id=organization.users[person], **told)

    return make


def ids(response):
    return [item["id"] for item in response.json["data"]]


def test_the_list_is_newest_first_in_pages_and_can_leave_out_what_is_read_or_what_is_not(member, notify):
    made = [notify() for _ in range(5)]
    page = member.get(f"{LIST}?per_page=2&page=2", status=200)
    assert (ids(page), page.json["total"]) == ([made[2], made[1]], 5)
    member.put(f"{LIST}/{made[0]}/read", status=200)
    unread, read = (member.get(f"{LIST}?unread={word}", status=200) for word in ("true", "false"))
    assert (ids(unread), unread.json["total"]) == (made[:0:-1], 4)
    assert (ids(read), read.json["total"]) == ([made[0]], 1)


def test_a_person_sees_their_own_alone(organization, notify):
    id = notify("colleague")
    for other in (organization.member, organization.admin):
        assert other.get(LIST, status=200).json["total"] == 0
        other.get(f"{LIST}/{id}", status=404)
        other.put(f"{LIST}/{id}/read", status=404)
        assert other.put(f"{LIST}/read-all", status=200).json == {"read": 0}
    assert organization.colleague.get(f"{LIST}/{id}", status=200).json["read_at"] is None


def test_reading_keeps_the_time_of_the_first_time_and_the_others_are_read_at_once_and_counted(member, notify):
    id, _ = notify(), notify()
    first = member.put(f"{LIST}/{id}/read", status=200).json
    assert first["updated_at"] == first["read_at"] > first["created_at"]
    assert member.put(f"{LIST}/{id}/read", status=200).json == first
    assert [member.put(f"{LIST}/read-all", status=200).json["read"] for _ in range(2)] == [1, 0]
    assert member.get(f"{LIST}/{id}", status=200).json == first
    assert member.get(f"{LIST}?unread=true").json["total"] == 0
