"""Passwords: forgotten and set by a link, changed; the links are read from a real mail server."""

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.accounts.conftest import PASSWORD
from tests.support import codes

NEW = "rather violet umbrella 7"
FORGOT, RESET, CHANGE = "/api/auth/password/forgot", "/api/auth/password/reset", "/api/auth/password"
LINK = re.compile(r"https://pipeline\.example/forms/reset/([0-9a-f]{64})")


@pytest.fixture
def address(organization):
    return f"member@{organization.name}.example"


@pytest.fixture
def ask(anonymous, address, worker, server):
    """ask(): the token of the link that the member gets by email."""

    def forgot():
        anonymous.post(FORGOT, {"email": address.upper()}, status=202)
        assert worker.run() == []
        mine = [message for message in server.messages if message["To"].addresses[0].addr_spec == address]
        return LINK.search(mine[-1].get_body(["plain"]).get_content())[1]

    return forgot


def events(owner, organization):
    """How many emails about accounts are on their way or sent."""
    statement = "select count(*) from app.outbox where organization_id = %s and event = 'account_link'"
    return owner.execute(statement, (organization.id,)).fetchone()[0]


def test_the_link_comes_by_email_and_sets_a_password(ask, enter, anonymous, server, address, organization):
    token = ask()
    message = server.messages[0]
    assert (message["To"], message["Subject"]) == (f"Member <{address}>", "Set a new password")
    assert message["From"] == f"{organization.name} <mail@pipeline.example>"
    assert LINK.search(message.get_body(["html"]).get_content())[1] == token
    anonymous.post(RESET, {"token": token, "password": NEW}, status=204)
    enter(password=PASSWORD, status=401)
    assert enter(password=NEW)["organization"]["id"] == organization.id


def test_a_reset_ends_every_session(ask, enter, signed_in, anonymous, organization):
    tokens = enter()
    anonymous.post(RESET, {"token": ask(), "password": NEW}, status=204)
    signed_in(tokens).get("/api/auth/me", status=401)
    organization.member.get("/api/auth/me", status=401)
    anonymous.post("/api/auth/refresh", {"refresh_token": tokens["refresh_token"]}, status=401)
    organization.colleague.get("/api/auth/me", status=200)


def test_a_link_is_good_once_even_for_two_at_the_same_time(ask, anonymous):
    token = ask()
    bodies = [{"token": token, "password": f"{NEW} {n}"} for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda body: anonymous.post(RESET, body).status_int, bodies))
    assert sorted(answers) == [204] + [410] * 5


def test_a_link_runs_out_after_an_hour(ask, anonymous, owner, organization):
    token = ask()
    left = "select expires_at - now() from app.account_links where organization_id = %s"
    assert 59 * 60 < owner.execute(left, (organization.id,)).fetchone()[0].total_seconds() <= 3600
    owner.execute("update app.account_links set expires_at = now() where organization_id = %s", (organization.id,))
    anonymous.post(RESET, {"token": token, "password": NEW}, status=410)


@pytest.mark.parametrize("token", ["0" * 64, "x", "\u0661" * 64])
def test_an_unknown_link_sets_nothing(token, anonymous):
    anonymous.post(RESET, {"token": token, "password": NEW}, status=404)


def test_a_weak_password_is_refused_with_advice_and_leaves_the_link_good(ask, anonymous, address, organization):
    token = ask()
    for weak in ("1234567890", address, f"{organization.name}!", " " * 10):
        refused = anonymous.post(RESET, {"token": token, "password": weak}, status=422)
        assert (refused.json["code"], codes(refused)) == ("weak_password", [("password", "weak_password")])
    short = anonymous.post(RESET, {"token": token, "password": "short"}, status=422)
    assert codes(short) == [("password", "too_short")]
    anonymous.post(RESET, {"token": token, "password": NEW}, status=204)


def test_no_token_is_stored_anywhere(ask, owner, organization):
    token = ask()
    for table in ("account_links", "emails", "outbox"):
        rows = f"select to_jsonb(t)::text from app.{table} t where organization_id = %s"
        assert token not in str(owner.execute(rows, (organization.id,)).fetchall())


def test_a_reader_of_leads_does_not_see_who_has_asked(ask, organization, address):
    ask()
    lead = organization.colleague.post("/api/leads", {"first_name": "Kim", "email": address}, status=201).json
    assert organization.colleague.get(f"/api/leads/{lead['id']}/linked-emails").json["data"] == []


