import json

import pytest
from playwright.sync_api import expect

from pipeline.http import signed_links
from tests.forms.accessible import in_every_look
from tests.forms.browsing import GIVEN, Site, go_on, retype, state
from tests.support import interview


@in_every_look
def test_a_public_form_is_for_everyone_from_its_first_page_to_its_thanks(site, page, evaluation, check):
    page.goto(site.capture(evaluation))
    go_on(page)
    expect(page.locator("#errors")).to_be_focused()
    check("step")
    page.get_by_label("License Cloud").check()
    expect(page.locator("#q-seats")).to_be_visible()
    state(page, "kept")
    check("step")
    go_on(page)
    page.locator("#f-first_name").fill("Ada")
    page.locator("#f-email").fill("ada@example.com")
    page.get_by_role("checkbox").check()
    go_on(page)
    check("review")
    go_on(page, "Back")
    retype(page.locator("#f-email"), "ada@")
    go_on(page)
    expect(page.locator("#kept")).to_contain_text("Could not be saved, the earlier answer stays: ")
    check("step")
    retype(page.locator("#f-email"), "ada@example.com")
    go_on(page)
    go_on(page, "Send answers")
    check("done")


@in_every_look
def test_every_state_of_saving_is_read_out_and_for_everyone(site, page, invite, spent, check):
    def told(name):
        state(page, name)
        expect(page.locator("#save-state")).to_have_attribute("aria-live", "polite")
        check("step")

    page.goto(site.interview(invite))
    page.locator("#f-your_name").fill("Ada")
    told("saved")
    page.context.set_offline(True)
    page.locator("#f-your_name").fill("Ada Byron")
    told("offline")
    page.context.set_offline(False)
    state(page, "saved")
    page.goto(f"{site.interview(invite)}?step=needs")
    page.get_by_label("License Cloud, run by us").check()
    page.locator("#f-seats").fill("a few")
    told("failed")
    page.locator("#f-seats").fill("7")
    state(page, "saved")
    with spent(invite["token"]):
        page.locator("#f-seats").fill("8")
        told("waiting")
        page.goto(site.interview(invite))
        check("limited")


@in_every_look
def test_the_thanks_of_an_interview_and_its_answers_for_the_rep_are_for_everyone(
    width, site, settings, page, organization, qualification, anonymous, check
):
    thank_you = {**qualification["thank_you"], "redirect_url": "https://example.com/next"}
    content = {name: qualification[name] for name in ("name", "pages", "questions")}
    invite = organization.invite(organization.template(**content, slug="again", thank_you=thank_you))
    anonymous.post(interview(invite) + "/submit", {"answers": GIVEN}, status=200)
    page.goto(site.interview(invite))
    expect(page.get_by_role("link", name="Continue to example.com")).to_be_visible()
    check("submitted")
    address = signed_links.answers_url(settings, organization.id, invite["id"], organization.users["member"])
    spoken = f"?lang={'ar' if width == 'phone' else 'en'}"
    page.goto(address.replace(settings.public_url, site.url) + spoken)
    check("answers")
    page.goto(notice_of(settings, organization, invite).replace(settings.public_url, site.url) + spoken)
    check("notice")


def notice_of(settings, organization, invite):
    """The URL of a digest of two leads, told to the member."""
    about = {"user_id": organization.users["member"], "event": "lead_captured"}
    about |= {
        "data": json.dumps({"invite_id": invite["id"]}),
        "body": "The lead came in through the form “Fair”.",
        "digest_at": "2026-01-31T10:00Z",
    }
    titles = {"first": "New lead: Pat Prospect, Donaudampfschifffahrtsgesellschaft", "last": "New lead: פת"}
    for key, title in titles.items():
        id = organization.insert("notifications", effect_key=key, title=title, **about)
    return signed_links.notice_url(settings, organization.id, id, about["user_id"])


@pytest.mark.browsers
@in_every_look
def test_links_that_lead_to_no_form_are_for_everyone(site, page, organization, invite, settings, check):
    page.set_content(f'<form method="post" action="{site.interview(invite)}"><button>Send</button></form>')
    go_on(page, "Send")
    check("refused")
    page.goto(f"{site.url}/forms/interview/{'0' * 64}")
    check("unknown")
    organization.expire_by_time(invite)
    page.goto(site.interview(invite))
    check("expired")
    signed, _ = signed_links.sign(settings, signed_links.PREVIEWS, -1, org=1, template=1)
    page.goto(f"{site.url}/forms/preview/{signed}")
    check("preview_expired")


@pytest.mark.browsers
@in_every_look
def test_a_page_without_a_database_is_for_everyone(own_server, site_environ, tmp_path, page, check):
    urls = {"DATABASE_URL": own_server.url("pipeline_app"), "DATABASE_FORMS_URL": own_server.url("pipeline_forms")}
    with Site({**site_environ, **urls}, tmp_path / "log") as site:
        page.goto(f"{site.url}/healthz")
        own_server.stop()
        page.goto(f"{site.url}/forms/interview/{'0' * 64}")
        check("unavailable")
    own_server.start()


@pytest.mark.browsers
@in_every_look
def test_a_preview_is_for_everyone(site, page, settings, organization, qualification, check):
    made = organization.member.post(f"/api/interview-templates/{qualification['id']}/preview", status=200).json
    page.goto(made["url"].replace(settings.public_url, site.url))
    for key in ("your_name", "company"):
        page.locator(f"#f-{key}").fill("Ada")
    page.locator("#f-work_email").fill("ada@example.com")
    go_on(page)
    page.get_by_label("License Cloud, run by us").check()
    expect(page.locator("#q-seats")).to_be_visible()
    check("step")
