"""The lead's data prefills the form; no other data of the lead leaves the organization."""

from tests.interviews.language import condition, question

LEAD = {"first_name": "Pat", "last_name": "Doe", "email": "pat@a.example", "company": "A"}
EMAIL = question("email", "email", required=True)


def test_the_lead_fills_in_what_is_known_and_continue_saves_it(small):
    more = question("more", "yes_no", visible_if=condition("email", "answered"))
    hints = {"lead_fields": {"name": "your_name"}}
    paper = small(question("your_name", required=True), EMAIL, more, lead=LEAD, hints=hints)
    assert (paper.value("your_name"), paper.value("email")) == ("Pat Doe", "pat@a.example")
    assert paper.shown() == ["your_name", "email", "more"]
    assert paper.press().state == "review"
    assert paper.text("dd:not(.change)") == ["Pat Doe", "pat@a.example", "Not answered"]


def test_what_does_not_fit_its_question_is_not_prefilled(small):
    asked = question("company", "number"), question("email", "multi_choice"), question("first_name", "date")
    paper = small(*asked, lead={**LEAD, "first_name": "Patricia-Ann"})
    assert (paper.value("company"), paper.value("first_name")) == ("", "")
    assert paper.press().state == "review"


def test_an_emptied_prefill_is_not_filled_in_again_while_it_is_refused(small):
    assert small(EMAIL, lead=LEAD).fill(email="").press(status=422).value("email") == ""


def test_nothing_but_the_public_body_is_in_any_page(organization, small):
    paper = small(
        lead={**LEAD, "notes": "SECRET", "phone": "12345"},
        hints={"rep_tips": {"seats": "SECRET tip"}, "rep_flags": []},
        field_map=[{"target": "license_type", "value": "SECRET"}],
    )
    for page in (paper.response, paper.fill(product_line="server").press().response, paper.press("submit").response):
        for word in ("SECRET", "12345", "hints", "field_map", "rep_", f"member@{organization.name}"):
            assert word not in page.text