@pytest.mark.parametrize(
    ("locale", "language", "direction", "subject"),
    [
        ("de-AT", "de", "ltr", "Neues Passwort festlegen"),
        ("ar", "ar", "rtl", "تعيين كلمة مرور جديدة"),
        ("es-MX", "es", "ltr", "Elegir una contraseña nueva"),
        ("pl", "en", "ltr", "Set a new password"),
    ],
)
def test_the_email_is_in_the_organizations_language(
    locale, language, direction, subject, ask, owner, organization, server
):
    owner.execute("update app.organizations set locale = %s where id = %s", (locale, organization.id))
    ask()
    assert str(server.messages[0]["Subject"]) == subject
    assert f'<html lang="{language}" dir="{direction}">' in server.messages[0].get_body(["html"]).get_content()


def test_an_unknown_address_gets_the_same_answer_and_no_email(anonymous, owner, organization, address):
    known = anonymous.post(FORGOT, {"email": address}, status=202)
    before = events(owner, organization)
    links = "select count(*) from app.account_links"
    count = owner.execute(links).fetchone()
    for email in (f"nobody@{organization.name}.example", f"inactive@{organization.name}.example"):
        answer = anonymous.post(FORGOT, {"email": email}, status=202)
        assert answer.body == known.body
    assert events(owner, organization) == before
    assert owner.execute(links).fetchone() == count


def test_for_an_unknown_address_the_same_is_written_and_taken_back(anonymous, organization, superuser):
    used = "select (select last_value from app.account_links_id_seq), (select last_value from app.outbox_id_seq)"
    before = superuser.execute(used).fetchone()
    anonymous.post(FORGOT, {"email": f"nobody@{organization.name}.example"}, status=202)
    assert superuser.execute(used).fetchone() == tuple(number + 1 for number in before)


def test_a_flood_of_requests_sends_three_emails_an_hour(anonymous, owner, organization, address):
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda _: anonymous.post(FORGOT, {"email": address}).status_int, range(24))
    assert set(answers) == {202}
    assert events(owner, organization) == 3


def test_an_email_whose_answer_is_lost_is_sent_again_and_the_last_link_is_good(anonymous, address, worker, server):
    anonymous.post(FORGOT, {"email": address}, status=202)
    server.drop = "taken"
    worker.run()
    server.drop = None
    worker.run()
    tokens = [LINK.search(message.get_body(["plain"]).get_content())[1] for message in server.messages]
    assert len(set(tokens)) == 2
    anonymous.post(RESET, {"token": tokens[0], "password": NEW}, status=404)
    anonymous.post(RESET, {"token": tokens[1], "password": NEW}, status=204)


def test_where_nothing_is_sent_the_log_shows_the_link(anonymous, address, worker, capsys):
    worker.settings = dataclasses.replace(worker.settings, mail_transport="log")
    anonymous.post(FORGOT, {"email": address}, status=202)
    worker.run()
    token = LINK.search(capsys.readouterr().out)[1]
    anonymous.post(RESET, {"token": token, "password": NEW}, status=204)


def test_a_changed_password_ends_the_other_sessions(enter, signed_in, organization):
    tokens = enter()
    body = {"current_password": PASSWORD, "new_password": NEW}
    signed_in(tokens).put(CHANGE, body, status=204)
    signed_in(tokens).get("/api/auth/me", status=200)
    organization.member.get("/api/auth/me", status=401)
    enter(password=PASSWORD, status=401)
    enter(password=NEW)


@pytest.mark.parametrize(
    ("current", "new", "code"),
    [
        ("wrong", NEW, ("current_password", "wrong_password")),
        (PASSWORD, "1234567890", ("new_password", "weak_password")),
        (PASSWORD, "short", ("new_password", "too_short")),
    ],
)
def test_a_change_needs_the_password_and_a_good_new_one(current, new, code, organization, enter):
    refused = organization.member.put(CHANGE, {"current_password": current, "new_password": new}, status=422)
    assert codes(refused) == [code]
    enter()


def test_of_two_changes_at_once_one_counts(organization):
    bodies = [{"current_password": PASSWORD, "new_password": f"{NEW} {n}"} for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(lambda body: organization.member.put(CHANGE, body).status_int, bodies))
    assert answers == [204, 422, 422, 422]


def test_a_password_that_an_administrator_chose_never_existed(organization, new_organization, enter, owner, address):
    owner.execute("update app.users set password_hash = null, confirmed_at = null where email = %s", (address,))
    enter(status=401)
    organization.member.put(CHANGE, {"current_password": PASSWORD, "new_password": NEW}, status=422)
