import pytest

from tests.interviews.language import condition, question, template
from tests.support import interview

LABEL, HELP = "I accept the [terms](https://acme.example/terms).", "*Free* to leave."
TERMS = question("terms", "consent", label=LABEL, help=HELP, required=True)
TEXT = f"{LABEL}\n\n{HELP}"


@pytest.fixture
def invite(organization):
    """An interview that asks for seats, for a consent and, with more than ten seats, for another one."""
    more = question("more", "consent", visible_if=condition("seats", "gt", 10))
    return organization.invite(organization.template(**template(question("seats", "number"), TERMS, more)))


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
