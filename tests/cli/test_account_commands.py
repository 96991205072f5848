"""Organizations, users, passwords and tokens from the command line."""

import uuid

import jwt
import pytest

SEAT = "select name, role, seat_active from app.organization_users join app.users on id = user_id where email = %s"


@pytest.fixture
def name(terminal):
    slug = f"org-{uuid.uuid4().hex[:12]}"
    terminal.run("create-organization", "New One", "--slug", slug, "--time-zone", "Asia/Tokyo", "--currency", "JPY")
    return slug


@pytest.fixture
def made(terminal, name):
    """made(*words): what is said when Kim is made a user of it with a password."""

    def make(*words):
        who = ("create-user", f"kim@{name}.example", "--organization", name, "--name", "Kim", "--password-stdin")
        return terminal.run(*who, *words, input="correct horse battery\n").stdout

    return make


def claims(terminal, *words):
    return jwt.decode(terminal.run("token", *words).stdout.strip(), options={"verify_signature": False})


def test_an_organization_and_its_first_user(terminal, demo, name, made):
    made("--role", "admin")
    assert demo.execute(SEAT, (f"kim@{name}.example",)).fetchone() == ("Kim", "admin", True)
    assert int(claims(terminal, f"kim@{name}.example")["sub"]) > 0


def test_a_name_is_kept_as_one_in_a_request_is(terminal, demo, name):
    typed = " Ki\u200bm Mu\u0308ller "
    words = ("create-user", f"kim@{name}.example", "--organization", name, "--name", typed, "--password-stdin")
    terminal.run(*words, input="correct horse battery\n")
    assert demo.execute(SEAT, (f"kim@{name}.example",)).fetchone()[0] == "Kim M\u00fcller"


def test_a_known_user_gets_a_seat_and_keeps_the_password(terminal, demo, name):
    user = (
        "insert into app.users (email, name, password_hash, confirmed_at)"
        " values (%s, 'Kim', 'as before', now()) returning id"
    )
    user_id = demo.execute(user, (f"kim@{name}.example",)).fetchone()[0]
    assert "known before" in terminal.run("create-user", f"KIM@{name}.example", "--organization", name).stdout
    password = "select password_hash from app.users where id = %s"
    assert demo.execute(password, (user_id,)).fetchone() == ("as before",)


@pytest.mark.parametrize(
    ("words", "exit_code", "said"),
    [
        (("create-organization", "Again", "--slug", "acme"), 1, "There is an organization acme already."),
        (("create-organization", "\u200b ", "--slug", "x"), 2, "Must not be empty."),
        (("create-organization", "x" * 256, "--slug", "x"), 2, "255"),
        (("create-organization", "Bad", "--slug", "Not A Slug"), 1, "Not valid: organizations_slug_check."),
        (("create-organization", "Bad", "--slug", "x", "--time-zone", "Mars/Base"), 2, "no time zone"),
        (("create-user", "a@b.example", "--organization", "nowhere"), 1, "There is no organization nowhere."),
        (("create-user", "vİctor@b.example", "--organization", "acme"), 2, "only ASCII characters before the @."),
        (("set-password", "nobody@acme.example"), 1, "There is no user nobody@acme.example."),
        (("token", "nobody@acme.example"), 1, "has no active seat in any organization."),
        (("token", "inactive@acme.example"), 1, "has no active seat in any organization."),
        (("token", "rep@acme.example", "--organization", "globex"), 1, "has no active seat in globex."),
        (("explain", "no_such_query"), 2, "There is no query no_such_query; there are"),
        (("explain", "membership_list", "wrong=1"), 2, "membership_list takes user_id."),
        (("explain", "membership_list", "user_id"), 2, "membership_list takes user_id."),
        (("explain", "membership_list", "user_id=x"), 1, "invalid input syntax for type bigint"),
        (("explain", "membership_list", "--organization", "nowhere"), 1, "There is no organization nowhere."),
        (("no-such-command",), 2, "No such command"),
    ],
)
def test_a_mistake_is_one_clear_line(terminal, words, exit_code, said):
    result = terminal.run(*words, exit_code=exit_code)
    assert said in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("password", "said"), [("short", "at least 10 characters"), ("new@acme.example", "is easy to guess")]
)
def test_a_weak_password_is_refused(terminal, password, said):
    words = ("create-user", "new@acme.example", "--organization", "acme", "--name", "New", "--password-stdin")
    assert said in terminal.run(*words, exit_code=2, input=f"{password}\n").stderr


def test_the_operator_sets_a_password_and_ends_the_sessions(terminal, demo, name, made):
    email = f"kim@{name}.example"
    made()
    terminal.run("token", email)
    before = "select password_hash, confirmed_at is not null from app.users where email = %s"
    first = demo.execute(before, (email,)).fetchone()
    terminal.run("set-password", email.upper(), "--password-stdin", input="rather violet umbrella 7\n")
    second = demo.execute(before, (email,)).fetchone()
    assert (first[1], second[1], first[0] == second[0]) == (True, True, False)
    alive = "select from app.sessions s join app.users u on u.id = s.user_id where u.email = %s and s.ended_at is null"
    assert demo.execute(alive, (email,)).fetchall() == []


def test_a_seat_given_by_the_operator_ends_the_invitation(demo, name, made):
    email = f"kim@{name}.example"
    demo.execute("insert into app.users (email, name) values (%s, 'kim')", (email,))
    demo.execute(
        "insert into app.invitations (organization_id, email) select id, %s from app.organizations where slug = %s",
        (email.upper(), name),
    )
    assert "(new, " in made()
    assert demo.execute(SEAT, (email,)).fetchone() == ("Kim", "member", True)
    invited = "select count(*) from app.invitations where email_key = %s"
    assert demo.execute(invited, (email,)).fetchone() == (0,)


def test_a_token_names_the_organization_asked_for_and_lasts_as_long_as_its_session(terminal, demo):
    told = claims(terminal, "both@example.com", "--organization", "globex")
    session = "select slug, extract(epoch from expires_at) from app.sessions s join app.organizations o"
    slug, ends = demo.execute(f"{session} on o.id = organization_id where s.id = %s", (told["sid"],)).fetchone()
    organization = demo.execute("select slug from app.organizations where id = %s", (told["org"],)).fetchone()[0]
    assert slug == organization == "globex"
    assert abs(int(ends) - told["exp"]) < 10


def test_tokens_of_another_identity_provider_cannot_be_made_here(production):
    production.environ.update(JWT_ALGORITHM="RS256", JWT_SECRET="", JWT_PUBLIC_KEY="its public key")
    assert "not the private key" in production.run("token", "rep@acme.example", exit_code=2).stderr
