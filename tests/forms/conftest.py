import json
from pathlib import Path

import pytest
from webtest import TestApp

from pipeline.http.signed_links import answers_url
from tests.forms.browsing import Site
from tests.forms.paper import Paper
from tests.http.applications import application
from tests.http.counting import ADDRESSES
from tests.interviews.language import template
from tests.support import interview

DATA = Path(__file__).resolve().parents[2] / "development" / "data"


@pytest.fixture(scope="session")
def with_redis(settings, redis_url):
    with application(settings, redis_url=redis_url, database_pool=2) as app:
        yield TestApp(app)


@pytest.fixture(scope="session")
def counting_app(settings):
    """An application that counts for real, by itself, with a quota of one lead for a form."""
    options = {"rate_limit_factor": 1, "redis_url": "redis://127.0.0.1:1/0", "database_pool": 2}
    with application(settings, capture_quota_per_form=1, **options) as app:
        yield app


@pytest.fixture
def address():
    return next(ADDRESSES)


@pytest.fixture
def counting(counting_app, address):
    return TestApp(counting_app, extra_environ={"REMOTE_ADDR": address})


@pytest.fixture
def own_site(site_environ, tmp_path):
    """A site that one test may kill and start again, with the rate limits of production."""
    with Site({**site_environ, "RATE_LIMIT_FACTOR": "1"}, tmp_path / "log") as site:
        yield site


@pytest.fixture
def qualification(organization):
    """The demo's interview, with every type of question, as a template."""
    return organization.template(**json.loads((DATA / "qualification.json").read_text()))


@pytest.fixture
def invite(organization, qualification):
    return organization.invite(qualification)


@pytest.fixture
def evaluation(organization):
    body = json.loads((DATA / "software_evaluation.json").read_text())
    return organization.template(**{**body, "public_slug": organization.name})


@pytest.fixture
def answers(organization):
    return lambda invite: organization.responses(invite)["answers"]


@pytest.fixture
def visit(anonymous):
    """visit(form, query="", **headers): the page of an invite or of a public form."""

    def open_one(form, query="", **headers):
        path = f"interview/{form['token']}" if "token" in form else f"capture/{form['public_slug']}"
        return Paper(anonymous.app, f"/forms/{path}{query}", **headers)

    return open_one


@pytest.fixture
def paper(visit, invite):
    return visit(invite)


@pytest.fixture
def stored(anonymous, invite):
    return lambda: anonymous.get(interview(invite), status=200).json


@pytest.fixture
def small(organization, anonymous, visit):
    """small(question, …, **template): an interview of these questions on one page; `stored()` are its answers."""

    def open_one(*questions, lead=None, query="", **fields):
        body = template(*questions, **fields) if questions else fields
        lead_id = lead and organization.insert("leads", **lead)
        invite = organization.invite(organization.template(**body), lead_id=lead_id)
        paper = visit(invite, query)
        paper.stored = lambda: anonymous.get(interview(invite), status=200).json["answers"]
        return paper

    return open_one


@pytest.fixture
def answered(organization, anonymous):
    """answered(question, …, answers, **template): an invite of a lead's that is being answered."""

    def make(*questions, answers, **fields):
        known = {"email": "pat@engines.example", "company": "Engines & Co", "job_title": "Buyer", "phone": "+49 30 1"}
        lead = organization.insert("leads", first_name="Pat", last_name="Prospect", **known)
        invite = organization.invite(organization.template(**template(*questions, **fields)), lead_id=lead)
        anonymous.patch(interview(invite), {"answers": answers}, status=200)
        return invite

    return make


@pytest.fixture
def reps_page(settings, organization, anonymous):
    """reps_page(invite, query=""): the page on which the member reads the answers."""

    def open_one(invite, query=""):
        address = answers_url(settings, organization.id, invite["id"], organization.users["member"])
        return Paper(anonymous.app, address.removeprefix(settings.public_url) + query)

    return open_one


@pytest.fixture
def ask(small):
    """ask(**question): the page of an interview with this one question."""
    return lambda query="", **question: small({"key": "it", "label": "It", **question}, query=query)
