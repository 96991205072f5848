"""The audit: changes, logins and exports, for administrators."""

import csv
import io
from urllib.parse import parse_qsl, urlencode

import pytest
from webob import Request

from pipeline.worker.jobs import run as run_job
from tests.conftest import PASSWORD


@pytest.fixture
def audit(organization):
    """audit(filter=value, …): what an administrator reads."""
    return lambda **query: organization.admin.get(f"/api/audit?{urlencode(query)}", status=200).json


def test_a_change_stands_there_with_who_made_it_and_both_values(organization, audit):
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    organization.key("leads:write", "leads:read").patch(
        f"/api/leads/{lead}", {"notes": "Called."}, status=200, headers={"X-Request-Id": "r-17"}
    )
    updated, created = audit(type="leads")["data"]
    assert updated["changed"] == {"notes": {"old": None, "new": "Called."}}
    assert [updated[name] for name in ("actor_kind", "actor_name", "request_id")] == ["key", "CRM", "r-17"]
    assert (updated["id"], created["id"], created["action"], created["changed"]) == (lead, lead, "created", None)
    member = organization.users["member"]
    assert (created["actor_kind"], created["actor_id"], created["actor_name"]) == ("user", member, "Member")


@pytest.mark.parametrize(
    "query", ["actor=robot", "actor=user:0", "type=lead", "action=read", "id=x", "from=2026-01-31"]
)
def test_a_filter_that_means_nothing_is_refused(organization, query):
    answer = organization.admin.get(f"/api/audit?{query}", status=422)
    assert answer.json["errors"][0]["name"] == query.partition("=")[0]


def test_logins_are_told_with_address_and_client_and_wrong_passwords_too(organization, anonymous, audit):
    credentials = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    anonymous.post("/api/auth/login", credentials, status=200, headers={"User-Agent": "Shell"})
    anonymous.post("/api/auth/login", {**credentials, "password": "wrong"}, status=401, headers={"X-Request-Id": "r-1"})
    failed, login = audit(id=organization.users["member"])["data"][:2]
    assert (login["action"], login["actor_name"], login["details"]["client"]) == ("signed_in", "Member", "Shell")
    assert (failed["action"], failed["actor_kind"], failed["request_id"]) == ("sign_in_failed", "system", "r-1")
    assert set(failed["details"]) == {"client", "address"}


def test_seats_and_keys_are_told_and_no_secret_of_them(organization, audit):
    key = organization.admin.post("/api/api-keys", {"name": "CRM", "scopes": ["all"]}, status=201).json
    person = organization.users["colleague"]
    organization.admin.put(f"/api/users/{person}", {"role": "admin", "seat_active": True}, status=200)
    organization.admin.put(f"/api/api-keys/{key['id']}", {"name": "Shop", "scopes": ["all"]}, status=200)
    assert audit(type="users", id=person)["data"][0]["changed"] == {"role": {"old": "member", "new": "admin"}}
    changed = audit(type="api-keys")["data"][0]["changed"]
    assert changed == {"name": {"old": "CRM", "new": "Shop"}}


def test_an_export_is_told_with_its_filter_also_one_that_is_cut_off(organization, audit):
    organization.insert("leads", first_name="Pat")
    organization.admin.get("/api/leads/export?status=new", status=200)
    entry = audit(action="exported")["data"][0]
    assert (entry["type"], entry["id"], entry["details"]) == ("leads", None, {"filter": {"status": "new"}})
    request = Request.blank("/api/leads/export", headers=organization.admin.headers)
    request.get_response(organization.admin.app.app).app_iter.close()
    assert audit(action="exported")["total"] == 2


def test_the_audit_is_a_csv_file_without_formulas(organization):
    organization.owner.execute("update app.users set name = '=cmd()' where id = %s", [organization.users["member"]])
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    body = organization.admin.get(f"/api/audit/export?type=leads&id={lead}", status=200).body.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body, newline="")))
    assert [(row["id"], row["action"], row["actor_name"]) for row in rows] == [(str(lead), "created", "'=cmd()")]


