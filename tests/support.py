"""API clients, organizations, and a small interview for tests."""

import contextlib
import hashlib
import json
import secrets
import string
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partialmethod

from pipeline.http.scopes import SCOPES
from tests import described
from tests.waiting import wait_until

# The tables whose rows belong to an organization.
OWNED = """
select relname from pg_class join pg_attribute on attrelid = pg_class.oid
where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and attname = 'organization_id' order by 1"""
TEMPLATE = {
    "name": "Qualification",
    "slug": "qualification",
    "pages": [{"key": "needs", "title": "What you need", "questions": ["product_line", "seats", "notes"]}],
    "questions": [
        {
            "key": "product_line",
            "type": "single_choice",
            "label": "Which product?",
            "required": True,
            "options": [{"value": "server", "label": "Server"}, {"value": "desktop", "label": "Desktop"}],
        },
        {"key": "seats", "type": "number", "label": "How many seats?", "integer": True, "min": 1, "max": 1000},
        {"key": "notes", "type": "long_text", "label": "Anything else?"},
    ],
}
# The people of an organization of tests: role, and whether their seat is active.
PEOPLE = {
    "admin": ("admin", True),
    "member": ("member", True),
    "colleague": ("member", True),
    "inactive": ("admin", False),
}
USERS = """
insert into app.users (name, password_hash, email, confirmed_at)
select initcap(person), %s, person || '@' || %s || '.example', now() from unnest(%s::text[]) as person
returning lower(name), id"""
SEATS = """
insert into app.organization_users (organization_id, user_id, role, seat_active)
select %s, * from unnest(%s::bigint[], %s::text[], %s::boolean[])"""
OFF = "update app.organization_users set seat_active = false where organization_id = %s and user_id = any(%s)"
SESSIONS = """
insert into app.sessions (organization_id, user_id, expires_at)
select %s, id, now() + interval '90 days' from unnest(%s::bigint[]) as id returning user_id, id"""


class Api:
    """A JSON client of the application; `headers` are sent with every request, `status=` asserts the status."""

    def __init__(self, app, **headers):
        self.app, self.headers = app, headers

    def request(self, method, path, body=None, status=None, headers=None, raw=None):
        """The response to a request with JSON (`body`) or bytes (`raw`)."""
        options = {}
        if body is not None or raw is not None:
            options["body"] = raw if raw is not None else json.dumps(body).encode()
            options["content_type"] = "application/json"
        headers = {**self.headers, **(headers or {})}
        response = self.app.request(path, method=method, headers=headers, status=status or "*", **options)
        described.check(self.app.app, method, response)
        return response

    get = partialmethod(request, "GET")
    post = partialmethod(request, "POST")
    put = partialmethod(request, "PUT")
    patch = partialmethod(request, "PATCH")
    delete = partialmethod(request, "DELETE")


