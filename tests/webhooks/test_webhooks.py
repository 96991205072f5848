import re
from functools import partial

import pytest

from tests.support import both_held_up, codes, held_up
from tests.webhooks.conftest import WEBHOOKS

BODY = {"url": "http://127.0.0.1:9/hook", "events": ["lead.created", "deal.deleted"], "description": "CRM"}


@pytest.fixture
def made(admin):
    return admin.post(WEBHOOKS, BODY, status=201).json


def path(made, more=""):
    return f"{WEBHOOKS}/{made['id']}{more}"


def test_a_secret_is_shown_once_and_no_change_tells_it(admin, made, owner):
    assert re.fullmatch(r"whsec_[0-9A-Za-z+/]{43}=", made.pop("secret"))
    assert admin.get(path(made), status=200).json == made
    assert {name: made[name] for name in BODY} == BODY
    assert (made["active"], made["paused_at"], made["failing_since"]) == (True, None, None)
    assert (made["created_by_kind"], made["created_by_name"]) == ("user", "Admin")
    found = owner.execute("select string_agg(c::text, '') from app.changes c where type = 'webhooks'").fetchone()[0]
    assert "whsec_" not in found


def test_webhooks_are_listed_and_searched(admin, made):
    other = admin.post(WEBHOOKS, {**BODY, "description": "Data", "active": False}, status=201).json
    for query, found in (("", [made, other]), ("?search=crm", [made]), ("?active=false", [other])):
        listed = admin.get(f"{WEBHOOKS}{query}", status=200).json["data"]
        assert [hook["id"] for hook in listed] == [hook["id"] for hook in found]


def test_webhooks_are_sorted_by_url_without_case(admin):
    for name in ("b", "A", "C"):
        admin.post(WEBHOOKS, {**BODY, "url": f"http://127.0.0.1:9/{name}"}, status=201)
    listed = admin.get(f"{WEBHOOKS}?sort_by=url", status=200).json["data"]
    assert [hook["url"][-1] for hook in listed] == ["A", "b", "C"]


def test_deliveries_and_the_audit_take_several_words(admin, made):
    admin.post(path(made, "/test"), status=200)
    assert admin.get(path(made, "/deliveries?status=pending,failed"), status=200).json["total"] == 1
    entries = admin.get("/api/audit?type=webhooks,leads&action=created,deleted", status=200).json["data"]
    assert [(entry["type"], entry["id"]) for entry in entries] == [("webhooks", made["id"])]


def test_a_webhook_that_is_deleted_meanwhile_gets_no_secret(admin, made, owner):
    deletion = "update app.webhooks set deleted_at = now(), active = false where id = %s"
    held_up(owner, deletion, [made["id"]], partial(admin.post, path(made, "/rotate"), status=404))
    secrets = "select count(*) from app.webhook_secrets where webhook_id = %s"
    assert owner.execute(secrets, [made["id"]]).fetchone() == (1,)


def test_two_rotations_at_once_leave_one_secret_without_an_end(admin, made, owner):
    held = "select from app.webhook_secrets where webhook_id = %s for update"
    rotate = partial(admin.post, path(made, "/rotate"), status=200)
    both_held_up(owner, held, [made["id"]], rotate, rotate)
    endless = "select count(*) from app.webhook_secrets where webhook_id = %s and expires_at is null"
    assert owner.execute(endless, [made["id"]]).fetchone() == (1,)


def test_each_violation_is_named(admin):
    wrong = {"url": "hooks", "events": ["lead.created", "lead.created", "lead.sold"], "secret": "whsec_mine"}
    assert sorted(codes(admin.post(WEBHOOKS, wrong, status=422))) == [
        ("events.1", "repeated"),
        ("events.2", "invalid_choice"),
        ("secret", "unknown_field"),
        ("url", "invalid_url"),
    ]
    assert codes(admin.post(WEBHOOKS, {**BODY, "events": []}, status=422)) == [("events", "required")]


def test_a_webhook_is_changed_not_tested_while_inactive_and_deleted(admin, made):
    changed = admin.patch(path(made), {"events": ["lead.updated"]}, status=200).json
    assert (changed["events"], changed["url"], "secret" in changed) == (["lead.updated"], BODY["url"], False)
    admin.patch(path(made), {"active": False}, status=200)
    assert admin.post(path(made, "/test"), status=409).json["code"] == "webhook_inactive"
    admin.delete(path(made), status=204)
    for method, more in (("GET", ""), ("DELETE", ""), ("POST", "/rotate"), ("GET", "/deliveries")):
        admin.request(method, path(made, more), status=404)


def test_a_change_that_leaves_the_url_does_not_look_it_up(admin, made, names, owner):
    owner.execute("update app.webhooks set url = 'http://gone.example.com/' where id = %s", [made["id"]])
    admin.patch(path(made), {"description": "Old"}, status=200)
    changed = {"url": "http://gone.example.com/x"}
    assert codes(admin.patch(path(made), changed, status=422)) == [("url", "unreachable_host")]


def test_an_organization_has_twenty_at_most(admin):
    for _ in range(20):
        admin.post(WEBHOOKS, BODY, status=201)
    assert admin.post(WEBHOOKS, BODY, status=409).json["code"] == "too_many_webhooks"


def test_a_key_is_told_only_of_records_that_it_may_read_and_leads_no_persons_webhook_to_itself(organization, made):
    key, persons = organization.key("webhooks:write", "changes:read", "leads:read", role="admin"), made
    body = {**BODY, "events": ["lead.created", "contract.created"]}
    refused = key.post(WEBHOOKS, body, status=422)
    assert codes(refused) == [("events.1", "insufficient_scope")]
    assert refused.json["errors"][0]["message"] == "contract.created needs the scope contracts:read."
    made = key.post(WEBHOOKS, {**BODY, "events": ["lead.created"]}, status=201).json
    key.put(path(made), body, status=422)
    key.patch(path(persons), {"url": "http://127.0.0.1:9/mine"}, status=422)
