"""Forms and their pages; sites.py has the site and the browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect
from webtest import TestApp

from tests.forms.accessible import faults
from tests.forms.browsing import Site
from tests.forms.paper import Paper
from tests.http.applications import application
from tests.interviews.language import template
from tests.support import interview

DATA = Path(__file__).resolve().parents[2] / "development" / "data"


@pytest.fixture(scope="session")
def with_redis(settings, redis_url):
    """An application with Redis."""
    with application(settings, redis_url=redis_url, database_pool=2) as app:
        yield app


@pytest.fixture
def app(with_redis):
    """A client of it."""
    return TestApp(with_redis)


@pytest.fixture
def own_site(site_environ, tmp_path):
    """A site that one test may kill and start again, with the rate limits of production."""
    with Site({**site_environ, "RATE_LIMIT_FACTOR": "1"}, tmp_path / "log") as site:
        yield site


@pytest.fixture
def context(open_context):
    """One person's browser."""
    return open_context()


@pytest.fixture
def page(context):
    """A tab in it."""
    return context.new_page()


@pytest.fixture
def check(page):
    """check(state): the tab shows a page of this state, which is for everyone."""

    def measure(state):
        expect(page.locator("body")).to_have_attribute("data-state", state)
        assert faults(page) == {}

    return measure


@pytest.fixture
def qualification(organization):
    """The demo's interview, with every type of question, as a template."""
    return organization.template(**json.loads((DATA / "qualification.json").read_text()))


@pytest.fixture
def invite(organization, qualification):
    """An invite to it."""
    return organization.invite(qualification)


@pytest.fixture
def evaluation(organization):
    """The demo's public form as a template, under a slug of its own."""
    body = json.loads((DATA / "software_evaluation.json").read_text())
    return organization.template(**{**body, "public_slug": organization.name})


@pytest.fixture
def answers(organization):
    """answers(invite): what the rep sees of an invite's answers."""
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
    """The demo's interview, opened."""
    return visit(invite)


@pytest.fixture
def stored(anonymous, invite):
    """stored(): what the API says of the invite."""
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
def ask(small):
    """ask(**question): the page of an interview with this one question."""
    return lambda query="", **question: small({"key": "it", "label": "It", **question}, query=query)
