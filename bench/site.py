"""The measured data: a database server with one organization, its template and invites."""

import contextlib
import json
import os
import secrets
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from pyramid.request import Request

from bench.template import TEMPLATE
from development.postgres import EmbeddedPostgres
from development.redis import EmbeddedRedis
from pipeline.database import migrations
from pipeline.http.server.application import make_app
from pipeline.process.settings import load

INVITES = 64
SESSION = "insert into app.sessions (organization_id, user_id, expires_at) values (%s, %s, now() + interval '90 days')"
SITE = "BENCH_SITE"  # the environment variable through which the web processes find the site
ANSWERS = (
    {"seats": 25, "competitors": "Contoso"},
    {"product_line": "server", "platforms": ["linux", "windows"]},
    {"needs": "Floating licenses for three sites, one of them air-gapped.", "seats": 40},
    {"timeline": "within_30_days", "notes": None},
)


@dataclass(frozen=True)
class Site:
    """The database and the ids of the requests; `bodies` holds each endpoint's response, for the slices."""

    database_url: str
    database_forms_url: str
    jwt_secret: str
    user_id: int
    organization_id: int
    authorization: str
    invites: list[str]
    bodies: dict[str, str]
    redis_url: str
    cells_file: str = ""

    def settings(self):
        """The application's settings."""
        names = ("DATABASE_URL", "DATABASE_FORMS_URL", "JWT_SECRET")
        environ = dict(zip(names, (self.database_url, self.database_forms_url, self.jwt_secret), strict=True))
        # Redis counts as in production, but without reaching a limit; tokens last longer than an hour of measurements.
        return load(
            {},
            environ
            | {"REDIS_URL": self.redis_url, "RATE_LIMIT_FACTOR": "1000000", "ACCESS_TOKEN_MINUTES": "600"}
            | {"CELLS_FILE": self.cells_file},
        )


def current():
    """The Site of this web process."""
    return Site(**json.loads(Path(os.environ[SITE]).read_text()))


@contextlib.contextmanager
def running():
    """A Site on a durable server in a temporary folder: (site, its file, the server's process id)."""
    with (
        tempfile.TemporaryDirectory(prefix="pipeline-bench-") as folder,
        EmbeddedPostgres(Path(folder) / "postgres") as server,
        EmbeddedRedis(Path(folder) / "redis", durable=False) as redis,
    ):
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("create database pipeline")
        owner_url = server.url("postgres", "pipeline")
        migrations.upgrade(owner_url)
        site = fill(owner_url, server, redis.url())
        with psycopg.connect(owner_url, autocommit=True) as connection:
            connection.execute("vacuum analyze")
        file = Path(folder) / "site.json"
        file.write_text(json.dumps(asdict(site)))
        yield site, file, server_process(owner_url)


def server_process(owner_url):
    """The process id of a PostgreSQL server."""
    with psycopg.connect(owner_url) as connection:
        found = connection.execute("select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)").fetchone()
    return int(found[0])


def fill(owner_url, server, redis_url):
    """A Site with an organization, its template and invites."""
    urls = [server.url(login, "pipeline") for login in ("pipeline_app", "pipeline_forms")]
    user_id, organization_id, session_id = people(owner_url, "bench")
    site = Site(*urls, secrets.token_hex(32), user_id, organization_id, "", [], {}, redis_url)
    app = make_app(site.settings())
    try:
        token = app.registry.tokens.create_token(user_id, organization_id, session_id)
        authorization = f"Bearer {token}"
        lead = _lead(owner_url, site.organization_id)
        template = _call(app, "POST", "/api/interview-templates", TEMPLATE, authorization)
        body = {"template_id": json.loads(template)["id"], "recipient_email": "pat@prospect.example", "lead_id": lead}
        invites = [
            json.loads(_call(app, "POST", "/api/interview-invites", body, authorization))["token"]
            for _ in range(INVITES)
        ]
        interview = f"/api/public/interview/{invites[0]}"
        bodies = {
            "save": _call(app, "PATCH", interview, {"answers": ANSWERS[0]}),
            "form": _call(app, "GET", interview),
            "list": _call(app, "GET", "/api/interview-templates", None, authorization),
        }
    finally:
        app.registry.app.close()
        app.registry.forms.close()
        app.registry.limits.close()
    return Site(*urls, site.jwt_secret, site.user_id, site.organization_id, authorization, invites, bodies, redis_url)


def people(owner_url, name):
    """(user id, organization id, session id) of a new organization's admin."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        organization_id = _insert(connection, "organizations", name=name.title(), slug=name)
        user_id = _insert(connection, "users", email=f"rep@{name}.example", name="Rep")
        connection.execute(
            "insert into app.organization_users (organization_id, user_id, role, seat_active)"
            " values (%s, %s, 'admin', true)",
            (organization_id, user_id),
        )
        session_id = connection.execute(f"{SESSION} returning id", (organization_id, user_id)).fetchone()[0]
    return user_id, organization_id, session_id


def _lead(owner_url, organization_id):
    with psycopg.connect(owner_url, autocommit=True) as connection:
        return _insert(
            connection,
            "leads",
            organization_id=organization_id,
            first_name="Pat",
            last_name="Prospect",
            email="pat@prospect.example",
            company="Prospect Instruments",
        )


def _insert(connection, table, **values):
    places = ", ".join(["%s"] * len(values))
    statement = f"insert into app.{table} ({', '.join(values)}) values ({places}) returning id"
    return connection.execute(statement, list(values.values())).fetchone()[0]


def _call(app, method, path, body=None, authorization=None):
    request = Request.blank(path, method=method)
    if body is not None:
        request.content_type, request.body = "application/json", json.dumps(body).encode()
    if authorization:
        request.headers["Authorization"] = authorization
    response = request.get_response(app)
    if response.status_code >= 400:
        raise RuntimeError(f"{method} {path}: {response.text}")
    return response.text
