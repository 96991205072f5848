import pytest
from playwright.sync_api import expect

from tests.forms.accessible import SIDEWAYS, faults, in_every_look
from tests.forms.browsing import GIVEN
from tests.support import interview

STEPS = ("you", "needs", "plans", "finish", "check-answers")
FOCUSED = """() => {
  const focused = document.activeElement;
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  };
  const { top, bottom } = focused.getBoundingClientRect();
  const bar = document.getElementById("save-state").getBoundingClientRect();
  const covered = top < bar.bottom && bottom > bar.top + 1;
  const seen = !covered && [focused, ...(focused.labels ?? [])].some(isOutlined);
  const question = focused.closest("[data-question]")?.dataset.question;
  return { id: focused.id, tag: focused.tagName, question, top: top + scrollY, seen, covered };
}"""
ASKED = """() => [...document.querySelectorAll("[data-question]:not(.statement)")]
  .filter((question) => question.checkVisibility()).map(({ dataset }) => dataset.question)"""
BRANCHED = {"product_line": "embedded-sdk", "platforms": ["other"], "evaluating_others": True}


def press_tab_until(page, selector):
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


def write(page, **texts):
    for key, text in texts.items():
        press_tab_until(page, f"#f-{key}")
        page.keyboard.type(text)


def choose(page, key, presses=0):
    """Reach a group of radio buttons by Tab, go on by arrow keys, and press the space bar."""
    press_tab_until(page, f"[name='{key}']")
    for _ in range(presses):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")


def tick(page, key, *values):
    for value in values:
        press_tab_until(page, f"[name={key}][value={value}]")
        page.keyboard.press("Space")


def go_on_by_keyboard(page, value="next"):
    press_tab_until(page, f"button.primary[value={value}]")
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_the_whole_interview_by_keyboard_alone(site, page, invite, answers):
    page.goto(site.interview(invite))
    write(page, **{key: GIVEN[key] for key in ("your_name", "work_email", "phone", "job_title", "company", "website")})
    go_on_by_keyboard(page)
    choose(page, "product_line")
    tick(page, "platforms", "linux", "other")
    write(page, platforms__other="Plan 9")
    tick(page, "features", "floating", "usage")
    choose(page, "license_type")
    write(page, seats="1 500")
    for value in ("security", "integration", "price"):
        press_tab_until(page, f"[data-value={value}] .pick")
        page.keyboard.press("Enter")
    go_on_by_keyboard(page)
    choose(page, "evaluating_others")
    write(page, competitors="Difference Inc")
    choose(page, "timeline", presses=2)
    write(page, start_date="02032031")
    # An exclusive option and another one give way to each other: what is pressed twice was unticked meanwhile.
    tick(page, "compliance", "gdpr", "none")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    tick(page, "compliance", "none")
    choose(page, "fit", presses=1)
    choose(page, "satisfaction.0")
    choose(page, "satisfaction.2", presses=2)
    with page.expect_navigation():
        page.keyboard.press("Enter")  # which goes on, and presses none of the buttons that clear an answer
    address = {"street": "12 St James's Square", "city": "London", "country": "united king"}
    write(page, notes="Steam.", **{f"invoice_address-{part}": text for part, text in address.items()})
    page.keyboard.press("Enter")
    tick(page, "privacy", "yes")
    go_on_by_keyboard(page)
    go_on_by_keyboard(page, "submit")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert answers(invite) == GIVEN


def reached_by_tab(page):
    """The questions that Tab comes to, to the last button; each element lies below the one before, and is seen."""
    above, questions = 0, []
    while not page.evaluate("document.activeElement.matches('.buttons > :last-child')"):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        assert focused["seen"], focused
        assert focused["top"] >= above - 1, focused
        above = focused["top"]
        questions.append(focused["question"])
    return list(dict.fromkeys(filter(None, questions)))


def test_the_focus_goes_from_top_to_bottom_and_is_always_seen(site, page, invite, anonymous):
    anonymous.patch(interview(invite), {"answers": BRANCHED}, status=200)
    page.set_viewport_size({"width": 360, "height": 500})
    for step in STEPS:
        page.goto(f"{site.interview(invite)}?step={step}")
        assert reached_by_tab(page) == page.evaluate(ASKED), step


@in_every_look
def test_no_step_has_a_violation_a_small_target_or_a_sideways_scroll(site, page, invite, anonymous):
    anonymous.patch(interview(invite), {"answers": BRANCHED}, status=200)
    for step in STEPS:
        page.goto(f"{site.interview(invite)}?step={step}")
        assert faults(page) == {}, step


@pytest.mark.browsers
def test_enlarged_to_twice_its_size_everything_stays_in_view(site, open_context, invite):
    # The page at 200 % of a screen of 1280 pixels leaves 640 to lay out; then the same for text alone.
    zoomed = open_context(viewport={"width": 640, "height": 360}, device_scale_factor=2).new_page()
    larger = open_context(viewport={"width": 1280, "height": 720}).new_page()
    for step in STEPS:
        for page in (zoomed, larger):
            page.goto(f"{site.interview(invite)}?step={step}")
        larger.evaluate("document.documentElement.style.fontSize = '200%'")
        assert zoomed.evaluate(SIDEWAYS) == larger.evaluate(SIDEWAYS) == 0


def test_nothing_moves_for_those_who_asked_for_no_motion(site, open_context, invite):
    page = open_context(reduced_motion="reduce").new_page()
    page.goto(site.interview(invite))
    moving = """() => [...document.querySelectorAll("*")].filter((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return `${transitionDuration},${animationDuration}`.split(",").some((time) => parseFloat(time) > 0.01);
    }).length"""
    assert page.evaluate(moving) == 0
