"""Forms and their pages; sites.py has the site and the browser."""

import json
from pathlib import Path

import pytest
from webtest import TestApp

from tests.forms.browsing import Site
from tests.forms.paper import Paper
from tests.http.applications import application
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
    return lambda invite: organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json[
        "answers"
    ]


@pytest.fixture
def ask(organization, anonymous):
    """ask(question): the page of an interview with this one question."""

    def open_one(**question):
        question = {"key": "it", "label": "It", **question}
        template = organization.template(questions=[question], pages=[{"key": "one", "questions": ["it"]}])
        paper = Paper(anonymous.app, f"/forms/interview/{organization.invite(template)['token']}")
        paper.stored = lambda: anonymous.get(
            interview({"token": paper.path.split("/")[3].split("?")[0]}), status=200
        ).json["answers"]
        return paper

    return open_one


@pytest.fixture
def paper(anonymous, invite):
    """The demo's interview, opened."""
    return Paper(anonymous.app, f"/forms/interview/{invite['token']}")


@pytest.fixture
def stored(anonymous, invite):
    """stored(): what the API says of the invite."""
    return lambda: anonymous.get(interview(invite), status=200).json


@pytest.fixture
def small(organization, anonymous):
    """small(**template): an interview of one page, opened."""

    def open_one(lead=None, **template):
        lead_id = lead and organization.insert("leads", **lead)
        made = organization.invite(organization.template(**template), lead_id=lead_id)
        return Paper(anonymous.app, f"/forms/interview/{made['token']}")

    return open_one
