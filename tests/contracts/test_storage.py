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
FILE = pdf_file(b"%" * 5 * KIB)


@pytest.fixture
def quota(monkeypatch):
    """quota(bytes) for each organization."""
    return lambda size: monkeypatch.setattr(files, "_quota", size)


@pytest.fixture
def path(contract):
    """The path of a contract's executed copy."""
    return f"/api/contracts/{contract['id']}/executed"


@pytest.fixture
def used(organization):
    """used(): (the kept sum, the sum) of the organization's files."""
    sums = (
        "select coalesce((select bytes from app.storage_use where organization_id = %(id)s), 0), "
        "(select coalesce(sum(size), 0) from app.files where organization_id = %(id)s)"
    )
    return lambda: organization.owner.execute(sums, {"id": organization.id}).fetchone()


def logo(admin):
    """Upload the organization's logo."""
    upload(admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo", status=201)


def test_a_file_beyond_the_quota_is_507_and_leaves_nothing(quota, member, path, used):
    quota(8 * KIB)
    upload(member, path, FILE, "a.pdf", status=201)
    before = used()
    answer = upload(member, path, FILE, "a.pdf")
    assert_problem(answer, 507, "storage_full")
    assert "together" in answer.json["detail"]
    assert used() == before


def test_a_replaced_copy_counts_and_a_deleted_contract_frees_its_room(quota, member, admin, path, used):
    quota(12 * KIB)
    for status in (201, 201, 507):
        upload(member, path, FILE, "a.pdf", status=status)
    admin.delete(path, status=204)
    admin.delete(path.removesuffix("/executed"), status=204)
    assert used() == (0, 0)


def test_another_organizations_files_take_no_room(quota, organization, new_organization):
    quota(3 * KIB)
    for one in (organization, new_organization()):
        logo(one.admin)


def test_uploads_at_once_never_pass_the_quota(quota, admin, new_contract, used):
    contracts = [new_contract()["id"] for _ in range(3)]
    quota(14 * KIB)

    def insist(id):
        """The status of an upload that is sent again while the organization's other one is under way."""
        while True:
            answer = upload(admin, f"/api/contracts/{id}/executed", FILE, "a.pdf")
            if answer.status_int != 429:
                return answer.status_int
            time.sleep(0.02)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = pool.map(insist, contracts)
    assert sorted(answers) == [201, 201, 507]
    assert used() == (2 * len(FILE),) * 2


@pytest.mark.parametrize("kind", ["pdf", "docx"])
def test_a_contract_is_made_and_read_with_a_full_storage(quota, member, contract, used, kind):
    quota(1)
    answer = member.get(f"/api/contracts/{contract['id']}/{kind}", status=200)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert len(answer.body) == int(answer.headers["Content-Length"]) > 1000
    assert used() == (0, 0)


def test_the_metrics_tell_what_is_stored(monkeypatch, admin, anonymous):
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 0.0)
    logo(admin)
    lines = dict(line.rsplit(" ", 1) for line in anonymous.get("/metrics").text.splitlines() if line[0] != "#")
    assert float(lines["pipeline_storage_bytes"]) >= float(lines["pipeline_storage_largest_bytes"]) > 0


def test_what_the_operator_deletes_of_the_history_frees_its_room(organization, member, path, used):
    for content in (FILE, pdf_file()):
        upload(member, path, content, "a.pdf", status=201)
    text = (ROOT / "docs" / "operations.md").read_text()
    (statement,) = re.findall(r"```sql\n(with gone as .*?)```", text, re.DOTALL)
    assert organization.owner.execute(statement).rowcount >= 1
    assert used() == (len(pdf_file()),) * 2
    assert member.get(path, status=200).body == pdf_file()
