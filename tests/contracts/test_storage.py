"""The storage quota is exact under concurrent uploads, and a full quota destroys no contract."""

import concurrent.futures
import re
import time
from pathlib import Path

import pytest

from pipeline import files
from pipeline.http.front import metrics
from tests.contracts.support import image_file, pdf_file, upload
from tests.http.target import assert_problem

ROOT = Path(__file__).resolve().parents[2]
KIB = 1024


@pytest.fixture
def quota(monkeypatch):
    """quota(bytes) for each organization."""
    return lambda size: monkeypatch.setattr(files, "_quota", size)


@pytest.fixture
def path(contract):
    """The path of a contract's executed copy."""
    return f"/api/contracts/{contract['id']}/executed"


def use(organization):
    """(the kept sum, the sum) of an organization's files."""
    return organization.owner.execute(
        "select coalesce((select bytes from app.storage_use where organization_id = %(id)s), 0), "
        "(select coalesce(sum(size), 0) from app.files where organization_id = %(id)s)",
        {"id": organization.id},
    ).fetchone()


def test_the_sum_follows_every_file_that_comes_or_goes(organization, member, admin, path):
    upload(member, path, pdf_file(), "a.pdf", status=201)
    upload(admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo", status=201)
    upload(admin, "/api/organization/logo", image_file("JPEG"), "a.jpg", "logo", status=201)
    kept, counted = use(organization)
    assert kept == counted > len(pdf_file())


def test_a_file_beyond_the_quota_is_507_and_leaves_nothing(quota, organization, member, path):
    quota(8 * KIB)
    upload(member, path, pdf_file(b"%" * 5 * KIB), "a.pdf", status=201)
    before = use(organization)
    answer = upload(member, path, pdf_file(b"%" * 5 * KIB), "a.pdf")
    assert_problem(answer, 507, "storage_full")
    assert "together" in answer.json["detail"]
    assert use(organization) == before


def test_a_replaced_copy_counts_and_a_deleted_contract_frees_its_room(quota, organization, admin, contract, path):
    member = organization.member
    quota(12 * KIB)
    for _ in range(2):
        upload(member, path, pdf_file(b"%" * 5 * KIB), "a.pdf", status=201)
    upload(member, path, pdf_file(b"%" * 5 * KIB), "a.pdf", status=507)
    admin.delete(path, status=204)
    admin.delete(f"/api/contracts/{contract['id']}", status=204)
    assert use(organization) == (0, 0)


def test_another_organizations_files_take_no_room(quota, organization, new_organization):
    quota(3 * KIB)
    for one in (organization, new_organization()):
        upload(one.admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo", status=201)


def test_uploads_at_once_never_pass_the_quota(quota, organization, admin, new_contract):
    contracts = [new_contract()["id"] for _ in range(3)]
    quota(14 * KIB)
    content = pdf_file(b"%" * 5 * KIB)

    def insist(id):
        """The status of an upload that is sent again while the organization's other one is under way."""
        while True:
            answer = upload(admin, f"/api/contracts/{id}/executed", content, "a.pdf")
            if answer.status_int != 429:
                return answer.status_int
            time.sleep(0.02)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = pool.map(insist, contracts)
    assert sorted(answers) == [201, 201, 507]
    assert use(organization) == (2 * len(content),) * 2


def test_a_contract_is_made_and_read_with_a_full_storage(quota, organization, member, contract):
    quota(1)
    path = f"/api/contracts/{contract['id']}"
    for kind in ("pdf", "docx"):
        answer = member.get(f"{path}/{kind}", status=200)
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert len(answer.body) == int(answer.headers["Content-Length"]) > 1000
    assert use(organization) == (0, 0)


def test_without_a_quota_nothing_is_refused(quota, admin):
    quota(0)
    upload(admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo", status=201)


def test_the_metrics_tell_what_is_stored(monkeypatch, admin, anonymous):
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 0.0)
    upload(admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo", status=201)
    lines = dict(line.rsplit(" ", 1) for line in anonymous.get("/metrics").text.splitlines() if line[0] != "#")
    assert float(lines["pipeline_storage_bytes"]) >= float(lines["pipeline_storage_largest_bytes"]) > 0


def test_what_the_operator_deletes_of_the_history_frees_its_room(organization, member, path):
    for content in (pdf_file(b"first"), pdf_file(b"second")):
        upload(member, path, content, "a.pdf", status=201)
    text = (ROOT / "docs" / "operations.md").read_text()
    (statement,) = re.findall(r"```sql\n(with gone as .*?)```", text, re.DOTALL)
    assert organization.owner.execute(statement).rowcount >= 1
    assert use(organization) == (len(pdf_file(b"second")),) * 2
    assert member.get(path, status=200).body == pdf_file(b"second")
