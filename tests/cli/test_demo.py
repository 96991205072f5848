"""The demo data, loaded once."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from webtest import TestApp

from development.demo import PASSWORD, load, read
from pipeline.database import migrations
from pipeline.http.front.application import make_app
from pipeline.process.settings import load as load_settings
from pipeline.process.settings.database_url import with_login
from tests.cli.conftest import SECRET
from tests.interviews.language import check_template
from tests.support import Api


@pytest.fixture(scope="session")
def api(demo_url):
    """The application on the demo database."""
    environ = {"DATABASE_URL": with_login(demo_url, "pipeline_app"), "JWT_SECRET": SECRET}
    app = make_app(load_settings({}, environ))
    yield Api(TestApp(app))
    app.registry.app.close()
    app.registry.forms.close()


def login(api, email, status=200):
    """A logged-in client."""
    tokens = api.post("/api/auth/login", {"email": email, "password": PASSWORD}, status=status).json
    return Api(api.app, Authorization=f"Bearer {tokens.get('access_token')}")


PEOPLE = [
    ("admin@acme.example", ["acme"], "admin"),
    ("rep@acme.example", ["acme"], "member"),
    ("rep2@acme.example", ["acme"], "member"),
    ("admin@globex.example", ["globex"], "admin"),
    ("rep@globex.example", ["globex"], "member"),
    ("both@example.com", ["acme", "globex"], "member"),
]


@pytest.mark.parametrize(("email", "slugs", "role"), PEOPLE)
def test_every_demo_user_can_log_in(api, email, slugs, role):
    me = login(api, email).get("/api/auth/me").json
    assert me["role"] == role
    assert len(me["organizations"]) == len(slugs)
    assert me["organization"]["slug"] == slugs[0]


def test_the_inactive_seat_cannot_log_in(api):
    login(api, "inactive@acme.example", status=401)


@pytest.mark.parametrize("name", ["qualification", "software_evaluation"])
def test_the_demo_templates_are_without_fault_and_speak_german_too(name):
    assert check_template(read(name)) == []
    assert len(read(name)["translations"]["de"]) > 15


def test_there_is_an_invite_in_every_state_and_the_submitted_one_shows_its_flags(api):
    rep = login(api, "rep@acme.example")
    invites = sorted((one["status"], one["id"]) for one in rep.get("/api/interview-invites").json["data"])
    assert [status for status, _ in invites] == ["expired", "pending", "started", "submitted"]
    responses = rep.get(f"/api/interview-invites/{invites[-1][1]}/responses").json
    assert responses["rep_flags"] == ["competitive_deal", "fast_timeline", "high_compliance"]


def test_there_are_two_hundred_varied_leads_and_some_of_the_other_organization(demo):
    each = "select slug, count(*) from app.leads join app.organizations o on o.id = organization_id group by 1"
    assert dict(demo.execute(each).fetchall()) == {"acme": 200, "globex": 25}
    assert demo.execute("select count(distinct (status, source)) from app.leads").fetchone()[0] > 20


def test_a_second_load_changes_nothing(demo, demo_url):
    rows = "select (select count(*) from app.leads), (select count(*) from app.users)"
    before = demo.execute(rows).fetchone()
    assert load(demo_url, print) is False
    assert demo.execute(rows).fetchone() == before


def test_two_loads_at_once_load_once(empty_database):
    migrations.upgrade(empty_database)
    with ThreadPoolExecutor() as pool:
        loaded = list(pool.map(lambda _: load(empty_database, str), range(2)))
    assert sorted(loaded) == [False, True]


def test_a_failed_load_leaves_nothing(empty_database):
    migrations.upgrade(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("insert into app.organizations (name, slug) values (%s, 'globex')", (uuid.uuid4().hex,))
        with pytest.raises(psycopg.errors.UniqueViolation):
            load(empty_database, str)
        assert connection.execute("select count(*) from app.users").fetchone()[0] == 0


def test_there_are_contracts_of_the_demo_template(api):
    rep = login(api, "rep@acme.example")
    contracts = rep.get("/api/contracts", status=200).json["data"]
    assert [contract["status"] for contract in contracts] == ["active", "draft", "active", "terminated"]
    assert rep.get("/api/contracts?expiring_within=30", status=200).json["total"] == 1
    first = rep.get(f"/api/contracts/{contracts[0]['id']}", status=200).json
    assert (first["contract_number"], first["company_name"]) == ("RO-000001", "Nordlicht Robotik GmbH")
    assert "{{" not in first["content"]
