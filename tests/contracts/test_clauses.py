"""Clauses: records, their place in templates, and the contracts made from them."""

import pytest

from tests.documents.support import pdf_text, word_text

CLAUSES = "/api/clauses"
CLAUSE = {
    "key": "liability",
    "name": "Liability",
    "content": '<p>{{Licensee.name}} is liable.</p><p data-if="Quote.tax_total">Taxed.</p>',
}
HOLDER = '<p>Before</p><div data-clause="liability"></div><p>After</p>'


@pytest.fixture
def new_clause(admin):
    """new_clause(**changes): a clause made through the API; returns its record."""
    return lambda **changes: admin.post(CLAUSES, {**CLAUSE, **changes}, status=201).json


@pytest.fixture
def clause(new_clause):
    """A clause with a tag and a condition."""
    return new_clause()


@pytest.fixture
def made(new_template, member):
    """made(content): a contract made from a template text."""

    def make(content):
        body = {"template_id": new_template(content=content)["id"], "effective_date": "2026-02-01"}
        return member.post("/api/contracts", body, status=201).json

    return make


def codes(response):
    """{name: code} of a refusal."""
    return {error["name"]: error["code"] for error in response.json["errors"]}


def test_a_clause_is_a_record_with_a_version(admin, member, clause):
    path = f"{CLAUSES}/{clause['id']}"
    assert clause.items() >= {**CLAUSE, "version": 1, "language": None, "warnings": []}.items()
    listed = {name: value for name, value in clause.items() if name not in ("content", "warnings")}
    assert member.get(CLAUSES).json["data"] == [listed]
    assert admin.patch(path, {"name": "Limit", "language": "de"}, status=200).json["version"] == 2
    assert admin.put(path, {**clause, "version": 2, "name": "Limit", "language": "de"}, status=200).json["version"] == 2
    admin.delete(path, status=204)
    member.get(path, status=404)


def test_a_clauses_key_is_unique_and_fixed(admin, clause):
    assert admin.post(CLAUSES, CLAUSE, status=409).json["code"] == "key_taken"
    assert codes(admin.patch(f"{CLAUSES}/{clause['id']}", {"key": "x"}, status=422)) == {"key": "read_only"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<p>{{Licensee.nam}}</p>", "unknown_tag"),
        ('<p data-if="Quote.total >">a</p>', "malformed_condition"),
        ('<p>a</p><div data-clause="liability"></div>', "misplaced_clause"),
        ("<p></p>", "required"),
    ],
)
def test_a_clause_is_checked_like_a_template(admin, clause, content, code):
    for refused in (
        admin.post(CLAUSES, {**CLAUSE, "key": "other", "content": content}, status=422),
        admin.patch(f"{CLAUSES}/{clause['id']}", {"content": content}, status=422),
    ):
        assert codes(refused) == {"content": code}


def test_what_a_clause_loses_is_a_warning(admin, new_clause):
    clause = new_clause(content='<p onclick="x">a</p>')
    assert clause["content"] == "<p>a</p>"
    assert [warning["code"] for warning in clause["warnings"]] == ["removed_attribute"]
    renamed = admin.patch(f"{CLAUSES}/{clause['id']}", {"name": "Other"}, status=200).json
    assert renamed["warnings"] == clause["warnings"]


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ('<div data-clause="liabilty"></div>', "unknown_clause", 'data-clause="liabilty"'),
        ('<div data-clause="liabilty"></div>', "unknown_clause", 'Did you mean "liability"?'),
        ("<div data-clause></div>", "unknown_clause", "no such clause"),
        ('<p>a</p><div data-clause="liability"/><p>b</p>', "misplaced_clause", "must be empty"),
        ('<p>a</p><p data-clause="liability"></p>', "malformed_condition", "cannot be kept"),
        ('<div data-each="Deal.features"><div data-clause="liability"></div></div>', "misplaced_clause", "repeated"),
    ],
)
def test_the_clauses_of_a_template_are_checked(admin, clause, content, code, words):
    refused = admin.post("/api/contract-templates", {"name": "T", "content": content}, status=422)
    (error,) = refused.json["errors"]
    assert (error["name"], error["code"]) == ("content", code)
    assert words in error["message"]


def test_a_contract_has_the_text_of_the_clause(made, clause):
    contract = made(HOLDER)
    blank = '<span class="blank">________________</span>'
    assert contract["content"] == f"<p>Before</p><p>{blank} is liable.</p><p>After</p>"
    assert contract["unresolved_tags"] == ["Licensee.name"]


def test_a_section_alone_can_hold_a_clause(made, clause):
    assert "is liable" in made('<section data-clause="liability"></section>')["content"]