@pytest.fixture
def many(organization, owner):

    def write(first, last, transaction="i / 10 - 9000"):
        owner.execute(
            "insert into app.changes "
            "(organization_id, transaction_id, type, record_id, action, actor_kind, actor_id, at) "
            f"select %s, {transaction}, case when i %% 100 = 0 then 'teams' else 'leads' end, 1 + i / 7, "
            "case when i %% 3 = 0 then 'created' else 'updated' end, "
            "case when i %% 2 = 0 then 'user' when i %% 5 = 0 then 'prospect' else 'system' end, "
            "case when i %% 2 = 0 then 1 + i %% 4 when i %% 5 = 0 then 1 + i %% 11 end, "
            "timestamptz '2026-01-01Z' + i * interval '1 minute' from generate_series(%s::int, %s::int) i",
            [organization.id, first, last],
        )

    write(1, 44_000)
    (latest,) = owner.execute("select app.change_transaction(%s)", [organization.id]).fetchone()
    write(44_001, 45_000, latest)
    owner.execute("vacuum analyze app.changes")


def test_it_is_walked_in_the_order_of_its_entries_and_read_by_their_ids(organization, audit):
    for name in ("Ada", "Bea", "Cid"):
        organization.member.post("/api/leads", {"first_name": name}, status=201)
    newest = [entry["entry"] for entry in audit(type="leads")["data"]]
    first = organization.admin.get("/api/audit?type=leads&after_id=0&per_page=2", status=200)
    assert [entry["entry"] for entry in first.json["data"]] == newest[:0:-1]
    assert f'after_id={newest[1]}>; rel="next"' in first.headers["Link"]
    assert [entry["entry"] for entry in audit(after_id=newest[1])["data"]] == newest[:1]
    assert [entry["entry"] for entry in audit(ids=f"{newest[2]},{newest[0]}")["data"]] == [newest[0], newest[2]]


NARROWED = {
    "type=teams": "type = 'teams'",
    "type=leads&action=created": "type = 'leads' and action = 'created'",
    "actor=user": "actor_kind = 'user'",
    "actor=user:3": "actor_kind = 'user' and actor_id = 3",
    "actor=prospect:5": "actor_kind = 'prospect' and actor_id = 5",
    "id=100&action=updated": "record_id = 100 and action = 'updated'",
    "actor=user:3&type=leads&id=143": "actor_kind = 'user' and actor_id = 3 and type = 'leads' and record_id = 143",
    "from=2026-01-08T10:00:00Z&to=2026-01-20T09:30:00Z": "at >= '2026-01-08 10:00Z' and at < '2026-01-20 09:30Z'",
    "type=teams&from=2026-01-31T12:00:00Z": "type = 'teams' and at >= '2026-01-31 12:00Z'",
}


def test_whatever_it_is_narrowed_by_pages_and_totals_are_those_of_the_table(organization, owner, many, audit):
    for query, condition in NARROWED.items():
        ids = owner.execute(
            f"select id from app.changes where organization_id = %s and {condition} "
            "order by transaction_id desc, id desc",
            [organization.id],
        ).fetchall()
        for page in (1, 1 + len(ids) // 100, 1 + len(ids) // 50):
            found = audit(**dict(parse_qsl(query)), per_page=50, page=page)
            assert [(entry["entry"],) for entry in found["data"]] == ids[50 * page - 50 : 50 * page], (query, page)
            assert found["total"] == len(ids), query


def test_after_400_days_changes_go_and_count_no_more(organization, owner, many, jobs, settle, settings, audit):
    aged = "update app.changes set at = now() - make_interval(days => %s) where transaction_id < %s"
    for days, transaction in ((399, -5000), (401, -7000)):
        owner.execute(f"{aged} and organization_id = %s", [days, transaction, organization.id])
    settle()
    run_job(jobs, settings, "purge_changes")
    oldest = "select min(transaction_id) from app.changes where organization_id = %s"
    assert owner.execute(oldest, [organization.id]).fetchone() == (-7000,)
    for query, condition in (("type=teams", "type = 'teams'"), ("actor=user", "actor_kind = 'user'")):
        left = f"select count(*) from app.changes where organization_id = %s and {condition}"
        assert (audit(**dict(parse_qsl(query)))["total"],) == owner.execute(left, [organization.id]).fetchone()
