"""The storage quota, exact under concurrent uploads, and the slots of long texts and large copies."""

import concurrent.futures
import contextlib

import pytest

from pipeline import files
from pipeline.http.fairness.slots import DOWNLOAD, TEXT
from pipeline.http.server import metrics
from tests.contracts.support import deletion_of_history, image_file, path_of, pdf_file, upload
from tests.http.target import assert_problem
from tests.waiting import wait_until

KIB = 1024
FILE = pdf_file(b"%" * 5 * KIB)


@pytest.fixture
def quota(monkeypatch):
    """quota(bytes) for each organization."""
    return lambda size: monkeypatch.setattr(files, "_quota", size)


@pytest.fixture
def path(contract):
    return f"/api/contracts/{contract['id']}/executed"


@pytest.fixture
def used(organization):
    """used(): (the kept sum, the sum) of the organization's files."""
    sums = (
        "select coalesce((select bytes from app.storage_use where organization_id = %(id)s), 0), "
        "(select coalesce(sum(size), 0) from app.files where organization_id = %(id)s)"
    )
    return lambda: organization.owner.execute(sums, {"id": organization.id}).fetchone()


def test_a_file_beyond_the_quota_is_507_and_leaves_nothing(quota, new_organization, member, path, used):
    quota(8 * KIB)
    upload(member, path, FILE, "a.pdf", status=201)
    before = used()
    answer = upload(member, path, FILE, "a.pdf")
    assert_problem(answer, 507, "storage_full")
    assert "together" in answer.json["detail"]
    assert used() == before
    upload(new_organization().admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo", status=201)


def test_uploads_at_once_never_pass_the_quota(quota, admin, new_contract, used):
    contracts = [new_contract()["id"] for _ in range(3)]
    quota(14 * KIB)

    def status(id):
        """None while the organization's other upload is under way."""
        answer = upload(admin, f"/api/contracts/{id}/executed", FILE, "a.pdf")
        return answer.status_int if answer.status_int != 429 else None

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = pool.map(lambda id: wait_until(lambda: status(id)), contracts)
    assert sorted(answers) == [201, 201, 507]
    assert used() == (2 * len(FILE),) * 2


def test_a_contract_is_made_and_read_with_a_full_storage(quota, member, contract, used):
    quota(1)
    for kind in ("pdf", "docx"):
        answer = member.get(f"{path_of(contract)}/{kind}", status=200)
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert len(answer.body) == int(answer.headers["Content-Length"]) > 1000
    assert used() == (0, 0)


def test_the_metrics_tell_what_is_stored(monkeypatch, member, path, anonymous):
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 0.0)
    upload(member, path, FILE, "a.pdf", status=201)
    lines = dict(line.rsplit(" ", 1) for line in anonymous.get("/metrics").text.splitlines() if line[0] != "#")
    assert float(lines["pipeline_storage_bytes"]) >= float(lines["pipeline_storage_largest_bytes"]) >= len(FILE)


def test_a_replaced_copy_counts_until_the_operator_deletes_it_or_its_contract_goes(
    quota, organization, member, admin, path, used
):
    quota(12 * KIB)
    for content, status in ((FILE, 201), (FILE, 201), (FILE, 507), (pdf_file(), 201)):
        upload(member, path, content, "a.pdf", status=status)
    assert organization.owner.execute(deletion_of_history()).rowcount >= 1
    assert used() == (len(pdf_file()),) * 2
    assert member.get(path, status=200).body == pdf_file()
    upload(member, path, FILE, "a.pdf", status=201)
    admin.delete(path, status=204)
    admin.delete(path.removesuffix("/executed"), status=204)
    assert used() == (0, 0)


LINE = {"description": "Floating licence", "quantity": 1, "unit_price": 10}


@pytest.fixture
def slots(wsgi):
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


def test_a_clause_counts_as_often_as_a_template_holds_it(slots, organization, admin, new_template):
    clause = {"key": "cap", "name": "Cap", "content": f"<p>{'text ' * 4_000}</p>"}
    admin.post("/api/clauses", clause, status=201)
    template = new_template(content='<div data-clause="cap"></div>' * 20)
    with slots.slot(TEXT, organization.id):
        body = {"template_id": template["id"], "effective_date": "2026-02-01"}
        assert_problem(admin.post("/api/contracts", body), 429, "busy")


def test_a_large_download_takes_a_slot_and_four_may_wait_for_their_readers(slots, organization, admin, copies):
    small, large = copies
    with slots.slot(DOWNLOAD, organization.id):
        assert_problem(admin.get(large), 429, "busy")
        admin.get(small, status=200)
    with contextlib.ExitStack() as unread:
        for _ in range(4):
            unread.enter_context(slots.sending(organization.id))
        assert_problem(admin.get(large), 429, "busy")
        assert slots.taken.total() == 0
    tag = admin.get(large, status=200).headers["ETag"]
    admin.get(large, headers={"If-None-Match": tag}, status=304)