def test_loose_text_of_a_clause_keeps_its_element(made, new_clause):
    new_clause(content="Loose <b>text</b>")
    assert made("a" + HOLDER)["content"] == "a<p>Before</p><div>Loose <b>text</b></div><p>After</p>"


def test_a_clause_can_be_conditional(made, clause):
    assert (
        "liable"
        not in made(f'{HOLDER}<div data-if="Deal.title"><div data-clause="liability"></div></div>')[
            "content"
        ].partition("After")[2]
    )


def test_a_contract_keeps_the_clause_until_it_is_regenerated(admin, member, made, new_clause):
    clause = new_clause(content="<p>Old</p>")
    contract = made(HOLDER)
    path = f"/api/contracts/{contract['id']}"
    admin.patch(f"{CLAUSES}/{clause['id']}", {"content": "<p>New</p>", "language": "de"}, status=200)
    assert member.get(path).json["content"] == contract["content"]
    again = member.put(f"{path}/regenerate", status=200).json
    assert again["content"] == '<p>Before</p><p lang="de">New</p><p>After</p>'
    assert again["revision"] == 2


def test_own_fields_print_in_clauses(admin, made, new_clause):
    field = {"key": "law", "label": "Law", "type": "text", "default": "Irish law"}
    admin.post("/api/contract-fields", field, status=201)
    new_clause(content="<p>{{Contract.fields.law}}</p>")
    assert "<p>Irish law</p>" in made(HOLDER)["content"]


def test_references_inside_a_clause_stay_its_own(made, new_clause):
    new_clause(content='<ol class="clauses"><li id="a">One</li><li>See <a data-ref="a">1</a></li></ol>')
    content = made(
        '<ol class="clauses"><li>First</li><li id="a"><div data-clause="liability"></div></li></ol>'
        '<p>See <a data-ref="a">2</a></p><div data-clause="liability"></div>'
    )["content"]
    assert content.count('id="a"') == 1
    assert '<a data-ref="a">2</a>' in content
    assert '<a data-ref="clause-1">2.1</a>' in content
    assert content.count('id="clause-2"') == 1


def test_a_clause_that_a_current_template_holds_cannot_be_deleted(admin, member, made, clause):
    contract = made(HOLDER)
    path = f"{CLAUSES}/{clause['id']}"
    refused = admin.delete(path, status=409).json
    assert (refused["code"], refused["referred_by"]) == ("in_use", "contract templates")
    admin.delete(f"/api/contract-templates/{contract['template_id']}", status=204)
    admin.delete(path, status=204)
    again = member.put(f"/api/contracts/{contract['id']}/regenerate", status=200).json
    assert again["unresolved_tags"] == ["clause liability"]
    assert "data-clause" not in again["content"]


def test_a_template_without_the_clause_lets_it_go(admin, new_template, clause):
    template = new_template(content=HOLDER)
    admin.put(f"/api/contract-templates/{template['id']}", {"content": "<p>a</p>"}, status=200)
    admin.delete(f"{CLAUSES}/{clause['id']}", status=204)


def test_a_preview_shows_the_clause(admin, clause):
    admin.post("/api/contract-templates/preview", {"content": HOLDER}, status=200)
    admin.post("/api/contract-templates/preview", {"content": HOLDER.replace("liability", "no")}, status=422)


def test_a_clause_too_deep_for_its_place_is_refused(admin, member, new_template, new_clause):
    new_clause(content="<ul><li>" * 6 + "a" + "</li></ul>" * 6)
    content = "<ul><li>" * 5 + '<div data-clause="liability"></div>' + "</li></ul>" * 5
    body = {"template_id": new_template(content=content)["id"], "effective_date": "2026-02-01"}
    assert member.post("/api/contracts", body, status=422).json["code"] == "document_too_complex"


def test_another_organizations_clause_is_unknown(new_organization, clause):
    other = new_organization()
    refused = other.admin.post("/api/contract-templates", {"name": "T", "content": HOLDER}, status=422)
    assert codes(refused) == {"content": "unknown_clause"}
    other.admin.post(CLAUSES, {**CLAUSE, "content": "<p>Theirs</p>"}, status=201)


def test_pdf_and_word_hold_the_clause(member, made, new_clause):
    new_clause(content="<p>The cap is in the clause.</p>")
    path = f"/api/contracts/{made(HOLDER)['id']}"
    assert "The cap is in the clause." in pdf_text(member.get(f"{path}/pdf", status=200).body)
    assert "The cap is in the clause." in word_text(member.get(f"{path}/docx", status=200).body)