class Organization:
    """An organization with its people; each person's API client is an attribute.

    `owner` is a superuser's connection to the database.
    """

    def __init__(self, app, owner, name, password_hash, tokens):
        self.app, self.owner, self.name, self.tokens = app, owner, name, tokens
        self.id = _insert(owner, "organizations", name=name, slug=name)
        self.users, self.sessions = {}, {}
        self.anonymous = Api(app)
        self._add(PEOPLE, password_hash)

    def add(self, person, role, active, password_hash):
        """A user with a seat; `organization.<person>` is their client."""
        self._add({person: (role, active)}, password_hash)

    def _add(self, people, password_hash):
        users = self.owner.execute(USERS, [password_hash, self.name, list(people)]).fetchall()
        self.users |= users
        seats = [(self.users[person], *seat) for person, seat in people.items()]
        self.owner.execute(SEATS, [self.id, *(list(column) for column in zip(*seats, strict=True))])
        self.sessions |= self.owner.execute(SESSIONS, [self.id, [id for _, id in users]]).fetchall()
        for person, id in users:
            setattr(self, person, self._client(id, self.sessions[id]))

    def seat(self, user_id, role="member", active=True):
        self.owner.execute(SEATS, [self.id, [user_id], [role], [active]])

    def deactivate_seats(self):
        self.owner.execute(OFF, [self.id, list(self.users.values())])

    def deactivate(self, person):
        self.owner.execute(OFF, [self.id, [self.users[person]]])

    def client(self, user_id):
        return self._client(user_id, self.session(user_id))

    def _client(self, user_id, session_id):
        token = self.tokens.create_token(user_id, self.id, session_id)
        return Api(self.app, Authorization=f"Bearer {token}")

    def key(self, *scopes, role="member", name="CRM", **columns):
        """An API client with a new key of these scopes (default: all), inserted directly."""
        text = "pl_" + "".join(secrets.choice(string.ascii_letters) for _ in range(43))
        key_hash, scopes = hashlib.sha256(text.encode()).hexdigest(), list(scopes or SCOPES)
        self.insert("api_keys", name=name, prefix=text[:8], key_hash=key_hash, scopes=scopes, role=role, **columns)
        return Api(self.app, Authorization=f"Bearer {text}")

    def session(self, user_id):
        """A session of this user's, without a refresh token; returns its id, and notes the first one's."""
        made = session(self.owner, user_id, self.id)
        self.sessions.setdefault(user_id, made)
        return made

    def refresh_token(self, session_id):
        """A refresh token of a session."""
        token, expires_at = secrets.token_urlsafe(32), datetime.now(UTC) + timedelta(days=30)
        token_hash = hashlib.sha256(token.encode()).hexdigest()
        self.insert("refresh_tokens", session_id=session_id, token_hash=token_hash, expires_at=expires_at)
        return token

    def insert(self, table, returned="id", **values):
        """Insert a row of this organization directly; returns its id."""
        return _insert(self.owner, table, returned, organization_id=self.id, **values)

    def rows(self):
        """All rows of the organization: {table: rows as text}."""
        found = {name: [] for (name,) in self.owner.execute(OWNED)}
        each = (
            f"select '{name}', to_jsonb(t)::text from app.{name} t where organization_id = %(id)s" for name in found
        )
        for name, row in self.owner.execute(" union all ".join(each) + " order by 1, 2", {"id": self.id}):
            found[name].append(row)
        return found

    def template(self, **changes):
        """A template, created through the API; returns its record."""
        return self.admin.post("/api/interview-templates", {**TEMPLATE, **changes}, status=201).json

    def invite(self, template=None, **changes):
        """An invite, created through the API; returns its record."""
        template = template or self.template()
        body = {"template_id": template["id"], "recipient_email": "pat@prospect.example", **changes}
        return self.member.post("/api/interview-invites", body, status=201).json

    def public_form(self, **changes):
        return self.template(**{"public_slug": self.name, "lead_capture_enabled": True, **changes})

    def invites(self):
        """Its newest invites and captured responses."""
        return self.member.get("/api/interview-invites", status=200).json["data"]

    def leads(self):
        """Its first leads."""
        return self.member.get("/api/leads", status=200).json["data"]

    def responses(self, invite=None):
        """What a rep reads of an invite's answers; of the only invite's by default."""
        if invite is None:
            (invite,) = self.invites()
        return self.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json

    def expire_by_time(self, invite):
        statement = "update app.interview_invites set expires_at = now() - interval '1 second' where id = %s"
        self.owner.execute(statement, (invite["id"],))


def _insert(owner, table, returned="id", **values):
    columns, places = ", ".join(values), ", ".join(["%s"] * len(values))
    statement = f"insert into app.{table} ({columns}) values ({places}) returning {returned}"
    return owner.execute(statement, list(values.values())).fetchone()[0]


def session(owner, user_id, organization_id):
    """A session written directly; returns its id."""
    return owner.execute(SESSIONS, [organization_id, [user_id]]).fetchone()[1]


def interview(invite):
    return f"/api/public/interview/{invite['token']}"


def codes(response):
    """The (name, code) pairs of a validation failure."""
    return [(error["name"], error["code"]) for error in response.json["errors"]]


@contextlib.contextmanager
def advisory_lock(connection, name, organization_id):
    """Hold an organization's advisory lock of this name, like another process of the service."""
    place = name, organization_id
    connection.execute("select pg_advisory_lock(hashtextextended(%s, %s))", place)
    try:
        yield
    finally:
        connection.execute("select pg_advisory_unlock(hashtextextended(%s, %s))", place)


# The sessions that wait for a lock of this one.
WAITING = "select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"


def wait_until_waiting(connection):
    """Wait until a session waits for a lock of this connection."""
    wait_until(lambda: connection.execute(WAITING).rowcount, lambda: "Nobody waits.")


def held_up(connection, statement, parameters, call, meanwhile=lambda: None):
    """What `call()` returns that waits for a lock of this statement; `meanwhile()` is called while it waits."""
    with ThreadPoolExecutor(1) as pool:
        with connection.transaction():
            connection.execute(statement, parameters)
            waiting = pool.submit(call)
            wait_until_waiting(connection)
            meanwhile()
        return waiting.result()


def both_held_up(connection, statement, parameters, first, second):
    """What `first()` and `second()` return: the one waits for a lock of this statement, the other for one of these."""
    behind = (
        "select distinct pid from pg_locks "
        f"where not granted and pg_blocking_pids(pid) && (array({WAITING}) || pg_backend_pid())"
    )
    later = []
    with ThreadPoolExecutor(1) as pool:

        def begin():
            later.append(pool.submit(second))
            wait_until(lambda: connection.execute(behind).rowcount == 2)

        return held_up(connection, statement, parameters, first, begin), later[0].result()
