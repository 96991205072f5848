"""A consent keeps the text that was shown and the time it was given."""

import pytest

from tests.support import interview

CONSENT = {
    "key": "terms",
    "type": "consent",
    "label": "I accept the [terms](https://acme.example/terms).",
    "help": "*Free* to withdraw.",
}
TEXT = "I accept the [terms](https://acme.example/terms).\n\n*Free* to withdraw."
SEATS = {"key": "seats", "type": "number", "label": "Seats"}


@pytest.fixture
def template(organization):
    """A template that asks for seats, for a consent and, with more than ten seats, for another one."""
    more = {**CONSENT, "key": "more", "label": "More", "visible_if": {"question": "seats", "op": "gt", "value": 10}}
    return organization.template(
        questions=[SEATS, CONSENT, more], pages=[{"key": "one", "questions": ["seats", "terms", "more"]}]
    )


@pytest.fixture
def invite(organization, template):
    return organization.invite(template)


@pytest.fixture
def save(anonymous, invite):
    return lambda **answers: anonymous.patch(interview(invite), {"answers": answers}, status=200)


@pytest.fixture
def consents(organization, invite):
    return lambda: organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json[
        "consents"
    ]


def test_the_text_that_was_shown_and_the_time_are_kept_with_the_answer(save, consents):
    saved = save(terms=True).json
    assert consents() == [{"question": "terms", "text": TEXT, "given_at": saved["saved_at"]}]


def test_a_consent_holds_since_it_was_first_given(save, consents):
    first = save(terms=True).json["saved_at"]
    save(terms=True, seats=5)
    assert [consent["given_at"] for consent in consents()] == [first]


@pytest.mark.parametrize("answer", [False, None, ""])
def test_a_consent_that_is_taken_back_is_gone_and_begins_anew(answer, save, consents):
    save(terms=True)
    save(terms=answer)
    assert consents() == []
    again = save(terms=True).json["saved_at"]
    assert [consent["given_at"] for consent in consents()] == [again]


def test_a_consent_that_is_no_longer_asked_for_does_not_count(save, consents):
    save(seats=20, more=True)
    assert [consent["question"] for consent in consents()] == ["more"]
    save(seats=5)
    assert consents() == []


def test_what_was_agreed_to_stays_when_the_template_is_changed_and_deleted(
    organization, template, invite, save, consents
):
    before = save(terms=True) and consents()
    changed = {
        **template,
        "questions": [SEATS, {**CONSENT, "label": "Other"}],
        "pages": [{"key": "one", "questions": ["seats", "terms"]}],
    }
    organization.admin.patch(
        f"/api/interview-templates/{template['id']}",
        {name: changed[name] for name in ("questions", "pages")},
        status=200,
    )
    assert consents() == before


def test_a_capture_form_keeps_the_consent_of_its_submit(organization, anonymous):
    template = organization.template(
        questions=[CONSENT],
        pages=[{"key": "one", "questions": ["terms"]}],
        lead_capture_enabled=True,
        public_slug=organization.name,
    )
    path = f"/api/public/interview/capture/{template['public_slug']}/submit"
    anonymous.post(path, {"answers": {"terms": True}}, status=201)
    (response,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    kept = organization.member.get(f"/api/interview-invites/{response['id']}/responses", status=200).json
    assert kept["consents"] == [{"question": "terms", "text": TEXT, "given_at": kept["submitted_at"]}]
