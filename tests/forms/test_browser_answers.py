import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import PHONE, SIDEWAYS, faults, in_every_look
from tests.forms.browsing import go_on, saved, state
from tests.interviews.language import condition

COUNTRIES = (
    "Österreich, Belgium, Brazil, Côte d’Ivoire, Denmark, Egypt, Finland, Ghana, India, Italy, Japan, Kenya, Peru"
)
COUNTRY = {
    "type": "single_choice",
    "options": [{"value": str(number), "label": name} for number, name in enumerate(COUNTRIES.split(", "))],
    "allow_other": True,
}
RANKING = {"type": "ranking", "options": [{"value": value, "label": value.upper()} for value in "abc"]}


@pytest.fixture
def open_one(organization, site, page):
    """open_one(question, …, query="", page=page): opens an interview with a page for each question; its invite."""

    def go(*questions, query="", page=page):
        questions = [{"key": f"q{number}", "label": f"Question {number}", **q} for number, q in enumerate(questions)]
        pages = [{"key": f"page_{q['key']}", "questions": [q["key"]]} for q in questions]
        invite = organization.invite(organization.template(questions=questions, pages=pages))
        page.goto(site.interview(invite) + query)
        return invite

    return go


def test_an_answer_that_waits_on_another_page_is_named_with_a_way_to_it_until_it_is_mended(
    open_one, site, page, answers
):
    invite = open_one({"type": "short_text"}, {"type": "number"}, query="?step=page_q1")
    page.locator("#f-q1").fill("a few")
    go_on(page, "Back")
    state(page, "failed")
    page.locator("#f-q0").fill("valid")
    expect(page.locator("#save-state")).to_have_text("Could not be saved: Question 1")
    page.goto(f"{site.interview(invite)}?step=check-answers")
    page.locator("#save-state a").click()
    expect(page.locator("#f-q1")).to_have_value("a few")
    page.locator("#f-q1").fill("3")
    saved(page)
    expect(page.locator("#e-q1")).to_have_count(0)
    go_on(page)
    expect(page.locator("#save-state")).to_be_empty()
    assert answers(invite) == {"q0": "valid", "q1": 3}


def test_an_answer_that_nobody_asks_for_any_more_is_not_told_of(open_one, page):
    open_one({"type": "yes_no"}, {"type": "number", "visible_if": condition("q0", "eq", True)})
    page.get_by_label("Yes").check()
    go_on(page)
    page.locator("#f-q1").fill("a few")
    go_on(page, "Back")
    page.get_by_label("No", exact=True).check()
    saved(page)


def test_a_text_counts_down_and_says_above_its_field_when_it_is_too_long(open_one, page, answers):
    invite = open_one({"type": "long_text", "max_length": 20})
    expect(page.locator("#n-q0")).to_have_text("Up to 20 characters.")
    page.locator("#f-q0").fill("eighteen letters, ")
    expect(page.locator("#c-q0")).to_have_text("Characters left: 2")
    page.locator("#f-q0").fill("more than twenty letters")
    error = page.locator("#e-q0")
    expect(error).to_have_text("Enter at most 20 characters for “Question 0”.")
    assert error.bounding_box()["y"] < page.locator("#f-q0").bounding_box()["y"]
    state(page, "failed")
    assert answers(invite) == {}


def test_a_counter_appears_near_the_limit_counts_what_people_see_and_goes_on_beyond_it(open_one, page):
    open_one({"type": "long_text", "max_length": 20})
    counter, limit = page.locator("#c-q0"), page.locator("#n-q0")
    for text, left in {"👍🏽" * 15: None, "👍🏽" * 16: "4", "👩‍👩‍👧" * 20: "0", "👍🏽" * 23: "-3"}.items():
        page.locator("#f-q0").fill(text)
        if left:
            expect(counter).to_have_text(f"Characters left: {left}")
        else:
            expect(counter).to_be_hidden()
        assert limit.evaluate("(one) => one.checkVisibility() && one.offsetHeight > 1") == bool(left)


def test_a_printed_review_has_neither_buttons_nor_links(open_one, site, page):
    invite = open_one({"type": "short_text"})
    page.goto(f"{site.interview(invite)}?step=check-answers")
    page.emulate_media(media="print")
    shown = "[...document.querySelectorAll('a, button, details')].filter((one) => one.checkVisibility()).length"
    assert page.evaluate(shown) == 0
    expect(page.get_by_text("Question 0")).to_be_visible()


