"""Entity tags: 304 for a current tag, 412 for a change of an outdated record."""

import functools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.support import TEMPLATE as CONTRACT_TEMPLATE
from tests.contracts.support import image_file, pdf_file, upload
from tests.http.target import assert_problem
from tests.isolation.cases import CASES
from tests.leads.csv_files import FORM
from tests.support import held_up, interview

PAT = {"first_name": "Pat"}
CHANGES = sorted(
    (method, path)
    for method, path in CASES
    if method in ("PUT", "PATCH", "DELETE") or method == "POST" and ("{" in path or path.endswith("/logo"))
)


def tag(api, path):
    return api.get(path, status=200).headers["ETag"]


def test_an_upload_answers_with_the_tag_that_a_get_has(admin):
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


def test_a_current_tag_is_304(lead, admin, organization):
    invite = organization.invite()
    answered = f"/api/interview-invites/{invite['id']}"
    for path in (lead, answered, f"{answered}/responses", interview(invite), "/api/auth/me", "/api/leads?per_page=5"):
        known = admin.get(path, headers={"If-None-Match": tag(admin, path)}, status=304)
        assert known.body == b""
        assert known.headers["ETag"] == tag(admin, path)
        assert known.headers["Cache-Control"] == "no-store"
        assert "Content-Type" not in known.headers


@pytest.mark.parametrize(
    ("status", "forms"),
    [(304, ["{}", "W/{}", '"a","b",{}', "*", ' "other" ,W/{} ']), (200, ['"other"', "nonsense", "", "W/"])],
)
def test_a_tag_is_found_among_others_weak_or_not(status, forms, lead, member):
    for form in forms:
        header = {"If-None-Match": form.replace("{}", tag(member, lead))}
        for method in ("GET", "HEAD"):
            assert member.request(method, lead, headers=header).status_int == status, form


def test_a_lead_changes_with_its_notes(lead, member):
    known = {"If-None-Match": tag(member, lead)}
    member.post(f"{lead}/notes", {"content": "Called"}, status=201)
    member.get(lead, headers=known, status=200)


@pytest.mark.parametrize("route", CHANGES, ids=" ".join)
def test_every_change_refuses_a_tag_that_its_record_does_not_have(route, admin, organization):
    case, (method, path) = CASES[route], route
    ids = case.arrange(organization)
    body = case.body(ids) if case.body else None
    raw = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
    headers = {"If-Match": '"old"', "Content-Type": FORM if body is raw else "application/json"} | admin.headers
    refused = admin.app.request(path.format(**ids), method=method, body=raw, headers=headers, status="*")
    assert_problem(refused, 412, "precondition_failed")


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("PUT", "", {"first_name": "Kim"}),
        ("PATCH", "", {"first_name": "Kim"}),
        ("PUT", "/disqualify", {}),
        ("DELETE", "", None),
    ],
)
def test_only_who_has_seen_the_newest_changes_it(method, rest, body, lead, member):
    seen = tag(member, lead)
    member.put(lead, {"first_name": "Third"}, status=200)
    newest = tag(member, lead)
    refused = member.request(method, lead + rest, body, headers={"If-Match": seen}, status=412)
    assert refused.headers["ETag"] == newest == tag(member, lead)
    done = member.request(method, lead + rest, body, headers={"If-Match": newest})
    assert done.status_int in (200, 204)


@pytest.mark.parametrize("form", ["{}", '"other", {}', "*"])
def test_a_change_with_the_strong_tag_is_made(form, lead, member):
    header = form.replace("{}", tag(member, lead))
    member.put(lead, {"first_name": "Kim"}, headers={"If-Match": header}, status=200)


@pytest.mark.parametrize(("form", "word"), [("W/{}", "weak"), ("5f3a", "quotes"), ('"5f3a', "quotes"), ("", "quotes")])
def test_a_tag_that_can_never_match_is_told_why(form, word, lead, member):
    header = form.replace("{}", tag(member, lead))
    assert word in member.delete(lead, headers={"If-Match": header}, status=412).json["detail"]


def test_a_kept_answer_is_given_whatever_the_tag_is_by_now(lead, member):
    headers = {"If-Match": tag(member, lead), "Idempotency-Key": "once"}
    first, again = (member.post(f"{lead}/qualify", {}, headers=headers, status=200) for _ in range(2))
    assert (again.body, again.headers["Idempotency-Replayed"]) == (first.body, "true")
    member.post(f"{lead}/qualify", {}, headers={**headers, "Idempotency-Key": "other"}, status=412)


@pytest.mark.parametrize(("method", "rest"), [("PUT", ""), ("PATCH", ""), ("POST", "/qualify")])
def test_many_changes_on_one_tag_make_one(method, rest, lead, member):
    seen = {"If-Match": tag(member, lead)}

    def change(number):
        body = {"create_deal": True} if rest else {"first_name": f"P{number}"}
        return member.request(method, lead + rest, body, headers=seen).status_int

    with ThreadPoolExecutor(10) as pool:
        assert sorted(pool.map(change, range(10))) == [200] + [412] * 9
    assert member.get("/api/deals").json["total"] == (1 if rest else 0)


def test_many_actions_under_one_key_and_tag_do_one(lead, member):
    headers = {"If-Match": tag(member, lead), "Idempotency-Key": "once"}
    with ThreadPoolExecutor(10) as pool:
        qualified = pool.map(
            lambda _: member.post(f"{lead}/qualify", {"create_deal": True}, headers=headers), range(10)
        )
        assert {answer.status_int for answer in qualified} <= {200, 409}
    assert member.get("/api/deals").json["total"] == 1


def test_saving_answers_can_be_guarded_by_the_tag_of_the_form(organization, anonymous):
    path = interview(organization.invite())
    seen = tag(anonymous, path)
    anonymous.patch(path, {"answers": {"seats": 5}}, headers={"If-Match": seen}, status=200)
    anonymous.patch(path, {"answers": {"seats": 6}}, headers={"If-Match": seen}, status=412)
    assert anonymous.get(path).json["answers"] == {"seats": 5}


def test_404_and_422_precede_any_tag(lead, member, new_organization):
    stranger, seen = new_organization().member, tag(member, lead)
    stranger.get(lead, headers={"If-None-Match": seen}, status=404)
    stranger.put(lead, PAT, headers={"If-Match": seen}, status=404)
    for header in ('"other"', "*"):
        member.put("/api/leads/9000000000", PAT, headers={"If-Match": header}, status=404)
        member.delete("/api/leads/9000000000", headers={"If-Match": header}, status=404)
    member.put(lead, {}, headers={"If-Match": '"other"'}, status=422)


def test_a_change_by_another_way_in_the_same_moment_is_seen(lead, member, owner):
    other, seen = "update app.leads set phone = '2' where id = %s", {"If-Match": tag(member, lead)}
    change = functools.partial(member.put, lead, {"first_name": "Kim"}, headers=seen)
    assert_problem(held_up(owner, other, [lead.rpartition("/")[2]], change), 412, "precondition_failed")
    assert (member.get(lead).json["first_name"], member.get(lead).json["phone"]) == ("Pat", "2")
