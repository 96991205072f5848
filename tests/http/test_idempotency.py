"""Idempotency-Key: a repeated POST acts once and gets the first response again."""

import uuid

import pytest

from tests.conftest import PASSWORD
from tests.http.target import assert_problem
from tests.leads.csv_files import BOUNDARY, multipart
from tests.support import codes, held_up, interview

LEADS = "/api/leads"
PAT = {"first_name": "Pat", "email": "pat@prospect.example"}
VISIBLE = {"answers": {"product_line": "server"}}


@pytest.fixture
def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


def count(api):
    return api.get(LEADS, status=200).json["total"]


def kept(organization):
    """(scope, status) of every answer that is kept for the organization."""
    return organization.owner.execute(
        "select scope, status from app.idempotency_keys where organization_id = %s", [organization.id]
    ).fetchall()


def replayed(response):
    return response.headers.get("Idempotency-Replayed") == "true"


def test_a_repeated_post_acts_once_and_is_answered_alike(member, key):
    first, second = (member.post(LEADS, PAT, headers=key, status=201) for _ in range(2))
    assert second.body == first.body
    for name in ("Location", "ETag", "Content-Type"):
        assert second.headers[name] == first.headers[name]
    assert (replayed(first), replayed(second)) == (False, True)
    assert count(member) == 1


def test_another_body_or_path_under_the_same_key_is_refused(member, key):
    lead = member.post(LEADS, PAT, headers=key, status=201).json["id"]
    for path, body in ((LEADS, {**PAT, "phone": "1"}), (f"{LEADS}/{lead}/notes", {"content": "x"})):
        assert_problem(member.post(path, body, headers=key), 422, "idempotency_key_reused")
    assert_problem(member.post(LEADS, {}, headers=key), 422, "validation_failed")
    assert count(member) == 1


def test_the_same_data_written_differently_is_the_same_request(member, key):
    member.post(LEADS, PAT, headers=key, status=201)
    other = b'{ "email" : "pat@prospect.example", "phone": null, "first_name": " P\\u0061t" }'
    assert replayed(member.post(LEADS, raw=other, headers=key, status=201))


def test_a_refusal_is_not_kept_so_the_key_still_serves(member, key, organization):
    assert_problem(member.post(LEADS, {**PAT, "assigned_to": 9_000_000_000}, headers=key), 422)
    assert kept(organization) == []
    assert not replayed(member.post(LEADS, PAT, headers=key, status=201))


@pytest.mark.parametrize(
    ("bad", "code"),
    [("", "invalid_format"), ("x" * 256, "invalid_format"), ("\xe9", "invalid_format"), ("a, a", "repeated")],
)
def test_a_malformed_key_is_refused(bad, code, member):
    refused = member.post(LEADS, PAT, headers={"Idempotency-Key": bad}, status=422)
    assert codes(refused) == [("Idempotency-Key", code)]
    assert refused.json["errors"][0]["location"] == "header"
    assert count(member) == 0


def test_any_printable_text_is_a_key_and_another_one_in_other_letters(member):
    good = ["a", "A", "1", "x" * 255, '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "a b; c=d"]
    for header in ({"Idempotency-Key": key} for key in good):
        assert [replayed(member.post(LEADS, PAT, headers=header, status=201)) for _ in range(2)] == [False, True]
    assert count(member) == len(good)


def test_each_user_has_keys_of_their_own_in_each_organization(organization, new_organization, key):
    other, user = new_organization(), organization.users["member"]
    other.seat(user)
    for api in (organization.member, organization.colleague, other.member, other.client(user)):
        assert not replayed(api.post(LEADS, PAT, headers=key, status=201))
    assert len(kept(organization)) == len(kept(other)) == 2


def test_a_user_without_seat_gets_no_stored_response(organization, key):
    organization.member.post(LEADS, PAT, headers=key, status=201)
    organization.deactivate_seats()
    organization.member.post(LEADS, PAT, headers=key, status=401)


def test_a_key_serves_again_after_a_day(member, owner, organization, key):
    first = member.post(LEADS, PAT, headers=key, status=201)
    owner.execute("update app.idempotency_keys set expires_at = now() where organization_id = %s", [organization.id])
    again = member.post(LEADS, {**PAT, "phone": "1"}, headers=key, status=201)
    assert (replayed(again), again.json["id"] == first.json["id"]) == (False, False)
    assert replayed(member.post(LEADS, {**PAT, "phone": "1"}, headers=key, status=201))


def test_an_upload_is_repeated_safely_and_another_file_is_another_request(member, key):
    def send(content, boundary=BOUNDARY):
        body = multipart(content).replace(BOUNDARY.encode(), boundary.encode())
        headers = {**member.headers, **key, "Content-Type": f"multipart/form-data; boundary={boundary}"}
        return member.app.request(f"{LEADS}/import", method="POST", body=body, headers=headers, status="*")

    first, second = send(b"first_name\nPat\n"), send(b"first_name\nPat\n", boundary="another-boundary")
    assert (first.status_int, second.body, replayed(second)) == (200, first.body, True)
    assert_problem(send(b"first_name\nKim\n"), 422, "idempotency_key_reused")
    assert count(member) == 1


def test_while_the_first_is_under_way_the_second_is_told_at_once(organization, member, owner, key):
    answers, body = [], {**PAT, "assigned_to": organization.users["colleague"]}

    def post():
        answers.append(member.post(LEADS, body, headers=key))

    held_up(owner, "lock table app.leads in exclusive mode", (), post, meanwhile=post)
    second, first = answers
    assert_problem(second, 409, "idempotency_key_in_flight")
    assert (second.headers["Retry-After"], first.status_int) == ("1", 201)
    assert replayed(member.post(LEADS, body, headers=key, status=201))


def test_a_repeated_submit_gets_the_first_answer_not_a_conflict(organization, anonymous, key):
    path = f"{interview(organization.invite())}/submit"
    first, second = (anonymous.post(path, VISIBLE, headers=key, status=200) for _ in range(2))
    assert (second.body, replayed(second)) == (first.body, True)
    assert_problem(anonymous.post(path, VISIBLE), 409, "invite_submitted")


def test_each_invite_has_keys_of_its_own(organization, anonymous, key):
    for number in range(2):
        invite = organization.invite(organization.template(slug=f"t{number}"))
        assert not replayed(anonymous.post(f"{interview(invite)}/submit", VISIBLE, headers=key, status=200))
    assert all(scope.startswith("invite:") for scope, _ in kept(organization))


def test_a_response_with_tokens_is_never_stored(organization, anonymous, key):
    credentials = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    first, second = (anonymous.post("/api/auth/login", credentials, headers=key, status=200) for _ in range(2))
    assert first.json["refresh_token"] != second.json["refresh_token"]
    assert kept(organization) == []


def test_only_a_post_has_a_key(member, key):
    lead = f"{LEADS}/{member.post(LEADS, PAT, status=201).json['id']}"
    for _ in range(2):
        assert not replayed(member.put(lead, PAT, headers=key, status=200))