@pytest.mark.parametrize("width", ["phone"])
def test_a_scale_from_0_to_10_says_on_a_phone_what_its_ends_mean(open_one, page):
    open_one({"type": "scale", "min": 0, "max": 10, "min_label": "Not at all", "max_label": "Very much"})
    for end in ("0: Not at all", "10: Very much"):
        expect(page.get_by_text(end)).to_be_visible()
    assert page.evaluate(SIDEWAYS) == 0


def test_clear_this_answer_comes_with_the_answer_and_goes_with_it(open_one, page, answers):
    invite = open_one({"type": "yes_no"})
    clear = page.get_by_role("button", name="Clear the answer to: Question 0")
    expect(clear).to_be_hidden()
    page.get_by_label("Yes").check()
    clear.click()
    expect(clear).to_be_hidden()
    saved(page)
    assert answers(invite) == {}


def test_continuing_without_a_connection_says_so_above_the_button_until_it_is_back(open_one, page, context):
    open_one({"type": "short_text"}, {"type": "short_text"})
    context.set_offline(True)
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached just now")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    assert faults(page) == {}
    context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    go_on(page)
    expect(page.locator("#f-q1")).to_be_visible()


def test_a_long_list_is_searched_by_keyboard(open_one, page, answers):
    invite = open_one(COUNTRY)
    field = page.get_by_role("combobox", name="Question 0")
    field.press_sequentially("cote")
    expect(page.get_by_role("option")).to_have_text(["Côte d’Ivoire"])
    assert faults(page) == {}
    field.press("Enter")
    expect(field).to_have_value("Côte d’Ivoire")
    saved(page)
    assert answers(invite) == {"q0": "3"}
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value("Belgium")


def test_a_list_takes_what_is_typed_in_full_and_nothing_else_by_tab(open_one, page, answers):
    invite = open_one(COUNTRY)
    field = page.get_by_role("combobox")
    field.fill("kenya")
    field.press("Tab")
    expect(field).to_have_value("Kenya")
    field.fill("bel")
    field.press("Tab")
    expect(page.get_by_role("alert")).to_have_text("Choose the entry for “bel” from the list.")
    field.fill("be")
    field.press("Escape")
    expect(field).to_have_value("Kenya")
    field.fill("bel")
    field.press("ArrowDown")
    field.press("Tab")
    expect(field).to_have_value("Belgium")
    saved(page)
    assert answers(invite) == {"q0": "1"}


def test_a_list_says_when_nothing_matches_and_is_cleared_when_emptied(open_one, page, answers):
    invite = open_one(COUNTRY)
    field = page.get_by_role("combobox")
    field.fill("kenya")
    field.blur()
    field.fill("nowhere")
    expect(page.get_by_role("option")).to_have_text(["Nothing matches “nowhere”."])
    field.press("Tab")
    expect(page.get_by_role("alert")).to_have_text("Nothing matches “nowhere”.")
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(field).to_be_focused()
    field.press("Escape")
    field.fill("")
    field.blur()
    saved(page)
    assert answers(invite) == {}


CALLED = (
    *(("UK", "GB"), ("gb", "GB"), ("GBR", "GB"), ("Great Britain", "GB"), ("England", "GB"), ("Großbritannien", "GB")),
    *(("USA", "US"), ("us", "US"), ("U.S.A.", "US"), ("Etats-Unis", "US"), ("Amerika", "US"), ("Holland", "NL")),
    *(("NL", "NL"), ("Turkey", "TR"), ("Türkei", "TR"), ("Czech Republic", "CZ"), ("Tschechien", "CZ"), ("CZ", "CZ")),
    *(("Cote d'Ivoire", "CI"), ("Ivory Coast", "CI"), ("South Korea", "KR"), ("Viet Nam", "VN"), ("Schweiz", "CH")),
    *(("U.K.", "GB"), ("Bosnia and Herzegovina", "BA"), ("Trinidad & Tobago", "TT"), ("Saint Lucia", "LC")),
    *(("Oesterreich", "AT"), ("Suedafrika", "ZA"), ("Daenemark", "DK"), ("Weissrussland", "BY"), ("Tschechei", "CZ")),
    *(("Sverige", "SE"), ("Suomi", "FI"), ("Polska", "PL"), ("Ελλάδα", "GR"), ("Россия", "RU"), ("日本", "JP")),
    *(("中国", "CN"), ("Magyarorszag", "HU"), ("Hrvatska", "HR"), ("Éire", "IE"), ("Türkiye", "TR"), ("Burma", "MM")),
    *(("Swaziland", "SZ"), ("Macedonia", "MK"), ("Hongkong", "HK"), ("P.R. China", "CN"), ("EE.UU.", "US")),
    *(("Suisse", "CH"), ("ألمانيا", "DE"), ("DEU", "DE"), ("España", "ES"), ("Espana", "ES"), ("Österreich", "AT")),
)


