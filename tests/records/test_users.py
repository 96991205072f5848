"""Users as the organization's seats, and teams."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import PASSWORD
from tests.http.target import assert_problem
from tests.records.support import make, shown
from tests.support import codes

LOGIN = "/api/auth/login"


@pytest.fixture
def email():
    return f"Kim.{uuid.uuid4().hex[:12]}@acme.example"


def test_a_new_seat_waits_for_its_person(admin, email):
    made = make(admin, "users", email=email, name="Kim", role="admin")
    assert (made["email"], made["name"], made["role"]) == (email, "Kim", "admin")
    assert (made["status"], made["seat_active"], made["team_id"]) == ("invited", False, None)


def test_nobody_sets_the_password_of_somebody_else(admin, anonymous, email):
    refused = admin.post("/api/users", {"email": email, "name": "Kim", "password": PASSWORD}, status=422)
    assert codes(refused) == [("password", "unknown_field")]
    make(admin, "users", email=email, name="Kim")
    for password in ("x", PASSWORD):
        anonymous.post(LOGIN, {"email": email, "password": password}, status=401)


def test_a_person_of_another_organization_is_shown_as_the_admin_typed_them(admin, new_organization, anonymous):
    other = new_organization()
    email = f"MEMBER@{other.name}.example"
    made = make(admin, "users", email=email, name="Mallory", role="admin")
    assert (made["email"], made["name"], made["status"]) == (email, "Mallory", "invited")
    session = anonymous.post(LOGIN, {"email": email, "password": PASSWORD}, status=200).json
    assert (session["user"]["name"], session["organization"]["id"]) == ("Member", other.id)


def test_who_has_a_seat_elsewhere_keeps_their_name(admin, organization, new_organization):
    person = organization.users["member"]
    new_organization().seat(person)
    path = f"/api/users/{person}"
    assert_problem(admin.put(path, {"name": "Mallory", "role": "admin"}), 409, "shared_user")
    assert admin.put(path, {"name": "Member", "role": "admin"}, status=200).json["role"] == "admin"


def test_a_person_has_one_seat_in_an_organization(admin, organization):
    body = {"email": f"Member@{organization.name}.example", "name": "Again"}
    assert_problem(admin.post("/api/users", body), 409, "seat_taken")


@pytest.mark.parametrize(("field", "value", "code"), [
    ("email", "nobody", "invalid_email"), ("role", "owner", "invalid_choice"), ("name", 1, "wrong_type"),
    ("seat_active", True, "unknown_field"),
])
def test_a_wrong_value_is_named(field, value, code, admin, email):
    refused = admin.post("/api/users", {"email": email, "name": "Kim", field: value}, status=422)
    assert codes(refused) == [(field, code)]


def test_role_and_seat_left_out_of_an_update_stay(admin, organization):
    path = f"/api/users/{organization.users['inactive']}"
    changed = admin.put(path, {"name": "Renamed"}, status=200).json
    assert (changed["name"], changed["role"], changed["seat_active"]) == ("Renamed", "admin", False)


def test_a_deactivated_seat_is_closed_on_the_next_request(admin, member, organization):
    admin.put(f"/api/users/{organization.users['member']}", {"name": "Member", "seat_active": False}, status=200)
    assert_problem(member.get("/api/leads"), 401, "unauthenticated")
    admin.put(f"/api/users/{organization.users['member']}", {"name": "Member", "seat_active": True}, status=200)
    organization.client(organization.users["member"]).get("/api/leads", status=200)


def test_a_promoted_member_administers_at_once(admin, member, organization):
    admin.put(f"/api/users/{organization.users['member']}", {"name": "Member", "role": "admin"}, status=200)
    make(member, "teams", name="Overseas")


@pytest.mark.parametrize("change", [{"role": "member"}, {"seat_active": False}])
def test_the_last_active_admin_stays_one(change, admin, organization):
    path = f"/api/users/{organization.users['admin']}"
    assert_problem(admin.put(path, {"name": "Admin", **change}), 409, "last_admin")
    assert_problem(admin.delete(path), 409, "last_admin")
    admin.put(path, {"name": "Ada"}, status=200)
    assert admin.get("/api/organization", status=200)


def test_with_a_second_admin_the_first_may_go(admin, member, organization):
    admin.put(f"/api/users/{organization.users['member']}", {"name": "Member", "role": "admin"}, status=200)
    admin.put(f"/api/users/{organization.users['admin']}", {"name": "Admin", "role": "member"}, status=200)
    assert_problem(admin.post("/api/teams", {"name": "T"}), 403, "forbidden")


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.parametrize("change", [{"role": "member"}, {"seat_active": False}])
def test_of_admins_who_demote_each_other_in_the_same_moment_one_stays(change, guarded, organization, owner):
    people = ("admin", "member", "colleague")
    for person in people[1:]:
        organization.admin.put(f"/api/users/{organization.users[person]}", {"name": person, "role": "admin"})
    paths = [f"/api/users/{organization.users[person]}" for person in (*people[1:], people[0])]
    tags = [organization.admin.get(path).headers["ETag"] if guarded else "*" for path in paths]

    def demote(turn):
        api = getattr(organization, people[turn])
        return api.put(paths[turn], {"name": "D", **change}, headers={"If-Match": tags[turn]}).status_int

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(demote, range(3)))
    left = owner.execute(
        "select count(*) from app.organization_users where organization_id = %s and role = 'admin' and seat_active",
        [organization.id],
    ).fetchone()[0]
    assert left == 3 - answers.count(200) >= 1
    assert set(answers) <= {200, 401, 403, 409}


def test_a_seat_is_taken_away_while_nothing_refers_to_it(admin, organization, member):
    make(member, "leads", first_name="Pat", assigned_to=organization.users["colleague"])
    assert_problem(admin.delete(f"/api/users/{organization.users['colleague']}"), 409, "in_use")
    admin.delete(f"/api/users/{organization.users['member']}", status=204)
    assert_problem(member.get("/api/leads"), 401, "unauthenticated")


def test_users_are_listed_by_role_seat_team_and_word(admin, organization):
    team = make(admin, "teams", name="Overseas")
    admin.put(f"/api/users/{organization.users['colleague']}", {"name": "Colleague", "team_id": team["id"]}, status=200)
    assert shown(admin, "/api/users", "name") == ["Admin", "Colleague", "Inactive", "Member"]
    assert shown(admin, "/api/users?role=admin&seat_active=true", "name") == ["Admin"]
    assert shown(admin, f"/api/users?team_id={team['id']}", "team_name") == ["Overseas"]
    assert shown(admin, "/api/users?search=member@", "name") == ["Member"]


def test_a_team_with_people_cannot_be_deleted(admin, organization):
    team = make(admin, "teams", name="Overseas")
    path = f"/api/users/{organization.users['colleague']}"
    admin.put(path, {"name": "Colleague", "team_id": team["id"]}, status=200)
    assert_problem(admin.delete(f"/api/teams/{team['id']}"), 409, "in_use")
    assert admin.put(path, {"name": "Colleague"}, status=200).json["team_id"] is None
    admin.delete(f"/api/teams/{team['id']}", status=204)
