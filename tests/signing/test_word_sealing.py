"""A contract of a Word file is sealed like others, by the worker's queue of conversions."""

from tests.contracts.conftest import word_contract as word_contract
from tests.contracts.support import path_of
from tests.documents.support import faults, page_texts

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
