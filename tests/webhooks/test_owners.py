"""A webhook belongs to whoever saved it last, a person or a key."""

import pytest

from pipeline.accounts.notifications.tasks import place_of
from tests.mail.post import contents
from tests.support import codes
from tests.webhooks.conftest import Hook

REVOKED = "update app.api_keys set revoked_at = now() where organization_id = %s and name = %s"


@pytest.fixture
def key(organization):
    """key(name, *scopes): a program that may change webhooks and read leads."""

    def make(name, *scopes):
        return organization.key(*(scopes or ("webhooks:write", "leads:read")), role="admin", name=name)

    return make


@pytest.fixture
def crm(organization, jobs, settings, receiver, key):
    """A webhook of the key "First"."""
    return Hook(organization, jobs, settings, receiver.url, ["lead.created"], client=key("First"))


def saved_by(hook):
    return hook.shown()["saved_by_kind"], hook.shown()["saved_by_name"]


@pytest.mark.parametrize("who", ["a key", "a person"])
@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("PATCH", {"active": True}),
        ("PATCH", {"description": "CRM"}),
        ("PATCH", {"events": ["lead.created", "lead.updated"]}),
        ("PUT", {"events": ["lead.created"]}),
    ],
)
def test_the_last_who_saves_a_webhook_owns_it(crm, organization, owner, key, new_lead, receiver, who, method, change):
    saver, expected = (
        (organization.admin, ("user", "Admin")) if who == "a person" else (key("Second"), ("key", "Second"))
    )
    body = {"url": receiver.url, **change} if method == "PUT" else change
    saver.request(method, crm.path, body, status=200)
    assert (saved_by(crm), crm.shown()["created_by_name"]) == (expected, "First")
    owner.execute(REVOKED, [organization.id, "First"])
    new_lead()
    crm.work()
    assert (crm.shown()["active"], len(receiver.received)) == (True, 1)


@pytest.mark.parametrize("who", ["a key", "a person"])
def test_a_webhook_that_its_key_has_left_works_again_once_it_is_saved(
    crm, organization, owner, key, new_lead, receiver, who
):
    owner.execute(REVOKED, [organization.id, "First"])
    new_lead()
    crm.work()
    assert (crm.shown()["paused_reason"], receiver.received) == ("key_revoked", [])
    saver = organization.admin if who == "a person" else key("Second")
    assert saver.patch(crm.path, {"active": True}, status=200).json["paused_reason"] is None
    for _ in range(3):
        new_lead()
        crm.work()
    assert (crm.shown()["active"], len(receiver.received)) == (True, 3)


@pytest.mark.parametrize("change", [{"active": True}, {"active": False}, {"description": "Mine"}])
def test_a_key_that_may_not_read_the_records_cannot_become_the_owner(crm, key, change):
    refused = key("Blind", "webhooks:write").patch(crm.path, change, status=422)
    assert codes(refused) == [("events.0", "insufficient_scope")]
    assert refused.json["errors"][0]["message"] == "lead.created needs the scope leads:read."
    assert saved_by(crm) == ("key", "First")


def test_a_webhook_stays_paused_with_its_reason_until_it_is_activated(crm, organization, owner, new_lead):
    owner.execute(REVOKED, [organization.id, "First"])
    new_lead()
    crm.work()
    changed = organization.admin.patch(crm.path, {"description": "CRM"}, status=200).json
    assert (changed["active"], changed["paused_reason"], changed["saved_by_name"]) == (False, "key_revoked", "Admin")


def test_the_owner_saves_again_without_a_change(crm, organization):
    before = organization.admin.patch(crm.path, {"active": True}, status=200).json
    assert organization.admin.patch(crm.path, {"active": True}, status=200).json == before


def test_an_owner_without_a_seat_leaves_the_webhook_to_the_organization(hook, organization, owner, new_lead, receiver):
    crm = hook("lead.created")
    owner.execute("delete from app.organization_users where user_id = %s", [organization.users["admin"]])
    new_lead()
    crm.work()
    shown = owner.execute("select active, saved_by from app.webhooks where id = %s", [crm.id]).fetchone()
    assert (shown, len(receiver.received)) == ((True, None), 1)


@pytest.mark.parametrize(
    ("change", "reason", "sentence"),
    [
        ("revoked_at = now()", "key_revoked", "was revoked"),
        ("expires_at = now()", "key_expired", "has expired"),
        ("scopes = '{webhooks:write}'", "scope_missing", "may no longer read all of its records"),
    ],
)
def test_the_email_names_the_cause_and_the_webhook(crm, organization, owner, new_lead, post, change, reason, sentence):
    owner.execute(f"update app.api_keys set {change} where organization_id = %s", [organization.id])
    new_lead()
    crm.work()
    post.deliver(organization)
    (told,) = organization.admin.get("/api/notifications", status=200).json["data"]
    assert (told["data"]["reason"], told["data"]["place"]) == (reason, "127.0.0.1/hook")
    assert sentence in told["body"]
    text, _ = contents(post.server.messages[-1])
    assert (sentence in text, f"- Webhook: {crm.id}" in text.splitlines()) == (True, True)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://hooks.example.com/", "hooks.example.com"),
        ("https://hooks.example.com/leads", "hooks.example.com/leads"),
        ("https://hooks.example.com/deals?token=secret", "hooks.example.com/deals"),
        ("https://hooks.example.com:8443/a/b/c", "hooks.example.com/a/b/c"),
        (
            "https://hooks.example.com/services/T0123/B4567/abcdefghijklmnopqrst",
            "hooks.example.com/services/T0123/B4567/abcd…st",
        ),
        ("https://hooks.example.com/" + "a/" * 200, "hooks.example.com" + "/a" * 41 + "…"),
    ],
)
def test_the_place_of_a_webhook_tells_it_from_others_of_its_host_without_secrets(url, place):
    assert place_of(url) == place


def test_the_audit_tells_who_took_a_webhook_over(crm, organization):
    organization.admin.patch(crm.path, {"active": True}, status=200)
    (entry,) = organization.admin.get("/api/audit?type=webhooks&action=updated", status=200).json["data"]
    assert entry["changed"]["saved_by"] == {"old": None, "new": organization.users["admin"]}
