"""The site, a browser, and pages that report every complaint of the browser."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from webtest import TestApp

from pipeline.http.front.application import make_app
from tests.forms.accessible import LOOKS
from tests.forms.browsing import Site, launch
from tests.forms.paper import Paper
from tests.support import interview
from tests.waiting import SECONDS

DATA = Path(__file__).resolve().parents[2] / "development" / "data"


@pytest.fixture(scope="session")
def site_environ(login_url, settings):
    """The settings of a site by environment variable."""
    return {
        "DATABASE_URL": login_url("pipeline_app"),
        "DATABASE_FORMS_URL": login_url("pipeline_forms"),
        "JWT_SECRET": "a secret of the tests, long enough for HS256",
        "RATE_LIMIT_FACTOR": "1000",
        "SIGNING_CERTIFICATE": settings.signing_certificate,
    }


@pytest.fixture(scope="session")
def site(site_environ, redis_url, tmp_path_factory):
    """The site that most browser tests share."""
    with Site({**site_environ, "REDIS_URL": redis_url}, tmp_path_factory.mktemp("site") / "log") as site:
        yield site


@pytest.fixture
def app(settings, redis_url):
    """A client of an application with Redis."""
    app = make_app(replace(settings, redis_url=redis_url, database_pool=2))
    yield TestApp(app)
    for part in (app.registry.app, app.registry.forms, app.registry.limits):
        part.close()


@pytest.fixture
def own_site(site_environ, tmp_path):
    """A site that one test may kill and start again, with the rate limits of production."""
    with Site({**site_environ, "RATE_LIMIT_FACTOR": "1"}, tmp_path / "log") as site:
        yield site


@pytest.fixture(scope="session")
def browser(playwright, request):
    """The browser of --browser."""
    with launch(playwright, request.config.getoption("browser")) as browser:
        yield browser


@pytest.fixture
def look(request, organization):
    """What the device is set to by a test's one of LOOKS, whose brand the organization wears."""
    device, branding = LOOKS[getattr(request, "param", "light")]
    if branding:
        organization.owner.execute(
            "update app.organizations set branding = %s where id = %s", [json.dumps(branding), organization.id]
        )
    return device


@pytest.fixture
def open_context(browser, site, look):
    """open_context(**options): a browser of a person's own; whatever its pages complain of fails the test."""
    contexts, complaints = [], []

    def open_one(**options):
        if browser.browser_type.name == "firefox":
            options.pop("is_mobile", None)  # which Firefox has on phones alone
        context = browser.new_context(color_scheme=look, **options)
        if not options.get("java_script_enabled", True):
            context.route("**/*.js", lambda route: route.abort())  # Firefox cannot be told by its driver
        context.set_default_timeout(SECONDS * 1000)
        contexts.append(context)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", lambda message: complaints.append(message.text) if _is_complaint(message) else None)
        context.on("request", lambda request: complaints.append(request.url) if _is_foreign(request) else None)
        return context

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


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


def _is_complaint(message):
    # An answer of 4xx, or none at all, is also reported there; the tests that cause one look at it themselves.
    return message.type in ("error", "warning") and "Failed to load resource" not in message.text


def _is_foreign(request):
    return not request.url.startswith(("http://127.0.0.1:", "data:"))


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
