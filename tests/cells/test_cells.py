"""Organizations in two cells: people, programs and prospects notice nothing."""

import threading
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from pipeline.database.cells import Home, Place
from tests.cells.conftest import LEAD, command
from tests.conftest import PASSWORD
from tests.support import TEMPLATE, Api
from tests.waiting import wait_until

STRONG = "violet harbour 7 lanterns"
ROWS = "select count(*) from app.leads where organization_id = %s"


def email(organization, person="admin"):
    return f"{person}@{organization.name}.example"


@pytest.fixture
def fence(owners):
    """fence(organization, for_seconds): let its requests wait, as a move does while it switches."""
    state = "update cells.placements set state = %s, placed_at = clock_timestamp() where organization_id = %s"

    fenced, timers = "select 1 from cells.placements where state = 'fenced'", []

    def begin(organization, for_seconds):
        owners["home"].execute(state, ["fenced", organization.id])
        wait_until(lambda: owners["north"].execute(fenced).fetchone())
        timers.append(threading.Timer(for_seconds, owners["home"].execute, [state, ["here", organization.id]]))
        timers[-1].start()

    yield begin
    for timer in timers:
        timer.join()
    wait_until(lambda: not owners["north"].execute(fenced).fetchone())


@pytest.fixture
def signed_in(stranger):
    """signed_in(email, password): (client, tokens) of a login."""

    def enter(address, password=PASSWORD):
        tokens = stranger.post("/api/auth/login", {"email": address, "password": password}, 200).json
        return Api(stranger.app, Authorization=f"Bearer {tokens['access_token']}"), tokens

    return enter


def test_a_move_takes_all_rows_and_ids_of_cells_never_meet(there, owners):
    assert [owners[cell].execute(ROWS, [there.id]).fetchone()[0] for cell in ("home", "north")] == [0, 2]
    assert there.member.post("/api/leads", LEAD, 201).json["id"] > 2**40 > there.lead
    assert there.member.get("/api/leads", status=200).json["total"] == 3


def test_every_process_reads_the_new_map_before_the_old_copy_is_deleted(there, app):
    assert [pool.of(there.id).cell for pool in (app.registry.app, app.registry.forms)] == ["north", "north"]


def test_keys_forms_and_the_feed_go_on_in_the_other_cell(there, stranger):
    assert there.program.get(f"/api/leads/{there.lead}", status=200).json["email"] == LEAD["email"]
    slug = there.public["public_slug"]
    assert stranger.get(f"/api/public/interview/capture/{slug}", status=200)
    feed = there.admin.get(f"/api/changes?after={there.cursor}&types=leads", status=200).json
    before = [entry["id"] for entry in feed["data"]]
    there.member.post("/api/leads", LEAD, 201)
    after = there.admin.get(f"/api/changes?after={feed['next']}&types=leads", status=200).json["data"]
    assert (len(before), len(after)) == (2, 1)
    assert after[0]["id"] not in before


def test_people_sign_in_refresh_and_switch_between_cells(here, there, signed_in, stranger):
    client, tokens = signed_in(email(there))
    assert {one["id"] for one in client.get("/api/auth/me", status=200).json["organizations"]} == {here.id, there.id}
    for organization in (here, there, here):
        body = {"organization_id": organization.id, "refresh_token": tokens["refresh_token"]}
        tokens = client.post("/api/auth/organization", body, 200).json
        client = Api(stranger.app, Authorization=f"Bearer {tokens['access_token']}")
        assert client.get("/api/organization", status=200).json["id"] == organization.id
    tokens = stranger.post("/api/auth/refresh", {"refresh_token": tokens["refresh_token"]}, 200).json
    assert tokens["organization"]["id"] == here.id
    stranger.post("/api/auth/logout", {"refresh_token": tokens["refresh_token"]}, 204)
    stranger.post("/api/auth/refresh", {"refresh_token": tokens["refresh_token"]}, 401)


def test_a_seat_that_ends_in_its_cell_ends_refreshes_at_home(there, signed_in, owners, stranger):
    client, tokens = signed_in(email(there, "member"))
    user = there.users["member"]
    there.admin.patch(f"/api/users/{user}", {"seat_active": False}, 200)
    assert client.get("/api/leads").status_int == 401
    assert stranger.post("/api/auth/refresh", {"refresh_token": tokens["refresh_token"]}).status_int == 401
    there.admin.patch(f"/api/users/{user}", {"seat_active": True}, 200)


