"""A template that captures leads, as fixtures, and its leads."""

import pytest

QUESTIONS = [
    {"key": "your_name", "type": "short_text", "label": "Your name"},
    {"key": "email", "type": "email", "label": "Your email", "required": True},
    {"key": "company", "type": "short_text", "label": "Company", "max_length": 1000},
    {
        "key": "compliance",
        "type": "multi_choice",
        "label": "Rules",
        "options": [{"value": "gdpr", "label": "GDPR"}, {"value": "hipaa", "label": "HIPAA"}],
    },
    {
        "key": "officer",
        "type": "short_text",
        "label": "Officer",
        "visible_if": {"question": "compliance", "op": "answered"},
    },
]
THANKS = {"title": "Thank you", "body": "We call you."}
ANSWERS = {"your_name": "Ada King Lovelace", "email": "ada@engine.example", "company": "Engines Ltd"}


@pytest.fixture
def template(organization):
    """A template that captures leads under its organization's name."""
    return organization.template(
        public_slug=organization.name,
        lead_capture_enabled=True,
        questions=QUESTIONS,
        pages=[{"key": "you", "title": "You", "questions": [question["key"] for question in QUESTIONS]}],
        hints={"lead_fields": {"name": "your_name"}, "rep_tips": {"email": "SECRET"}},
        thank_you=THANKS,
    )


@pytest.fixture
def path(template):
    return f"/api/public/interview/capture/{template['public_slug']}"


@pytest.fixture
def capture(path, anonymous):
    """capture(answers, query="", **members): the answer to a captured form."""

    def post(answers=ANSWERS, query="", status=201, **members):
        return anonymous.post(f"{path}/submit{query}", {"answers": answers, **members}, status=status)

    return post


def leads(organization):
    return organization.admin.get("/api/leads", status=200).json["data"]
