"""The answers of an invite as a CSV file, in the words that the prospect saw."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.http.csv_cells import quote, unquote
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
        ("name", "Name", "'=1+1"),
        ("sso", "SSO?", "No"),
        ("order", "Order", "1. B\n2. A"),
        ("terms", "I accept the terms", "Yes"),
        ("plain", "Plain deal", "Yes"),
    ]
    assert (rows[0]["page"], rows[0]["tip"], rows[3]["given_at"]) == ("Page", "Call.", saved)


@given(st.text(st.sampled_from("=+-@'\", \t\n\r;ab＝"), max_size=12))
@settings(max_examples=300)
def test_what_is_quoted_is_read_again_as_it_was(cell):
    assert unquote(quote(cell)) == cell


@pytest.mark.parametrize("cell", ["=1", "a=1", "a,=1", "'-1", "\t1", "a\n+1", " @x", "a b", "\uff1d1", "5-3", "a;\t=x"])
def test_a_cell_is_quoted_as_the_export_of_leads_quotes_it(cell, owner):
    assert owner.execute("select app.csv_text(%s)", [cell]).fetchone() == (quote(cell),)
