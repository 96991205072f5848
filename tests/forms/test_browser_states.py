"""Accessibility of every state of a form, on a desktop and on a phone. Steps: test_browser_access.py."""

import pytest
import redis
from playwright.sync_api import expect

from pipeline.http.callers import signed_links
from pipeline.http.quotas import counts, limits
from tests.forms.accessible import WIDTHS, faults, in_every_look
from tests.forms.browsing import COMPLETE, Site, go_on, review, state
from tests.support import interview


@pytest.fixture
def page(open_context, width):
    """A tab of this width."""
    return open_context(**WIDTHS[width]).new_page()


@pytest.fixture
def submitted(site, page, organization, qualification, anonymous):
    """The thank-you of an interview, with a link that goes on and the answers."""
    thank_you = {**qualification["thank_you"], "redirect_url": "https://example.com/next"}
    content = {name: qualification[name] for name in ("name", "pages", "questions")}
    invite = organization.invite(organization.template(**content, slug="again", thank_you=thank_you))
    anonymous.post(interview(invite) + "/submit", {"answers": COMPLETE}, status=200)
    page.goto(site.interview(invite))
    expect(page.get_by_role("link", name="Continue to example.com")).to_be_visible()


@pytest.fixture
def done(site, page, evaluation):
    """The thank-you of a public form."""
    review(page, site.capture(evaluation))
    go_on(page, "Send answers")


@pytest.fixture
def sent(site, page, evaluation, organization):
    """A public form that was sent, and then once more with other answers, before its draft was marked as sent."""
    review(page, site.capture(evaluation))
    page.evaluate("""() => {
      const form = document.querySelector("form[data-form]");
      const fields = new URLSearchParams(new FormData(form, form.querySelector("[value=submit]")));
      return fetch(form.getAttribute("action"), { method: "POST", body: fields });
    }""")
    organization.owner.execute(
        "update app.capture_drafts set submitted = false where organization_id = %s", [organization.id]
    )
    page.get_by_role("button", name="Change").first.click()
    page.get_by_label("License Server").check()
    go_on(page)
    go_on(page, "Send answers")


@pytest.fixture
def preview_expired(site, page, settings):
    """A preview whose time is over."""
    signed, _ = signed_links.sign(settings, signed_links.PREVIEWS, -1, org=1, template=1)
    page.goto(f"{site.url}/forms/preview/{signed}")


@pytest.fixture
def unknown(site, page):
    """No form at all."""
    page.goto(f"{site.url}/forms/interview/{'0' * 64}")


@pytest.fixture
def expired(site, page, invite, organization):
    """A link whose time is over."""
    organization.expire_by_time(invite)
    page.goto(site.interview(invite))
    expect(page.locator("header")).to_have_text(organization.name)


@pytest.fixture
def refused(site, page, invite):
    """A form that another site sends."""
    page.set_content(f'<form method="post" action="{site.interview(invite)}"><button>Send</button></form>')
    go_on(page, "Send")


@pytest.fixture
def spent(site, site_environ, page, invite, redis_url):
    """The limit of an invite, once opened, is spent; test_browser_limits.py spends it by requests."""
    page.goto(site.interview(invite))
    bucket = limits.FORM_INVITE
    quota = bucket.quota * int(site_environ["RATE_LIMIT_FACTOR"])
    with redis.Redis.from_url(redis_url) as client:
        client.set(f"{counts.PREFIX}:{bucket.name}:{limits.digest(invite['token'])}", quota, ex=bucket.window)


@pytest.fixture
def limited(site, page, invite, organization, spent):
    """Too many requests: the page tells in whose name it is, and how long to wait."""
    page.goto(site.interview(invite))
    expect(page.locator("header")).to_have_text(organization.name)
    expect(page.locator(".lead")).to_contain_text("10 min")


@pytest.fixture
def unavailable(own_server, site_environ, tmp_path, page):
    """A site whose database has gone."""
    urls = {"DATABASE_URL": own_server.url("pipeline_app"), "DATABASE_FORMS_URL": own_server.url("pipeline_forms")}
    with Site({**site_environ, **urls}, tmp_path / "log") as site:
        page.goto(f"{site.url}/healthz")  # a start would wait for the database
        own_server.stop()
        page.goto(f"{site.url}/forms/interview/{'0' * 64}")
        yield
    own_server.start()


