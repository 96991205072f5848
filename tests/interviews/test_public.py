import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.interviews.language import condition, question, template
from tests.support import codes, held_up, interview

SERVER = {"answers": {"product_line": "server"}}
DOORS = pytest.mark.parametrize(("method", "door"), [("GET", ""), ("PATCH", ""), ("POST", "/submit")])


def test_the_form_holds_what_the_prospect_needs_and_nothing_else(organization, invite, anonymous):
    form = anonymous.get(interview(invite), status=200).json
    assert form.keys() == {
        *("status", "template", "answers", "prefill", "hidden_fields", "revision", "recipient_name"),
        *("expires_at", "submitted_at", "organization"),
    }
    assert form["template"].keys() == {
        *("branding", "language", "languages", "name", "pages", "questions", "thank_you")
    }
    assert form["organization"] == {"name": organization.name, "logo_url": None}
    assert (form["status"], form["answers"], form["prefill"], form["revision"]) == ("pending", {}, {}, 0)


def test_hints_and_field_map_never_reach_the_prospect(organization, anonymous):
    flag = {"flag": "secret", "label": "SECRET", "when": condition("seats", "answered")}
    hints = {"rep_tips": {"seats": "SECRET tip"}, "rep_flags": [flag], "lead_fields": {"notes": "notes"}}
    template = organization.template(hints=hints, field_map=[{"target": "license_type", "value": "SECRET"}])
    path, expired = interview(organization.invite(template)), organization.invite(template)
    organization.expire_by_time(expired)
    seats, submit = {"answers": {"seats": 5}}, f"{path}/submit"
    for answer in (
        anonymous.get(interview(expired), status=410),
        anonymous.get(path, status=200),
        anonymous.patch(path, {"answers": {"seats": "many", "unknown": 1}}, status=422),
        anonymous.patch(path, seats, status=200),
        anonymous.post(submit, {}, status=422),
        anonymous.post(submit, SERVER, status=200),
        anonymous.get(path, status=200),
        anonymous.patch(path, seats, status=409),
        anonymous.post(submit, SERVER, status=409),
    ):
        assert not re.search(rb"secret|hints|field_map|lead_fields|rep_", answer.body.lower()), answer


def test_the_organizations_branding_fills_what_the_template_leaves_open(organization, anonymous):
    branding = {"primary_color": "#111111", "logo_url": "https://a.example/logo.png"}
    organization.admin.patch("/api/organization", {"branding": branding}, status=200)
    invite = organization.invite(organization.template(branding={"primary_color": "#222222"}))
    form = anonymous.get(interview(invite), status=200).json
    assert form["template"]["branding"] == {"primary_color": "#222222", "logo_url": "https://a.example/logo.png"}
    assert form["organization"]["logo_url"] == "https://a.example/logo.png"


def test_the_address_of_the_lead_is_prefilled_with_its_domain_in_unicode(organization, anonymous):
    lead = organization.insert("leads", first_name="Ute", email="ute@xn--mller-kva.example")
    asked = template(question("mail", "email"), hints={"lead_fields": {"email": "mail"}})
    invite = organization.invite(organization.template(**asked), lead_id=lead)
    assert anonymous.get(interview(invite), status=200).json["prefill"] == {"mail": "ute@müller.example"}
    anonymous.post(f"{interview(invite)}/submit", {"answers": {"mail": "ute@müller.example"}}, status=200)


@pytest.mark.parametrize("token", ["0" * 64, "A" * 64, "0" * 63, "x", "%27%20or%201=1", "0" * 5000])
@DOORS
def test_an_unknown_or_malformed_token_is_always_the_same_404(token, method, door, anonymous):
    body = None if method == "GET" else {"answers": {}}
    answer = anonymous.request(method, f"/api/public/interview/{token}{door}", body, status=404).json
    answer.pop("request_id")
    not_found = {"type": "/docs/errors#not_found", "title": "Not found", "detail": "Not found."}
    assert answer == {**not_found, "status": 404, "code": "not_found"}


