"""Entity tags: 304 for a current tag, 412 for a change of an outdated record."""

import functools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.http.endpoints.contract import endpoints, shown_by
from tests.contracts.support import TEMPLATE as CONTRACT_TEMPLATE
from tests.contracts.support import image_file, pdf_file, upload
from tests.http.target import assert_problem
from tests.isolation.cases import CASES
from tests.leads.csv_files import FORM
from tests.support import TEMPLATE, interview, wait_until_waiting

PAT = {"first_name": "Pat"}
# What changes many records at once, or none that can be shown; only `If-Match: *` fits it.
NO_RECORD = {
    ("PUT", "/api/notifications/read-all"),
    ("PUT", "/api/auth/password"),
    ("DELETE", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions/{id}"),
    ("DELETE", "/api/auth/invitations/{id}"),
    ("DELETE", "/api/public/interview/{token}/files/{fileId}"),
}


@pytest.fixture
def records(organization):
    """{path: a body to PUT there} of one record of each kind, each with its own GET."""
    template = organization.template()
    invite = organization.invite(template)
    lead = organization.member.post("/api/leads", PAT, status=201).json
    return {
        f"/api/interview-templates/{template['id']}": {**TEMPLATE, "name": "Changed"},
        f"/api/interview-invites/{invite['id']}": None,
        f"/api/interview-invites/{invite['id']}/responses": None,
        f"/api/leads/{lead['id']}": {"first_name": "Kim"},
        "/api/auth/me": None,
        interview(invite): None,
    }


@pytest.fixture
def lead(member):
    """The path of a lead."""
    return f"/api/leads/{member.post('/api/leads', PAT, status=201).json['id']}"


def tag(api, path):
    return api.get(path, status=200).headers["ETag"]


def test_what_is_created_comes_with_the_tag_that_it_is_found_under(admin, organization):
    template = admin.post("/api/interview-templates", TEMPLATE, status=201)
    invite = {"template_id": template.json["id"], "recipient_email": "pat@prospect.example"}
    for path, made in (
        ("/api/interview-templates", template),
        ("/api/interview-invites", admin.post("/api/interview-invites", invite, status=201)),
        ("/api/leads", admin.post("/api/leads", PAT, status=201)),
    ):
        assert made.headers["ETag"] == tag(admin, f"{path}/{made.json['id']}")


def test_what_is_given_a_file_comes_with_the_tag_that_it_is_found_under(admin):
    template = admin.post("/api/contract-templates", CONTRACT_TEMPLATE, status=201).json["id"]
    body = {"template_id": template, "effective_date": "2026-02-01"}
    contract = f"/api/contracts/{admin.post('/api/contracts', body, status=201).json['id']}"
    for record, path, content, field in (
        (contract, f"{contract}/executed", pdf_file(), "file"),
        (f"/api/contract-templates/{template}", f"/api/contract-templates/{template}/logo", image_file("PNG"), "logo"),
        ("/api/organization", "/api/organization/logo", image_file("PNG"), "logo"),
    ):
        answer = upload(admin, path, content, "signed.pdf", field, status=201)
        assert answer.headers["ETag"] == tag(admin, record)


def test_who_has_the_newest_is_not_sent_it_again(records, admin):
    for path in records:
        known = admin.get(path, headers={"If-None-Match": tag(admin, path)}, status=304)
        assert known.body == b""
        assert known.headers["ETag"][0] == known.headers["ETag"][-1] == '"'
        assert known.headers["ETag"] == tag(admin, path)
        assert known.headers["Cache-Control"] == "no-store"
        assert "Content-Type" not in known.headers


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', '"a","b",{}', "*", ' "other" ,W/{} '])
def test_a_tag_is_found_among_others_weak_or_not(form, lead, member):
    header = form.replace("{}", tag(member, lead))
    member.get(lead, headers={"If-None-Match": header}, status=304)
    member.request("HEAD", lead, headers={"If-None-Match": header}, status=304)


@pytest.mark.parametrize("header", ['"other"', "nonsense", "", '""', "W/"])
def test_who_has_something_else_is_sent_the_record(header, lead, member):
    assert member.get(lead, headers={"If-None-Match": header}, status=200).json["first_name"] == "Pat"


def test_a_list_has_a_tag_too(lead, member):
    known = {"If-None-Match": tag(member, "/api/leads?per_page=5")}
    member.get("/api/leads?per_page=5", headers=known, status=304)
    member.get("/api/leads?per_page=6", headers=known, status=200)


def test_a_lead_changes_with_its_notes(lead, member):
    known = {"If-None-Match": tag(member, lead)}
    member.post(f"{lead}/notes", {"content": "Called"}, status=201)
    member.get(lead, headers=known, status=200)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_only_who_has_seen_the_newest_changes_it(method, records, admin):
    for path, body in records.items():
        if not body:
            continue
        seen = tag(admin, path)
        admin.put(path, {**body, **({"name": "Third"} if "name" in body else {"first_name": "Third"})}, status=200)
        newest = tag(admin, path)
        sent = None if method == "DELETE" else body
        refused = admin.request(method, path, sent, headers={"If-Match": seen})
        assert_problem(refused, 412, "precondition_failed")
        assert refused.headers["ETag"] == newest == tag(admin, path)
        done = admin.request(method, path, sent, headers={"If-Match": newest})
        assert done.status_int in (200, 204)


@pytest.mark.parametrize(
    ("form", "expected"),
    [("{}", 200), ('"other", {}', 200), ("*", 200), ("", 412), ("W/{}", 412), ('"other"', 412), ("nonsense", 412)],
)
def test_a_change_needs_the_strong_tag(form, expected, lead, member):
    header = form.replace("{}", tag(member, lead))
    member.put(lead, {"first_name": "Kim"}, headers={"If-Match": header}, status=expected)


def test_without_the_header_the_last_one_wins(lead, member):
    member.put(lead, {"first_name": "Kim"}, status=200)
    member.put(lead, {"first_name": "Sam"}, status=200)


def test_an_action_is_guarded_by_the_tag_of_its_record(lead, member, organization):
    seen = tag(member, lead)
    member.put(lead, {"first_name": "Kim"}, status=200)
    member.put(f"{lead}/disqualify", {}, headers={"If-Match": seen}, status=412)
    assert member.get(lead).json["status"] == "new"
    done = member.put(f"{lead}/disqualify", {}, headers={"If-Match": tag(member, lead)}, status=200)
    assert done.headers["ETag"] == tag(member, lead)
    invite = f"/api/interview-invites/{organization.invite()['id']}"
    member.put(f"{invite}/expire", headers={"If-Match": '"old"'}, status=412)
    member.put(f"{invite}/expire", headers={"If-Match": tag(member, invite)}, status=200)


ACTIONS = sorted(
    (method, path) for method, path in CASES if method == "POST" and ("{" in path or path.endswith("/logo"))
)


@pytest.mark.parametrize("route", ACTIONS, ids=" ".join)
def test_every_action_refuses_a_tag_that_its_record_does_not_have(route, admin, organization):
    case, path = CASES[route], route[1]
    ids = case.arrange(organization)
    body = case.body(ids) if case.body else None
    raw = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
    headers = {"If-Match": '"old"', "Content-Type": FORM if body is raw else "application/json"} | admin.headers
    refused = admin.app.request(path.format(**ids), method="POST", body=raw, headers=headers, status="*")
    assert_problem(refused, 412, "precondition_failed")


def test_a_kept_answer_is_given_whatever_the_tag_is_by_now(lead, member):
    headers = {"If-Match": tag(member, lead), "Idempotency-Key": "once"}
    first, again = (member.post(f"{lead}/qualify", {}, headers=headers, status=200) for _ in range(2))
    assert (again.body, again.headers["Idempotency-Replayed"]) == (first.body, "true")
    member.post(f"{lead}/qualify", {}, headers={**headers, "Idempotency-Key": "other"}, status=412)


def test_of_many_actions_on_the_same_tag_exactly_one_is_done(lead, member):
    seen = {"If-Match": tag(member, lead)}
    with ThreadPoolExecutor(10) as pool:
        answers = list(
            pool.map(lambda _: member.post(f"{lead}/qualify", {"create_deal": True}, headers=seen), range(10))
        )
    assert sorted(answer.status_int for answer in answers) == [200] + [412] * 9
    assert member.get("/api/deals").json["total"] == 1


def test_of_many_actions_under_one_key_and_tag_exactly_one_is_done(lead, member):
    headers = {"If-Match": tag(member, lead), "Idempotency-Key": "once"}
    with ThreadPoolExecutor(10) as pool:
        answers = list(
            pool.map(lambda _: member.post(f"{lead}/qualify", {"create_deal": True}, headers=headers), range(10))
        )
    assert {answer.status_int for answer in answers} <= {200, 409}
    assert member.get("/api/deals").json["total"] == 1


def test_a_creation_has_no_record_that_a_tag_could_be_of(member):
    member.post("/api/leads", PAT, headers={"If-Match": '"old"'}, status=201)


def test_a_task_is_guarded_by_the_tag_that_its_last_answer_had(lead, member):
    made = member.post(f"{lead}/tasks", {"title": "Call"}, status=201)
    path = f"{lead}/tasks/{made.json['id']}"
    changed = member.put(path, {"title": "Write"}, headers={"If-Match": made.headers["ETag"]}, status=200)
    member.put(path, {"title": "Visit"}, headers={"If-Match": made.headers["ETag"]}, status=412)
    member.delete(path, headers={"If-Match": made.headers["ETag"]}, status=412)
    member.delete(path, headers={"If-Match": changed.headers["ETag"]}, status=204)


def test_saving_answers_can_be_guarded_by_the_tag_of_the_form(organization, anonymous):
    path = interview(organization.invite())
    seen = tag(anonymous, path)
    anonymous.patch(path, {"answers": {"seats": 5}}, headers={"If-Match": seen}, status=200)
    anonymous.patch(path, {"answers": {"seats": 6}}, headers={"If-Match": seen}, status=412)
    assert anonymous.get(path).json["answers"] == {"seats": 5}


def test_what_does_not_exist_is_not_found_and_what_is_wrong_is_invalid_whatever_the_tag(lead, member):
    for header in ('"other"', "*"):
        member.put("/api/leads/9000000000", PAT, headers={"If-Match": header}, status=404)
        member.delete("/api/leads/9000000000", headers={"If-Match": header}, status=404)
    member.put(lead, {}, headers={"If-Match": '"other"'}, status=422)


def test_the_tag_of_another_organizations_record_opens_nothing(lead, member, new_organization):
    stranger, seen = new_organization().member, tag(member, lead)
    stranger.get(lead, headers={"If-None-Match": seen}, status=404)
    stranger.put(lead, PAT, headers={"If-Match": seen}, status=404)


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.parametrize("kind", ["leads", "interview-templates"])
def test_of_many_changes_on_the_same_tag_exactly_one_is_made(kind, method, records, admin):
    path, body = next((path, body) for path, body in records.items() if body and kind in path)
    seen = {"If-Match": tag(admin, path)}
    field = "first_name" if kind == "leads" else "name"
    with ThreadPoolExecutor(10) as pool:
        change = functools.partial(admin.request, method, path, headers=seen)
        answers = list(pool.map(lambda n: change({**body, field: f"P{n}"}), range(10)))
    assert sorted(answer.status_int for answer in answers) == [200] + [412] * 9
    (winner,) = [answer for answer in answers if answer.status_int == 200]
    assert admin.get(path).json[field] == winner.json[field]


def test_a_change_by_another_way_in_the_same_moment_is_seen(lead, member, owner):
    """The other transaction is open when the change is asked for, and commits while it waits."""
    id, seen = lead.rpartition("/")[2], {"If-Match": tag(member, lead)}
    with ThreadPoolExecutor(1) as pool:
        with owner.transaction():
            owner.execute("update app.leads set phone = '1' where id = %s", [id])
            change = pool.submit(member.put, lead, {"first_name": "Kim"}, headers=seen)
            wait_until_waiting(owner)
        assert_problem(change.result(), 412, "precondition_failed")
    assert (member.get(lead).json["first_name"], member.get(lead).json["phone"]) == ("Pat", "1")


def test_a_change_that_only_touched_the_row_is_no_reason_to_refuse(lead, member, owner):
    id, seen = lead.rpartition("/")[2], {"If-Match": tag(member, lead)}
    with ThreadPoolExecutor(1) as pool:
        with owner.transaction():
            # Without the trigger that tells the time.
            owner.execute("set local session_replication_role = replica")
            owner.execute("update app.leads set phone = phone where id = %s", [id])
            change = pool.submit(member.put, lead, {"first_name": "Kim"}, headers=seen)
            wait_until_waiting(owner)
        assert change.result().status_int == 200


def test_every_put_and_delete_knows_the_record_that_it_changes(wsgi):
    services = wsgi.registry.cornice_services.values()
    shown = {service.path for service in services if service.shown}
    # What is missing here has neither a GET of its own nor `@resource.current`.
    unknown = {
        (method, path)
        for method, path in ((contract.method, contract.path) for contract in endpoints(wsgi.registry))
        if method in ("PUT", "PATCH", "DELETE") and path not in shown and shown_by(wsgi.registry, path) is None
    }
    assert unknown == NO_RECORD


@pytest.mark.parametrize(("form", "word"), [("W/{}", "weak"), ("5f3a", "quotes"), ('"5f3a', "quotes"), ("", "quotes")])
def test_a_tag_that_can_never_match_is_told_why(form, word, lead, member):
    header = form.replace("{}", tag(member, lead))
    assert word in member.delete(lead, headers={"If-Match": header}, status=412).json["detail"]
