"""One response lists all violations of a request: query, shape, references and clashes."""

import pytest

from tests.support import codes

NOBODY = 9_000_000_000


def test_query_and_body_are_judged_together(member):
    answer = member.post("/api/leads?colour=red", {"first_name": 1}, status=422)
    assert codes(answer) == [("colour", "unknown_parameter"), ("first_name", "wrong_type")]
    assert [error["location"] for error in answer.json["errors"]] == ["query", "body"]


def test_repeated_and_wrong_parameters_are_named_together(member):
    answer = member.get("/api/leads?page=0&scope=me&scope=team", status=422)
    assert codes(answer) == [("scope", "repeated"), ("page", "out_of_range")]


def test_a_moment_that_is_over_is_named_beside_the_rest(member, admin):
    over = {"expires_at": "2020-01-01T00:00:00Z", "colour": "red"}
    for api, path, needed in (
        (member, "/api/interview-invites", {"template_id": NOBODY, "recipient_email": "pat@prospect.example"}),
        (admin, "/api/api-keys", {"name": "CRM", "scopes": ["none"]}),
    ):
        refused = codes(api.post(path, {**needed, **over}, status=422))
        assert {("expires_at", "in_the_past"), ("colour", "unknown_field")} < set(refused)


def test_a_taken_slug_is_named_beside_the_rest_but_never_a_records_own(admin, organization):
    template = organization.template(slug="needs", public_slug="needs-form")
    path = f"/api/interview-templates/{template['id']}"
    own = codes(admin.put(path, {"name": 1, "slug": "needs", "public_slug": "needs-form"}, status=422))
    other = codes(admin.post("/api/interview-templates", {"slug": "needs", "public_slug": "needs-form"}, status=422))
    assert not [code for _, code in own if code == "slug_taken"]
    assert {("slug", "slug_taken"), ("public_slug", "slug_taken"), ("name", "required")} < set(other)


def test_the_texts_of_a_contract_template_are_judged_beside_its_fields(admin):
    body = {"name": 1, "content": "<p>{{Deal.titel}}</p>", "header_left": "{{page", "default_term_months": 0}
    found = codes(admin.post("/api/contract-templates", body, status=422))
    assert set(found) == {
        ("name", "wrong_type"),
        ("content", "unknown_tag"),
        ("header_left", "malformed_tag"),
        ("default_term_months", "out_of_range"),
    }


def test_every_reference_that_leads_nowhere_is_named(member):
    body = {"title": "Deal", "company_id": NOBODY, "contact_id": NOBODY, "stage_id": NOBODY, "owner_id": NOBODY}
    found = codes(member.post("/api/deals", body, status=422))
    assert sorted(found) == [
        (name, "unknown_reference") for name in ("company_id", "contact_id", "owner_id", "stage_id")
    ]


def test_a_record_of_another_organization_is_as_unknown_as_none(member, new_organization):
    company = new_organization().admin.post("/api/companies", {"name": "Theirs"}, status=201).json["id"]
    body = {"first_name": 1, "company_id": company}
    assert codes(member.post("/api/contacts", body, status=422)) == [
        ("first_name", "wrong_type"),
        ("company_id", "unknown_reference"),
    ]


def test_what_is_taken_and_what_leads_nowhere_are_named_together(member):
    deal = member.post("/api/deals", {"title": "Deal"}, status=201).json["id"]
    member.post("/api/quotes", {"deal_id": deal, "quote_number": "Q-1"}, status=201)
    body = {"deal_id": NOBODY, "quote_number": "Q-1"}
    assert codes(member.post("/api/quotes", body, status=422)) == [
        ("quote_number", "quote_number_taken"),
        ("deal_id", "unknown_reference"),
    ]


def test_a_template_with_a_wrong_name_is_told_of_its_colours_and_its_inside_too(admin):
    body = {
        "name": 1,
        "slug": "a",
        "pages": [{"key": "p", "questions": ["a", "platfrom"]}],
        "questions": [{"key": "a", "type": "short_text"}],
        "branding": {"text_color": "#eeeeee"},
    }
    found = set(codes(admin.post("/api/interview-templates", body, status=422)))
    assert found == {
        ("name", "wrong_type"),
        ("pages.0.questions.1", "unknown_question"),
        ("questions.0.label", "required"),
        ("branding.text_color", "low_contrast"),
    }


@pytest.mark.parametrize("field", ["first_name", "company", "job_title"])
@pytest.mark.parametrize(
    "text", ["two\nlines", "a\ttab", "a\x07bell", "next\x85line", "line\u2028separator", "gpj\u202eexe", "a\u2067b"]
)
def test_a_single_line_holds_no_control_characters(field, text, member):
    body = {"first_name": "Pat", field: text}
    assert codes(member.post("/api/leads", body, status=422)) == [(field, "invalid_characters")]


def test_tags_are_trimmed_and_each_is_kept_once(member):
    lead = member.post("/api/leads", {"first_name": "Pat", "tags": " warm ,berlin;Warm,, new  york "}, status=201).json
    assert lead["tags"] == "warm, berlin, new york"
    assert member.post("/api/leads", {"first_name": "Pat", "tags": " , "}, status=201).json["tags"] is None
