from tests.interviews.language import condition, question
from tests.support import TEMPLATE, interview


def fill_you(paper):
    return paper.fill(your_name="Ada", work_email="ada@example.com", company="Engines").press()


def fill_needs(paper):
    """The second page, in two goes: the first answer brings up the question for seats."""
    return paper.fill(product_line="license-cloud").press().fill(seats="5").press()


def test_the_whole_interview_from_the_first_page_to_the_thank_you_however_often_it_is_sent(
    paper, stored, visit, invite
):
    assert paper.step == "you"
    assert fill_you(paper).step == "needs"
    paper.fill(product_line="license-cloud", features=["floating", "usage"]).press().fill(seats="25").press()
    assert paper.step == "plans"
    paper.fill(evaluating_others="no", timeline="immediately", fit="7", compliance=["gdpr"]).press()
    assert paper.fill(notes="One\r\nTwo", privacy="yes").press().state == "review"
    pairs = dict(paper.form_pairs("submit"))
    assert paper.press("submit").state == "submitted"
    assert paper.text("h1") == ["Thank you"]
    assert stored()["status"] == "submitted"
    paper.app.post(paper.path, pairs, headers=paper.headers, status=303)
    assert visit(invite).state == "submitted"
    you = {"your_name": "Ada", "work_email": "ada@example.com", "company": "Engines"}
    needs = {"product_line": "license-cloud", "seats": 25, "features": ["floating", "usage"]}
    plans = {"evaluating_others": False, "timeline": "immediately", "fit": 7, "compliance": ["gdpr"]}
    assert stored()["answers"] == {**you, **needs, **plans, "notes": "One\nTwo", "privacy": True}


def test_a_faulty_step_is_shown_again_with_links_to_what_is_wrong_and_the_rest_is_saved(paper, stored):
    paper.fill(work_email="ada@", job_title="Analyst").press(status=422)
    assert paper.step == "you"
    assert paper.errors() == {
        "your_name": "Enter an answer to “Your name”.",
        "work_email": "Enter an email address such as name@example.com for “Your work email”.",
        "company": "Enter an answer to “Your company”.",
    }
    links = [link["href"] for link in paper.html.select("#errors[role=alert] a")]
    assert links == ["#f-your_name", "#f-work_email", "#f-company"]
    assert paper.html.title.get_text(strip=True).startswith("Error: ")
    control = paper.html.select_one("#f-work_email")
    assert (control["aria-invalid"], control["aria-describedby"], control["value"]) == ("true", "e-work_email", "ada@")
    assert stored()["answers"] == {"work_email": "ada@", "job_title": "Analyst"}


def test_questions_that_an_answer_brings_up_on_the_same_page_are_shown_before_going_on(paper):
    fill_you(paper)
    assert "seats" not in paper.shown()
    paper.fill(product_line="license-cloud").press()
    assert paper.step == "needs"
    assert paper.path.endswith("more=1#q-seats")
    assert paper.text(".notice") == ["Your answers brought up further questions on this page."]
    assert "seats" in paper.shown()
    assert paper.fill(seats="5").press().step == "plans"


def test_options_that_an_answer_brings_up_are_shown_before_going_on(small):
    qnx = {"value": "qnx", "label": "QNX", "visible_if": condition("product_line", "eq", "server")}
    paper = small(TEMPLATE["questions"][0], question("system", "single_choice", options=[qnx]))
    assert paper.html.select_one('[data-option="qnx"] input').has_attr("disabled")
    assert paper.fill(product_line="server").press().step == "one"
    assert paper.fill(system="qnx").press().state == "review"


def test_with_the_module_nothing_new_can_come_up_and_every_question_counts_as_seen(paper):
    fill_you(paper)
    live = paper.html.find("input", attrs={"name": "_live"})
    del live["disabled"]
    paper.fill(product_line="license-cloud").press(status=422)
    assert list(paper.errors()) == ["seats"]


def test_answers_of_hidden_questions_stay_as_they_are(paper, stored, anonymous, invite):
    anonymous.patch(interview(invite), {"answers": {"seats": 7}}, status=200)
    fill_you(paper).fill(product_line="embedded-sdk").press()
    assert stored()["answers"]["seats"] == 7


