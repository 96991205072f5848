from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.accounts.conftest import STRONG
from tests.conftest import PASSWORD
from tests.http.target import assert_problem
from tests.support import codes

ACTIVATE = "/api/auth/activate"


@pytest.fixture
def known(other):
    """The address of somebody with an account, in another organization."""
    return f"member@{other.name}.example"


@pytest.fixture
def invite(organization):
    """invite(email, **body): the record of an invitation by the organization's admin."""
    return lambda email, **body: organization.admin.post("/api/users", {"email": email, **body}, status=201).json


@pytest.fixture
def link(organization, invite, post, email):
    """The token of the link in an email to a new person, Kim."""
    invite(email, name="Kim")
    return post.token(organization)


@pytest.fixture
def activate(anonymous):
    """activate(token, password, **body): the answer to who follows a link."""

    def follow(token, password=STRONG, **body):
        return anonymous.post(ACTIVATE, {"token": token, "password": password, **body})

    return follow


def test_the_whole_story_of_a_new_person(organization, signed_in, invite, activate, post, log_in, email):
    invited = invite(email, name="Kim", role="admin")
    assert (invited["status"], invited["seat_active"]) == ("invited", False)
    session = activate(post.token(organization)).json
    assert (session["user"]["id"], session["organization"]["id"]) == (invited["id"], organization.id)
    assert signed_in(session).get("/api/auth/me", status=200).json["role"] == "admin"
    seat = organization.admin.get(f"/api/users/{invited['id']}", status=200).json
    assert (seat["status"], seat["seat_active"], seat["name"]) == ("active", True, "Kim")
    log_in(email, STRONG)


def test_nobody_hijacks_an_account_before_its_owner_comes(
    organization, other, signed_in, invite, activate, post, log_in, email
):
    """An admin types a stranger's address and a password, and removes the seat; later others invite the person."""
    refused = organization.admin.post("/api/users", {"email": email, "name": "K", "password": PASSWORD}, status=422)
    assert codes(refused) == [("password", "unknown_field")]
    invited = invite(email, name="K")
    stale = post.token(organization)
    organization.admin.delete(f"/api/users/{invited['id']}", status=204)
    other.admin.post("/api/users", {"email": email, "name": "Kim", "role": "admin"}, status=201)
    log_in(email, status=401)
    assert_problem(activate(stale, PASSWORD), 404, "not_found")
    assert activate(post.token(other)).status_int == 200
    log_in(email, status=401)
    organizations = signed_in(log_in(email, STRONG).json).get("/api/auth/me", status=200).json["organizations"]
    assert [item["id"] for item in organizations] == [other.id]


def test_the_record_of_an_invited_person_tells_nothing_about_them(other, invite, known, email):
    first, new = invite(known.upper()), invite(email)
    own = ("id", "email", "invited_at", "invitation_expires_at", "created_at", "updated_at")
    assert [{**record, **dict.fromkeys(own)} for record in (first, new)] == [{**new, **dict.fromkeys(own)}] * 2
    assert (first["email"].upper(), first["name"]) == (known.upper(), None)
    assert max(other.users.values()) < first["id"] < new["id"], "ids tell nothing either"


def test_an_invitation_forces_nothing_upon_a_known_person_who_accepts_signed_in(
    organization, other, signed_in, invite, log_in, known
):
    invited = invite(known, role="admin")
    session = log_in(known).json
    assert session["organization"]["id"] == other.id
    me = other.member.get("/api/auth/me", status=200).json
    assert [item["id"] for item in me["organizations"]] == [other.id]
    (told,) = me["invitations"]
    assert (told["id"], told["organization"]["id"], told["role"]) == (invited["id"], organization.id, "admin")
    body = {"organization_id": organization.id, "refresh_token": session["refresh_token"]}
    refused = signed_in(session).post("/api/auth/organization", body, status=422)
    assert codes(refused) == [("organization_id", "unknown_reference")]
    me = other.member.post(f"/api/auth/invitations/{invited['id']}/accept", status=200).json
    assert {"id": organization.id, "name": organization.name, "role": "admin"} in me["organizations"]
    assert me["invitations"] == []
    seat = organization.admin.get(f"/api/users/{other.users['member']}", status=200).json
    assert (seat["name"], seat["status"]) == ("Member", "active")
    assert_problem(organization.admin.get(f"/api/users/{invited['id']}"), 404, "not_found")


def test_a_known_person_accepts_by_the_link_with_their_own_password(organization, invite, activate, post, known):
    invite(known)
    token = post.token(organization)
    assert_problem(activate(token, "not their password", name="Mallory"), 401, "invalid_credentials")
    session = activate(token, PASSWORD, name="Mallory").json
    assert (session["user"]["name"], session["organization"]["id"]) == ("Member", organization.id)


def test_the_next_login_starts_in_the_organization_that_was_joined_by_the_link(
    other, organization, invite, activate, post, known, log_in
):
    assert other.id < organization.id, "the first by id without a choice"
    invite(known)
    activate(post.token(organization), PASSWORD)
    assert log_in(known).json["organization"]["id"] == organization.id


