"""The organization's own fields of contracts: definitions, values, tags."""

import json
from urllib.parse import urlencode

import pytest

FIELDS = "/api/contract-fields"
LAW = {"key": "governing_law", "label": "Governing law", "type": "text"}
CAP = {"key": "cap", "label": "Cap of liability", "type": "money"}
KINDS = [
    ("text", "Laws of\nIreland", 1),
    ("number", 2.5, "2.5"),
    ("money", 250000, -1),
    ("date", "2026-03-31", "31.03.2026"),
    ("yes_no", True, "true"),
    ("choice", "Dublin", "Rome"),
]


@pytest.fixture
def new_field(admin):
    """new_field(**changes): an own field made through the API; returns its record."""
    return lambda **changes: admin.post(FIELDS, {**LAW, **changes}, status=201).json


@pytest.fixture
def law(new_field):
    """An own field of type text."""
    return new_field()


def made_with(new_template, member, content, **body):
    """A contract made from a template text."""
    template = new_template(content=content)
    given = {"template_id": template["id"], "effective_date": "2026-02-01", **body}
    return member.post("/api/contracts", given, status=201).json


def codes(response):
    """{name: code} of a refusal."""
    return {error["name"]: error["code"] for error in response.json["errors"]}


def test_an_own_field_is_a_plain_record(admin, member, new_field):
    field = new_field(required=True)
    path = f"{FIELDS}/{field['id']}"
    assert field.items() >= {**LAW, "options": [], "default": None, "required": True}.items()
    assert member.get(FIELDS).json["data"] == [field]
    assert admin.patch(path, {"label": "Law"}, status=200).json["label"] == "Law"
    assert admin.put(path, {"label": "Law", "default": "Irish law"}, status=200).json["required"] is False
    admin.delete(path, status=204)
    member.get(path, status=404)


def test_a_key_is_unique_and_fixed_like_the_type(admin, law):
    assert admin.post(FIELDS, LAW, status=409).json["code"] == "key_taken"
    changed = admin.put(f"{FIELDS}/{law['id']}", {**LAW, "type": "number"}, status=422)
    assert codes(changed) == {"type": "read_only"}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"type": "choice"}, {"options": "required"}),
        ({"options": ["a"]}, {"options": "not_offered"}),
        ({"type": "choice", "options": ["a"], "default": "b"}, {"default": "invalid_choice"}),
        ({"type": "yes_no", "default": "yes"}, {"default": "wrong_type"}),
        ({"default": {"a": 1}}, {"default": "wrong_type"}),
        ({"key": "Governing Law"}, {"key": "invalid_format"}),
    ],
)
def test_a_definition_is_checked(admin, changes, wrong):
    assert codes(admin.post(FIELDS, {**LAW, **changes}, status=422)) == wrong


def test_a_changed_default_is_checked_by_the_type(admin, new_field):
    field = new_field(key="seats", type="number")
    changed = admin.patch(f"{FIELDS}/{field['id']}", {"default": "many"}, status=422)
    assert codes(changed) == {"default": "wrong_type"}


@pytest.mark.parametrize(("kind", "right", "wrong"), KINDS)
def test_a_value_is_checked_by_its_type(member, new_field, new_contract, template, kind, right, wrong):
    new_field(key="own", type=kind, options=["Dublin", "Cork"] if kind == "choice" else [])
    contract = new_contract(fields={"own": right})
    assert member.get(f"/api/contracts/{contract['id']}").json["fields"] == {"own": right} == contract["fields"]
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "fields": {"own": wrong}}
    assert list(codes(member.post("/api/contracts", body, status=422))) == ["fields.own"]


def test_an_amount_has_the_decimals_of_the_currency(member, new_field, template):
    new_field(**CAP)
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "fields": {"cap": 1.005}}
    assert codes(member.post("/api/contracts", body, status=422)) == {"fields.cap": "too_precise"}


def test_an_unknown_key_is_refused_with_the_nearest_one(member, law, template):
    body = {"template_id": 0x7FFF, "effective_date": "2026-02-01", "fields": {"governing_lav": "Irish"}}
    refused = member.post("/api/contracts", body, status=422)
    assert codes(refused) == {"template_id": "unknown_reference", "fields.governing_lav": "unknown_key"}
    assert 'Did you mean "governing_law"?' in refused.text.replace('\\"', '"')


