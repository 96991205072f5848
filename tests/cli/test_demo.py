"""The demo data, loaded once."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from webtest import TestApp

from development.demo import PASSWORD, load, read
from pipeline.database import migrations
from pipeline.http.front.application import make_app
from pipeline.interviews.question_types import TYPES
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
def test_the_demo_templates_are_without_fault(name):
    assert check_template(read(name)) == []


def test_one_template_has_every_type_of_question():
    assert {question["type"] for question in read("qualification")["questions"]} == set(TYPES)


@pytest.mark.parametrize("name", ["qualification", "software_evaluation"])
def test_the_demo_templates_speak_german_too(name):
    assert len(read(name)["translations"]["de"]) > 15


def test_each_product_line_has_its_configurator(demo):
    questions = {question["key"]: question for question in read("software_evaluation")["questions"]}
    offered = {option["value"] for option in questions["product_line"]["options"]}
    known = {slug for (slug,) in demo.execute("select slug from app.configurator_definitions where active")}
    assert offered <= known


def test_there_is_an_invite_in_every_state(api):
    invites = login(api, "rep@acme.example").get("/api/interview-invites").json["data"]
    assert sorted(invite["status"] for invite in invites) == ["expired", "pending", "started", "submitted"]


def test_the_submitted_interview_shows_its_flags(api):
    rep = login(api, "rep@acme.example")
    invite = rep.get("/api/interview-invites?status=submitted").json["data"][0]
    responses = rep.get(f"/api/interview-invites/{invite['id']}/responses").json
    assert responses["rep_flags"] == ["competitive_deal", "fast_timeline", "high_compliance"]


def test_the_submitted_interview_tells_of_the_lead_that_it_belongs_to(api):
    rep = login(api, "rep@acme.example")
    invite = rep.get("/api/interview-invites?status=submitted").json["data"][0]
    answers = rep.get(f"/api/interview-invites/{invite['id']}/responses").json["answers"]
    lead = rep.get(f"/api/leads/{invite['lead_id']}").json
    told = (answers["your_name"], answers["work_email"], answers["company"])
    assert told == (lead["name"], lead["email"], lead["company"])


def test_there_are_two_hundred_varied_leads_and_some_of_the_other_organization(demo):
    counts = dict(
        demo.execute(
            "select o.slug, count(*) from app.leads l join app.organizations o on o.id = organization_id group by 1"
        ).fetchall()
    )
    assert counts == {"acme": 200, "globex": 25}
    assert demo.execute("select count(distinct (status, source)) from app.leads").fetchone()[0] > 20


def test_a_quote_its_deal_and_its_configuration_tell_of_the_same_licence(demo):
    sold = demo.execute(
        """select max(quote_number), max(d.value_minor), sum(l.net_minor) - max(discount_total_minor),
                  max(tax_total_minor), max(c.quantity), max(l.quantity), max(c.license_type) = max(l.license_type)
           from app.quotes q join app.quote_lines l on q.id = quote_id join app.deals d on d.id = q.deal_id
           join app.configurations c on c.deal_id = d.id where quote_number like 'Q-%' group by q.id"""
    ).fetchall()
    assert len({number for number, *_ in sold}) == 4
    for number, value, net, tax, licensed, quoted, same_type in sold:
        assert (value, licensed, same_type) == (net, quoted, True), number
        assert tax in (0, net * 19 // 100), number  # VAT where buyer and seller are in one country


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


def test_each_organization_has_its_own_contract_template(api):
    for email in ("rep@acme.example", "rep@globex.example"):
        templates = login(api, email).get("/api/contract-templates", status=200).json["data"]
        assert [template["name"] for template in templates] == ["Software licence agreement"]
        assert templates[0]["logo"]["content_type"] == "image/png"
