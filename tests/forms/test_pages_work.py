"""Large pages need a slot of their organization, and texts of a version are rendered once."""

import contextlib

import pytest

from pipeline.forms import markdown
from pipeline.http.quotas.slots import PAGE
from tests.forms.paper import Paper
from tests.http.target import assert_problem

# More than 600 controls in the first step, few in the second, and too many questions together for the review.
SCALES = [{"key": f"s{number}", "type": "scale", "label": "How much?", "min": 0, "max": 100} for number in range(6)]
SCALES[1] = {**SCALES[1], "required": True}
LARGE = {
    "questions": [*SCALES, {"key": "name", "type": "short_text", "label": "Name"}],
    "pages": [
        {"key": "large", "questions": [question["key"] for question in SCALES]},
        {"key": "small", "questions": ["name"]},
    ],
    "thank_you": {"show_answers": True},
}
MARKED = {
    "questions": [{"key": "terms", "type": "consent", "label": "a**b*" * 200}],
    "pages": [{"key": "one", "questions": ["terms"]}],
}


@pytest.fixture
def full(wsgi, organization):
    """full(): a context in which the organization has no slot left."""
    slots = wsgi.registry.slots

    @contextlib.contextmanager
    def taken():
        with contextlib.ExitStack() as busy:
            for _ in range(slots.each):
                busy.enter_context(slots.slot(PAGE, organization.id))
            yield

    return taken


@pytest.fixture
def large(organization):
    """An invite to a form with a large page."""
    return organization.invite(organization.template(**LARGE))


def page_of(invite, step):
    return f"/forms/interview/{invite['token']}?step={step}"


@pytest.mark.parametrize("step", ["large", "check-answers"])
def test_a_large_page_needs_a_slot_and_a_small_one_does_not(full, large, anonymous, step):
    app = anonymous.app
    with full():
        refused = app.get(page_of(large, step), status=429)
        assert int(refused.headers["Retry-After"]) > 0
        assert refused.html.body["data-state"] == "unavailable"
        app.get(page_of(large, "small"), status=200)
    app.get(page_of(large, step), status=200)


def test_a_refusal_carries_what_was_typed(full, large, anonymous):
    paper = Paper(anonymous.app, page_of(large, "large")).fill(s0="7")
    with full():
        assert paper.press("next", status=429).value("s0") == "7"


def test_public_forms_and_previews_need_a_slot_too(full, organization, anonymous):
    template = organization.template(**LARGE, public_slug=organization.name, lead_capture_enabled=True)
    preview = organization.member.post(f"/api/interview-templates/{template['id']}/preview", status=200).json["url"]
    with full():
        anonymous.app.get(f"/forms/capture/{organization.name}", status=429)
        anonymous.app.get(preview[preview.index("/forms/") :], status=429)


def test_the_table_of_answers_needs_a_slot(full, large, organization):
    path = f"/api/interview-invites/{large['id']}/responses.csv"
    with full():
        assert_problem(organization.member.get(path), 429, "busy")
    organization.member.get(path, status=200)


def test_the_first_reading_of_much_markdown_needs_a_slot_and_the_next_one_does_not(full, organization, anonymous):
    invite = organization.invite(organization.template(**MARKED))
    with full():
        anonymous.app.get(page_of(invite, "one"), status=429)
        anonymous.app.get(page_of(invite, "one"), status=429)
    anonymous.app.get(page_of(invite, "one"), status=200)
    with full():
        anonymous.app.get(page_of(invite, "one"), status=200)


def test_a_page_that_is_shown_again_reads_no_markdown(organization, anonymous, monkeypatch):
    invite = organization.invite(organization.template(**MARKED))
    first = anonymous.app.get(page_of(invite, "one"), status=200)
    monkeypatch.delattr(markdown, "_PARSER")
    assert anonymous.app.get(page_of(invite, "one"), status=200).text == first.text


def test_pages_count_to_the_share_of_their_organization(wsgi, organization, new_organization, large, anonymous):
    shares = wsgi.registry.shares
    other = new_organization()
    others = other.invite(other.template(**LARGE))
    with contextlib.ExitStack() as under_way:
        for _ in range(shares.most):
            entered = shares.enter(organization.id)
            under_way.callback(shares.leave, organization.id, entered)
        shares.slow[organization.id] = 2 * shares.bearable, shares.clock()
        anonymous.app.get(page_of(large, "small"), status=429)
        anonymous.app.get(page_of(others, "small"), status=200)
    del shares.slow[organization.id]