def test_a_declined_invitation_is_gone_for_everybody(organization, other, invite, activate, post, known):
    invited = invite(known)
    token = post.token(organization)
    other.member.delete(f"/api/auth/invitations/{invited['id']}", status=204)
    assert_problem(organization.admin.get(f"/api/users/{invited['id']}"), 404, "not_found")
    assert_problem(activate(token, PASSWORD), 410, "link_used")
    assert other.member.get("/api/auth/me", status=200).json["invitations"] == []


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_a_team_is_held_by_an_invitation_until_that_has_ended(organization, other, invite, known, answer):
    team = organization.admin.post("/api/teams", {"name": "Overseas"}, status=201).json
    own = f"/api/auth/invitations/{invite(known, team_id=team['id'])['id']}"
    assert_problem(organization.admin.delete(f"/api/teams/{team['id']}"), 409, "in_use")
    if answer == "accept":
        other.member.post(f"{own}/accept", status=200)
        organization.admin.put(f"/api/users/{other.users['member']}", {}, status=200)
    else:
        other.member.delete(own, status=204)
    organization.admin.delete(f"/api/teams/{team['id']}", status=204)


def test_many_uses_of_a_link_at_once_succeed_once(link, activate):
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: activate(link).status_int, range(6)))
    assert (answers.count(200), set(answers) - {200, 410, 401}) == (1, set())


def test_a_link_expires_after_three_days_and_an_unknown_one_opens_nothing(organization, link, activate, owner):
    for unknown in ("0" * 64, "x", "A" * 64, "' or true", "\u0661" * 64):
        assert_problem(activate(unknown), 404, "not_found")
    left = "select extract(epoch from expires_at - now()) / 3600 from app.account_links where organization_id = %s"
    assert 71.9 < owner.execute(left, [organization.id]).fetchone()[0] <= 72
    owner.execute("update app.account_links set expires_at = now() where organization_id = %s", [organization.id])
    assert_problem(activate(link), 410, "link_expired")


def test_a_new_link_ends_the_old_one(organization, invite, activate, post, email):
    invited = invite(email, name="Kim")
    path, old = f"/api/users/{invited['id']}/invite", post.token(organization)
    again = organization.admin.post(path, status=200).json
    assert again["invited_at"] > invited["invited_at"]
    assert_problem(activate(old), 410, "link_used")
    assert activate(post.token(organization)).status_int == 200
    assert_problem(organization.admin.post(path), 409, "invitation_accepted")


@pytest.mark.parametrize(("password", "code"), [("short", "too_short"), ("1234567890", "weak_password")])
def test_a_new_person_chooses_a_password_that_is_hard_to_guess(password, code, link, activate):
    refused = activate(link, password)
    assert (refused.status_int, codes(refused)) == (422, [("password", code)])
    assert activate(link).status_int == 200


def test_a_person_invited_without_name_gives_one(organization, invite, activate, post, email):
    invite(email)
    token = post.token(organization)
    assert codes(activate(token)) == [("name", "required")]
    assert activate(token, name="Kim Lee").json["user"]["name"] == "Kim Lee"


def test_somebody_invited_by_two_is_one_person(other, link, activate, post, email):
    other.admin.post("/api/users", {"email": email.upper(), "name": "Tim"}, status=201)
    second, one = post.token(other), activate(link).json
    assert_problem(activate(second, "another " + STRONG), 401, "invalid_credentials")
    assert activate(second).json["user"] == one["user"]


def test_an_account_whose_owner_never_confirmed_its_address_is_taken_over_by_the_link(
    organization, invite, activate, post, owner, email
):
    typed = "insert into app.users (email, name) values (%s, 'Typed by somebody') returning id"
    (id,) = owner.execute(typed, [email]).fetchone()
    invite(email, name="Kim")
    user = activate(post.token(organization)).json["user"]
    assert (user["id"], user["name"]) == (id, "Kim")


@pytest.fixture
def join(other, activate, post, signed_in):
    """join(email): a client of a new person who has followed the link of another organization."""

    def arrive(email):
        other.admin.post("/api/users", {"email": email, "name": "Victor"}, status=201)
        return signed_in(activate(post.token(other)).json)

    return arrive


@pytest.mark.parametrize("local", ["vİctor", "vıctor", "vĭctor", "виктор"])
def test_an_account_has_an_address_in_ascii(other, local):
    refused = other.admin.post("/api/users", {"email": f"{local}@new.example", "name": "V"}, status=422)
    assert codes(refused) == [("email", "unsupported_address")]


def test_nobody_takes_a_seat_by_an_address_that_is_nearly_theirs(invite, join, email):
    attacker = join(email)
    invited = invite(email.replace(".", "", 1), role="admin")
    assert attacker.get("/api/auth/me", status=200).json["invitations"] == []
    attacker.post(f"/api/auth/invitations/{invited['id']}/accept", status=404)


def test_an_address_is_that_of_its_account_however_it_is_spelled(invite, join, log_in, email):
    local, _, domain = email.partition("@")
    person = join(f"{local}@münchen.{domain}")
    for spelled in (f"{local.upper()}@MÜNCHEN.{domain}", f"{local}@XN--MNCHEN-3YA.{domain}"):
        log_in(spelled, STRONG)
    invited = invite(f"{local.lower()}@MÜNCHEN.{domain}")
    assert invited["email"] == f"{local.lower()}@xn--mnchen-3ya.{domain}"
    assert [one["id"] for one in person.get("/api/auth/me", status=200).json["invitations"]] == [invited["id"]]


def test_nobody_signs_in_by_an_address_that_is_folded_alike(log_in, organization):
    admin = f"admin@{organization.name}.example"
    for email in (admin.replace("i", "İ"), admin.replace("i", "ı")):
        log_in(email, status=401)
