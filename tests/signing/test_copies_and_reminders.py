"""Signed copies to other addresses, and reminders by themselves."""

from datetime import timedelta

import pytest

from tests.signing.conftest import path_of, subjects, tokens

BOSS = "boss@acme.example"


def test_others_get_the_sealed_copy_and_no_link(worker, deliver, owner, requested, signing):
    request = requested(1, cc=[BOSS])
    sent = tokens(deliver())
    assert sent.keys() == {"s0@signers.example"}
    signing.sign(sent["s0@signers.example"])
    (copy,) = [message for message in deliver() if message["To"].addresses[0].addr_spec == BOSS]
    (attached,) = copy.iter_attachments()
    assert (attached.get_filename(), attached.get_content()[:5]) == ("signed.pdf", b"%PDF-")
    assert "/sign/" not in copy.get_body(["plain"]).get_content() + copy.get_body(["html"]).get_content()
    assert request["cc"] == [BOSS]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"cc": ["nobody"]}, "cc.0", "invalid_email"),
        ({"cc": [f"a{n}@acme.example" for n in range(11)]}, "cc", "too_long"),
        ({"reminders": [1, 2, 3, 4]}, "reminders", "too_long"),
        ({"reminders": [91]}, "reminders.0", "out_of_range"),
    ],
)
def test_copies_and_reminders_have_bounds(member, path, changes, field, code):
    signer = {"name": "Pat", "email": "pat@signers.example", "party": "licensee"}
    body = {"signers": [signer], "confirm": ["blanks"], **changes}
    (violation,) = member.post(f"{path}/signature-requests", body, status=422).json["errors"]
    assert (violation["name"], violation["code"]) == (field, code)


def test_reminders_are_due_so_many_days_after_the_email_and_follow_by_themselves(
    worker, post, owner, requested, signing, evidence
):
    request = requested(1, 2, reminders=[7, 3])
    worker.run(due=True)
    due = """select due_at - email.sent_at from app.outbox o join app.emails email
        on email.organization_id = o.organization_id and email.signer_id = (o.payload ->> 'signer_id')::bigint
        where o.event = 'signature_reminder' and email.signer_part = 'sign' and o.payload ->> 'signer_id' = %s
        order by due_at"""
    found = owner.execute(due, [str(request["signers"][0]["id"])]).fetchall()
    assert (request["reminders"], found) == ([3, 7], [(timedelta(days=3),), (timedelta(days=7),)])
    assert worker.run() == []
    # The second one is of the same day here.
    assert [event["event"] for event in evidence(request)["events"]] == ["sent", "reminded"]


def test_the_days_count_from_the_email_after_a_correction(member, owner, worker, requested, evidence):
    request = requested(1, reminders=[3])
    worker.run(due=True)
    signer = request["signers"][0]["id"]
    member.patch(f"{path_of(request)}/signers/{signer}", {"email": "pat@right.example"}, status=200)
    worker.run(due=True)
    owner.execute("update app.outbox set due_at = now() where key = %s", [f"signature_reminder:{signer}:3"])
    worker.run(due=True)
    assert [event["event"] for event in evidence(request)["events"]] == ["sent", "corrected", "sent"]
    left = "select begins_at - now() > interval '2 days' from app.outbox where key like %s and done_at is null"
    assert owner.execute(left, [f"signature_reminder:{signer}:3:%"]).fetchall() == [(True,)]


def test_a_signer_who_has_signed_is_not_reminded(worker, deliver, requested, signing):
    request = requested(1, 1, reminders=[3])
    worker.run(due=True)
    signing.sign(signing.link(request["signers"][0]))
    assert subjects(deliver()).keys() == {"s1@signers.example"}


def test_an_erased_person_gets_no_copy(admin, member, requested):
    lead = member.post("/api/leads", {"first_name": "Kim", "email": BOSS}, status=201).json["id"]
    request = requested(1, cc=[BOSS, "other@acme.example"])
    admin.post(f"/api/leads/{lead}/erase", {"confirm": BOSS}, status=200)
    assert member.get(path_of(request), status=200).json["cc"] == ["other@acme.example"]