def test_an_invitation_makes_an_account_at_home_and_a_seat_in_the_cell(there, cell_post, stranger, owners, signed_in):
    there.admin.post("/api/users", {"email": "new@people.example", "role": "member"}, 201)
    token = cell_post.token(there)
    body = {"token": token, "name": "New", "password": STRONG}
    assert stranger.post("/api/auth/activate", body, 200).json["organization"]["id"] == there.id
    assert owners["home"].execute("select 1 from app.users where email = 'new@people.example'").fetchone()
    client, _ = signed_in("new@people.example", STRONG)
    assert client.patch("/api/auth/me", {"name": "Newer"}, 200).json["user"]["name"] == "Newer"


def test_a_forgotten_password_is_set_at_home_by_a_link_of_the_cell(there, cell_post, stranger, signed_in):
    stranger.post("/api/auth/password/forgot", {"email": email(there, "colleague")}, 202)
    token = cell_post.token(there)
    stranger.post("/api/auth/password/reset", {"token": token, "password": STRONG}, 204)
    client, _ = signed_in(email(there, "colleague"), STRONG)
    stranger.post("/api/auth/password/reset", {"token": token, "password": STRONG}, 410)
    change = {"current_password": STRONG, "new_password": "copper willow 9 engines"}
    client.put("/api/auth/password", change, 204)
    signed_in(email(there, "colleague"), "copper willow 9 engines")


def test_a_slug_is_taken_in_all_cells(here, there):
    taken = {"public_slug": there.public["public_slug"], "lead_capture_enabled": True}
    assert here.admin.post("/api/interview-templates", {**TEMPLATE, **taken}).status_int == 409
    organization = here.admin.get("/api/organization", status=200).json
    assert here.admin.put("/api/organization", {**organization, "slug": there.name}).status_int == 409


def test_a_slug_that_another_cell_is_about_to_save_is_taken(there, owners):
    owners["home"].execute("insert into cells.claims values ('slug', 'about-to-be-saved', 9000)")
    claimed = {**TEMPLATE, "public_slug": "about-to-be-saved", "lead_capture_enabled": True}
    assert there.admin.post("/api/interview-templates", claimed).status_int == 409


def test_a_person_who_signs_out_is_signed_out_in_every_cell(there, signed_in, stranger):
    client, tokens = signed_in(email(there, "member"))
    client.get("/api/leads", status=200)
    stranger.post("/api/auth/logout", {"refresh_token": tokens["refresh_token"]}, 204)
    wait_until(lambda: client.get("/api/leads").status_int == 401)


def test_a_cell_refuses_an_organization_that_is_elsewhere(here, there, owners, app):
    app.registry.app.map.clear()
    there.member.get("/api/leads", status=200)
    for cell, organization in (("home", there), ("north", here)):
        user = organization.users["admin"]
        asked = [user, organization.id, organization.sessions[user]]
        with pytest.raises(psycopg.DatabaseError, match="does not serve"):
            owners[cell].execute("select * from app.authenticate(%s, %s, %s)", asked)


def test_requests_wait_while_a_move_switches_and_get_503_when_it_lasts(there, fence):
    fence(there, for_seconds=0.5)
    there.member.get("/api/leads", status=200)
    fence(there, for_seconds=3)
    assert there.member.get("/api/leads", status=503).headers["Retry-After"]


def test_a_move_is_taken_back_and_migrations_wait_for_it(cells, here, owners, environ):
    owners["home"].execute("insert into cells.placements values (%s, 'home') on conflict do nothing", [here.id])
    owners["home"].execute("insert into cells.moves values (%s, 'home', 'north')", [here.id])
    refused = command("migrate", environ=environ)
    assert refused.exit_code == 1
    assert "is moving" in refused.output
    assert "moves from home to north: copying" in cells("list")
    cells("move", here.name, "--abort")
    here.member.get("/api/leads", status=200)
    assert command("migrate", environ=environ).exit_code == 0


def test_the_first_beat_after_a_pause_of_the_worker_is_no_lag(environ):
    long_ago = datetime.now(UTC) - timedelta(minutes=5)
    home = Home(environ["DATABASE_URL"], 1, "probe", {"north": environ["DATABASE_URL"]}, 5.0)
    measured = []
    for here, there in ((0, 0), (300, 0), (301, 300), (302, 290)):
        home.note({"home": long_ago + timedelta(seconds=here), "north": long_ago + timedelta(seconds=there)})
        measured.append(home.lags["north"])
    home.close()
    assert measured == [0, 0, 0, 11]


