from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.http.target import assert_problem
from tests.records.support import make
from tests.support import codes


@pytest.fixture
def seat(organization):
    """seat(person): the path of somebody's seat."""
    return lambda person: f"/api/users/{organization.users[person]}"


def test_a_seat_shows_no_invitation_and_what_an_update_leaves_out_stays(admin, seat):
    shown = admin.get(seat("inactive"), status=200).json
    assert (shown["status"], shown["invited_at"], shown["invitation_expires_at"]) == ("inactive", None, None)
    changed = admin.put(seat("inactive"), {}, status=200).json
    assert (changed["name"], changed["role"], changed["seat_active"]) == ("Inactive", "admin", False)


def test_an_invitation_is_shown_changed_and_withdrawn_and_made_a_seat_by_nobody_but_its_person(admin, email):
    team = make(admin, "teams", name="Overseas")
    typed = {"email": email, "name": "Kim", "role": "member", "team_id": team["id"]}
    made = make(admin, "users", **typed)
    assert typed.items() <= made.items()
    assert (made["status"], made["seat_active"], made["team_name"]) == ("invited", False, "Overseas")
    assert made["invited_at"] < made["invitation_expires_at"]
    path = f"/api/users/{made['id']}"
    for body in ({"name": "Kim Lee", "role": "admin"}, {}, {"seat_active": False}):
        changed = admin.put(path, body, status=200).json
        assert (changed["name"], changed["role"], changed["status"]) == (body.get("name"), "admin", "invited")
    assert admin.patch(path, {"email": "other@kim.example"}, status=200).json["email"] == email
    assert_problem(admin.put(path, {"seat_active": True}), 409, "invitation_open")
    admin.delete(path, status=204)
    assert_problem(admin.get(path), 404, "not_found")


def test_an_invited_person_can_be_given_nothing(admin, email):
    invited = make(admin, "users", email=email)["id"]
    lead, deal = {"first_name": "Pat", "assigned_to": invited}, {"title": "D", "owner_id": invited}
    for path, body in (("leads", lead), ("deals", deal)):
        refused = admin.post(f"/api/{path}", body, status=422)
        assert [code for _, code in codes(refused)] == ["unknown_reference"]


def test_an_invitation_outlives_the_seat_of_who_made_it(admin, seat, member, email):
    admin.put(seat("member"), {"role": "admin"}, status=200)
    made = make(member, "users", email=email)
    admin.delete(seat("member"), status=204)
    assert admin.get(f"/api/users/{made['id']}", status=200).json["status"] == "invited"


def test_a_persons_name_is_their_own_everywhere(admin, member, seat):
    assert_problem(admin.put(seat("member"), {"name": "Mallory", "role": "admin"}), 409, "name_is_own")
    assert admin.get(seat("member")).json["role"] == "member"
    assert admin.put(seat("member"), {"role": "admin"}, status=200).json["name"] == "Member"
    assert member.put("/api/auth/me", {"name": "Kim Lee"}, status=200).json["user"]["name"] == "Kim Lee"
    assert admin.get(seat("member"), status=200).json["name"] == "Kim Lee"
    address = {"name": "Kim Lee", "email": "kim@elsewhere.example"}
    own = member.get("/api/auth/me").json["user"]["email"]
    assert member.patch("/api/auth/me", address, status=200).json["user"]["email"] == own


def test_a_person_has_one_seat_or_invitation_in_an_organization(admin, organization, email):
    make(admin, "users", email=email)
    seats = [f"Member@{organization.name}.example", f"INACTIVE@{organization.name}.example"]
    for taken in (email.upper(), *seats):
        assert_problem(admin.post("/api/users", {"email": taken}), 409, "seat_taken")
    refused = admin.post("/api/users", {"email": taken, "team_id": 9_000_000_000}, status=422)
    assert codes(refused) == [("email", "seat_taken"), ("team_id", "unknown_reference")]


def test_a_deactivated_seat_is_closed_at_once_and_needs_a_new_login_afterwards(admin, member, organization, seat):
    for active in (False, True):
        admin.put(seat("member"), {"seat_active": active}, status=200)
        assert_problem(member.get("/api/leads"), 401, "unauthenticated")
    organization.client(organization.users["member"]).get("/api/leads", status=200)


def test_the_last_active_admin_stays_one_whoever_is_invited_until_there_is_a_second(admin, seat, email):
    make(admin, "users", email=email, role="admin")
    for change in ({"role": "member"}, {"seat_active": False}):
        assert_problem(admin.put(seat("admin"), change), 409, "last_admin")
    assert_problem(admin.delete(seat("admin")), 409, "last_admin")
    admin.put(seat("admin"), {}, status=200)
    admin.put(seat("member"), {"role": "admin"}, status=200)
    admin.put(seat("admin"), {"role": "member"}, status=200)
    assert_problem(admin.post("/api/teams", {"name": "T"}), 403, "forbidden")


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.parametrize("change", [{"role": "member"}, {"seat_active": False}])
def test_admins_who_demote_each_other_at_once_leave_one(change, guarded, organization, seat, owner):
    people = ("admin", "member", "colleague")
    for person in people[1:]:
        organization.admin.put(seat(person), {"role": "admin"})
    paths = [seat(person) for person in (*people[1:], people[0])]
    tags = [organization.admin.get(path).headers["ETag"] if guarded else "*" for path in paths]

    def demote(turn):
        api = getattr(organization, people[turn])
        return api.put(paths[turn], change, headers={"If-Match": tags[turn]}).status_int

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(demote, range(3)))
    left = owner.execute(
        "select count(*) from app.organization_users where organization_id = %s and role = 'admin' and seat_active",
        [organization.id],
    ).fetchone()[0]
    assert left == 3 - answers.count(200) >= 1
    assert set(answers) <= {200, 401, 403, 409}


def test_a_seat_is_taken_away_while_nothing_refers_to_it(admin, organization, seat, member):
    lead = make(member, "leads", first_name="Pat", assigned_to=organization.users["colleague"])
    assert_problem(admin.delete(seat("colleague")), 409, "in_use")
    admin.delete(seat("member"), status=204)
    assert_problem(member.get("/api/leads"), 401, "unauthenticated")
    kept = admin.get(f"/api/leads/{lead['id']}", status=200).json
    assert (kept["created_by_kind"], kept["created_by_name"]) == ("user", None)
