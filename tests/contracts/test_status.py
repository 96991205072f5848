import itertools

import pytest

from tests.contracts.support import pdf_file, upload
from tests.http.target import assert_problem

STATUSES = ("draft", "active", "executed", "expired", "terminated", "archived")
ALLOWED = {
    "draft": ["active", "archived"],
    "active": ["executed", "terminated", "archived"],
    "executed": ["terminated", "archived"],
    "expired": ["archived"],
    "terminated": ["archived"],
    "archived": [],
}
LOCKED = ("executed", "expired", "terminated", "archived")
OVER = {"effective_date": "2020-01-01", "term_months": 1}


@pytest.fixture
def body(template, contract):
    """The contract's own inputs, so that nothing but the status changes."""
    return {"template_id": template["id"], "effective_date": contract["effective_date"]}


@pytest.mark.parametrize(("before", "wanted"), list(itertools.product(STATUSES, STATUSES)))
def test_a_put_moves_along_the_table_only(member, in_status, body, before, wanted):
    path = in_status(before)
    assert member.put(path, body, status=200).json["status"] == before
    answer = member.put(path, {**body, "status": wanted})
    if wanted == before or wanted in ALLOWED[before]:
        assert (answer.status_int, answer.json["status"]) == (200, wanted)
    else:
        assert_problem(answer, 409, "invalid_transition")
        assert answer.json["allowed"] == ALLOWED[before]
        assert member.get(path).json["status"] == before


@pytest.mark.parametrize("before", ["draft", "executed", "expired", "archived"])
def test_an_upload_executes_what_can_still_be_signed(member, in_status, before):
    path = in_status(before)
    answer = upload(member, f"{path}/executed", pdf_file(), "signed.pdf")
    if before in ("draft", "executed"):
        assert (answer.status_int, answer.json["status"]) == (201, "executed")
    else:
        assert_problem(answer, 409, "contract_locked")
        assert member.get(path).json["executed_file"] is None


@pytest.mark.parametrize("stored", STATUSES)
def test_a_date_alone_expires_what_runs(member, in_status, stored):
    path = in_status(stored, termination_date="2020-01-01")
    shown = "expired" if stored in ("active", "executed") else stored
    assert member.get(path).json["status"] == shown
    assert member.get(f"/api/contracts?status={shown}").json["total"] == 1
    assert member.get(f"/api/contracts?status={stored}").json["total"] == (shown == stored)


def test_the_last_day_of_the_term_is_one_of_the_organizations_time_zone(organization, owner, member, in_status):
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):
        owner.execute("update app.organizations set time_zone = %s where id = %s", (zone, organization.id))
        days = "select (now() at time zone %(zone)s)::date, (now() at time zone %(zone)s)::date - 1"
        today, yesterday = owner.execute(days, {"zone": zone}).fetchone()
        assert member.get(in_status("active", today)).json["status"] == "active"
        assert member.get(in_status("active", yesterday)).json["status"] == "expired"


def test_a_contract_expired_by_date_moves_as_expired(member, in_status, body):
    path = in_status("active", termination_date="2020-01-01")
    for answer in (upload(member, f"{path}/executed", pdf_file(), "signed.pdf"), member.put(f"{path}/regenerate")):
        assert_problem(answer, 409, "contract_locked")
    moved = {wanted: member.put(path, {**body, "status": wanted}).status_int for wanted in STATUSES}
    assert moved == {**dict.fromkeys(STATUSES, 409), "expired": 200, "archived": 200}


@pytest.mark.parametrize(("before", "change"), [("draft", {"status": "active"}), ("active", {})])
def test_ended_contracts_stay_ended_and_active_ones_end_by_a_status(member, in_status, before, change):
    path = in_status(before)
    unchanged = member.put(f"{path}/regenerate", status=200).json
    assert_problem(member.patch(path, {**OVER, **change}), 409, "term_ended")
    assert member.get(path).json == unchanged
    ended = member.patch(path, {**OVER, "status": "archived"}, status=200).json
    assert ended["termination_date"] == "2020-01-31"


@pytest.mark.parametrize("status", LOCKED)
def test_a_settled_contract_keeps_its_content(member, in_status, body, status):
    path = in_status(status)
    others = {
        "effective_date": "2026-02-02",
        "term_months": 35,
        "name": "Another",
        "deal_id": 9_000_000,
        "template_id": 9_000_000,
    }
    for field, value in others.items():
        assert_problem(member.put(path, {**body, field: value}), 409, "contract_locked")
    assert_problem(member.put(f"{path}/regenerate"), 409, "contract_locked")


@pytest.mark.parametrize("status", ["draft", "active", *LOCKED])
def test_an_external_id_changes_in_every_status_without_a_revision(member, in_status, body, status):
    path = in_status(status)
    named = member.patch(path, {"external_id": "erp-7"}, status=200).json
    assert (named["external_id"], named["revision"], named["status"]) == ("erp-7", 1, status)
    kept = member.put(path, body, status=200).json["external_id"]
    assert kept == ("erp-7" if status in LOCKED else None)
    assert member.patch(path, {"external_id": None}, status=200).json["external_id"] is None
