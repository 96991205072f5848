import pytest
from playwright.sync_api import expect

from tests.forms.accessible import faults, in_every_look
from tests.forms.browsing import go_on
from tests.interviews.language import question

ARABIC = {"pages.one.title": "الوثائق", "questions.papers.label": "الأوراق", "questions.email.label": "البريد"}


@pytest.fixture
def form(organization):
    questions = [
        question("email", "email", label="Email"),
        question("papers", "file", label="Papers", required=True, max_files=2, accept=["txt"]),
    ]
    pages = [{"key": "one", "title": "Documents", "questions": ["email", "papers"]}]
    return organization.public_form(questions=questions, pages=pages, translations={"ar": ARABIC})


def choose(page, *names):
    page.locator("#f-papers").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": name.encode()} for name in names]
    )


@pytest.mark.parametrize("script", [True, False])
def test_files_are_sent_found_again_after_back_and_reload_and_taken_away(site, page, form, organization):
    page.goto(site.capture(form))
    expect(page.locator("#save-state")).to_contain_text("stored until a day after your last step")
    page.locator("#f-email").fill("ada@example.com")
    choose(page, "plan.txt", "draft.txt")
    go_on(page, "Upload")
    expect(page.locator(".files li")).to_have_count(2)
    page.reload()
    expect(page.locator("#f-email")).to_have_value("ada@example.com")
    go_on(page, "Remove the file draft.txt")
    go_on(page)
    expect(page.locator("dd").nth(2)).to_contain_text("plan.txt")
    expect(page.locator("#save-state")).to_contain_text("stored until a day after your last step")
    page.go_back()
    expect(page.locator(".files li")).to_have_count(1)
    page.go_forward()
    go_on(page, "Send answers")
    expect(page.locator("body")).to_have_attribute("data-state", "done")
    answers = organization.responses()["answers"]
    assert [file["filename"] for file in answers["papers"]] == ["plan.txt"]


@in_every_look
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.browsers), "ar"])
def test_the_page_of_files_is_for_everyone(site, page, form, language):
    page.goto(f"{site.capture(form)}?lang={language}")
    assert faults(page) == {}
    choose(page, "a name of a file that is as long as people like to make them 2026-11-26 final (2).txt", "plan.exe")
    page.locator("#form button.secondary[value^=upload]").click()
    expect(page.locator(".files li")).to_have_count(1)
    assert faults(page) == {}