@pytest.fixture
def capture(site, page, evaluation):
    """A public form, with a question that its first answers have brought."""
    page.goto(site.capture(evaluation))
    page.get_by_label("License Cloud").check()
    expect(page.locator("#q-seats")).to_be_visible()


@pytest.fixture
def errors(site, page, evaluation):
    """A public form that is sent on without its answers."""
    page.goto(site.capture(evaluation))
    go_on(page)
    expect(page.locator("#errors")).to_be_focused()


@pytest.fixture
def stays(site, page, evaluation):
    """A public form whose refused answer leaves the earlier one."""
    review(page, site.capture(evaluation))
    go_on(page, "Back")
    page.locator("#f-email").fill("ada@")
    go_on(page)
    expect(page.locator("#kept")).to_contain_text("Could not be saved, the earlier answer stays: ")


@pytest.fixture
def reviewed(site, page, evaluation):
    """A public form before it is sent."""
    review(page, site.capture(evaluation))


@pytest.fixture
def preview(site, page, settings, organization, qualification):
    """The preview of a template, on the step with the most kinds of questions."""
    made = organization.member.post(f"/api/interview-templates/{qualification['id']}/preview", status=200).json
    page.goto(made["url"].replace(settings.public_url, site.url))
    for key in ("your_name", "company"):
        page.locator(f"#f-{key}").fill("Ada")
    page.locator("#f-work_email").fill("ada@example.com")
    go_on(page)
    page.get_by_label("License Cloud, run by us").check()
    expect(page.locator("#q-seats")).to_be_visible()


@pytest.fixture
def kept(site, page, evaluation):
    """A public form whose answers are kept in the tab."""
    page.goto(site.capture(evaluation))
    page.get_by_label("License Cloud").check()


@pytest.fixture
def saved(site, page, invite):
    """An answer that is saved."""
    page.goto(site.interview(invite))
    page.locator("#f-your_name").fill("Ada")


@pytest.fixture
def offline(site, page, invite):
    """An answer that waits for the connection."""
    page.goto(site.interview(invite))
    page.context.set_offline(True)
    page.locator("#f-your_name").fill("Ada")


@pytest.fixture
def waiting(site, page, invite, request):
    """An answer that waits for the rate limit."""
    page.goto(site.interview(invite))
    request.getfixturevalue("spent")
    page.locator("#f-your_name").fill("Ada")


@pytest.fixture
def failed(site, page, invite):
    """An answer that cannot be saved."""
    page.goto(f"{site.interview(invite)}?step=needs")
    page.get_by_label("License Cloud, run by us").check()
    page.locator("#f-seats").fill("a few")


def states(*in_the_suite, others):
    """The names of fixtures; the others take more time than they tell."""
    long = [pytest.param(name, marks=pytest.mark.browsers) for name in others]
    return pytest.mark.parametrize("name", [*in_the_suite, *long])


@in_every_look
@states(
    *("submitted", "limited"),
    others=["done", "sent", "preview_expired", "unknown", "expired", "refused", "unavailable"],
)
def test_every_page_that_is_no_step_is_for_everyone(name, width, look, page, request):
    request.getfixturevalue(name)
    expect(page.locator("body")).to_have_attribute("data-state", name)
    assert faults(page) == {}


@in_every_look
@states("errors", "reviewed", others=["capture", "stays", "preview"])
def test_a_public_form_and_a_preview_are_for_everyone_from_the_first_step_to_the_end(name, width, look, page, request):
    request.getfixturevalue(name)
    assert faults(page) == {}


@in_every_look
@states("offline", "failed", others=["saved", "waiting", "kept"])
def test_every_state_of_saving_is_read_out_and_for_everyone(name, width, look, page, request):
    request.getfixturevalue(name)
    state(page, name)
    expect(page.locator("#save-state")).to_have_attribute("aria-live", "polite")
    assert faults(page) == {}