def test_looking_changes_nothing_and_saving_starts_merges_by_key_and_clears_by_null_or_an_empty_text(
    organization, invite, anonymous
):
    def save(**answers):
        return anonymous.patch(interview(invite), {"answers": answers}, status=200).json

    anonymous.get(interview(invite), status=200)
    assert organization.responses(invite)["status"] == "pending"
    saved = save(seats=25, notes="a", product_line="server")
    assert (saved["status"], saved["revision"]) == ("started", 1)
    assert saved["saved_at"].endswith("Z")
    assert organization.responses(invite)["status"] == "started"
    assert save(notes=None, seats=30)["answers"] == {"seats": 30, "product_line": "server"}
    assert save(product_line="")["answers"] == {"seats": 30}


def test_one_bad_value_refuses_the_whole_save(invite, anonymous):
    wrong = {"seats": "many", "product_line": "toaster", "unknown": 1, "notes": "kept?"}
    answer = anonymous.patch(interview(invite), {"answers": wrong}, status=422)
    assert {name for name, _ in codes(answer)} == {"answers.product_line", "answers.seats", "answers.unknown"}
    assert anonymous.get(interview(invite)).json["answers"] == {}


def test_numbers_are_kept_exactly(organization, anonymous):
    invite = organization.invite(organization.template(**template(question("price", "number"))))
    raw = b'{"answers": {"price": 0.10000000000005}}'
    assert '"price":0.10000000000005' in anonymous.patch(interview(invite), raw=raw).text.replace(" ", "")


def test_submit_merges_its_answers_thanks_and_ends_all_changes(organization, anonymous):
    invite = organization.invite(organization.template(thank_you={"title": "Thanks", "body": "Soon more."}))
    anonymous.patch(interview(invite), {"answers": {"seats": 5}}, status=200)
    answer = anonymous.post(interview(invite) + "/submit", {"answers": {"product_line": "desktop"}}, status=200).json
    assert (answer["status"], answer["thank_you"]) == ("submitted", {"title": "Thanks", "body": "Soon more."})
    form = anonymous.get(interview(invite), status=200).json
    assert form["answers"] == {"seats": 5, "product_line": "desktop"}
    assert form["submitted_at"] == answer["submitted_at"]
    for method, door in (("PATCH", ""), ("POST", "/submit")):
        late = anonymous.request(method, interview(invite) + door, {"answers": {"seats": 1}}, status=409)
        assert late.json["code"] == "invite_submitted"


@pytest.mark.parametrize("by_time", [True, False], ids=["by time", "by hand"])
@DOORS
def test_an_expired_invite_is_gone(by_time, method, door, organization, invite, anonymous):
    if by_time:
        organization.expire_by_time(invite)
    else:
        organization.member.put(f"/api/interview-invites/{invite['id']}/expire", status=200)
    body = None if method == "GET" else {"answers": {}}
    answer = anonymous.request(method, interview(invite) + door, body, status=410)
    assert answer.json["code"] == "invite_expired"


@pytest.mark.parametrize("end", ["deleted", "erased"])
def test_the_token_of_a_deleted_invite_and_of_an_erased_lead_opens_nothing(end, organization, admin, anonymous):
    lead = organization.insert("leads", first_name="Pat", email="pat@prospect.example")
    invite = organization.invite(lead_id=lead)
    if end == "deleted":
        admin.delete(f"/api/interview-invites/{invite['id']}", status=204)
    else:
        admin.post(f"/api/leads/{lead}/erase", {"confirm": "pat@prospect.example"}, status=200)
    anonymous.get(interview(invite), status=404)


