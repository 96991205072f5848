import dataclasses
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.accounts.conftest import refresh
from tests.conftest import PASSWORD
from tests.mail.post import LINK, links
from tests.support import codes

NEW = "rather violet umbrella 7"
FORGOT, RESET, CHANGE = "/api/auth/password/forgot", "/api/auth/password/reset", "/api/auth/password"


@pytest.fixture
def forget(anonymous, address):
    """forget(): the member asks for a link."""
    return lambda: anonymous.post(FORGOT, {"email": address.upper()}, status=202)


@pytest.fixture
def ask(forget, post, organization):
    """ask(): the token of the link that the member gets by email."""

    def asked():
        forget()
        return post.token(organization)

    return asked


@pytest.fixture
def reset(anonymous):
    """reset(token, password): set a password by a link."""

    def follow(token, password=NEW, status=204):
        return anonymous.post(RESET, {"token": token, "password": password}, status=status)

    return follow


def events(owner, organization):
    """How many emails about accounts are on their way or sent."""
    statement = "select count(*) from app.outbox where organization_id = %s and event = 'account_link'"
    return owner.execute(statement, (organization.id,)).fetchone()[0]


def test_the_link_comes_by_email_sets_a_password_and_ends_every_session(
    forget, reset, enter, signed_in, anonymous, post, address, organization
):
    tokens = enter()
    forget()
    (message,) = post.deliver(organization)
    assert (message["To"], message["Subject"]) == (f"Member <{address}>", "Set a new password")
    assert message["From"] == f"{organization.name} <mail@pipeline.example>"
    reset(links(message)[1])
    for client in (signed_in(tokens), organization.member):
        client.get("/api/auth/me", status=401)
    refresh(anonymous, tokens, status=401)
    organization.colleague.get("/api/auth/me", status=200)
    enter(password=PASSWORD, status=401)
    assert enter(password=NEW)["organization"]["id"] == organization.id


def test_a_link_is_good_once_even_for_two_at_the_same_time(ask, anonymous):
    token = ask()
    bodies = [{"token": token, "password": f"{NEW} {n}"} for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda body: anonymous.post(RESET, body).status_int, bodies))
    assert sorted(answers) == [204] + [410] * 5


def test_a_link_runs_out_after_an_hour_and_an_unknown_one_sets_nothing(ask, reset, owner, organization):
    token = ask()
    for unknown in ("0" * 64, "x", "\u0661" * 64):
        reset(unknown, status=404)
    left = "select expires_at - now() from app.account_links where organization_id = %s"
    assert 59 * 60 < owner.execute(left, (organization.id,)).fetchone()[0].total_seconds() <= 3600
    owner.execute("update app.account_links set expires_at = now() where organization_id = %s", (organization.id,))
    reset(token, status=410)


def test_a_weak_password_is_refused_with_advice_and_leaves_the_link_good(ask, reset, address, organization):
    token = ask()
    for weak in ("1234567890", address, f"{organization.name}!", " " * 10):
        refused = reset(token, weak, status=422)
        assert (refused.json["code"], codes(refused)) == ("weak_password", [("password", "weak_password")])
    assert codes(reset(token, "short", status=422)) == [("password", "too_short")]
    reset(token)


def test_no_token_is_stored_anywhere_and_a_reader_of_leads_does_not_see_who_has_asked(ask, organization, address):
    token = ask()
    assert token not in str(organization.rows())
    lead = organization.colleague.post("/api/leads", {"first_name": "Kim", "email": address}, status=201).json
    assert organization.colleague.get(f"/api/leads/{lead['id']}/linked-emails").json["data"] == []


def test_the_email_is_in_the_organizations_language(forget, owner, organization, post):
    owner.execute("update app.organizations set locale = 'ar' where id = %s", (organization.id,))
    forget()
    (message,) = post.deliver(organization)
    assert message["Subject"] == "تعيين كلمة مرور جديدة"
    assert '<html lang="ar" dir="rtl">' in message.get_body(["html"]).get_content()


@pytest.mark.parametrize("person", ["nobody", "inactive"])
def test_an_unknown_address_gets_the_same_answer_after_the_same_work_and_no_email(
    person, forget, anonymous, owner, organization
):
    known, before = forget(), events(owner, organization)
    stored = "select count(*) from app.account_links"
    written = "select (select last_value from app.account_links_id_seq), (select last_value from app.outbox_id_seq)"
    count, numbers = owner.execute(stored).fetchone(), owner.execute(written).fetchone()
    answer = anonymous.post(FORGOT, {"email": f"{person}@{organization.name}.example"}, status=202)
    assert answer.body == known.body
    assert (events(owner, organization), owner.execute(stored).fetchone()) == (before, count)
    assert owner.execute(written).fetchone() == tuple(number + 1 for number in numbers)


def test_a_flood_of_requests_sends_three_emails_an_hour(anonymous, owner, organization, address):
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda _: anonymous.post(FORGOT, {"email": address}).status_int, range(24))
    assert set(answers) == {202}
    assert events(owner, organization) == 3


def test_where_nothing_is_sent_the_log_shows_the_link(forget, reset, post, organization, capsys):
    post.settings = dataclasses.replace(post.settings, mail_transport="log")
    forget()
    post.deliver(organization)
    reset(LINK.search(capsys.readouterr().out)[2])


def test_a_changed_password_ends_the_other_sessions(enter, signed_in, organization):
    person = signed_in(enter())
    person.put(CHANGE, {"current_password": PASSWORD, "new_password": NEW}, status=204)
    person.get("/api/auth/me", status=200)
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


def test_two_changes_at_once_count_once(organization):
    bodies = [{"current_password": PASSWORD, "new_password": f"{NEW} {n}"} for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(lambda body: organization.member.put(CHANGE, body).status_int, bodies))
    assert answers == [204, 422, 422, 422]
