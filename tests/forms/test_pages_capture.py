"""A public form by its pages alone: the answers travel with the pages, and become one lead at the end."""

import json

import pytest

from tests.forms.paper import Paper


@pytest.fixture
def paper(anonymous, evaluation):
    """The demo's public form, opened."""
    return Paper(anonymous.app, f"/forms/capture/{evaluation['public_slug']}")


@pytest.fixture
def leads(organization):
    """leads(): the organization's leads."""
    return lambda: organization.member.get("/api/leads", status=200).json["data"]


def fill_needs(paper):
    return paper.fill(product_line="license-server", seats="25", timeline="later").press()


def fill_you(paper):
    return paper.fill(first_name="Ada", last_name="Byron", email="ada@example.com", privacy="yes").press()


def test_the_whole_form_becomes_a_lead_and_a_response(paper, leads, organization):
    assert paper.step == "needs"
    assert fill_needs(paper).step == "you"
    assert fill_you(paper).state == "review"
    assert leads() == []
    assert paper.press("submit").state == "done"
    assert paper.text("h1") == ["On its way"]
    (lead,) = leads()
    assert (lead["name"], lead["email"], lead["source"]) == ("Ada Byron", "ada@example.com", "interview")
    (invite,) = organization.member.get("/api/interview-invites").json["data"]
    answers = organization.member.get(f"/api/interview-invites/{invite['id']}/responses").json["answers"]
    assert answers["seats"] == 25


def test_a_consent_is_asked_for_again_when_its_text_was_changed_meanwhile(paper, evaluation, organization, leads):
    fill_needs(paper)
    fill_you(paper)
    questions = [
        {**question, "help": "New"} if question["key"] == "privacy" else question
        for question in evaluation["questions"]
    ]
    organization.admin.patch(f"/api/interview-templates/{evaluation['id']}", {"questions": questions}, status=200)
    paper.press("submit", status=422)
    assert paper.text("#errors button") == [
        "You may write to me about this evaluation. – Please give your consent to go on."
    ]
    assert leads() == []
    paper.press("step:you").fill(privacy="yes").press().press("submit")
    assert len(leads()) == 1


def test_nothing_is_stored_before_the_answers_are_sent(paper, organization, owner):
    fill_needs(paper)
    count = owner.execute("select count(*) from app.interview_invites where organization_id = %s", [organization.id])
    assert count.fetchone() == (0,)


@pytest.mark.parametrize(("person", "assigned"), [("member", True), ("inactive", False)])
def test_the_link_of_a_rep_gives_them_the_lead_if_their_seat_is_active(
    person, assigned, anonymous, evaluation, organization, leads
):
    user = organization.users[person]
    paper = Paper(anonymous.app, f"/forms/capture/{evaluation['public_slug']}?r={user}")
    assert fill_needs(paper).path.endswith(f"r={user}&step=needs")
    fill_you(paper).press("submit")
    assert leads()[0]["assigned_to"] == (user if assigned else None)


@pytest.mark.parametrize("rep", ["", "x", "-1", "9" * 40, "1;drop", "%ff", "%00", "1&r=1", "&utm_source=%e4"])
def test_a_wrong_link_costs_no_lead(rep, anonymous, evaluation, leads):
    paper = Paper(anonymous.app, f"/forms/capture/{evaluation['public_slug']}?r={rep}")
    assert fill_you(fill_needs(paper)).press("submit").state == "done"
    assert leads()[0]["assigned_to"] is None


def test_back_and_forth_loses_nothing(paper):
    fill_needs(paper).fill(first_name="Ada", email="ada@").press("back")
    assert paper.step == "needs"
    assert paper.html.select_one('[value="license-server"]').has_attr("checked")
    assert (paper.value("seats"), paper.press().value("email")) == ("25", "ada@")


def test_an_error_on_a_step_keeps_what_was_typed(paper):
    fill_needs(paper).fill(first_name="Ada", email="ada@").press(status=422)
    assert sorted(paper.errors()) == ["email", "privacy"]
    assert (paper.value("first_name"), paper.value("email")) == ("Ada", "ada@")


def test_the_review_leads_to_each_answer_and_back(paper):
    fill_you(fill_needs(paper))
    assert dict(zip(paper.text("dt"), paper.text("dd:not(.change)"), strict=True))["Email"] == "ada@example.com"
    assert paper.press("step:needs").step == "needs"
    assert paper.fill(seats="30").press().state == "review"
    assert "30" in paper.text("dd:not(.change)")


def test_a_filled_honeypot_is_thanked_and_nothing_is_stored(paper, leads):
    fill_needs(paper).fill(_website_confirm="https://spam.example")
    assert fill_you(paper).press("submit").state == "done"
    assert leads() == []


def test_the_honeypot_is_out_of_everybodys_way(paper):
    trap = paper.html.find("input", attrs={"name": "_website_confirm"})
    assert (trap["tabindex"], trap["autocomplete"], trap.parent["aria-hidden"]) == ("-1", "off", "true")


@pytest.mark.parametrize(
    "state", ["", "{", "[]", "null", '{"unknown": 1, "seats": "many", "timeline": "later"}', '{"a":' * 200]
)
def test_what_a_page_carries_is_checked_as_if_it_had_been_typed(state, paper):
    fill_needs(paper)
    carried = paper.html.find("input", attrs={"name": "_state"})
    carried["value"] = state
    paper.press(status=422)
    answers = json.loads(paper.html.find("input", attrs={"name": "_state"})["value"])
    assert answers == ({"timeline": "later"} if "later" in state else {})


def test_carried_answers_are_checked_however_many_are_wrong(paper):
    fill_needs(paper)
    wrong = {f"x{number}": 1 for number in range(500)}
    carried = paper.html.find("input", attrs={"name": "_state"})
    carried["value"] = json.dumps({**wrong, "seats": "many", "notes": 1, "timeline": "later"})
    paper.press(status=422)
    assert json.loads(paper.value("_state")) == {"timeline": "later"}


def test_every_page_of_one_visit_carries_the_same_request_key(paper, anonymous):
    key = paper.value("_request_key")
    assert fill_needs(paper).value("_request_key") == key
    assert Paper(anonymous.app, paper.path).value("_request_key") != key


def test_a_form_that_is_switched_off_does_not_exist(paper, organization, evaluation, anonymous):
    body = {key: evaluation[key] for key in ("name", "slug", "public_slug", "pages", "questions")}
    organization.admin.put(f"/api/interview-templates/{evaluation['id']}", body, status=200)
    assert paper.open(paper.path, status=404).state == "unknown"


def test_nothing_but_the_public_form_is_in_any_page(paper, organization):
    for page in (paper.response, fill_needs(paper).response, fill_you(paper).response, paper.press("submit").response):
        for word in ("hints", "field_map", "organization_id", f"@{organization.name}"):
            assert word not in page.text


def test_a_public_form_has_no_file_that_could_be_taken_away(anonymous, evaluation):
    form = f"/forms/capture/{evaluation['public_slug']}"
    answer = anonymous.app.post(form, {"_go": "remove:seats:7", "_step": "needs"}, status=200)
    assert answer.html.body["data-state"] == "step"
