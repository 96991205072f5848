"""Long texts and large copies are heavy work: one at a time for an organization in a process."""

import contextlib

import pytest

from pipeline.http.quotas.slots import DOWNLOAD, TEXT
from tests.contracts.support import pdf_file, upload
from tests.http.target import assert_problem

LINE = {"description": "Floating licence", "quantity": 1, "unit_price": 10}


@pytest.fixture
def slots(wsgi):
    """The slots of the process."""
    return wsgi.registry.slots


def test_a_long_contract_text_takes_a_slot_and_a_short_one_does_not(slots, organization, admin, contract):
    deal = admin.post("/api/deals", {"title": "Lines"}, status=201).json["id"]
    long = {"template_id": contract["template_id"], "effective_date": "2026-02-01", "deal_id": deal}
    admin.post("/api/quotes", {"deal_id": deal, "lines": [LINE] * 500}, status=201)
    made = admin.post("/api/contracts", long, status=201).json
    path, tagged = f"/api/contracts/{made['id']}", {"If-Match": "*"}
    with slots.slot(TEXT, organization.id):
        assert_problem(admin.post("/api/contracts", long), 429, "busy")
        assert_problem(admin.put(f"{path}/regenerate"), 429, "busy")
        assert_problem(admin.put(path, long | {"term_months": 7}), 429, "busy")
        admin.put(path, long, status=200)
        admin.put(f"/api/contracts/{contract['id']}/regenerate", status=200)
    admin.put(f"{path}/regenerate", headers=tagged, status=200)
    assert slots.taken.total() == 0


def test_a_large_download_takes_a_slot_and_a_small_one_does_not(slots, organization, admin, new_contract):
    small, large = (f"/api/contracts/{new_contract()['id']}/executed" for _ in range(2))
    upload(admin, small, pdf_file(), "signed.pdf", status=201)
    upload(admin, large, pdf_file(b"signed " * 1_000_000), "signed.pdf", status=201)
    with slots.slot(DOWNLOAD, organization.id):
        assert_problem(admin.get(large), 429, "busy")
        admin.get(small, status=200)
    admin.get(large, status=200)
    assert slots.taken.total() == 0


def test_four_large_downloads_may_wait_for_readers_and_a_fifth_is_refused(slots, organization, admin, new_contract):
    path = f"/api/contracts/{new_contract()['id']}/executed"
    upload(admin, path, pdf_file(b"signed " * 1_000_000), "signed.pdf", status=201)
    with contextlib.ExitStack() as unread:
        for _ in range(4):
            unread.enter_context(slots.sending(organization.id))
        assert_problem(admin.get(path), 429, "busy")
        assert slots.taken.total() == 0
    for headers in ({}, {"If-None-Match": admin.get(path).headers["ETag"]}):
        admin.get(path, headers=headers)
    assert slots.sent.total() == 0
