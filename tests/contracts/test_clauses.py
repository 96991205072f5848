from functools import partial

import pytest

from tests.documents.support import pdf_text
from tests.support import both_held_up, codes

CLAUSES = "/api/clauses"
CLAUSE = {
    "key": "liability",
    "name": "Liability",
    "content": '<p>{{Licensee.name}} is liable.</p><p data-if="Quote.tax_total">Taxed.</p>',
}
PLACE = '<div data-clause="liability"></div>'
HOLDER = f"<p>Before</p>{PLACE}<p>After</p>"


@pytest.fixture
def new_clause(admin):
    """new_clause(**changes): a clause made through the API; returns its record."""
    return lambda **changes: admin.post(CLAUSES, {**CLAUSE, **changes}, status=201).json


@pytest.fixture
def clause(new_clause):
    return new_clause()


@pytest.fixture
def path(clause):
    return f"{CLAUSES}/{clause['id']}"


def test_a_clause_is_a_record_with_a_version_and_a_key_of_its_own(admin, member, clause, path):
    assert clause.items() >= {**CLAUSE, "version": 1, "language": None, "warnings": []}.items()
    listed = {name: value for name, value in clause.items() if name not in ("content", "warnings")}
    assert member.get(CLAUSES).json["data"] == [listed]
    assert admin.patch(path, {"name": "Limit", "language": "de"}, status=200).json["version"] == 2
    assert admin.post(CLAUSES, CLAUSE, status=409).json["code"] == "key_taken"
    changed = admin.patch(path, {"content": '<p onclick="x">a</p>'}, status=200).json
    assert (changed["content"], changed["warnings"][0]["code"]) == ("<p>a</p>", "removed_attribute")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<p>{{Licensee.nam}}</p>", "unknown_tag"),
        ('<p data-if="Quote.total >">a</p>', "malformed_condition"),
        (HOLDER, "misplaced_clause"),
        ("<p></p>", "required"),
    ],
)
def test_a_clause_is_checked_like_a_template(admin, path, content, code):
    for refused in (
        admin.post(CLAUSES, {**CLAUSE, "key": "other", "content": content}, status=422),
        admin.patch(path, {"content": content}, status=422),
    ):
        assert set(codes(refused)) == {("content", code)}


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ('<div data-clause="liabilty"></div>', "unknown_clause", 'Did you mean "liability"?'),
        ("<div data-clause></div>", "unknown_clause", "no such clause"),
        ('<p>a</p><div data-clause="liability"/><p>b</p>', "misplaced_clause", "must be empty"),
        ('<p>a</p><p data-clause="liability"></p>', "malformed_condition", "cannot be kept"),
        (f'<div data-each="Deal.features">{PLACE}</div>', "misplaced_clause", "repeated"),
    ],
)
def test_the_clauses_of_a_template_are_checked(admin, clause, content, code, words):
    refused = admin.post("/api/contract-templates", {"name": "T", "content": content}, status=422)
    assert codes(refused) == [("content", code)]
    assert words in refused.json["errors"][0]["message"]


@pytest.mark.parametrize(
    ("clause", "content", "printed"),
    [
        ("<p>{{Contract.number}}</p>", HOLDER, "<p>Before</p><p>RO-000001</p><p>After</p>"),
        ("Loose <b>text</b>", f"a{HOLDER}", "a<p>Before</p><div>Loose <b>text</b></div><p>After</p>"),
        ("<p>a</p>", f'<p>Before</p><div data-if="Deal.title">{PLACE}</div>', "<p>Before</p>"),
    ],
)
def test_a_contract_has_the_text_of_the_clause(made, new_clause, clause, content, printed):
    new_clause(content=clause)
    assert made(content)["content"] == printed


def test_a_contract_keeps_the_clause_until_it_is_regenerated(admin, member, made, clause, path):
    contract = made(HOLDER)
    admin.patch(path, {"content": "<p>New</p>", "language": "de"}, status=200)
    assert member.get(f"/api/contracts/{contract['id']}").json["content"] == contract["content"]
    again = member.put(f"/api/contracts/{contract['id']}/regenerate", status=200).json
    assert again["content"] == '<p>Before</p><p lang="de">New</p><p>After</p>'
    assert again["revision"] == 2


def test_references_inside_a_clause_stay_its_own(made, new_clause):
    new_clause(content='<ol class="clauses"><li id="a">One</li><li>See <a data-ref="a">1</a></li></ol>')
    content = made(
        f'<ol class="clauses"><li>First</li><li id="a">{PLACE}</li></ol><p>See <a data-ref="a">2</a></p>{PLACE}'
    )["content"]
    assert content.count('id="a"') == content.count('id="clause-2"') == 1
    assert '<a data-ref="a">2</a>' in content
    assert '<a data-ref="clause-1">2.1</a>' in content


@pytest.mark.parametrize(("method", "body"), [("DELETE", None), ("PUT", {"content": "<p>a</p>"})])
def test_a_clause_is_held_by_a_template_until_that_is_deleted_or_changed(admin, made, path, method, body):
    template = made(HOLDER)["template_id"]
    refused = admin.delete(path, status=409).json
    assert (refused["code"], refused["referred_by"]) == ("in_use", "contract templates")
    admin.request(method, f"/api/contract-templates/{template}", body)
    admin.delete(path, status=204)


def test_a_clause_that_a_template_takes_meanwhile_is_not_deleted(admin, organization, owner, path):
    delete = partial(admin.delete, path, headers={"If-Match": admin.get(path).headers["ETag"]})
    save = partial(admin.post, "/api/contract-templates", {"name": "T", "content": HOLDER})
    hold = "select from app.organizations where id = %s for update"
    saved, refused = both_held_up(owner, hold, [organization.id], save, delete)
    assert (saved.status_int, refused.status_int) == (201, 409)


def test_the_place_of_a_deleted_clause_is_empty_and_named(admin, member, made, path):
    contract = made(HOLDER)
    admin.delete(f"/api/contract-templates/{contract['template_id']}", status=204)
    admin.delete(path, status=204)
    again = member.put(f"/api/contracts/{contract['id']}/regenerate", status=200).json
    assert again["unresolved_tags"] == ["clause liability"]
    assert "data-clause" not in again["content"]


def test_a_preview_shows_the_clause(admin, clause):
    preview = admin.post("/api/contract-templates/preview", {"content": HOLDER}, status=200)
    assert "is liable." in pdf_text(preview.body)


def test_a_clause_too_deep_for_its_place_is_refused(admin, member, new_template, new_clause):
    new_clause(content="<ul><li>" * 6 + "a" + "</li></ul>" * 6)
    content = "<ul><li>" * 5 + PLACE + "</li></ul>" * 5
    body = {"template_id": new_template(content=content)["id"], "effective_date": "2026-02-01"}
    assert member.post("/api/contracts", body, status=422).json["code"] == "document_too_complex"
