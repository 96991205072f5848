"""Invitations: only the invited person creates the account, sets the password and takes the seat."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import PASSWORD
from tests.http.target import assert_problem
from tests.support import Api, codes

ACTIVATE = "/api/auth/activate"
STRONG = "violet harbour 7 lanterns"


@pytest.fixture
def email():
    return f"Kim.{uuid.uuid4().hex[:12]}@new.example"


@pytest.fixture
def other(new_organization):
    """Another organization, with people of its own."""
    return new_organization()


@pytest.fixture
def invite(organization):
    """invite(email, **body): the record of an invitation by the organization's admin."""
    return lambda email, **body: organization.admin.post("/api/users", {"email": email, **body}, status=201).json


@pytest.fixture
def enter(anonymous):
    """enter(email, password): the answer to a login."""
    return lambda email, password: anonymous.post("/api/auth/login", {"email": email, "password": password})


def client(anonymous, session):
    """A client with the tokens of an answer."""
    return Api(anonymous.app, Authorization=f"Bearer {session['access_token']}")


def test_the_whole_story_of_a_new_person(organization, anonymous, invite, post, enter, email):
    invited = invite(email, name="Kim", role="admin")
    assert (invited["status"], invited["seat_active"]) == ("invited", False)
    session = anonymous.post(ACTIVATE, {"token": post.token(organization), "password": STRONG}, status=200).json
    assert (session["user"]["id"], session["organization"]["id"]) == (invited["id"], organization.id)
    assert client(anonymous, session).get("/api/auth/me", status=200).json["role"] == "admin"
    seat = organization.admin.get(f"/api/users/{invited['id']}", status=200).json
    assert (seat["status"], seat["seat_active"], seat["name"]) == ("active", True, "Kim")
    assert enter(email, STRONG).status_int == 200


def test_nobody_hijacks_an_account_before_its_owner_comes(organization, other, anonymous, invite, post, enter, email):
    """An admin types a stranger's address and a password, and removes the seat; later others invite the person."""
    refused = organization.admin.post("/api/users", {"email": email, "name": "K", "password": PASSWORD}, status=422)
    assert codes(refused) == [("password", "unknown_field")]
    invited = invite(email, name="K")
    stale = post.token(organization)
    organization.admin.delete(f"/api/users/{invited['id']}", status=204)
    other.admin.post("/api/users", {"email": email, "name": "Kim", "role": "admin"}, status=201)
    assert enter(email, PASSWORD).status_int == 401
    assert_problem(anonymous.post(ACTIVATE, {"token": stale, "password": PASSWORD}), 404, "not_found")
    anonymous.post(ACTIVATE, {"token": post.token(other), "password": STRONG}, status=200)
    assert enter(email, PASSWORD).status_int == 401
    organizations = client(anonymous, enter(email, STRONG).json).get("/api/auth/me", status=200).json["organizations"]
    assert [item["id"] for item in organizations] == [other.id]


def test_the_record_of_an_invited_person_tells_nothing_about_them(organization, other, invite, email):
    known = invite(f"MEMBER@{other.name}.example")
    new = invite(email)
    own = ("id", "email", "invited_at", "invitation_expires_at", "created_at", "updated_at")
    assert [{**record, **dict.fromkeys(own)} for record in (known, new)] == [{**new, **dict.fromkeys(own)}] * 2
    assert (known["email"], known["name"]) == (f"MEMBER@{other.name}.example", None)
    assert max(other.users.values()) < known["id"] < new["id"], "ids tell nothing either"


def test_an_invitation_forces_nothing_upon_a_known_person(organization, other, anonymous, invite, enter):
    email = f"member@{other.name}.example"
    invited = invite(email, role="admin")
    session = enter(email, PASSWORD).json
    assert session["organization"]["id"] == other.id
    me = other.member.get("/api/auth/me", status=200).json
    assert [item["id"] for item in me["organizations"]] == [other.id]
    assert [(item["id"], item["organization"]["id"], item["role"]) for item in me["invitations"]] == [
        (invited["id"], organization.id, "admin")
    ]
    body = {"organization_id": organization.id, "refresh_token": session["refresh_token"]}
    assert codes(client(anonymous, session).post("/api/auth/organization", body, status=422)) == [
        ("organization_id", "unknown_reference")
    ]


def test_a_known_person_accepts_signed_in(organization, other, invite):
    invited = invite(f"member@{other.name}.example", role="admin")
    me = other.member.post(f"/api/auth/invitations/{invited['id']}/accept", status=200).json
    assert {"id": organization.id, "name": organization.name, "role": "admin"} in me["organizations"]
    assert me["invitations"] == []
    seat = organization.admin.get(f"/api/users/{other.users['member']}", status=200).json
    assert (seat["name"], seat["status"]) == ("Member", "active")
    assert_problem(organization.admin.get(f"/api/users/{invited['id']}"), 404, "not_found")


def test_a_known_person_accepts_by_the_link_with_their_own_password(organization, other, anonymous, invite, post):
    invite(f"member@{other.name}.example")
    token = post.token(organization)
    body = {"token": token, "name": "Mallory", "password": "not their password"}
    assert_problem(anonymous.post(ACTIVATE, body), 401, "invalid_credentials")
    session = anonymous.post(ACTIVATE, {**body, "password": PASSWORD}, status=200).json
    assert (session["user"]["name"], session["organization"]["id"]) == ("Member", organization.id)


