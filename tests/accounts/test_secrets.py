"""Each secret of an account and what ends it, a case for each cell of the table in docs/secrets.md."""

import pytest

from tests.accounts.conftest import refresh
from tests.conftest import PASSWORD

NEW = "rather violet umbrella 7"
FORGOT, RESET = "/api/auth/password/forgot", "/api/auth/password/reset"


class Person:
    """A member with a login of two devices; each method is something that ends secrets, or tries one."""

    def __init__(self, organization, anonymous, post, log_in, signed_in):
        self.organization, self.anonymous, self.post, self.log_in = (organization, anonymous, post, log_in)
        self.email, self.id = (f"member@{organization.name}.example", organization.users["member"])
        self.tokens = log_in(self.email).json
        self.client, self.other = (signed_in(self.tokens), signed_in(log_in(self.email).json))

    def link(self):
        """The token of a new link for a password."""
        self.anonymous.post(FORGOT, {"email": self.email}, status=202)
        return self.post.token(self.organization)

    def tries_link(self, token):
        body = {"token": token, "password": "another violet umbrella 8"}
        return self.anonymous.post(RESET, body).status_int == 204

    def tries_session(self, _token=None):
        return self.client.get("/api/auth/me").status_int == 200

    def tries_refresh(self, _token=None):
        return refresh(self.anonymous, self.tokens).status_int == 200

    def change(self):
        self.other.put("/api/auth/password", {"current_password": PASSWORD, "new_password": NEW}, status=204)

    def reset(self):
        self.anonymous.post(RESET, {"token": self.link(), "password": NEW}, status=204)

    def ask(self):
        self.anonymous.post(FORGOT, {"email": self.email}, status=202)

    def deactivate(self):
        self.organization.admin.patch(f"/api/users/{self.id}", {"seat_active": False}, status=200)

    def reactivate(self):
        self.deactivate()
        self.organization.admin.patch(f"/api/users/{self.id}", {"seat_active": True}, status=200)

    def remove(self):
        self.organization.admin.delete(f"/api/users/{self.id}", status=204)

    def log_out(self):
        self.anonymous.post("/api/auth/logout", {"refresh_token": self.tokens["refresh_token"]}, status=204)

    def end_sessions(self):
        self.other.delete("/api/auth/sessions", status=204)

    def reuse(self):
        owner = self.organization.owner
        refresh(self.anonymous, self.tokens, status=200)
        earlier = "update app.refresh_tokens set rotated_at = now() - interval '11 seconds' where rotated_at < now()"
        owner.execute(f"{earlier} and organization_id = %s", [self.organization.id])
        refresh(self.anonymous, self.tokens, status=401)

    def time(self):
        for table in ("account_links", "refresh_tokens", "sessions"):
            expire = f"update app.{table} set expires_at = now() where organization_id = %s"
            self.organization.owner.execute(expire, [self.organization.id])


@pytest.fixture
def person(organization, anonymous, post, log_in, signed_in):
    return Person(organization, anonymous, post, log_in, signed_in)


SESSION = ("change", "reset", "deactivate", "reactivate", "remove", "log_out", "end_sessions", "reuse", "time")
ENDS = {"link": ("change", "reset", "ask", "deactivate", "reactivate", "remove", "time")}
ENDS |= {"session": SESSION, "refresh": SESSION}


@pytest.mark.parametrize(("secret", "end"), [(secret, end) for secret, ends in ENDS.items() for end in ends])
def test_a_secret_of_a_person_ends_with(person, secret, end):
    token = person.link() if secret == "link" else None
    getattr(person, end)()
    assert not getattr(person, f"tries_{secret}")(token)


@pytest.mark.parametrize("secret", ENDS)
def test_a_secret_of_a_person_is_good_before(person, secret):
    assert getattr(person, f"tries_{secret}")(person.link() if secret == "link" else None)


class Invited:
    """Somebody with the link of an invitation."""

    def __init__(self, organization, anonymous, post):
        self.organization, self.anonymous, self.post = organization, anonymous, post
        body = {"email": f"kim@{organization.name}.example", "name": "Kim"}
        self.path = f"/api/users/{organization.admin.post('/api/users', body, status=201).json['id']}"
        self.token = post.token(organization)

    def accept(self):
        body = {"token": self.token, "name": "Kim", "password": NEW}
        return self.anonymous.post("/api/auth/activate", body)

    def invite_again(self):
        self.organization.admin.post(f"{self.path}/invite", status=200)

    def withdraw(self):
        self.organization.admin.delete(self.path, status=204)

    def time(self):
        expire = "update app.account_links set expires_at = now() where organization_id = %s"
        self.organization.owner.execute(expire, [self.organization.id])


@pytest.mark.parametrize("end", ["accept", "invite_again", "withdraw", "time"])
def test_the_link_of_an_invitation_ends_with(organization, anonymous, post, end):
    invited = Invited(organization, anonymous, post)
    getattr(invited, end)()
    assert invited.accept().status_int in (404, 410)


KEY_ENDS = {
    "revoke": "update app.api_keys set revoked_at = now() where organization_id = %s",
    "time": "update app.api_keys set expires_at = now() where organization_id = %s",
}


@pytest.mark.parametrize("end", KEY_ENDS)
def test_an_api_key_ends_with(organization, end):
    key = organization.key()
    key.get("/api/leads", status=200)
    organization.owner.execute(KEY_ENDS[end], [organization.id])
    key.get("/api/leads", status=401)
