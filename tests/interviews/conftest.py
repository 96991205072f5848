import pytest

from tests.interviews.language import condition, question, template

QUESTIONS = [
    question("your_name"),
    question("email", "email", required=True),
    question("company", max_length=1000),
    question("compliance", "multi_choice", options=[{"value": v, "label": v.upper()} for v in ("gdpr", "hipaa")]),
    question("officer", visible_if=condition("compliance", "answered")),
]
THANKS = {"title": "Thank you", "body": "We call you."}
ANSWERS = {"your_name": "Ada King Lovelace", "email": "ada@engine.example", "company": "Engines Ltd"}
HINTS = {"lead_fields": {"name": "your_name"}, "rep_tips": {"email": "SECRET"}}


@pytest.fixture
def invite(organization):
    return organization.invite()


@pytest.fixture
def form(organization):
    """A template that captures leads under its organization's name."""
    return organization.public_form(**template(*QUESTIONS), hints=HINTS, thank_you=THANKS)


@pytest.fixture
def path(form):
    return f"/api/public/interview/capture/{form['public_slug']}"


@pytest.fixture
def capture(path, anonymous):
    """capture(answers, query="", **members): the answer to a captured form."""

    def post(answers=ANSWERS, query="", status=201, **members):
        return anonymous.post(f"{path}/submit{query}", {"answers": answers, **members}, status=status)

    return post
