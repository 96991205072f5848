"""Conversions by LibreOffice hold up no other document."""

from concurrent.futures import ThreadPoolExecutor

from tests.contracts.support import path_of, stored
from tests.contracts.test_documents import worker as worker
from tests.documents.conftest import program as program
from tests.documents.support import pdf_text
from tests.http.target import assert_problem
from tests.waiting import wait_until

EVENTS = "select event, queue from app.outbox where organization_id = %s and event like 'contract%%' order by id"


def test_the_worker_converts_in_a_queue_of_its_own(organization, member, worker, word_contract):
    assert worker.run() == []
    rows = organization.owner.execute(EVENTS, [organization.id]).fetchall()
    assert rows == [("contract_documents", "documents"), ("contract_conversions", "conversions")]
    assert sorted(stored(organization)) == [("docx", 1), ("pdf", 1)]
    made = pdf_text(member.get(f"{path_of(word_contract)}/pdf", status=200).body)
    assert made.split("\n")[0] == f"Number {word_contract['contract_number']}"


def test_a_hung_converter_costs_only_its_own_document(limits, program, tmp_path, member, word_contract, new_contract):
    limits(seconds=60, processes=1)
    other = new_contract()
    program(f"touch {tmp_path}/begun; while [ ! -e {tmp_path}/end ]; do sleep 0.1; done")
    with ThreadPoolExecutor(1) as threads:
        hung = threads.submit(member.get, f"{path_of(word_contract)}/pdf")
        wait_until((tmp_path / "begun").exists)
        for kind in ("pdf", "docx"):
            member.get(f"{path_of(other)}/{kind}", status=200)
        assert not hung.done()
        (tmp_path / "end").touch()
        assert_problem(hung.result(), 422, "document_too_complex")


def test_a_worker_s_hung_converter_ends_with_its_event(limits, program, organization, worker, word_contract):
    limits(seconds=1, processes=1)
    program("sleep 1000")
    assert worker.run() == ["Unavailable: The document was not converted within 2 seconds."]
    assert stored(organization) == [("docx", 1)]