def test_only_the_person_themselves_can_answer_an_invitation(organization, other, invite):
    path = f"/api/auth/invitations/{invite(f'member@{other.name}.example')['id']}"
    for stranger in (other.admin, organization.member, organization.admin):
        assert_problem(stranger.post(f"{path}/accept"), 404, "not_found")
        assert_problem(stranger.delete(path), 404, "not_found")
    other.member.delete(path, status=204)
    assert_problem(other.member.post(f"{path}/accept"), 404, "not_found")


def test_a_declined_invitation_is_gone_for_everybody(organization, other, anonymous, invite, post):
    invited = invite(f"member@{other.name}.example")
    token = post.token(organization)
    other.member.delete(f"/api/auth/invitations/{invited['id']}", status=204)
    assert_problem(organization.admin.get(f"/api/users/{invited['id']}"), 404, "not_found")
    assert_problem(anonymous.post(ACTIVATE, {"token": token, "password": PASSWORD}), 410, "link_used")
    assert other.member.get("/api/auth/me", status=200).json["invitations"] == []


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_a_team_is_not_held_by_an_invitation_that_has_ended(organization, other, invite, answer):
    team = organization.admin.post("/api/teams", {"name": "Overseas"}, status=201).json
    offered = invite(f"member@{other.name}.example", team_id=team["id"])
    own = f"/api/auth/invitations/{offered['id']}"
    if answer == "accept":
        other.member.post(f"{own}/accept", status=200)
        organization.admin.put(f"/api/users/{other.users['member']}", {}, status=200)
    else:
        other.member.delete(own, status=204)
    organization.admin.delete(f"/api/teams/{team['id']}", status=204)


def test_of_many_who_use_a_link_at_once_one_succeeds(organization, anonymous, invite, post, email):
    invite(email, name="Kim")
    body = {"token": post.token(organization), "password": STRONG}
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: anonymous.post(ACTIVATE, body).status_int, range(6)))
    assert (answers.count(200), set(answers) - {200, 410, 401}) == (1, set())


def test_a_link_expires_after_three_days(organization, anonymous, invite, post, owner, email):
    invited = invite(email, name="Kim")
    token = post.token(organization)
    left = "select extract(epoch from expires_at - now()) from app.account_links where invitation_id = %s"
    assert 71.9 < owner.execute(left, [invited["id"]]).fetchone()[0] / 3600 <= 72
    owner.execute("update app.account_links set expires_at = now() where invitation_id = %s", [invited["id"]])
    assert_problem(anonymous.post(ACTIVATE, {"token": token, "password": STRONG}), 410, "link_expired")


def test_a_new_link_ends_the_old_one(organization, anonymous, invite, post, email):
    path = f"/api/users/{invite(email, name='Kim')['id']}/invite"
    old = post.token(organization)
    organization.admin.post(path, status=200)
    assert_problem(anonymous.post(ACTIVATE, {"token": old, "password": STRONG}), 410, "link_used")
    anonymous.post(ACTIVATE, {"token": post.token(organization), "password": STRONG}, status=200)
    assert_problem(organization.admin.post(path), 409, "invitation_accepted")


@pytest.mark.parametrize("token", ["0" * 64, "x", "A" * 64, "' or true", "\u0661" * 64])
def test_an_unknown_link_opens_nothing(token, anonymous):
    assert_problem(anonymous.post(ACTIVATE, {"token": token, "password": STRONG}), 404, "not_found")


def test_the_database_keeps_only_the_hash_of_a_link(organization, invite, post, owner, email):
    invite(email, name="Kim")
    token = post.token(organization)
    for table in ("account_links", "invitations", "outbox", "emails"):
        rows = owner.execute(f"select to_jsonb(t)::text from app.{table} t").fetchall()
        assert not [row for (row,) in rows if token in row], table


@pytest.mark.parametrize(("password", "code"), [("short", "too_short"), ("1234567890", "weak_password")])
def test_a_new_person_chooses_a_password_that_is_hard_to_guess(
    password, code, organization, anonymous, invite, post, email
):
    invite(email, name="Kim")
    body = {"token": post.token(organization), "password": password}
    assert codes(anonymous.post(ACTIVATE, body, status=422)) == [("password", code)]
    anonymous.post(ACTIVATE, {**body, "password": STRONG}, status=200)


def test_who_was_invited_without_a_name_gives_one(organization, anonymous, invite, post, email):
    invite(email)
    body = {"token": post.token(organization), "password": STRONG}
    assert codes(anonymous.post(ACTIVATE, body, status=422)) == [("name", "required")]
    assert anonymous.post(ACTIVATE, {**body, "name": "Kim Lee"}, status=200).json["user"]["name"] == "Kim Lee"


def test_somebody_invited_by_two_is_one_person(organization, other, anonymous, invite, post, email):
    invite(email, name="Kim")
    other.admin.post("/api/users", {"email": email.upper(), "name": "Tim"}, status=201)
    first, second = post.token(organization), post.token(other)
    one = anonymous.post(ACTIVATE, {"token": first, "password": STRONG}, status=200).json
    refused = anonymous.post(ACTIVATE, {"token": second, "password": "another " + STRONG})
    assert_problem(refused, 401, "invalid_credentials")
    two = anonymous.post(ACTIVATE, {"token": second, "password": STRONG}, status=200).json
    assert one["user"] == two["user"]


def test_an_account_whose_owner_never_confirmed_its_address_is_taken_over_by_the_link(
    organization, other, anonymous, invite, post, owner, email
):
    found = owner.execute(
        "insert into app.users (email, name) values (%s, 'Typed by somebody') returning id", [email]
    ).fetchone()
    invite(email, name="Kim")
    session = anonymous.post(ACTIVATE, {"token": post.token(organization), "password": STRONG}, status=200).json
    assert (session["user"]["id"], session["user"]["name"]) == (found[0], "Kim")
