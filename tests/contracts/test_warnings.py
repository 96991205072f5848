"""Warnings of a contract: tags without a value, and a signed copy without its number."""

import pytest

from tests.contracts.support import TEMPLATE, docx_file, image_file, pdf_file, upload

WITHOUT_DEAL = {
    "code": "unresolved_tags",
    "message": "The contract is in force, and these tags had no value: Licensee.name, Deal.title.",
}


@pytest.fixture
def whole(new_template, new_contract):
    """new_contract of a template whose tags all have values."""
    template = new_template(content="<h1>{{Contract.number}}</h1>", name="Whole")["id"]
    return lambda: new_contract(template_id=template)


def signed(member, contract, content, filename="signed.pdf"):
    """The contract's warnings, once a copy is uploaded: the answer is the record as it is read."""
    path = f"/api/contracts/{contract['id']}"
    answer = upload(member, f"{path}/executed", content, filename, status=201)
    assert answer.headers["ETag"] == member.get(path, status=200).headers["ETag"]
    return answer.json["warnings"]


def printed(member, contract):
    return member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body


def test_a_draft_warns_of_nothing(contract, member):
    assert contract["unresolved_tags"]
    assert contract["warnings"] == member.get(f"/api/contracts/{contract['id']}").json["warnings"] == []


def test_a_contract_that_becomes_active_without_a_value_of_a_tag_warns(contract, member):
    active = member.patch(f"/api/contracts/{contract['id']}", {"status": "active"}, status=200).json
    assert active["warnings"] == [WITHOUT_DEAL]


def test_a_contract_whose_tags_have_values_warns_of_nothing(whole, member):
    active = member.patch(f"/api/contracts/{whole()['id']}", {"status": "active"}, status=200).json
    assert active["warnings"] == []


def test_the_copy_of_a_contract_that_holds_its_number_warns_of_nothing(whole, member):
    contract = whole()
    assert signed(member, contract, printed(member, contract)) == []


def test_the_copy_of_another_contract_warns(whole, member):
    first, second = whole(), whole()
    assert signed(member, first, printed(member, second)) == [
        {
            "code": "number_not_in_copy",
            "message": f"The text of the executed copy does not contain the number {first['contract_number']}.",
        }
    ]


def test_a_number_that_only_begins_alike_is_another_one(whole, member, organization):
    first, second = whole(), whole()
    longer = f"{first['contract_number']}7"
    organization.owner.execute(
        "update app.contracts set contract_number = %s, content = %s where id = %s",
        (longer, f"<p>{longer}</p>", second["id"]),
    )
    assert [warning["code"] for warning in signed(member, first, printed(member, second))] == ["number_not_in_copy"]


def test_a_scan_is_told_to_be_unchecked(whole, member):
    assert [warning["code"] for warning in signed(member, whole(), pdf_file())] == ["number_not_checked"]


@pytest.mark.parametrize(("content", "filename"), [(image_file("PNG"), "a.png"), (docx_file(), "a.docx")])
def test_the_text_of_other_kinds_of_copies_is_not_looked_at(content, filename, whole, member):
    assert signed(member, whole(), content, filename) == []


def test_a_better_copy_and_one_that_is_taken_away_leave_no_warning(whole, member, admin):
    contract = whole()
    path = f"/api/contracts/{contract['id']}"
    for end in (lambda: signed(member, contract, printed(member, contract)), lambda: admin.delete(f"{path}/executed")):
        assert signed(member, contract, pdf_file()) != []
        end()
        assert member.get(path).json["warnings"] == []


def test_both_warnings_stand_side_by_side(contract, member):
    assert TEMPLATE["content"].count("{{") == 3
    assert [warning["code"] for warning in signed(member, contract, pdf_file())] == [
        "unresolved_tags",
        "number_not_checked",
    ]