def test_a_country_is_found_by_its_codes_and_by_what_people_call_it(open_one, page):
    with page.expect_response("**/countries.js"):
        open_one({"type": "address"})
    field, value = page.get_by_role("combobox", name="Country"), page.locator("select[autocomplete=country]")
    found = []
    for typed, _ in CALLED:
        field.fill(typed)
        field.press("Tab")
        found.append((typed, value.input_value()))
    assert found == [*CALLED]


def test_a_beginning_of_a_country_is_no_choice(open_one, page):
    open_one({"type": "address"})
    field, value = page.get_by_role("combobox", name="Country"), page.locator("select[autocomplete=country]")
    for typed in ("U", "Aust", "Korea Xx", "an", "United"):
        field.fill(typed)
        field.press("Tab")
        expect(page.get_by_role("alert")).to_contain_text(typed)
        assert value.input_value() == ""


def ranked(page):
    return [text.split(" ", 1)[1] for text in page.locator(".ranked .name").all_inner_texts()]


def test_a_ranking_is_made_by_tapping_and_changed_by_buttons_and_keys(open_one, page, answers):
    invite = open_one(RANKING)
    for label in "BAC":
        page.get_by_role("button", name=label, exact=True).click()
    expect(page.get_by_role("status").first).to_have_text("C: place 3 of 3")
    page.get_by_role("button", name="Move up: C").click()
    assert ranked(page) == ["B", "C", "A"]
    expect(page.get_by_role("button", name="Move up: C")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("status").first).to_have_text("C: place 1 of 3")
    page.get_by_role("button", name="Take out of the order: B").click()
    expect(page.get_by_role("button", name="B", exact=True)).to_be_focused()
    assert ranked(page) == ["C", "A"]
    saved(page)
    assert answers(invite) == {"q0": ["c", "a"]}


def test_a_ranking_is_dragged_by_mouse(open_one, page, answers):
    invite = open_one(RANKING)
    for label in "ABC":
        page.get_by_role("button", name=label, exact=True).click()
    rows = page.locator(".ranked li")
    first, last = rows.first.bounding_box(), rows.last.bounding_box()
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 20, last["y"] + last["height"] - 5, steps=5)
    page.mouse.up()
    assert ranked(page) == ["B", "C", "A"]
    expect(page.get_by_role("status").first).to_have_text("A: place 3 of 3")
    saved(page)
    assert answers(invite) == {"q0": ["b", "c", "a"]}


@pytest.mark.long
def test_a_ranking_is_dragged_by_finger_at_its_grip_and_a_broken_touch_changes_nothing(open_one, open_context):
    page = open_context(**PHONE).new_page()
    open_one(RANKING, query="?lang=ar", page=page)
    for label in "ABC":
        page.get_by_role("button", name=label, exact=True).tap()
    touch = page.context.new_cdp_session(page)
    box, last = page.locator(".grip").first.bounding_box(), page.locator(".ranked li").last.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for end, order in (("touchCancel", ["A", "B", "C"]), ("touchEnd", ["B", "C", "A"])):
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for down in (y + 30, last["y"] + last["height"] - 5):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": down}]})
        touch.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})
        expect(page.locator(".dragged")).to_have_count(0)
        assert ranked(page) == order
    assert faults(page) == {}


def test_a_summary_of_errors_leads_to_a_ranking(open_one, page):
    open_one({**RANKING, "required": True})
    go_on(page)
    page.locator("#errors a").click()
    expect(page.locator("#f-q0-0")).to_be_focused()
    page.get_by_role("button", name="A", exact=True).click()
    expect(page.locator(".error[id]")).to_have_count(0)


