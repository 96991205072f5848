"""A contract of a Word file is sealed like others, by the worker's queue of conversions."""

import pytest

from tests.contracts.conftest import word_contract as word_contract
from tests.contracts.support import path_of, upload
from tests.contracts.word_files import word_file
from tests.documents.numbered import item, numbered, paragraph
from tests.documents.support import faults, page_texts, pdf_text

EVENTS = "select event, queue from app.outbox where organization_id = %s and event like 'seal%%' order by id"

SEALED = "select sealed_file_id from app.signature_requests where id = %s"
CONTENT = "select string_agg(content, '' order by position) from app.file_chunks where file_id = %s"


def test_a_word_contract_is_sealed_once_in_the_queue_of_conversions(
    owner, organization, worker, requested, signing, word_contract
):
    request = requested(path=f"{path_of(word_contract)}/signature-requests")
    signing.sign(signing.link(request["signers"][0]))
    assert worker.run() == []
    rows = owner.execute(EVENTS, [organization.id]).fetchall()
    assert rows == [("seal_documents", "documents"), ("seal_conversions", "conversions")]
    (file_id,) = owner.execute(SEALED, [request["id"]]).fetchone()
    (sealed,) = owner.execute(CONTENT, [file_id]).fetchone()
    assert "Signature: Signer 0" in page_texts(sealed)[0]
    assert "Signer 0" in page_texts(sealed)[-1]
    assert faults(sealed) == {}


FILE = numbered(
    item(1, 0, "Grant of {{Contract.number}}"), item(1, 1, "Term"), paragraph("{{Contract.signature_block}}")
)


@pytest.fixture
def numbered_contract(admin, template, new_contract):
    """A contract of a Word file that Word numbers, and of a schedule with a header."""
    path = f"/api/contract-templates/{template['id']}"
    upload(admin, f"{path}/word", FILE, "a.docx", status=201)
    upload(admin, f"{path}/schedules", word_file("Prices", header="Annex A"), "b.docx", status=201)
    return new_contract()


def test_signers_read_the_numbers_and_headers_that_are_sealed(member, ask, numbered_contract):
    path = path_of(numbered_contract)
    number = numbered_contract["contract_number"]
    _request, paper = ask(path=f"{path}/signature-requests")
    shown = " ".join(paper.html.get_text(" ").split())
    printed = " ".join(pdf_text(member.get(f"{path}/pdf", status=200).body).split())
    for text in (f"1. Grant of {number}", "1.1 Term", "Annex A", "Prices"):
        assert text in shown
        assert text in printed
