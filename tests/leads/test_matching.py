from urllib.parse import quote

import pytest


def companies(api, text):
    found = api.get(f"/api/leads/match-company?company={quote(text)}", status=200).json["data"]
    return [(row["name"], row["score"], row["reason"]) for row in found]


@pytest.mark.parametrize(
    ("text", "score", "reason"),
    [
        ("Müller & Söhne GmbH", 1.0, "exact"),
        ("muller and sohne", 0.95, "normalized"),
        ("MÜLLER & SÖHNE, Inc.", 0.95, "normalized"),
        ("mueller.example", 0.9, "domain"),
        ("https://www.mueller.example/imprint?x=1", 0.9, "domain"),
        ("ada@mueller.example", 0.9, "domain"),
    ],
)
def test_a_company_is_found_with_the_reason(organization, member, text, score, reason):
    organization.insert("companies", name="Müller & Söhne GmbH", website="https://www.mueller.example/x")
    assert companies(member, text) == [("Müller & Söhne GmbH", score, reason)]


def test_a_name_without_letters_and_digits_matches_itself_alone(organization, member):
    for name in ("???", "!!!"):
        organization.insert("companies", name=name)
    assert companies(member, "???") == [("???", 1.0, "exact")]
    assert companies(member, "?!") == []


def test_a_similar_name_scores_below_every_equal_one(organization, member):
    for name in ("Analytical Engines Ltd", "Engines Analytical", "Something Else"):
        organization.insert("companies", name=name)
    found = companies(member, "Analytical Engine")
    assert {name for name, _, _ in found} == {"Analytical Engines Ltd", "Engines Analytical"}
    assert all(0 < score < 0.85 and reason == "similar" for _, score, reason in found)


def test_at_most_five_come_best_first(organization, member):
    for name in (*(f"Acme Software {number}" for number in range(8)), "ACME Software", "Acme Software"):
        organization.insert("companies", name=name)
    _, scores, reasons = zip(*companies(member, "Acme Software"), strict=True)
    assert (len(reasons), reasons[:3]) == (5, ("exact", "normalized", "similar"))
    assert sorted(scores, reverse=True) == list(scores)


@pytest.mark.parametrize("path", ["match-company", "match-company?company=", "match-contact?email=%20"])
def test_nothing_asked_is_nothing_found(member, path):
    assert member.get(f"/api/leads/{path}", status=200).json == {"data": []}


def test_a_contact_is_found_by_equal_email_in_any_case(organization, member):
    company = organization.insert("companies", name="Engine")
    ada = {"first_name": "Ada", "email": "Ada@Example.com", "company_id": company}
    id = organization.insert("contacts", **ada)
    organization.insert("contacts", first_name="Eve", email="eve@example.com")
    found = member.get("/api/leads/match-contact?email=ADA@example.COM").json["data"]
    assert found == [{"id": id, **ada, "last_name": None, "score": 1.0}]
    assert member.get("/api/leads/match-contact?email=da@example.com").json["data"] == []


def test_another_organizations_companies_and_contacts_are_never_matched(new_organization, member):
    stranger = new_organization()
    stranger.insert("companies", name="Secret Labs", website="secret.example")
    stranger.insert("contacts", first_name="Eve", email="eve@secret.example")
    for text in ("Secret Labs", "secret lab", "secret.example", "eve@secret.example"):
        assert companies(member, text) == []
    assert member.get("/api/leads/match-contact?email=eve@secret.example").json["data"] == []