def test_a_row_s_message_goes_when_the_matrix_is_answered(open_one, page, answers):
    rows = [{"value": value, "label": value.upper()} for value in ("constructor", "b")]
    invite = open_one({"type": "matrix", "rows": rows, "columns": rows, "required": True})
    page.get_by_role("radiogroup", name="B").get_by_label("B").check()
    go_on(page)
    expect(page.locator(".row .error")).to_have_text(re.compile("Fill in “CONSTRUCTOR” of"))
    page.get_by_role("radiogroup", name="CONSTRUCTOR").get_by_label("B").check()
    expect(page.locator(".row .error")).to_have_count(0)
    saved(page)
    assert answers(invite) == {"q0": {"constructor": "b", "b": "b"}}


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])
def test_today_is_the_visitor_s_day(zone, open_one, open_context):
    """Their days differ always, so of one of them the organization's differs."""
    page = open_context(timezone_id=zone).new_page()
    open_one({"type": "date", "min": "today", "max": "today"}, page=page)
    day = datetime.now(ZoneInfo(zone)).date().isoformat()
    bounds = page.locator("#f-q0[min][max]").evaluate("input => [input.min, input.max]")
    assert bounds == [day, day]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])
def test_a_default_of_today_is_the_visitor_s_day(zone, open_one, open_context, answers):
    page = open_context(timezone_id=zone).new_page()
    invite = open_one({"type": "date", "default": "today", "max": "today"}, page=page)
    day = datetime.now(ZoneInfo(zone)).date().isoformat()
    expect(page.locator("#f-q0")).to_have_value(day)
    assert answers(invite) == {}
    go_on(page)
    expect(page.locator("dd:not(.change)")).to_be_visible()
    assert answers(invite) == {"q0": day}


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])
def test_a_visitor_s_clock_that_is_wrong_bounds_nothing(zone, open_one, open_context):
    page = open_context(timezone_id=zone).new_page()
    page.clock.set_fixed_time("2001-01-01")
    open_one({"type": "date", "max": "today"}, page=page)
    today = datetime.now(UTC).date()
    assert page.locator("#f-q0").get_attribute("max") == (today + timedelta(days=1)).isoformat()


def test_no_word_of_a_matrix_is_broken_that_has_room_on_a_phone(open_one, open_context):
    labels = ("Zufrieden", "Es geht", "Unzufrieden", "Donaudampfschifffahrtsgesellschaftskapitaenswitwe")
    columns = [{"value": str(number), "label": label} for number, label in enumerate(labels)]
    page = open_context(**PHONE).new_page()
    open_one({"type": "matrix", "rows": columns[:1], "columns": columns}, page=page)
    lines = "found => found.map(label => label.getClientRects().length)"
    assert page.locator(".row .option bdi").evaluate_all(lines)[:3] == [1, 1, 1]
    assert page.evaluate(SIDEWAYS) == 0


@pytest.mark.browsers
@in_every_look
def test_questions_of_several_controls_are_for_everyone(open_one, site, page):
    rows = [{"value": str(number), "label": f"{number} Zufriedenheitsgrad"} for number in range(10)]
    invite = open_one(
        {"type": "ranking", "options": rows},
        {"type": "matrix", "rows": rows, "columns": rows[:7], "required": True},
        {"type": "address", "required": True},
        {"type": "file", "required": True, "help": "Any"},
        COUNTRY,
        query="?lang=ar",
    )
    address = site.interview(invite)
    for row in rows[:3]:
        page.get_by_role("button", name=row["label"], exact=True).click()
        assert faults(page) == {}
    for step in ("page_q1", "page_q2", "page_q3"):
        page.goto(f"{address}?step={step}&lang=de")
        assert faults(page) == {}
        page.locator("button.primary").click()
        expect(page.locator("#errors")).to_be_focused()
        assert faults(page) == {}
    page.goto(f"{address}?step=page_q2&lang=de")
    page.get_by_label("Postleitzahl").fill("8033")
    page.get_by_role("combobox", name="Land").fill("Deutschland")
    page.get_by_role("combobox", name="Land").press("Tab")
    page.locator("button.primary").click()
    expect(page.locator("#errors")).to_contain_text("Postleitzahl wie 26133")
    assert faults(page) == {}
    page.goto(f"{address}?step=page_q4&lang=ar")
    page.get_by_role("combobox").click()
    assert faults(page) == {}
    page.get_by_role("option").last.click()
    expect(page.locator("#f-q4__other")).to_be_visible()
