from concurrent.futures import ThreadPoolExecutor

import pytest
from webtest import TestApp

from development.demo import PASSWORD, load, read
from pipeline.database import migrations
from pipeline.http.server.application import make_app
from pipeline.process.settings import load as load_settings
from pipeline.process.settings.database_url import with_login
from tests.cli.conftest import SECRET
from tests.interviews.language import check_template
from tests.support import Api


@pytest.fixture(scope="session")
def api(demo_url):
    environ = {"DATABASE_URL": with_login(demo_url, "pipeline_app"), "JWT_SECRET": SECRET}
    app = make_app(load_settings({}, environ))
    yield Api(TestApp(app))
    app.registry.app.close()
    app.registry.forms.close()


def login(api, email, status=200):
    tokens = api.post("/api/auth/login", {"email": email, "password": PASSWORD}, status=status).json
    return Api(api.app, Authorization=f"Bearer {tokens.get('access_token')}")


@pytest.mark.parametrize(
    ("email", "slugs", "role"),
    [
        ("admin@acme.example", ["acme"], "admin"),
        ("rep@acme.example", ["acme"], "member"),
        ("rep2@acme.example", ["acme"], "member"),
        ("admin@globex.example", ["globex"], "admin"),
        ("both@example.com", ["acme", "globex"], "member"),
    ],
)
def test_every_demo_user_can_log_in_but_the_one_with_an_inactive_seat(api, email, slugs, role):
    me = login(api, email).get("/api/auth/me").json
    assert (me["organization"]["slug"], len(me["organizations"]), me["role"]) == (slugs[0], len(slugs), role)
    login(api, "inactive@acme.example", status=401)


def test_there_are_leads_an_invite_in_every_state_and_contracts(api):
    rep = login(api, "rep@acme.example")
    assert rep.get("/api/leads").json["total"] == 200
    invites = sorted((one["status"], one["id"]) for one in rep.get("/api/interview-invites").json["data"])
    assert [status for status, _ in invites] == ["expired", "pending", "started", "submitted"]
    responses = rep.get(f"/api/interview-invites/{invites[-1][1]}/responses").json
    assert responses["rep_flags"] == ["competitive_deal", "fast_timeline", "high_compliance"]
    contracts = rep.get("/api/contracts").json["data"]
    assert [contract["status"] for contract in contracts] == ["active", "draft", "active", "terminated"]
    assert "{{" not in rep.get(f"/api/contracts/{contracts[0]['id']}").json["content"]


@pytest.mark.parametrize("name", ["qualification", "software_evaluation"])
def test_the_demo_templates_are_without_fault_and_speak_german_too(name):
    assert check_template(read(name)) == []
    assert len(read(name)["translations"]["de"]) > 15


def test_two_loads_at_once_load_once(empty_database):
    migrations.upgrade(empty_database)
    with ThreadPoolExecutor() as pool:
        loaded = list(pool.map(lambda _: load(empty_database, str), range(2)))
    assert sorted(loaded) == [False, True]
