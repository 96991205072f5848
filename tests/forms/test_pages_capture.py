import re

import pytest

from tests.forms.paper import Paper

LATE = "update app.capture_drafts set expires_at = now() where organization_id = %s"


@pytest.fixture
def paper(visit, evaluation):
    return visit(evaluation)


def drafts(organization):
    rows = "select to_jsonb(draft) from app.capture_drafts as draft where organization_id = %s"
    return [row for (row,) in organization.owner.execute(rows, [organization.id])]


def fill_needs(paper):
    return paper.fill(product_line="license-server", seats="25", timeline="later").press()


def fill_you(paper):
    return paper.fill(first_name="Ada", last_name="Byron", email="ada@example.com", privacy="yes").press()


def test_the_whole_form_becomes_a_lead_and_a_response_once_and_every_address_of_its_draft_thanks(paper, organization):
    assert paper.step == "needs"
    assert fill_needs(paper).step == "you"
    assert fill_you(paper).state == "review"
    assert organization.leads() == []
    review, pairs = paper.path, dict(paper.form_pairs("submit"))
    assert paper.press("submit").state == "done"
    assert paper.text("h1") == ["On its way"]
    assert paper.open(review, status=200).state == "done"
    assert paper.app.post(review, pairs, headers=paper.headers, status=303).follow().html.body["data-state"] == "done"
    (lead,) = organization.leads()
    assert (lead["name"], lead["email"], lead["source"]) == ("Ada Byron", "ada@example.com", "interview")
    assert organization.responses()["answers"]["seats"] == 25


def test_a_consent_is_asked_for_again_when_its_text_was_changed_meanwhile(paper, evaluation, organization):
    fill_you(fill_needs(paper))
    questions = evaluation["questions"]
    questions[-1]["help"] = "New"
    organization.admin.patch(f"/api/interview-templates/{evaluation['id']}", {"questions": questions}, status=200)
    paper.press("submit", status=422)
    assert paper.text("#errors button") == [
        "You may write to me about this evaluation. – Please give your consent to go on."
    ]
    assert organization.leads() == []
    paper.press("step:you").fill(privacy="yes").press().press("submit")
    assert len(organization.leads()) == 1


def test_the_link_of_a_rep_gives_them_the_lead(visit, evaluation, organization):
    rep = organization.users["member"]
    paper = fill_needs(visit(evaluation, f"?r={rep}"))
    assert f"&r={rep}&_draft=" in paper.path
    fill_you(paper).press("submit")
    assert organization.leads()[0]["assigned_to"] == rep


@pytest.mark.parametrize(("step", "button"), [("needs", "next"), ("needs", "later"), ("you", "next")])
def test_a_honeypot_is_out_of_the_way_and_once_filled_thanks_and_stores_nothing(step, button, paper, organization):
    if step == "you":
        fill_needs(paper)
    trap = paper.html.find("input", attrs={"name": "_website_confirm"})
    assert (trap["tabindex"], trap["autocomplete"], trap.parent["aria-hidden"]) == ("-1", "off", "true")
    paper.fill(_website_confirm="https://spam.example").press(button)
    assert (paper.state, paper.text("h1"), drafts(organization)) == ("done", ["On its way"], [])
    stored = organization.rows()
    assert stored["leads"] == stored["interview_invites"] == stored["idempotency_keys"] == []


def test_a_get_writes_nothing(paper, organization):
    assert drafts(organization) == []
    fill_needs(paper)
    before = drafts(organization)
    for address in (paper.path, paper.path.replace("step=you", "step=needs"), paper.path + "&more=1"):
        paper.open(address, status=200)
    assert (len(before), drafts(organization)) == (1, before)


def test_a_draft_is_found_by_its_token_on_its_own_site_for_a_day_and_then_begins_anew(paper, organization):
    you = fill_needs(paper).path
    (draft,) = drafts(organization)
    assert re.search(r"[?&]_draft=[\w-]{32}&step=you$", you)
    assert draft["token"] not in you
    other = Paper(paper.app, you, **{"Sec-Fetch-Site": "cross-site"})
    assert (other.step, other.html.select("[checked]")) == ("needs", [])
    organization.owner.execute(LATE, [organization.id])
    assert Paper(paper.app, you).step == "needs"
    paper.fill(first_name="Eve").press()
    assert paper.open(you).value("first_name") == "Eve"
    assert paper.open(you.replace("step=you", "step=needs")).html.select("[checked]") == []


def test_stored_answers_that_fit_no_question_any_more_are_left_out(paper, organization, owner):
    fill_needs(paper)
    wrong = '{"unknown": 1, "seats": "many", "timeline": "later"}'
    owner.execute("update app.capture_drafts set answers = %s where organization_id = %s", [wrong, organization.id])
    paper.open(paper.path.replace("step=you", "step=needs"), status=200)
    assert (paper.value("seats"), [found["value"] for found in paper.html.select("[checked]")]) == ("", ["later"])
