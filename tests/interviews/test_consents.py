import pytest

from tests.interviews.language import condition, question, template
from tests.support import interview

SEATS = question("seats", "number")
TERMS = question("terms", "consent", label="I accept the [terms](https://acme.example/terms).", help="*Free* to leave.")
TEXT = "I accept the [terms](https://acme.example/terms).\n\n*Free* to leave."


@pytest.fixture
def form(organization):
    """A public form that asks for seats, for a consent and, with more than ten seats, for another one."""
    more = question("more", "consent", visible_if=condition("seats", "gt", 10))
    return organization.public_form(**template(SEATS, TERMS, more))


@pytest.fixture
def invite(organization, form):
    return organization.invite(form)


@pytest.fixture
def save(anonymous, invite):
    return lambda **answers: anonymous.patch(interview(invite), {"answers": answers}, status=200).json["saved_at"]


@pytest.fixture
def consents(organization, invite):
    return lambda: organization.responses(invite)["consents"]


def test_the_text_that_was_shown_and_the_time_it_was_first_given_are_kept(save, consents):
    first = save(terms=True)
    save(terms=True, seats=5)
    assert consents() == [{"question": "terms", "text": TEXT, "given_at": first}]


@pytest.mark.parametrize("answer", [False, None, ""])
def test_a_consent_that_is_taken_back_is_gone_and_begins_anew(answer, save, consents):
    save(terms=True)
    save(terms=answer)
    assert consents() == []
    again = save(terms=True)
    assert [consent["given_at"] for consent in consents()] == [again]


def test_a_consent_that_is_no_longer_asked_for_does_not_count(save, consents):
    save(seats=20, more=True)
    assert [consent["question"] for consent in consents()] == ["more"]
    save(seats=5)
    assert consents() == []


def test_what_was_agreed_to_stays_when_the_template_is_changed(organization, form, save, consents):
    save(terms=True)
    before = consents()
    changed = template(SEATS, {**TERMS, "label": "Other"})
    organization.admin.patch(f"/api/interview-templates/{form['id']}", changed, status=200)
    assert consents() == before


def test_a_capture_form_keeps_the_consent_of_its_submit(organization, form, anonymous):
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    anonymous.post(path, {"answers": {"terms": True}}, status=201)
    kept = organization.responses()
    assert kept["consents"] == [{"question": "terms", "text": TEXT, "given_at": kept["submitted_at"]}]
