"""Warnings of a contract: tags without a value, and a signed copy without its number."""

import pytest

from tests.contracts.support import docx_file, image_file, pdf_file, upload


@pytest.fixture
def whole(new_template, new_contract):
    """A function that makes a contract of a template whose tags all have values."""
    template = new_template(content="<h1>{{Contract.number}}</h1>", name="Whole")["id"]
    return lambda: new_contract(template_id=template)


@pytest.fixture
def signed(member):
    """signed(contract, content, filename): the codes of the contract's warnings, once a copy is uploaded."""

    def warned(contract, content, filename="signed.pdf"):
        path = f"/api/contracts/{contract['id']}"
        answer = upload(member, f"{path}/executed", content, filename, status=201)
        assert answer.json == member.get(path, status=200).json
        return [warning["code"] for warning in answer.json["warnings"]]

    return warned


@pytest.fixture
def printed(member):
    """printed(contract): the bytes of its PDF."""
    return lambda contract: member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body


def activated(member, contract):
    return member.patch(f"/api/contracts/{contract['id']}", {"status": "active"}, status=200).json["warnings"]


def test_a_contract_that_becomes_active_without_a_value_of_a_tag_warns(contract, member):
    assert contract["unresolved_tags"]
    assert contract["warnings"] == []
    (warning,) = activated(member, contract)
    assert warning["code"] == "unresolved_tags"
    assert warning["message"].endswith("had no value: Licensee.name, Deal.title.")


def test_a_contract_whose_tags_have_values_warns_of_nothing(whole, member):
    assert activated(member, whole()) == []


def test_the_copy_of_a_contract_that_holds_its_number_warns_of_nothing(whole, signed, printed):
    contract = whole()
    assert signed(contract, printed(contract)) == []


def test_the_copy_of_another_contract_warns(whole, signed, printed):
    assert signed(whole(), printed(whole())) == ["number_not_in_copy"]


def test_a_number_that_only_begins_alike_is_another_one(whole, signed, printed, organization):
    first, second = whole(), whole()
    longer = f"{first['contract_number']}7"
    organization.owner.execute(
        "update app.contracts set contract_number = %s, content = %s where id = %s",
        (longer, f"<p>{longer}</p>", second["id"]),
    )
    assert signed(first, printed(second)) == ["number_not_in_copy"]


@pytest.mark.parametrize(
    ("content", "filename", "warnings"),
    [(pdf_file(), "scan.pdf", ["number_not_checked"]), (image_file("PNG"), "a.png", []), (docx_file(), "a.docx", [])],
    ids=["a scan as PDF", "an image", "a Word document"],
)
def test_of_copies_without_a_text_only_a_pdf_is_told_to_be_unchecked(whole, signed, content, filename, warnings):
    assert signed(whole(), content, filename) == warnings


def test_a_better_copy_and_one_that_is_taken_away_leave_no_warning(whole, signed, printed, member, admin):
    contract = whole()
    path = f"/api/contracts/{contract['id']}"
    for end in (lambda: signed(contract, printed(contract)), lambda: admin.delete(f"{path}/executed")):
        assert signed(contract, pdf_file()) != []
        end()
        assert member.get(path).json["warnings"] == []


def test_both_warnings_stand_side_by_side(contract, signed):
    assert signed(contract, pdf_file()) == ["unresolved_tags", "number_not_checked"]
