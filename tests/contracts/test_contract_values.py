import json
from urllib.parse import urlencode

import pytest

from tests.contracts.support import path_of
from tests.http.target import assert_problem
from tests.support import codes

FIELDS = "/api/fields"
LAW = {"kind": "contract", "key": "governing_law", "label": "Governing law", "type": "text"}
IRISH = {"governing_law": "Irish law"}
# {type: (a value, one that is refused)}
KINDS = {
    "text": ("Laws of\nIreland", 1),
    "number": (2.5, "2.5"),
    "money": (250000, 1.005),
    "date": ("2026-03-31", "31.03.2026"),
    "yes_no": (True, "true"),
    "choice": ("Dublin", "Rome"),
}


@pytest.fixture
def new_field(admin):
    """new_field(**changes): an own field made through the API; returns its record."""
    return lambda **changes: admin.post(FIELDS, {**LAW, **changes}, status=201).json


@pytest.fixture
def law(new_field):
    return new_field()


@pytest.fixture
def of_all_kinds(new_field):
    """An own field of each type, called like it."""
    return [new_field(key=kind, type=kind, options=["Dublin"] if kind == "choice" else []) for kind in KINDS]


@pytest.fixture
def refused(member, template):
    """refused(**fields): what is wrong with a new contract with these values."""

    def make(**fields):
        body = {"template_id": template["id"], "effective_date": "2026-02-01", "fields": fields}
        return member.post("/api/contracts", body, status=422)

    return make


def test_an_own_field_is_a_plain_record_of_a_key_of_its_own(admin, member, new_field):
    field = new_field(required=True)
    assert field.items() >= {**LAW, "options": [], "default": None, "required": True}.items()
    assert member.get(FIELDS).json["data"] == [field]
    changed = admin.put(f"{FIELDS}/{field['id']}", {"label": "Law", "default": "Irish law"}, status=200).json
    assert (changed["required"], changed["default"]) == (False, "Irish law")
    assert_problem(admin.post(FIELDS, LAW), 409, "key_taken")


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"type": "choice"}, ("options", "required")),
        ({"options": ["a"]}, ("options", "not_offered")),
        ({"type": "choice", "options": ["a"], "default": "b"}, ("default", "invalid_choice")),
        ({"type": "yes_no", "default": "yes"}, ("default", "wrong_type")),
        ({"default": {"a": 1}}, ("default", "wrong_type")),
        ({"key": "Governing Law"}, ("key", "invalid_format")),
    ],
)
def test_a_definition_is_checked(admin, changes, wrong):
    assert codes(admin.post(FIELDS, {**LAW, **changes}, status=422)) == [wrong]


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_is_checked_by_its_type(of_all_kinds, new_contract, refused, kind):
    right, wrong = KINDS[kind]
    assert new_contract(fields={kind: right})["fields"] == {kind: right}
    answer = refused(**{kind: wrong, f"{kind}s": right})
    assert [name for name, _ in codes(answer)] == [f"fields.{kind}", f"fields.{kind}s"]
    assert answer.json["errors"][1]["code"] == "unknown_key"
    assert f'Did you mean "{kind}"?' in answer.json["errors"][1]["message"]


def test_defaults_are_filled_at_creation_and_by_a_later_put_alone(member, contract, new_field, new_contract):
    new_field(default="Irish law")
    for given in ({}, {"governing_law": None}):
        assert new_contract(fields=given)["fields"] == IRISH
    assert new_contract(fields={"governing_law": "English law"})["fields"] == {"governing_law": "English law"}
    assert member.patch(path_of(contract), {"name": "Renamed"}, status=200).json["fields"] == {}
    body = {"template_id": contract["template_id"], "effective_date": "2026-02-01"}
    assert member.put(path_of(contract), body, status=200).json["fields"] == IRISH


def test_a_default_has_the_decimals_of_the_contracts_currency(new_field, refused):
    new_field(type="money", default=1.005)
    assert [name for name, _ in codes(refused())] == ["fields.governing_law"]


def test_a_changed_value_is_a_new_revision(member, law, made):
    contract = made("<p>{{Contract.fields.governing_law}}</p>")
    assert contract["unresolved_tags"] == ["Contract.fields.governing_law"]
    changed = member.patch(path_of(contract), {"fields": IRISH}, status=200).json
    assert (changed["content"], changed["revision"], changed["unresolved_tags"]) == ("<p>Irish law</p>", 2, [])
    assert member.patch(path_of(contract), {"fields": IRISH}, status=200).json["revision"] == 2
    assert member.patch(path_of(contract), {"fields": {"governing_law": None}}, status=200).json["fields"] == {}


def test_a_required_field_is_needed_by_an_active_contract_and_kept_by_a_settled_one(member, new_field, in_status):
    new_field(required=True)
    contract, needed = in_status("draft"), [("fields.governing_law", "required")]
    assert codes(member.patch(contract, {"status": "active"}, status=422)) == needed
    member.patch(contract, {"status": "active", "fields": IRISH}, status=200)
    assert codes(member.patch(contract, {"fields": {"governing_law": None}}, status=422)) == needed
    assert_problem(member.patch(in_status("executed"), {"fields": {"governing_law": "Other"}}), 409, "contract_locked")


