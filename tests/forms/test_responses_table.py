"""The answers of an invite as a CSV file, with the texts shown to the prospect."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.http.endpoints.csv_cells import quote, unquote
from tests.support import interview

CONSENT = {"key": "terms", "type": "consent", "label": "I accept the [terms](https://acme.example)"}
QUESTIONS = [
    {"key": "hello", "type": "statement", "label": "Hello"},
    {"key": "name", "type": "short_text", "label": "Name"},
    {"key": "sso", "type": "yes_no", "label": "SSO?"},
    {
        "key": "provider",
        "type": "short_text",
        "label": "Which?",
        "visible_if": {"question": "sso", "op": "eq", "value": True},
    },
    {"key": "order", "type": "ranking", "label": "Order", "options": [{"value": v, "label": v.upper()} for v in "ab"]},
    CONSENT,
]
HINTS = {
    "rep_tips": {"name": "Call."},
    "rep_flags": [{"flag": "plain", "label": "Plain deal", "when": {"question": "sso", "op": "ne", "value": True}}],
}


@pytest.fixture
def table(organization, anonymous):
    """The rows of an invite that is being answered, by column."""
    keys = [question["key"] for question in QUESTIONS]
    template = organization.template(
        questions=QUESTIONS, pages=[{"key": "one", "title": "Page", "questions": keys}], hints=HINTS
    )
    invite = organization.invite(template)
    answers = {"name": "=1+1", "sso": False, "provider": "hidden", "order": ["b", "a"], "terms": True}
    saved = anonymous.patch(interview(invite), {"answers": answers}, status=200).json["saved_at"]
    answer = organization.member.get(f"/api/interview-invites/{invite['id']}/responses.csv", status=200)
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="responses-{invite["id"]}.csv"')
    return saved, [*csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline=""))]


def test_each_visible_question_is_a_row_in_words_and_each_flag(table):
    saved, rows = table
    assert [(row["key"], row["question"], row["answer"]) for row in rows] == [
        ("lead.email", "Email address", "pat@prospect.example"),
        ("name", "Name", "'=1+1"),
        ("sso", "SSO?", "No"),
        ("order", "Order", "1. B\n2. A"),
        ("terms", "I accept the terms", "Yes"),
        ("plain", "Plain deal", "Yes"),
    ]
    assert (rows[1]["page"], rows[1]["tip"], rows[4]["given_at"]) == ("Page", "Call.", saved)


def download(organization, invite):
    """The rows of an invite's CSV, by key."""
    answer = organization.member.get(f"/api/interview-invites/{invite['id']}/responses.csv", status=200)
    rows = csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline=""))
    return {row["key"]: row for row in rows}


def test_what_is_known_of_the_lead_stands_first(organization):
    person = {"first_name": "Ada", "last_name": "Byron", "email": "ada@prospect.example", "company": "=Acme"}
    lead = organization.insert("leads", **person, phone="+49 30 1", job_title="Buyer")
    rows = download(organization, organization.invite(lead_id=lead))
    assert [(key, row["question"], row["answer"]) for key, row in rows.items()][:5] == [
        ("lead.name", "Name", "Ada Byron"),
        ("lead.email", "Email address", "ada@prospect.example"),
        ("lead.company", "Company", "'=Acme"),
        ("lead.job_title", "Job title", "Buyer"),
        ("lead.phone", "Phone", quote("+49 30 1")),
    ]


def test_a_consent_says_what_was_shown_in_the_language_in_which_it_was_shown(organization, anonymous):
    german = {"questions.terms.label": "Ich stimme den **Regeln** zu", "questions.terms.help": "Alle."}
    template = organization.template(
        questions=[{**CONSENT, "help": "All of them."}, QUESTIONS[1]],
        pages=[{"key": "one", "questions": ["terms", "name"]}],
        language="en",
        translations={"de": {**german, "questions.name.label": "Wie?"}},
    )
    invite = organization.invite(template)
    rows = download(organization, invite)
    assert rows["terms"]["question"] == "I accept the terms"
    anonymous.patch(f"{interview(invite)}?lang=de", {"answers": {"terms": True, "name": "Ada"}}, status=200)
    rows = download(organization, invite)
    assert rows["terms"]["question"] == "Ich stimme den Regeln zu Alle."
    assert (rows["terms"]["answer"], rows["name"]["question"]) == ("Yes", "Name")


@given(st.text(st.sampled_from("=+-@'\", \t\n\r;ab＝"), max_size=12))
@settings(max_examples=300)
def test_what_is_quoted_is_read_again_as_it_was(cell):
    assert unquote(quote(cell)) == cell


@pytest.mark.parametrize("cell", ["=1", "a=1", "a,=1", "'-1", "\t1", "a\n+1", " @x", "a b", "\uff1d1", "5-3", "a;\t=x"])
def test_a_cell_is_quoted_as_the_export_of_leads_quotes_it(cell, owner):
    assert owner.execute("select app.csv_text(%s)", [cell]).fetchone() == (quote(cell),)