def test_back_saves_and_asks_for_nothing_and_an_emptied_field_clears_its_answer(paper, stored):
    fill_you(paper.fill(phone="+49 89 123456", job_title="Engineer")).fill(product_line="license-cloud").press("back")
    assert (paper.step, paper.value("your_name")) == ("you", "Ada")
    assert stored()["answers"]["product_line"] == "license-cloud"
    paper.fill(phone="").press()
    assert "phone" not in stored()["answers"]
    assert stored()["answers"]["job_title"] == "Engineer"


def test_the_form_opens_where_its_prospect_stopped_whatever_step_is_asked_for(visit, paper, anonymous, invite):
    def save(**answers):
        anonymous.patch(interview(invite), {"answers": answers}, status=200)

    for unknown in ("unknown", "", "../x"):
        assert paper.open(f"?step={unknown}").step == "you"
    fill_you(paper)
    assert visit(invite).step == "needs"
    save(product_line="license-cloud", seats=5)
    assert visit(invite).step == "plans"
    save(timeline="later")
    assert visit(invite).step == "finish"
    save(your_name=None)
    assert visit(invite).step == "you"


def test_the_review_shows_every_visible_answer_and_leads_to_each_and_back(paper):
    fill_needs(fill_you(paper))
    paper.fill(timeline="within_30_days", fit="3").press()
    paper.fill(start_date="2030-01-31").press()
    paper.fill(privacy="yes").press()
    words = dict(zip(paper.text("dt"), paper.text("dd:not(.change)"), strict=True))
    assert words["How many seats?"] == "5 seats"
    assert words["Is there a fixed date?"] == "January 31, 2030"
    assert words["Which product line?"] == "License Cloud, run by us"
    assert words["Your phone number"] == "Not answered"
    assert "On which platforms will it run?" not in words
    change = "?lang=en&step=needs&return=check-answers#q-seats"
    assert change in [link["href"] for link in paper.html.select(".change a")]
    assert paper.open(change).fill(seats="6").press().state == "review"
    paper.open(change).fill(product_line="embedded-sdk").press()
    assert paper.step == "needs"
    assert paper.fill(units_per_year="10", platforms=["qnx"]).press().state == "review"


def test_sending_incomplete_answers_names_what_is_missing_and_locks_nothing(paper, stored):
    paper.open("?step=check-answers")
    assert paper.text(".notice") == ["Some questions still need your attention before you can send your answers."]
    paper.press("submit", status=422)
    links = [link["href"] for link in paper.html.select("#errors a")]
    assert "?lang=en&step=you&return=check-answers#q-your_name" in links
    assert stored()["status"] == "pending"


def test_the_text_of_other_is_asked_for_and_shown_and_alone_chooses_it(paper, stored):
    fill_you(paper).fill(product_line="license-server").press()
    paper.fill(platforms=["linux", "other"], seats="5").press(status=422)
    assert paper.errors() == {
        "platforms__other": "Enter your own answer to “On which platforms will it run?”, or choose another option."
    }
    assert [link["href"] for link in paper.html.select("#errors a")] == ["#f-platforms__other"]
    paper.fill(platforms=[], platforms__other="Solaris").press()
    assert stored()["answers"]["platforms"] == ["other"]
    assert "Solaris" in paper.open("?step=check-answers").text("dd")


def test_an_answer_that_makes_another_one_necessary_marks_it(paper):
    fill_needs(fill_you(paper))
    paper.fill(timeline="later", fit="1").press()
    assert paper.html.select_one("#q-notes").has_attr("data-required")
    paper.fill(privacy="yes").press(status=422)
    assert list(paper.errors()) == ["notes"]


def test_answers_and_labels_are_text_and_never_markup(small):
    named = question("name", label='<b>*Name*</b> & "more"', help="</script><script> **so**")
    paper = small(named, pages=[{"key": "one", "title": "<i>", "questions": ["name"]}])
    assert paper.text("#q-name .label bdi") == ['<b>*Name*</b> & "more"']
    assert paper.text("#h-name") == ["</script><script> so"]
    paper.fill(name="<script>alert(1)</script>").press()
    assert paper.text("dt") == ['<b>*Name*</b> & "more"']
    assert paper.text("dd:not(.change)") == ["<script>alert(1)</script>"]
    assert "<script>alert" not in paper.response.text
    assert "</script><script>" not in paper.open("?step=one").response.text