def test_defaults_are_filled_at_creation(new_field, new_contract):
    new_field(default="Irish law")
    assert new_contract()["fields"] == {"governing_law": "Irish law"}
    assert new_contract(fields={"governing_law": None})["fields"] == {"governing_law": "Irish law"}
    assert new_contract(fields={"governing_law": "English law"})["fields"] == {"governing_law": "English law"}


def test_a_changed_value_is_a_new_revision(member, new_template, new_field):
    new_field()
    contract = made_with(new_template, member, "<p>{{Contract.fields.governing_law}}</p>")
    assert contract["unresolved_tags"] == ["Contract.fields.governing_law"]
    path = f"/api/contracts/{contract['id']}"
    changed = member.patch(path, {"fields": {"governing_law": "Irish law"}}, status=200).json
    assert (changed["content"], changed["revision"], changed["unresolved_tags"]) == ("<p>Irish law</p>", 2, [])
    assert member.patch(path, {"fields": {"governing_law": "Irish law"}}, status=200).json["revision"] == 2
    assert member.patch(path, {"fields": {"governing_law": None}}, status=200).json["fields"] == {}


def test_a_later_default_changes_no_contract_by_a_patch(member, new_field, contract):
    new_field(default="Irish law")
    path = f"/api/contracts/{contract['id']}"
    assert member.patch(path, {"name": "Renamed"}, status=200).json["fields"] == {}
    body = {"template_id": contract["template_id"], "effective_date": "2026-02-01"}
    assert member.put(path, body, status=200).json["fields"] == {"governing_law": "Irish law"}


def test_a_required_field_is_needed_by_an_active_contract(member, new_field, contract):
    new_field(required=True)
    path = f"/api/contracts/{contract['id']}"
    assert codes(member.patch(path, {"status": "active"}, status=422)) == {"fields.governing_law": "required"}
    member.patch(path, {"status": "active", "fields": {"governing_law": "Irish law"}}, status=200)
    emptied = member.patch(path, {"fields": {"governing_law": None}}, status=422)
    assert codes(emptied) == {"fields.governing_law": "required"}


def test_a_settled_contract_keeps_its_values(member, new_field, in_status):
    new_field()
    path = in_status("executed")
    changed = member.patch(path, {"fields": {"governing_law": "Irish law"}}, status=409)
    assert changed.json["code"] == "contract_locked"


def test_values_of_a_deleted_field_stay_and_its_tags_are_unresolved(admin, member, new_template, law):
    contract = made_with(
        new_template,
        member,
        '<p>{{Contract.fields.governing_law}}</p><p data-if="Contract.fields.governing_law">Law</p>',
        fields={"governing_law": "Irish law"},
    )
    admin.delete(f"{FIELDS}/{law['id']}", status=204)
    path = f"/api/contracts/{contract['id']}"
    again = member.put(f"{path}/regenerate", status=200).json
    assert (again["fields"], again["unresolved_tags"]) == (contract["fields"], ["Contract.fields.governing_law"])
    assert "Law" not in again["content"]
    assert "{{" not in again["content"]
    member.patch(path, {"name": "Renamed"}, status=200)
    assert codes(member.patch(path, {"fields": {"governing_law": "Other"}}, status=422)) == {
        "fields.governing_law": "unknown_key"
    }


def test_a_field_made_again_with_another_type_hides_former_values(admin, member, new_template, new_field, law):
    content = '<p>{{Contract.fields.governing_law}}</p><p data-if="Contract.fields.governing_law = Irish">Irish</p>'
    contract = made_with(new_template, member, content, fields={"governing_law": "Irish"})
    assert "<p>Irish</p><p>Irish</p>" in contract["content"]
    admin.delete(f"{FIELDS}/{law['id']}", status=204)
    new_field(type="number", default=7)
    again = member.put(f"/api/contracts/{contract['id']}/regenerate", status=200).json
    assert again["unresolved_tags"] == ["Contract.fields.governing_law"]
    other = member.post(
        "/api/contracts", {"template_id": contract["template_id"], "effective_date": "2026-02-01"}, status=201
    )
    assert other.json["content"] == "<p>7</p>"


PRINTED = (
    "<p>{{Contract.fields.text | upper}}; {{ Contract . fields . date | date: 'long' }}; "
    "{{Contract.fields.<i>number</i> | number}}; {{Contract.fields.money | currency}}; "
    "{{Contract.fields.yes_no | upper}}; {{Contract.fields.choice}}</p>"
)


