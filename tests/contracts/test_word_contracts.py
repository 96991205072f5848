"""Contracts of Word files do what contracts of HTML do."""

import pytest

from tests.contracts.conftest import word_contract as word_contract
from tests.contracts.support import deal, path_of, pdf_file, upload
from tests.contracts.test_clauses import clause as clause
from tests.contracts.test_clauses import new_clause as new_clause
from tests.contracts.test_own_tags import define
from tests.contracts.word_files import word_file, word_text
from tests.documents.support import pdf_text
from tests.support import codes


@pytest.fixture
def printed(admin, member, template, new_contract):
    """printed(*paragraphs, **contract): the lines of a contract's Word document."""

    def make(*paragraphs, **contract):
        path = f"/api/contract-templates/{template['id']}/word"
        upload(admin, path, word_file(*paragraphs), "a.docx", status=201)
        made = new_contract(**contract)
        return word_text(member.get(f"{path_of(made)}/docx", status=200).body).split("\n")

    return make


def test_own_fields_are_tags_of_a_word_file(admin, organization, printed):
    define(admin, "deal", "region")
    id = deal(organization)
    admin.patch(f"/api/deals/{id}", {"fields": {"region": "EMEA"}}, status=200)
    assert printed("In {{Deal.fields.region | lower}}.", deal_id=id) == ["In emea."]


def test_a_word_file_holds_clauses_by_their_keys(organization, clause, printed):
    lines = printed("Before", "{{#clause liability}}", "After", deal_id=deal(organization))
    assert lines == ["Before", "Café Soft is liable.", "After"]


def test_a_changed_input_makes_the_next_revision_of_the_word_file(member, printed, organization):
    printed("From {{Contract.effective_date}} on", deal_id=deal(organization))
    (contract,) = member.get("/api/contracts").json["data"]
    changed = member.patch(path_of(contract), {"effective_date": "2026-07-01"}, status=200).json
    made = word_text(member.get(f"{path_of(contract)}/docx", status=200).body)
    assert (changed["revision"], made) == (2, "From 2026-07-01 on")


def test_a_word_contract_takes_a_signed_copy(member, word_contract):
    path = f"{path_of(word_contract)}/executed"
    signed = pdf_file(word_contract["contract_number"].encode())
    upload(member, path, signed, "signed.pdf", status=201)
    assert member.get(path, status=200).body == signed


def test_a_word_file_is_previewed_with_examples_and_html_without_a_file_is_not(admin, template, word_contract):
    path = "/api/contract-templates/preview"
    shown = admin.post(path, {"name": "a", "template_id": word_contract["template_id"]}, status=200)
    assert pdf_text(shown.body).startswith("Number RO-000042")
    refused = admin.post(path, {"name": "a", "template_id": template["id"]}, status=422)
    assert codes(refused) == [("content", "required")]