def test_a_text_is_kept_as_it_is_typed_and_counts_trimmed_for_the_rep(organization, anonymous):
    flag = {"flag": "chatty", "label": "Chatty", "when": condition("notes", "answered")}
    invite = organization.invite(organization.template(hints={"rep_flags": [flag]}))
    for typed, shown, flags in (("  ", {}, []), ("We need ", {"notes": "We need"}, ["chatty"])):
        saved = anonymous.patch(interview(invite), {"answers": {"notes": typed}}, status=200).json
        assert saved["answers"] == {"notes": typed}
        read = organization.responses(invite)
        assert (read["answers"], read["rep_flags"]) == (shown, flags)


def test_answers_are_no_longer_read_by_their_token_when_thirty_days_have_passed(organization, anonymous, owner):
    lead = organization.insert("leads", first_name="Pat", email="pat@prospect.example")
    form = organization.template(**template(question("email", "email"), thank_you={"title": "Thanks"}))
    invite, given = organization.invite(form, lead_id=lead, recipient_name="Pat"), {"email": "pat@work.example"}
    anonymous.post(interview(invite) + "/submit", {"answers": given}, status=200)
    age_submit(owner, invite, "29 days 23 hours")
    shown = anonymous.get(interview(invite), status=200).json
    assert (shown["answers"], shown["recipient_name"]) == (given, "Pat")
    age_submit(owner, invite, "30 days")
    later = anonymous.get(interview(invite), status=200).json
    gone = {"answers": {}, "hidden_fields": {}, "prefill": {}, "recipient_name": None}
    assert later == {**shown, **gone, "submitted_at": later["submitted_at"]}
    assert organization.responses(invite)["answers"] == given


def age_submit(owner, invite, age):
    with owner.transaction():
        owner.execute("set local session_replication_role = replica")  # its answers are locked, by a trigger
        statement = "update app.interview_invites set submitted_at = now() - cast(%s as interval) where id = %s"
        owner.execute(statement, (age, invite["id"]))


def test_one_of_twenty_parallel_submits_wins(organization, anonymous):
    invite = organization.invite()
    body = {"answers": {"product_line": "server"}}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: anonymous.post(interview(invite) + "/submit", body), range(20)))
    assert sorted(answer.status_int for answer in answers) == [200] + [409] * 19
    assert {answer.json["code"] for answer in answers if answer.status_int == 409} == {"invite_submitted"}
    assert len(organization.rows()["outbox"]) == 1


def test_a_save_racing_the_submit_never_changes_submitted_answers(organization, anonymous, owner):
    template, kept = organization.template(), "select answers, saved_at <= submitted_at from app.interview_invites"
    with ThreadPoolExecutor(2) as pool:
        for seats in range(1, 51):
            invite = organization.invite(template)
            path, answers = interview(invite), {"product_line": "server"}
            submit = pool.submit(anonymous.post, f"{path}/submit", {"answers": dict(answers)}, status=200)
            save = pool.submit(anonymous.patch, path, {"answers": {"seats": seats}}).result()
            submit.result()
            if save.status_int == 200:
                answers["seats"] = seats
            else:
                assert (save.status_int, save.json["code"]) == (409, "invite_submitted")
            assert owner.execute(f"{kept} where id = %s", (invite["id"],)).fetchone() == (answers, True)


def test_two_tabs_saving_different_questions_lose_nothing(organization, anonymous):
    invite = organization.invite()
    changes = [{"seats": 7}, {"notes": "from the other tab"}, {"product_line": "server"}] * 10
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda change: anonymous.patch(interview(invite), {"answers": change}, status=200), changes))
    form = anonymous.get(interview(invite)).json
    assert form["answers"] == {"seats": 7, "notes": "from the other tab", "product_line": "server"}
    assert form["revision"] == 30


def test_a_save_that_waits_for_the_deletion_of_its_invite_finds_nothing(organization, anonymous, owner):
    invite = organization.invite()
    delete = "delete from app.interview_invites where id = %s"
    saved = held_up(
        owner, delete, [invite["id"]], lambda: anonymous.patch(interview(invite), {"answers": {"seats": 7}})
    )
    assert saved.status_int == 404
