"""Idempotency-Key: a repeated POST acts once and gets the first response again."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from pipeline.http.endpoints.contract import endpoints
from tests.conftest import PASSWORD
from tests.http.target import assert_problem
from tests.leads.csv_files import FORM, multipart
from tests.support import codes, interview, wait_until_waiting

LEADS = "/api/leads"
PAT = {"first_name": "Pat", "email": "pat@prospect.example"}
VISIBLE = {"answers": {"product_line": "server"}}
# Their answers hold tokens or keys, which are kept nowhere.
# Answers that hold secrets or personal data, and uploads, of which the same content twice is one file.
NEVER_KEPT = {
    ("POST", "/api/auth/login"),
    ("POST", "/api/auth/refresh"),
    ("POST", "/api/auth/logout"),
    ("POST", "/api/auth/organization"),
    ("POST", "/api/auth/password/forgot"),
    ("POST", "/api/auth/password/reset"),
    ("POST", "/api/auth/activate"),
    ("POST", "/api/api-keys"),
    ("POST", "/api/leads/{id}/erase"),
    ("POST", "/api/contract-templates/preview"),
    ("POST", "/api/interview-templates/{id}/preview"),
    ("POST", "/api/webhooks"),
    ("POST", "/api/webhooks/{id}/rotate"),
}


@pytest.fixture
def key():
    """The header with a fresh key."""
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
    assert (first.body, first.headers["Location"], first.headers["ETag"]) == (
        second.body,
        second.headers["Location"],
        second.headers["ETag"],
    )
    assert (replayed(first), replayed(second)) == (False, True)
    assert second.content_type == "application/json"
    assert count(member) == 1


def test_the_first_answer_is_given_even_when_the_record_has_gone(member, key):
    first = member.post(LEADS, PAT, headers=key, status=201)
    member.delete(f"{LEADS}/{first.json['id']}", status=204)
    assert member.post(LEADS, PAT, headers=key, status=201).body == first.body
    assert count(member) == 0


def test_without_a_key_each_post_acts(member):
    for _ in range(2):
        member.post(LEADS, PAT, status=201)
    assert count(member) == 2


def test_another_key_is_another_request(member):
    for name in ("a", "b", "A"):
        assert not replayed(member.post(LEADS, PAT, headers={"Idempotency-Key": name}, status=201))
    assert count(member) == 3


def test_an_action_and_a_record_below_another_are_repeated_safely(member):
    lead = f"{LEADS}/{member.post(LEADS, PAT, status=201).json['id']}"
    for path, body in ((f"{lead}/qualify", {"create_deal": True}), (f"{lead}/notes", {"content": "Called"})):
        header = {"Idempotency-Key": path}
        assert member.post(path, body, headers=header).body == member.post(path, body, headers=header).body
    assert len(member.get(lead).json["note_entries"]) == 1


@pytest.mark.parametrize("body", [{**PAT, "phone": "1"}, {"first_name": "Pat"}])
def test_another_body_under_the_same_key_is_refused(body, member, key):
    member.post(LEADS, PAT, headers=key, status=201)
    assert_problem(member.post(LEADS, body, headers=key), 422, "idempotency_key_reused")
    assert count(member) == 1


def test_the_same_data_written_differently_is_the_same_request(member, key):
    member.post(LEADS, PAT, headers=key, status=201)
    other = b'{ "email" : "pat@prospect.example", "phone": null, "first_name": " P\\u0061t" }'
    assert replayed(member.post(LEADS, raw=other, headers=key, status=201))


def test_another_path_under_the_same_key_is_refused(member, organization, key):
    lead = member.post(LEADS, PAT, headers=key, status=201).json["id"]
    assert_problem(member.post(f"{LEADS}/{lead}/notes", {"content": "x"}, headers=key), 422, "idempotency_key_reused")


def test_an_invalid_body_is_invalid_whatever_the_key(member, key):
    member.post(LEADS, PAT, headers=key, status=201)
    assert_problem(member.post(LEADS, {}, headers=key), 422, "validation_failed")


def test_a_refusal_is_not_kept_so_the_key_still_serves(member, key, organization):
    assert_problem(member.post(LEADS, {**PAT, "assigned_to": 9_000_000_000}, headers=key), 422)
    assert kept(organization) == []
    assert not replayed(member.post(LEADS, PAT, headers=key, status=201))


@pytest.mark.parametrize("bad", ["", "x" * 256, "a\tb", "\xe9", "\x7f"])
def test_what_cannot_be_a_key_is_refused(bad, member):
    refused = member.post(LEADS, PAT, headers={"Idempotency-Key": bad})
    assert_problem(refused, 422, "validation_failed")
    assert codes(refused) == [("Idempotency-Key", "invalid_format")]
    assert refused.json["errors"][0]["location"] == "header"
    assert count(member) == 0


def test_a_key_that_was_sent_twice_and_joined_on_its_way_is_refused(member):
    refused = member.post(LEADS, PAT, headers={"Idempotency-Key": "one, one"}, status=422)
    assert codes(refused) == [("Idempotency-Key", "repeated")]
    assert count(member) == 0


@pytest.mark.parametrize("good", ["1", "x" * 255, '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "a b; c=d"])
def test_any_printable_text_is_a_key(good, member):
    header = {"Idempotency-Key": good}
    assert [replayed(member.post(LEADS, PAT, headers=header, status=201)) for _ in range(2)] == [False, True]


def test_each_user_has_keys_of_their_own(organization, new_organization, key):
    for api in (organization.member, organization.colleague, new_organization().member):
        assert not replayed(api.post(LEADS, PAT, headers=key, status=201))
    assert len(kept(organization)) == 2


def test_a_user_of_two_organizations_has_keys_of_their_own_in_each(organization, new_organization, key):
    other, user = new_organization(), organization.users["member"]
    other.seat(user)
    organization.member.post(LEADS, PAT, headers=key, status=201)
    assert not replayed(other.client(user).post(LEADS, PAT, headers=key, status=201))


def test_who_has_lost_their_seat_gets_no_kept_answer(organization, key):
    organization.member.post(LEADS, PAT, headers=key, status=201)
    organization.deactivate_seats()
    organization.member.post(LEADS, PAT, headers=key, status=401)


def test_a_key_serves_again_after_a_day(organization, key):
    first = organization.member.post(LEADS, PAT, headers=key, status=201)
    organization.owner.execute(
        "update app.idempotency_keys set expires_at = now() where organization_id = %s", [organization.id]
    )
    again = organization.member.post(LEADS, {**PAT, "phone": "1"}, headers=key, status=201)
    assert not replayed(again)
    assert again.json["id"] != first.json["id"]
    assert replayed(organization.member.post(LEADS, {**PAT, "phone": "1"}, headers=key, status=201))


def test_an_upload_is_repeated_safely_and_another_file_is_another_request(member, key):
    def send(content, boundary=None):
        form = FORM if boundary is None else f"multipart/form-data; boundary={boundary}"
        body = multipart(content)
        body = body if boundary is None else body.replace(FORM.rpartition("=")[2].encode(), boundary.encode())
        headers = {**member.headers, **key, "Content-Type": form}
        return member.app.request("/api/leads/import", method="POST", body=body, headers=headers, status="*")

    first = send(b"first_name\nPat\n")
    second = send(b"first_name\nPat\n", boundary="another-boundary")
    assert (first.status_int, first.body) == (second.status_int, second.body) == (200, second.body)
    assert replayed(second)
    assert_problem(send(b"first_name\nKim\n"), 422, "idempotency_key_reused")
    assert count(member) == 1


def test_twenty_at_once_make_one_record(member, key):
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: member.post(LEADS, PAT, headers=key), range(20)))
    made = [answer for answer in answers if answer.status_int == 201]
    assert {answer.status_int for answer in answers} <= {201, 409}
    assert len({answer.body for answer in made}) == 1
    assert sum(not replayed(answer) for answer in made) == 1
    for answer in answers:
        if answer.status_int == 409:
            assert_problem(answer, 409, "idempotency_key_in_flight")
            assert answer.headers["Retry-After"] == "1"
    assert count(member) == 1


def test_while_the_first_is_under_way_the_second_is_told_at_once(organization, owner, key):
    """The first waits for a lock that the test holds; the second is answered meanwhile."""
    body = {**PAT, "assigned_to": organization.users["colleague"]}
    with ThreadPoolExecutor(1) as pool:
        with owner.transaction():
            owner.execute("lock table app.leads in exclusive mode")
            first = pool.submit(organization.member.post, LEADS, body, headers=key)
            wait_until_waiting(owner)
            second = organization.member.post(LEADS, body, headers=key)
        assert_problem(second, 409, "idempotency_key_in_flight")
        assert first.result().status_int == 201
    assert replayed(organization.member.post(LEADS, body, headers=key, status=201))


def test_a_repeated_submit_gets_the_first_answer_not_a_conflict(organization, anonymous, key):
    path = f"{interview(organization.invite())}/submit"
    first = anonymous.post(path, VISIBLE, headers=key, status=200)
    second = anonymous.post(path, VISIBLE, headers=key, status=200)
    assert first.body == second.body
    assert replayed(second)
    assert_problem(anonymous.post(path, VISIBLE), 409, "invite_submitted")
    events = organization.owner.execute(
        "select count(*) from app.outbox where organization_id = %s", [organization.id]
    ).fetchone()
    assert events == (1,)


def test_each_invite_has_keys_of_its_own(organization, anonymous, key):
    for number in range(2):
        invite = organization.invite(organization.template(slug=f"t{number}"))
        assert not replayed(anonymous.post(f"{interview(invite)}/submit", VISIBLE, headers=key, status=200))
    assert all(scope.startswith("invite:") for scope, _ in kept(organization))


@pytest.mark.parametrize("value", ["9" * 40, "1e400", "1.50", '{"a": [1, {"b": null}]}', '"\\ud83d\\ude00"'])
def test_whatever_is_answered_a_key_does_no_harm(value, organization, anonymous, key):
    path = f"{interview(organization.invite())}/submit"
    raw = f'{{"answers": {{"product_line": "server", "seats": {value}}}}}'.encode()
    assert_problem(anonymous.post(path, raw=raw, headers=key), 422, "validation_failed")


def test_an_unknown_token_is_not_found_whatever_the_key(anonymous, key):
    anonymous.post(f"/api/public/interview/{'0' * 64}/submit", VISIBLE, headers=key, status=404)


def test_what_holds_tokens_is_never_kept(organization, anonymous, key):
    credentials = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    first, second = (anonymous.post("/api/auth/login", credentials, headers=key, status=200) for _ in range(2))
    assert first.json["refresh_token"] != second.json["refresh_token"]
    token = organization.refresh_token(organization.sessions[organization.users["member"]])
    switched = {"organization_id": organization.id, "refresh_token": token}
    organization.member.post("/api/auth/organization", switched, headers=key, status=200)
    assert kept(organization) == []


def test_no_member_reads_what_was_answered_to_another(organization, login_url, key):
    organization.member.post(LEADS, PAT, headers=key, status=201)
    for person, seen in (("member", 1), ("colleague", 0)):
        with psycopg.connect(organization.server(login_url("pipeline_app"))) as connection:
            context = {"app.organization_id": organization.id, "app.user_id": organization.users[person]}
            for name, value in context.items():
                connection.execute("select set_config(%s, %s, true)", [name, str(value)])
            connection.execute("set local role pipeline_member")
            assert connection.execute("select count(*) from app.idempotency_keys").fetchone() == (seen,)


def test_only_a_post_has_a_key(member, key):
    lead = f"{LEADS}/{member.post(LEADS, PAT, status=201).json['id']}"
    for _ in range(2):
        assert not replayed(member.put(lead, PAT, headers=key, status=200))


def test_every_post_can_be_repeated_but_those_whose_answers_must_not_be_kept(wsgi):
    """A public POST that is missing here lacks `opens`."""
    posts = [contract for contract in endpoints(wsgi.registry) if contract.method == "POST"]
    assert {("POST", contract.path) for contract in posts if not contract.replayable} == NEVER_KEPT
