"""The answers of an invite as PDF, with the texts shown to the prospect."""

import io

import pypdf
import pytest
from structlog.testing import capture_logs

from tests.documents import test_pdf
from tests.documents.support import pdf_text
from tests.forms.test_responses_table import HINTS, QUESTIONS
from tests.interviews.language import question


@pytest.fixture
def printed(organization):
    """printed(invite): the answer to a member who asks for the PDF."""
    return lambda invite: organization.member.get(f"/api/interview-invites/{invite['id']}/responses.pdf", status=200)


def test_a_rep_prints_the_answers_in_words_with_flags_tips_and_consents(organization, owner, answered, printed):
    questions = [*QUESTIONS, question("plans", "long_text", label="Plans")]
    pages = [{"key": "one", "title": "Your needs", "questions": [one["key"] for one in questions]}]
    answers = {"name": "<b>Ada</b> {{page}}", "sso": False, "order": ["b", "a"], "terms": True, "plans": "One\nTwo"}
    invite = answered(*questions, answers=answers, pages=pages, hints=HINTS)
    answer = printed(invite)
    assert answer.content_type == "application/pdf"
    assert f'filename="responses-{invite["id"]}.pdf"' in answer.headers["Content-Disposition"]
    text = " ".join(pdf_text(answer.body).split())
    for words in (
        "Answers from Pat Prospect",
        "Not submitted yet: these are the answers so far.",
        "To notice • Plain deal",
        "Company: Engines & Co",
        "Your needs Name <b>Ada</b> {{page}} Tip: Call.",
        "SSO? No Order 1. B 2. A I accept the terms Yes Agreed on",
        "Plans One Two",
        organization.name,
    ):
        assert words in text
    assert "Which?" not in text
    owner.execute("update app.organizations set locale = 'ar' where id = %s", [organization.id])
    pdf = pypdf.PdfReader(io.BytesIO(printed(invite).body))
    assert (pdf.trailer["/Root"]["/Lang"], pdf.metadata.author) == ("ar-EG", organization.name)
    assert pdf.metadata.title.startswith("إجابات")


def test_labels_and_answers_run_in_their_own_direction(answered, printed):
    name = question("name", label="שם label")
    printed_words = test_pdf.words(printed(answered(name, answers={"name": "עדה answer"}, language="he")).body)
    place = {word.text: word.left for word in printed_words}
    assert place["Answers"] < 100 < min(place["label"], place["answer"])


def test_what_no_font_prints_is_named_on_the_paper_and_in_the_log(answered, printed):
    invite = answered(question("name"), answers={"name": "Ada \U000e0fff\U0001f6d8"})
    with capture_logs() as log:
        text = " ".join(pdf_text(printed(invite).body).split())
    assert "There is no font that prints these characters: U+1F6D8 (U+1F6D8)" in text
    (line,) = [line for line in log if line["event"] == "missing_glyphs"]
    assert (line["characters"], line["invite_id"]) == (["U+1F6D8"], invite["id"])