@pytest.mark.parametrize(
    ("language", "printed"),
    [
        ("en-US", "LAWS OF<br>IRELAND; March 31, 2026; 2.5; $250,000.00; YES; Dublin"),
        ("de", "LAWS OF<br>IRELAND; 31. März 2026; 2,5; 250.000,00 $; JA; Dublin"),
    ],
)
def test_values_print_by_type_and_language(member, new_template, new_field, language, printed):
    for kind, _, _ in KINDS:
        new_field(key=kind, type=kind, options=["Dublin"] if kind == "choice" else [])
    template = new_template(content=PRINTED, language=language)
    values = {kind: value for kind, value, _ in KINDS}
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "fields": values}
    content = member.post("/api/contracts", body, status=201).json["content"]
    assert content.replace("<i></i>", "").replace("\xa0", " ") == f"<p>{printed}</p>"


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("Contract.fields.cap > 100000", True),
        ("Contract.fields.cap <= 100000", False),
        ("not Contract.fields.exclusive", True),
        ("Contract.fields.exclusive or Contract.fields.cap = 250000", True),
    ],
)
def test_conditions_ask_for_own_fields(member, new_template, new_field, condition, kept):
    new_field(**CAP)
    new_field(key="exclusive", type="yes_no")
    content = f'<p>Always</p><p data-if="{condition}">Capped</p>'
    contract = made_with(new_template, member, content, fields={"cap": 250000, "exclusive": False})
    assert ("Capped" in contract["content"]) is kept


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
    refused = admin.post("/api/contract-templates", {"name": "T", "content": f"<p>x {content}</p>"}, status=422)
    (error,) = refused.json["errors"]
    assert error["code"] == code
    assert words in error["message"]


def test_the_catalogue_and_its_pdf_list_own_fields(admin, law):
    groups = {group["entity"]: group["tags"] for group in admin.get("/api/contract-templates/tags").json["data"]}
    assert groups["Contract"][-1] == {
        "tag": "Contract.fields.governing_law",
        "label": "Governing law",
        "type": "text",
        "example": "as agreed",
    }
    admin.get("/api/contract-templates/tags/pdf", status=200)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"governing_law": "Irish law"}, [0, 1]),
        ({"governing_law": "Irish law", "cap": 250000}, [1]),
        ({"cap": 250000.00}, [1, 2]),
        ({"exclusive": False}, [2]),
        ({"governing_law": "Irish"}, []),
        ({}, [0, 1, 2]),
    ],
)
def test_contracts_are_filtered_by_values(member, new_field, new_contract, law, asked, found):
    new_field(**CAP)
    new_field(key="exclusive", type="yes_no")
    irish = {"governing_law": "Irish law"}
    values = (irish, irish | {"cap": 250000}, {"cap": 250000, "exclusive": False})
    ids = [new_contract(fields=fields)["id"] for fields in values]
    listed = member.get(f"/api/contracts?{urlencode({'fields': json.dumps(asked)})}", status=200).json
    assert ([record["id"] for record in listed["data"]], listed["total"]) == ([ids[n] for n in found], len(found))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Irish law", {"fields": "wrong_type"}),
        ("[]", {"fields": "wrong_type"}),
        ('{"governing_law": null}', {"fields": "wrong_type"}),
        ('{"a": NaN}', {"fields": "wrong_type"}),
        ('{"governing_lav": "x"}', {"fields.governing_lav": "unknown_key"}),
        ('{"governing_law": 5}', {"fields.governing_law": "wrong_type"}),
        ('{"governing_law": {}}', {"fields.governing_law": "wrong_type"}),
        ('{"governing_law": "' + "x" * 1000 + '"}', {"fields": "too_long"}),
    ],
)
def test_a_filter_by_values_is_checked(member, law, text, wrong):
    refused = member.get(f"/api/contracts?{urlencode({'fields': text})}", status=422)
    assert codes(refused) == wrong
    assert {error["location"] for error in refused.json["errors"]} == {"query"}


def test_another_organizations_fields_are_unknown(new_organization, law):
    other = new_organization()
    assert other.member.get(FIELDS).json["data"] == []
    body = {"name": "T", "content": "<p>{{Contract.fields.governing_law}}</p>"}
    other.admin.post("/api/contract-templates", body, status=422)
