"""The lead's data prefills the form; no other data of the lead leaves the organization."""

LEAD = {"first_name": "Pat", "last_name": "Doe", "email": "pat@a.example", "company": "A"}


def test_the_lead_fills_in_what_is_known_and_continue_saves_it(small, anonymous):
    questions = [
        {"key": "your_name", "type": "short_text", "label": "Name", "required": True},
        {"key": "email", "type": "email", "label": "Email", "required": True},
        {"key": "more", "type": "yes_no", "label": "More?", "visible_if": {"question": "email", "op": "answered"}},
    ]
    pages = [{"key": "one", "questions": ["your_name", "email", "more"]}]
    hints = {"lead_fields": {"name": "your_name"}}
    paper = small(LEAD, questions=questions, pages=pages, hints=hints)
    assert (paper.value("your_name"), paper.value("email")) == ("Pat Doe", "pat@a.example")
    assert paper.shown() == ["your_name", "email", "more"]
    assert paper.press().state == "review"
    assert paper.text("dd:not(.change)") == ["Pat Doe", "pat@a.example", "Not answered"]


def test_what_does_not_fit_its_question_is_not_prefilled(small):
    questions = [
        {"key": "company", "type": "number", "label": "How many companies?", "min": 1},
        {"key": "email", "type": "multi_choice", "label": "Emails?", "options": [{"value": "a", "label": "A"}]},
        {"key": "first_name", "type": "date", "label": "When?", "min": "2026-01-01"},
    ]
    pages = [{"key": "one", "questions": ["company", "email", "first_name"]}]
    paper = small({**LEAD, "first_name": "Patricia-Ann"}, questions=questions, pages=pages)
    assert (paper.value("company"), paper.value("first_name")) == ("", "")
    assert paper.press().state == "review"


def test_an_emptied_prefill_is_not_filled_in_again_while_it_is_refused(small):
    questions = [{"key": "email", "type": "email", "label": "Email", "required": True}]
    paper = small(LEAD, questions=questions, pages=[{"key": "one", "questions": ["email"]}])
    paper.fill(email="").press(status=422)
    assert paper.value("email") == ""


def test_nothing_but_the_public_body_is_in_any_page(organization, small):
    paper = small(
        {**LEAD, "notes": "SECRET", "phone": "12345"},
        hints={"rep_tips": {"seats": "SECRET tip"}, "rep_flags": []},
        field_map=[{"target": "license_type", "value": "SECRET"}],
    )
    for page in (paper.response, paper.fill(product_line="server").press().response, paper.press("submit").response):
        for word in ("SECRET", "12345", "hints", "field_map", "rep_", f"member@{organization.name}"):
            assert word not in page.text