def test_a_form_that_waits_for_a_switch_keeps_what_was_sent(there, fence, stranger):
    invite = there.invite(there.public)
    fence(there, for_seconds=0.5)
    path = f"/api/public/interview/{invite['token']}"
    assert stranger.patch(path, {"answers": {"product_line": "server"}}, 200)


def test_a_process_with_an_old_map_finds_forms_and_keys_whose_old_copy_is_deleted(there, app, owners, stranger):
    owners["home"].execute("update cells.placements set placed_at = clock_timestamp()")
    for path, client in (
        (f"/api/public/interview/capture/{there.public['public_slug']}", stranger),
        ("/api/leads", there.program),
    ):
        client.get(path, status=200)
        for pool in (app.registry.app, app.registry.forms):
            pool.map[there.id] = Place("home")
        client.get(path, status=200)


def test_an_unknown_link_that_equals_the_token_of_a_moved_form_is_404(there, stranger):
    token = there.invite(there.public)["token"]
    stranger.get(f"/api/public/interview/{token}", status=200)
    assert stranger.app.get(f"/forms/reset/{token}", status="*").status_int in (404, 410)


def test_a_login_during_a_switch_or_while_its_cell_is_away_is_503_not_401(there, fence, app, stranger, monkeypatch):
    login = {"email": email(there, "member"), "password": PASSWORD}
    fence(there, for_seconds=0.5)
    assert stranger.post("/api/auth/login", login).status_int in (200, 503)
    with monkeypatch.context() as patch:
        patch.setattr(app.registry.app, "away", {"north"})
        assert stranger.post("/api/auth/login", login).status_int in (200, 503)
    stranger.post("/api/auth/login", {**login, "password": "another one"}, 401)


def test_a_login_between_the_switch_and_its_arrival_in_the_cell_is_503_not_401(there, owners, stranger):
    owners["north"].execute("alter subscription pipeline_shared_north disable")
    owners["north"].execute("update cells.placements set state = 'fenced' where organization_id = %s", [there.id])
    try:
        owners["home"].execute("update cells.placements set placed_at = now() where organization_id = %s", [there.id])
        login = {"email": email(there, "member"), "password": PASSWORD}
        assert stranger.post("/api/auth/login", login, 503).headers["Retry-After"]
    finally:
        owners["north"].execute("update cells.placements set state = 'here' where organization_id = %s", [there.id])
        owners["north"].execute("alter subscription pipeline_shared_north enable")


def test_a_refresh_during_a_switch_is_never_401(there, fence, signed_in, stranger):
    client, tokens = signed_in(email(there, "member"))
    fence(there, for_seconds=0.5)
    answer = stranger.post("/api/auth/refresh", {"refresh_token": tokens["refresh_token"]})
    assert answer.status_int in (200, 503)


def test_a_forgotten_password_during_a_switch_is_503_for_every_address(there, fence, stranger):
    fence(there, for_seconds=0.5)
    for address in (email(there, "member"), "nobody@people.example"):
        stranger.post("/api/auth/password/forgot", {"email": address}, 503)


def test_a_cell_that_is_behind_refuses_sessions_and_takes_keys(there, app, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(app.registry.app, "lag", -1.0)
        there.member.get("/api/leads", status=503)
        there.program.get("/api/leads", status=200)
    there.member.get("/api/leads", status=200)


def test_reconcile_copies_the_shared_tables_anew_and_names_what_disagrees(cells, here, there, owners):
    owners["north"].execute("delete from app.sessions")
    owners["home"].execute("update cells.placements set cell = 'north' where organization_id = %s", [here.id])
    owners["home"].execute("insert into cells.placements values (%s, 'north') on conflict do nothing", [here.id])
    said = cells("reconcile", "north")
    owners["home"].execute("update cells.placements set cell = 'home' where organization_id = %s", [here.id])
    assert f"organization {here.id}: the map says north" in said
    there.member.get("/api/leads", status=200)


@pytest.mark.long
def test_a_cell_that_is_away_costs_its_own_organizations_alone(here, there, servers, signed_in, stranger):
    north = servers["north"]
    north.stop()
    there.member.get("/api/leads", status=503)
    stranger.get("/api/public/interview/capture/nobody-knows-it", status=503)
    here.member.get("/api/leads", status=200)
    client, _ = signed_in(email(here))
    assert [one["id"] for one in client.get("/api/auth/me", status=200).json["organizations"]] == [here.id]
    north.start()
    wait_until(lambda: there.member.get("/api/leads").status_int == 200)
