import csv
import io

import pypdf
import pytest

from pipeline.api.exports.csv_cells import quote
from pipeline.interviews import service
from tests.documents import test_pdf
from tests.documents.beside import pages
from tests.documents.support import faults, pdf_text
from tests.interviews.language import condition, question, template
from tests.support import interview

CONSENT = question("terms", "consent", label="I accept the [terms](https://acme.example)")
QUESTIONS = [
    question("hello", "statement", label="Hello"),
    question("name", label="Name"),
    question("sso", "yes_no", label="SSO?"),
    question("provider", label="Which?", visible_if=condition("sso", "eq", True)),
    question("order", "ranking", label="Order", options=[{"value": v, "label": v.upper()} for v in "ab"]),
    CONSENT,
]
PLAIN = {"flag": "plain", "label": "Plain deal", "when": condition("sso", "ne", True)}
HINTS = {"rep_tips": {"name": "Call."}, "rep_flags": [PLAIN]}


@pytest.fixture
def download(organization):
    """download(invite): the rows of an invite's CSV, by key."""

    def read(invite):
        answer = organization.member.get(f"/api/interview-invites/{invite['id']}/responses.csv", status=200)
        assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="responses-{invite["id"]}.csv"')
        rows = csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline=""))
        return {row["key"]: row for row in rows}

    return read


def words(rows):
    return [(key, row["question"], row["answer"]) for key, row in rows.items()]


def test_each_visible_question_is_a_row_in_words_and_each_flag_below_what_is_known_of_the_lead(answered, download):
    pages = [{"key": "one", "title": "Page", "questions": [one["key"] for one in QUESTIONS]}]
    answers = {"name": "=1+1", "sso": False, "provider": "hidden", "order": ["b", "a"], "terms": True}
    rows = download(answered(*QUESTIONS, answers=answers, pages=pages, hints=HINTS))
    assert words(rows) == [
        ("lead.name", "Name", "Pat Prospect"),
        ("lead.email", "Email address", "pat@engines.example"),
        ("lead.company", "Company", "Engines & Co"),
        ("lead.job_title", "Job title", "Buyer"),
        ("lead.phone", "Phone", quote("+49 30 1")),
        ("name", "Name", "'=1+1"),
        ("sso", "SSO?", "No"),
        ("order", "Order", "1. B\n2. A"),
        ("terms", "I accept the terms", "Yes"),
        ("plain", "Plain deal", "Yes"),
    ]
    assert (rows["name"]["page"], rows["name"]["tip"]) == ("Page", "Call.")


@pytest.mark.parametrize("kind", ["csv", "pdf"])
def test_answers_that_are_deleted_meanwhile_are_not_found(organization, monkeypatch, kind):
    invite, read = organization.invite(organization.template()), service.read_responses

    def overtaken(id):
        found = read(id)
        organization.owner.execute("delete from app.interview_invites where id = %s", [id])
        return found

    monkeypatch.setattr(service, "read_responses", overtaken)
    organization.member.get(f"/api/interview-invites/{invite['id']}/responses.{kind}", status=404)


def test_a_consent_says_what_was_shown_and_the_rest_is_in_the_organizations_language(
    organization, owner, anonymous, download
):
    consent = {"questions.terms.label": "Ich stimme den **Regeln** zu", "questions.terms.help": "Alle."}
    german = {"de": {**consent, "questions.name.label": "Wie?"}}
    asked = template({**CONSENT, "help": "All of them."}, QUESTIONS[1], language="en", translations=german)
    invite = organization.invite(organization.template(**asked))
    assert download(invite)["terms"]["question"] == "I accept the terms"
    given = {"answers": {"terms": True, "name": "Ada"}}
    saved = anonymous.patch(f"{interview(invite)}?lang=de", given, status=200).json["saved_at"]
    rows = download(invite)
    assert rows["terms"]["question"] == "Ich stimme den Regeln zu Alle."
    assert (rows["terms"]["answer"], rows["terms"]["given_at"], rows["name"]["question"]) == ("Yes", saved, "Name")
    owner.execute("update app.organizations set locale = 'de' where id = %s", [organization.id])
    assert download(invite)["name"]["question"] == "Wie?"


@pytest.mark.parametrize("cell", ["=1", "a=1", "a,=1", "'-1", "\t1", "a\n+1", " @x", "a b", "\uff1d1", "5-3", "a;\t=x"])
def test_a_cell_is_quoted_as_the_export_of_leads_quotes_it(cell, owner):
    assert owner.execute("select app.csv_text(%s)", [cell]).fetchone() == (quote(cell),)


@pytest.fixture
def printed(organization):
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


def test_numbers_and_addresses_read_from_left_to_right_on_the_right_of_an_arabic_paper(
    organization, owner, answered, printed
):
    owner.execute("update app.organizations set locale = 'ar' where id = %s", [organization.id])
    asked = [question("call", "phone"), question("mail", "email")]
    pdf = printed(answered(*asked, answers={"call": "+966 11 123 4567", "mail": "ada@engine.example"})).body
    place = {word.text: word.left for word in test_pdf.words(pdf)}
    # In millimetres, of 210.
    assert 105 < place["+966"] < place["123"] < place["4567"]
    assert place["ada@engine.example"] > 105


def test_characters_without_glyph_are_named_on_the_paper(answered, printed):
    invite = answered(question("name"), answers={"name": "Ada \U000e0fff\U0010fffd"})
    text = " ".join(pdf_text(printed(invite).body).split())
    assert "There is no font that prints these characters: U+10FFFD (U+10FFFD)" in text
    assert "[u+10fffd]" in text
    assert "<" not in text


def test_emoji_print_in_colour_and_stay_whole(answered, printed):
    pdf = printed(answered(question("name"), answers={"name": "Thanks 🚀 👍🏽 👩‍🔧 🇩🇪"})).body
    assert "Thanks 🚀 👍🏽 👩‍🔧 🇩🇪" in pdf_text(pdf)
    (page,) = pages(pdf)
    colours = {colour for _count, colour in page.getcolors(page.width * page.height)}
    # Of a skin, and of a flag.
    assert all(any(close(colour, wanted) for colour in colours) for wanted in [(186, 143, 99), (222, 33, 16)])
    assert faults(pdf) == {}


def close(colour, wanted):
    return all(abs(part - other) < 25 for part, other in zip(colour, wanted, strict=True))
