"""Own fields of leads that a form fills, and that fill its questions."""

import pytest

from tests.interviews.language import question, template
from tests.support import codes, interview

FORM = template(
    question("email", "email"),
    question("seats", "number"),
    question("region", "single_choice"),
    question("topics", "multi_choice"),
    hidden_fields=["utm_source"],
)
MAPPED = {"fields.users": "seats", "fields.area": "region", "fields.likes": "topics", "fields.campaign": "utm_source"}
KINDS = {"users": "number", "area": "choice", "likes": "choices", "campaign": "text"}


@pytest.fixture
def own(admin):
    for key, type in KINDS.items():
        options = ["Cloud", "server"] if type.startswith("choice") else []
        body = {"kind": "lead", "key": key, "label": key, "type": type, "options": options}
        admin.post("/api/fields", body, status=201)


def test_answers_and_hidden_fields_become_own_fields_of_the_lead(organization, own):
    organization.public_form(**FORM, hints={"lead_fields": MAPPED})
    answers = {"email": "p@x.example", "seats": 25, "region": "cloud", "topics": ["server", "cloud"]}
    path = f"/api/public/interview/capture/{organization.name}/submit?utm_source=fair"
    organization.anonymous.post(path, {"answers": answers}, status=201)
    (lead,) = organization.leads()
    assert lead["fields"] == {"users": 25, "area": "Cloud", "likes": ["server", "Cloud"], "campaign": "fair"}


def test_own_fields_of_a_lead_fill_its_form(organization, member, own):
    made = organization.template(**FORM, hints={"lead_fields": MAPPED})
    fields = {"users": 7, "area": "Cloud", "likes": ["server"], "campaign": "fair"}
    lead = member.post("/api/leads", {"first_name": "Pat", "fields": fields}, status=201).json["id"]
    shown = organization.anonymous.get(interview(organization.invite(made, lead_id=lead)), status=200).json
    assert shown["prefill"] == {"seats": 7, "region": "cloud", "topics": ["server"]}


def test_a_template_names_own_fields_that_fit_their_question(admin, own):
    wrong = {"fields.user": "seats", "fields.area": "seats", "fields.users": "none", "fields.likes": "utm_source"}
    body = {"name": "T", "slug": "t", **FORM, "hints": {"lead_fields": wrong}}
    assert dict(codes(admin.post("/api/interview-templates", body, status=422))) == {
        "hints.lead_fields.fields.user": "unknown_key",
        "hints.lead_fields.fields.area": "wrong_question_type",
        "hints.lead_fields.fields.users": "unknown_question",
        "hints.lead_fields.fields.likes": "wrong_question_type",
    }
