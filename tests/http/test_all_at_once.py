"""One response lists all violations of a request: query, shape, references and clashes."""

import pytest

from tests.support import codes

NOBODY = 9_000_000_000
LONG, PAST = "x" * 5001, "2020-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("leads?colour=red", {"first_name": 1}, {"colour": "unknown_parameter", "first_name": "wrong_type"}),
        (
            "interview-invites",
            {
                "template_id": NOBODY,
                "recipient_email": "a@b.example\nBcc: c@d.example",
                "expires_at": PAST,
                "personal_note": LONG,
            },
            {
                "template_id": "unknown_reference",
                "recipient_email": "invalid_characters",
                "expires_at": "in_the_past",
                "personal_note": "too_long",
            },
        ),
        (
            "deals",
            {"title": "Deal", "value": 1.001, "stage_id": NOBODY},
            {"value": "too_precise", "stage_id": "unknown_reference"},
        ),
        ("auth/login", {"email": LONG, "password": LONG}, {"email": "too_long", "password": "too_long"}),
        (
            "api-keys",
            {"name": "CRM", "scopes": ["none"], "expires_at": PAST, "colour": "red"},
            {"scopes.0": "invalid_choice", "expires_at": "in_the_past", "colour": "unknown_field"},
        ),
        (
            "contract-templates",
            {"name": 1, "content": "<p>{{Deal.titel}}</p>", "header_left": "{{page", "default_term_months": 0},
            {
                "name": "wrong_type",
                "content": "unknown_tag",
                "header_left": "malformed_tag",
                "default_term_months": "out_of_range",
            },
        ),
        (
            "interview-templates",
            {
                "name": 1,
                "slug": "a",
                "pages": [{"key": "p", "questions": ["a", "platfrom"]}],
                "questions": [{"key": "a", "type": "short_text"}, {"key": "B b", "type": "email", "label": "B"}],
                "hints": {"lead_fields": {"email": "b"}},
                "branding": {"text_color": "#eeeeee"},
            },
            {
                "name": "wrong_type",
                "pages.0.questions.1": "unknown_question",
                "questions.0.label": "required",
                "questions.1.key": "invalid_format",
                "hints.lead_fields.email": "unknown_question",
                "branding.text_color": "low_contrast",
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_everything_that_is_wrong_is_named(path, body, expected, admin):
    assert dict(codes(admin.post(f"/api/{path}", body, status=422))) == expected


def test_a_taken_slug_is_named_beside_the_rest_but_never_a_records_own(admin, organization):
    slugs = {"slug": "needs", "public_slug": "needs-form"}
    template = organization.template(**slugs)
    own = codes(admin.put(f"/api/interview-templates/{template['id']}", {"name": 1, **slugs}, status=422))
    other = codes(admin.post("/api/interview-templates", slugs, status=422))
    assert not [code for _, code in own if code == "slug_taken"]
    assert {("slug", "slug_taken"), ("public_slug", "slug_taken"), ("name", "required")} < set(other)


def test_all_taken_slugs_are_named(admin, organization):
    slugs = {"slug": "needs", "public_slug": f"{organization.name.lower()}-needs"}
    organization.template(**slugs)
    other = organization.template()
    body = {name: other[name] for name in ("name", "pages", "questions")} | slugs
    taken = admin.post("/api/interview-templates", body, status=409)
    assert codes(taken) == [("slug", "slug_taken"), ("public_slug", "slug_taken")]
    assert codes(admin.put(f"/api/interview-templates/{other['id']}", body, status=409)) == codes(taken)
