"""The answers of an invite as PDF, with the texts shown to the prospect."""

import io

import pypdf
import pytest
from structlog.testing import capture_logs

from tests.documents import test_pdf
from tests.documents.support import pdf_text
from tests.forms.test_responses_table import HINTS, QUESTIONS
from tests.support import interview

PAGE = {"key": "one", "title": "Page", "questions": ["name"]}
LONG = {"key": "plans", "type": "long_text", "label": "Plans"}


@pytest.fixture
def invite(organization, anonymous):
    """An invite of a lead's that is being answered."""
    questions = [*QUESTIONS, LONG]
    page = {"key": "one", "title": "Your needs", "questions": [question["key"] for question in questions]}
    lead = organization.insert("leads", first_name="Pat", last_name="Prospect", company="Engines & Co")
    invite = organization.invite(organization.template(questions=questions, pages=[page], hints=HINTS), lead_id=lead)
    answers = {"name": "<b>Ada</b> {{page}}", "sso": False, "order": ["b", "a"], "terms": True, "plans": "One\nTwo"}
    anonymous.patch(interview(invite), {"answers": answers}, status=200)
    return invite


@pytest.fixture
def printed(organization, invite):
    """printed(): the answer to a member who asks for the PDF."""
    return lambda: organization.member.get(f"/api/interview-invites/{invite['id']}/responses.pdf", status=200)


def test_a_rep_prints_the_answers_in_words_with_flags_tips_and_consents(organization, invite, printed):
    answer = printed()
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


def test_it_is_in_the_organizations_language_and_tells_its_author(organization, owner, printed):
    owner.execute("update app.organizations set locale = 'ar' where id = %s", [organization.id])
    pdf = pypdf.PdfReader(io.BytesIO(printed().body))
    assert (pdf.trailer["/Root"]["/Lang"], pdf.metadata.author) == ("ar-EG", organization.name)
    assert pdf.metadata.title.startswith("إجابات")


def test_labels_and_answers_run_in_their_own_direction(organization, anonymous):
    question = {"key": "name", "type": "short_text", "label": "שם label"}
    invite = organization.invite(organization.template(questions=[question], pages=[PAGE], language="he"))
    anonymous.patch(interview(invite), {"answers": {"name": "עדה answer"}}, status=200)
    pdf = organization.member.get(f"/api/interview-invites/{invite['id']}/responses.pdf", status=200).body
    place = {word.text: word.left for word in test_pdf.words(pdf)}
    assert place["Answers"] < 100 < min(place["label"], place["answer"])


def test_a_composed_answer_runs_in_the_direction_of_the_form(organization, anonymous):
    items = [{"value": "a", "label": "תמיכה row"}, {"value": "b", "label": "טוב column"}]
    question = {"key": "name", "type": "matrix", "label": "שם", "rows": items[:1], "columns": items}
    invite = organization.invite(organization.template(questions=[question], pages=[PAGE], language="he"))
    anonymous.patch(interview(invite), {"answers": {"name": {"a": "b"}}}, status=200)
    pdf = organization.member.get(f"/api/interview-invites/{invite['id']}/responses.pdf", status=200).body
    place = {word.text.strip(":"): word.left for word in test_pdf.words(pdf)}
    assert place["column"] < place["row"]


def test_what_no_font_prints_is_named_on_the_paper_and_in_the_log(organization, anonymous, invite, printed):
    anonymous.patch(interview(invite), {"answers": {"name": "Ada \U000e0fff\U0001f6d8"}}, status=200)
    with capture_logs() as log:
        text = " ".join(pdf_text(printed().body).split())
    assert "There is no font that prints these characters: U+1F6D8 (U+1F6D8)" in text
    (line,) = [line for line in log if line["event"] == "missing_glyphs"]
    assert (line["characters"], line["invite_id"]) == (["U+1F6D8"], invite["id"])
