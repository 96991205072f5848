"""The site and a browser, one each for a process of tests; its pages report every complaint of the browser."""

import contextlib
import json

import pytest
import redis
from playwright.sync_api import expect

from pipeline.http.fairness import counts, limits
from tests.forms.accessible import LOOKS, WIDTHS, faults
from tests.forms.browsing import Site, launch
from tests.waiting import SECONDS


@pytest.fixture(scope="session")
def site_environ(login_url, settings):
    return {
        "DATABASE_URL": login_url("pipeline_app"),
        "DATABASE_FORMS_URL": login_url("pipeline_forms"),
        "JWT_SECRET": "a secret of the tests, long enough for HS256",
        "RATE_LIMIT_FACTOR": "1000",
        "WEB_THREADS": "4",  # which the raw clients of tests/server are more than
        "SIGNING_CERTIFICATE": settings.signing_certificate,
        "SIGNING_KNOWN_CERTIFICATES": settings.signing_known_certificates,
    }


@pytest.fixture(scope="session")
def site(site_environ, redis_url, tmp_path_factory):
    with Site({**site_environ, "REDIS_URL": redis_url}, tmp_path_factory.mktemp("site") / "log") as site:
        yield site


@pytest.fixture
def spent(site_environ, redis_url):
    """spent(token, at=""): a context in which the rate limit of a link is spent, of a signer's at an address."""

    @contextlib.contextmanager
    def spend(token, at=""):
        bucket = limits.FORM_INVITE
        key = f"{counts.PREFIX}:{bucket.name}:{limits.digest(token)}{at and ':' + at}"
        with redis.Redis.from_url(redis_url) as client:
            client.set(key, bucket.quota * int(site_environ["RATE_LIMIT_FACTOR"]), ex=bucket.window)
            yield
            client.delete(key)

    return spend


@pytest.fixture(scope="session")
def browser(playwright, request):
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
def width():
    """The one of WIDTHS that a test asks for."""


@pytest.fixture
def script():
    return True


@pytest.fixture
def context(open_context, width, script):
    return open_context(java_script_enabled=script, **WIDTHS.get(width, {}))


@pytest.fixture
def page(context):
    return context.new_page()


@pytest.fixture
def check(page):
    """check(state): the tab shows a page of this state, which is for everyone."""

    def measure(state):
        expect(page.locator("body")).to_have_attribute("data-state", state)
        assert faults(page) == {}

    return measure


def _is_complaint(message):
    # An answer of 4xx, or none at all, is also reported there; the tests that cause one look at it themselves.
    return message.type in ("error", "warning") and "Failed to load resource" not in message.text


def _is_foreign(request):
    return not request.url.startswith(("http://127.0.0.1:", "data:"))
