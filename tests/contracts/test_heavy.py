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
    slots = wsgi.registry.slots
    yield slots
    assert (slots.taken.total(), slots.sent.total()) == (0, 0)


@pytest.fixture
def copies(admin, new_contract):
    """The paths of two executed copies, a small and a large one."""
    paths = [f"/api/contracts/{new_contract()['id']}/executed" for _ in range(2)]
    for path, text in zip(paths, (b"signed ", b"signed " * 1_000_000), strict=True):
        upload(admin, path, pdf_file(text), "signed.pdf", status=201)
    return paths


def test_a_long_contract_text_takes_a_slot_and_a_short_one_does_not(slots, organization, admin, contract):
    deal = admin.post("/api/deals", {"title": "Lines"}, status=201).json["id"]
    long = {"template_id": contract["template_id"], "effective_date": "2026-02-01", "deal_id": deal}
    admin.post("/api/quotes", {"deal_id": deal, "lines": [LINE] * 500}, status=201)
    path = f"/api/contracts/{admin.post('/api/contracts', long, status=201).json['id']}"
    with slots.slot(TEXT, organization.id):
        assert_problem(admin.post("/api/contracts", long), 429, "busy")
        assert_problem(admin.put(f"{path}/regenerate"), 429, "busy")
        assert_problem(admin.put(path, long | {"term_months": 7}), 429, "busy")
        admin.put(path, long, status=200)
        admin.put(f"/api/contracts/{contract['id']}/regenerate", status=200)
    admin.put(f"{path}/regenerate", headers={"If-Match": "*"}, status=200)


def test_a_large_download_takes_a_slot_and_a_small_one_does_not(slots, organization, admin, copies):
    small, large = copies
    with slots.slot(DOWNLOAD, organization.id):
        assert_problem(admin.get(large), 429, "busy")
        admin.get(small, status=200)
    admin.get(large, status=200)


def test_four_large_downloads_may_wait_for_readers_and_a_fifth_is_refused(slots, organization, admin, copies):
    with contextlib.ExitStack() as unread:
        for _ in range(4):
            unread.enter_context(slots.sending(organization.id))
        assert_problem(admin.get(copies[1]), 429, "busy")
        assert slots.taken.total() == 0
    tag = admin.get(copies[1], status=200).headers["ETag"]
    admin.get(copies[1], headers={"If-None-Match": tag}, status=304)
