import dataclasses

import pytest

from pipeline import documents
from pipeline.database import queries
from pipeline.mail import quota
from tests.documents.support import pdf_text
from tests.interviews.language import condition, question, template
from tests.mail.delivery import Worker
from tests.support import TEMPLATE, codes, interview

FLAG = {"flag": "secret", "when": condition("seats", "gt", 1)}
FORM = template(
    *TEMPLATE["questions"], question("email", "email"), thank_you={"send_copy": True}, hints={"rep_flags": [FLAG]}
)
ANSWERS = {"product_line": "server", "seats": 7}
KIM = "kim@prospect.example"


@pytest.fixture
def form(organization):
    return organization.public_form(**FORM)


@pytest.fixture
def submit(organization, form, anonymous):
    """submit(send_copy, **answers): an invite to pat@prospect.example, submitted."""

    def make(send_copy=True, **answers):
        invite = organization.invite(form)
        body = {"answers": {**ANSWERS, **answers}, "send_copy": send_copy}
        anonymous.post(f"{interview(invite)}/submit", body, status=200)
        return invite

    return make


@pytest.fixture
def capture(form, anonymous):
    """capture(**answers): the public form, sent by somebody who asks for a copy."""
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    return lambda **answers: anonymous.post(path, {"answers": {**ANSWERS, **answers}, "send_copy": True}, status=201)


@pytest.fixture
def copies(post, organization):
    own = f"@{organization.name}.example"
    return lambda: [message for message in post.deliver(organization) if own not in message["To"]]


def text_of(message):
    (attached,) = message.iter_attachments()
    assert (attached.get_content_type(), attached.get_filename()) == ("application/pdf", "answers.pdf")
    return " ".join(pdf_text(attached.get_content()).split())


def test_the_prospect_gets_their_answers_in_words_and_nothing_of_the_reps(organization, owner, submit, copies):
    invite = submit()
    (message,) = copies()
    assert (message["To"], message["Subject"]) == ("pat@prospect.example", "Your answers: Qualification")
    text = text_of(message)
    assert "Which product? Server How many seats? 7 Anything else? Not answered" in text
    assert "secret" not in text
    kept = "select status, attachment is null from app.emails where invite_id = %s and invite_part = 'copy'"
    assert owner.execute(kept, [invite["id"]]).fetchall() == [("sent", True)]
    shown = organization.member.get(f"/api/interview-invites/{invite['id']}", status=200).json
    assert (shown["email_status"], shown["sent_at"]) == (None, None)


def test_it_goes_to_the_address_in_the_answers_before_the_one_invited_and_to_nobody_unasked(submit, capture, copies):
    submit(email=KIM)
    submit(send_copy=False, email="no@prospect.example")
    capture(email="capture@prospect.example")
    capture()
    assert sorted(message["To"] for message in copies()) == ["capture@prospect.example", KIM]


def test_a_form_that_offers_no_copy_refuses_to_be_asked_and_locks_nothing(organization, anonymous):
    invite = organization.invite()
    answer = anonymous.post(f"{interview(invite)}/submit", {"answers": ANSWERS, "send_copy": True}, status=422)
    assert codes(answer) == [("send_copy", "not_offered")]
    assert anonymous.get(interview(invite), status=200).json["status"] == "pending"


@pytest.mark.parametrize("kind", ["interview", "capture"])
def test_the_review_offers_it(organization, form, visit, copies, kind):
    page = visit(organization.invite(form) if kind == "interview" else form)
    page.fill(product_line="server", seats="7", email=KIM).press()
    assert page.text("label[for=copy]") == ["Email me a copy of my answers"]
    assert page.fill(_copy=["yes"]).press("submit").text("h1") == ["Thank you"]
    assert [message["To"] for message in copies()] == [KIM]


def test_an_address_gets_so_many_a_day_and_an_organization_sends_so_many(monkeypatch, post, organization, form, submit):
    monkeypatch.setattr(quota, "ASKED_PER_ADDRESS", 1)
    for address in ("a@x.example", "A@x.example", "b@x.example"):
        submit(email=address)
    assert ["requested emails" in error for error in Worker(post.jobs, post.settings, organization.id).run()] == [True]
    own = f"member@{organization.name}.example"
    assert {to for _, to, _ in post.server.accepted} == {own, "a@x.example", "b@x.example"}
    worker = Worker(post.jobs, dataclasses.replace(post.settings, mail_quota_per_day=0), organization.id)
    submit(email="c@x.example")
    assert ["mail_quota" in error for error in worker.run()] == [True]
    assert organization.invite(form, send_email=True)["email_status"] == "queued"


@pytest.mark.parametrize(
    ("kind", "language", "subject", "seats"),
    [
        ("interview", "fr", "Vos réponses : Besoins", "Combien de places ?"),
        ("capture", "fr", "Vos réponses : Besoins", "Combien de places ?"),
        ("interview", "pl", "Your answers: Qualification", "Ile miejsc?"),  # of which the pages have no words
    ],
)
def test_it_speaks_the_language_of_the_sent_form(kind, language, subject, seats, organization, anonymous, copies):
    french = {"name": "Besoins", "questions.seats.label": "Combien de places ?"}
    translations = {"fr": french, "de": {"name": "Bedarf"}, "pl": {"questions.seats.label": "Ile miejsc?"}}
    form = organization.public_form(**FORM, translations=translations)
    capture = f"/api/public/interview/capture/{form['public_slug']}"
    path = interview(organization.invite(form)) if kind == "interview" else capture
    anonymous.post(f"{path}/submit?lang={language}", {"answers": {**ANSWERS, "email": KIM}, "send_copy": True})
    (message,) = copies()
    assert message["Subject"] == subject
    assert f"{seats} 7" in text_of(message)


def test_while_it_is_printed_nothing_is_locked_and_nobodys_changes_are_held_back(monkeypatch, submit, copies):
    held, printed = "select pg_current_xact_id_if_assigned() as id", []

    def render(kind, document):
        printed.append(queries.connection().execute(held).fetchone()["id"])
        return b"%PDF"

    monkeypatch.setattr(documents, "render", render)
    submit()
    assert len(copies()) == 1
    assert printed == [None]


def test_the_rep_alone_reads_why_there_is_no_copy(monkeypatch, post, organization, submit, anonymous, reps_page):
    monkeypatch.setattr(quota, "ASKED_PER_ADDRESS", 0)
    invite = submit()
    Worker(post.jobs, post.settings, organization.id).run()
    told = organization.responses(invite)["copy_error"]
    assert told == "The address has reached today's limit of requested emails."
    notice = f"The copy that the prospect asked for has not been sent: {told}"
    assert reps_page(invite).text(".notice") == [notice]
    assert "copy_error" not in anonymous.get(interview(invite), status=200).json


@pytest.mark.parametrize(
    ("answers", "reason"),
    [({"email": KIM}, "550 No such mailbox"), ({}, "The answers and the invite have no email address")],
)
def test_nor_is_there_one_for_a_mailbox_that_refuses_it_or_without_one(answers, reason, post, organization, capture):
    post.server.refuse[KIM] = "550 No such mailbox"
    capture(**answers)
    Worker(post.jobs, post.settings, organization.id).run()
    assert reason in organization.responses()["copy_error"]
