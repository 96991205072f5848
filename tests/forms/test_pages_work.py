import contextlib

import pytest

from pipeline.forms.page.rendering import breakable
from pipeline.forms.questions import markdown
from pipeline.http.fairness.slots import PAGE
from tests.forms.paper import Paper
from tests.http.counting import slow_strangers
from tests.http.target import assert_problem
from tests.interviews.language import question, template

# More than 600 controls in the first step, few in the second, and too many questions together for the review.
SCALES = [question(f"s{number}", "scale", min=0, max=100, required=number == 1) for number in range(6)]
PAGES = [{"key": "large", "questions": [f"s{number}" for number in range(6)]}, {"key": "small", "questions": ["name"]}]
LARGE = template(*SCALES, question("name"), pages=PAGES, thank_you={"show_answers": True})
MARKED = template(question("terms", "consent", label="a**b*" * 200))


@pytest.fixture
def full(wsgi, organization):
    """full(): a context in which the organization has no slot left."""
    slots = wsgi.registry.slots

    def take():
        busy = contextlib.ExitStack()
        for _ in range(slots.each):
            busy.enter_context(slots.slot(PAGE, organization.id))
        return busy

    return take


@pytest.fixture
def large(organization):
    return organization.public_form(**LARGE)


def page_of(invite, step):
    return f"/forms/interview/{invite['token']}?step={step}"


@pytest.mark.parametrize("step", ["large", "check-answers"])
def test_a_large_page_needs_a_slot_and_keeps_what_was_typed_and_a_small_one_does_not(
    full, large, organization, anonymous, step
):
    app, invite = anonymous.app, organization.invite(large)
    paper = Paper(app, page_of(invite, "large")).fill(s0="7")
    with full():
        assert paper.press("next", status=429).value("s0") == "7"
        refused = app.get(page_of(invite, step), status=429)
        assert int(refused.headers["Retry-After"]) > 0
        assert refused.html.body["data-state"] == "unavailable"
        app.get(page_of(invite, "small"), status=200)
    app.get(page_of(invite, step), status=200)


def test_a_large_page_that_was_shown_is_refused_before_its_form_is_read(full, large, organization, anonymous):
    app, invite = anonymous.app, organization.invite(large)
    app.get(page_of(invite, "large"), status=200)
    organization.admin.delete(f"/api/interview-invites/{invite['id']}", status=204)
    with full():
        app.get(page_of(invite, "large"), status=429)
        app.get(page_of(invite, "small"), status=404)
    app.get(page_of(invite, "large"), status=404)


def test_public_forms_previews_and_the_table_of_answers_need_a_slot_too(full, large, organization, anonymous):
    member = organization.member
    preview = member.post(f"/api/interview-templates/{large['id']}/preview", status=200).json["url"]
    table = f"/api/interview-invites/{organization.invite(large)['id']}/responses.csv"
    with full():
        anonymous.app.get(f"/forms/capture/{organization.name}", status=429)
        anonymous.app.get(preview[preview.index("/forms/") :], status=429)
        assert_problem(member.get(table), 429, "busy")
    member.get(table, status=200)


def test_much_markdown_is_read_once_and_needs_a_slot_then_alone(full, organization, anonymous, monkeypatch):
    marked = page_of(organization.invite(organization.template(**MARKED)), "one")
    with full():
        for _ in range(2):
            anonymous.app.get(marked, status=429)
    first = anonymous.app.get(marked, status=200)
    monkeypatch.delattr(markdown, "_PARSER")
    with full():
        assert anonymous.app.get(marked, status=200).text == first.text


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("text", "breaks"), [("." * 1_000_000, 0), ("a." * 100_000, 99_999), ("a" + "." * 500_000 + "b", 1)]
)
def test_the_places_to_break_a_text_are_found_in_one_pass(text, breaks):
    assert breakable(text).count("<wbr>") == breaks


def test_pages_count_to_a_share_of_strangers_on_their_organization(
    wsgi, organization, new_organization, large, anonymous
):
    other = new_organization()
    mine, others = organization.invite(large), other.invite(other.template(**LARGE))
    with slow_strangers(wsgi.registry.shares, organization.id):
        anonymous.app.get(page_of(mine, "small"), status=429)
        anonymous.app.get(page_of(others, "small"), status=200)
        organization.member.get("/api/leads", status=200)