def test_values_of_a_deleted_field_stay_and_its_tags_are_unresolved(admin, member, made, law):
    tag = "Contract.fields.governing_law"
    contract = made(f'<p>{{{{{tag}}}}}</p><p data-if="{tag}">Law</p>', fields=IRISH)
    admin.delete(f"{FIELDS}/{law['id']}", status=204)
    again = member.put(f"{path_of(contract)}/regenerate", status=200).json
    assert (again["fields"], again["unresolved_tags"]) == (IRISH, [tag])
    assert "Law" not in again["content"]
    member.patch(path_of(contract), {"name": "Renamed"}, status=200)
    changed = member.patch(path_of(contract), {"fields": {"governing_law": "Other"}}, status=422)
    assert codes(changed) == [("fields.governing_law", "unknown_key")]


def test_a_field_made_again_with_another_type_hides_former_values(admin, member, made, new_contract, new_field, law):
    tag = "Contract.fields.governing_law"
    contract = made(f"<p>{{{{{tag}}}}}</p><p data-if=\"{tag} = 'Irish law'\">Irish</p>", fields=IRISH)
    assert contract["content"] == "<p>Irish law</p><p>Irish</p>"
    admin.delete(f"{FIELDS}/{law['id']}", status=204)
    new_field(type="number", default=7)
    again = member.put(f"{path_of(contract)}/regenerate", status=200).json
    assert again["unresolved_tags"] == [tag]
    assert new_contract(template_id=contract["template_id"])["content"] == "<p>7</p>"


PRINTED = (
    "<p>{{Contract.fields.text | upper}}; {{ Contract . fields . date | date: 'long' }}; "
    "{{Contract.fields.<i>number</i> | number}}; {{Contract.fields.money | currency}}; "
    "{{Contract.fields.yes_no | upper}}; {{Contract.fields.choice}}</p>"
    '<p data-if="Contract.fields.money &gt; 300000 or not Contract.fields.yes_no">Large</p>'
)


@pytest.mark.parametrize(
    ("language", "printed"),
    [
        ("en-US", "LAWS OF<br>IRELAND; March 31, 2026; 2.5; $250,000.00; YES; Dublin"),
        ("de", "LAWS OF<br>IRELAND; 31. März 2026; 2,5; 250.000,00 $; JA; Dublin"),
    ],
)
def test_values_print_by_type_and_language(of_all_kinds, new_template, new_contract, language, printed):
    template = new_template(content=PRINTED, language=language)["id"]
    content = new_contract(template_id=template, fields={kind: value for kind, (value, _) in KINDS.items()})["content"]
    assert content.replace("<i></i>", "").replace("\xa0", " ") == f"<p>{printed}</p>"


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("{{Contract.fields.governing_lav}}", "unknown_tag", 'Did you mean "Contract.fields.governing_law"?'),
        ("{{Contract.fields.governing_law | currency}}", "filter_misfit", "type text"),
        ("{{Deal.title.more}}", "unknown_tag", "is not a tag"),
        ('<span data-if="Contract.fields.governing_law &gt; 5">a</span>', "condition_misfit", "use =, !="),
        ('<span data-if="Contract.fields.no">a</span>', "unknown_tag", "is not a tag"),
    ],
)
def test_a_template_is_checked_by_the_own_fields(admin, law, content, code, words):
    answer = admin.post("/api/contract-templates", {"name": "T", "content": f"<p>x {content}</p>"}, status=422)
    assert codes(answer) == [("content", code)]
    assert words in answer.json["errors"][0]["message"]


def test_the_catalogue_and_its_pdf_list_own_fields(admin, law):
    groups = {group["entity"]: group["tags"] for group in admin.get("/api/contract-templates/tags").json["data"]}
    tag = {"tag": "Contract.fields.governing_law", "label": "Governing law", "type": "text", "example": "as agreed"}
    assert groups["Contract"][-1] == tag
    admin.get("/api/contract-templates/tags/pdf", status=200)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"text": "Irish law"}, [0, 1]),
        ({"text": "Irish law", "money": 250000.00}, [1]),
        ({"yes_no": False}, [2]),
        ({"text": "Irish"}, []),
        ({}, [0, 1, 2]),
    ],
)
def test_contracts_are_filtered_by_values(member, of_all_kinds, new_contract, asked, found):
    values = ({"text": "Irish law"}, {"text": "Irish law", "money": 250000}, {"money": 250000, "yes_no": False})
    ids = [new_contract(fields=fields)["id"] for fields in values]
    listed = member.get(f"/api/contracts?{urlencode({'fields': json.dumps(asked)})}", status=200).json
    assert ([record["id"] for record in listed["data"]], listed["total"]) == ([ids[n] for n in found], len(found))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Irish law", ("fields", "wrong_type")),
        ("[]", ("fields", "wrong_type")),
        ('{"governing_law": null}', ("fields", "wrong_type")),
        ('{"a": NaN}', ("fields", "wrong_type")),
        ('{"governing_lav": "x"}', ("fields.governing_lav", "unknown_key")),
        ('{"governing_law": 5}', ("fields.governing_law", "wrong_type")),
        ('{"governing_law": "' + "x" * 1000 + '"}', ("fields", "too_long")),
    ],
)
def test_a_filter_by_values_is_checked(member, law, text, wrong):
    assert codes(member.get(f"/api/contracts?{urlencode({'fields': text})}", status=422)) == [wrong]
