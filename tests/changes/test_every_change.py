"""Whatever changes a record, every reader gets it: each call of the API, and what signers and prospects do."""

import pytest
from structlog.testing import capture_logs
from webtest import TestApp

from pipeline.changes.schemas import TYPES
from pipeline.http.scopes import SCOPES
from pipeline.worker.jobs import run as run_job
from tests.changes.test_feed import path_of as path_of_change
from tests.forms.paper import Paper
from tests.isolation.cases import CASES
from tests.isolation.prepared import invited_user, signable
from tests.isolation.test_matrix import call
from tests.mail.delivery import Worker
from tests.signing.conftest import agree, code_in, path_of, send
from tests.signing.conftest import contract as contract
from tests.signing.conftest import new_contract as new_contract
from tests.signing.conftest import new_template as new_template
from tests.signing.conftest import path as path
from tests.signing.conftest import requested as requested
from tests.signing.conftest import signing as signing
from tests.signing.conftest import template as template
from tests.support import interview
from tests.waiting import wait_for_writers

# The cases of other types arrange these, or the test itself.
BESIDE = {
    *("configurator-definitions", "contract-templates", "contracts", "deals", "interview-templates"),
    *("notes", "organization", "signature-requests", "tasks", "users"),
}
ARRANGED = [type for type in TYPES if type not in BESIDE]
WRITES = sorted(route for route in CASES if route[0] != "GET")


@pytest.fixture
def people(organization):
    return {"admin": organization.admin, "member": organization.member}


@pytest.fixture
def readers(organization, people):
    """{name: client} of people and of a key for each scope."""
    keys = {scope: organization.key("changes:read", scope) for scope in SCOPES}
    return {**people, "all": organization.key(), **keys}


def read_by(readers, feed, start):
    """{(type, action)} told after `start`; each reader gets the records whose GET lets it in."""
    told = feed(start, limit=1000)["data"]
    paths = {path_of_change(change) for change in told}
    for name, reader in readers.items():
        found = feed(start, settled=False, client=reader, limit=1000, include="record")["data"]
        assert [change["cursor"] for change in found] == [change["cursor"] for change in told], name
        kept = {path_of_change(change) for change in found if change["record"]}
        gone = {path_of_change(change) for change in found if change["action"] == "deleted"}
        assert kept == {path for path in paths - gone if reader.get(path).status_int == 200}, name
    return {(change["type"], change["action"]) for change in told}


@pytest.mark.parametrize("route", WRITES, ids=" ".join)
def test_a_change_by_a_call_reaches_people(organization, feed, people, route):
    start = feed()["next"]
    ids = CASES[route].arrange(organization)
    assert call(organization.admin, route, CASES[route], ids, ids).status_int < 300
    read_by(people, feed, start)


def test_a_record_of_each_type_is_told_to_every_scope(organization, feed, readers):
    start = feed()["next"]
    for type in ARRANGED:
        CASES["GET", f"/api/{type}/{{id}}"].arrange(organization)
    signable(organization)
    invited_user(organization)
    organization.admin.patch("/api/organization", {"name": "Acme"}, status=200)
    assert {type for type, _action in read_by(readers, feed, start)} == set(TYPES)


@pytest.fixture
def signer(organization, wsgi, contract, requested, signing, post):
    """A signer's page and what happens beside it: signer.begin(*orders, **changes), then its methods."""

    class Signer:
        def begin(self, *orders, **changes):
            self.request = requested(*orders, **changes)
            self.token = signing.link(self.request["signers"][0])
            app = TestApp(wsgi, extra_environ={"wsgi.url_scheme": "https"})
            self.page = Paper(app, f"/sign/{self.token}")

        def view(self):
            signing("view", self.token)

        def confirm(self):
            self.page.press("code")
            self.page.fill(code=code_in(post.deliver(organization)[-1])).press("check")

        def sign(self):
            agree(self.page.open("", status=200))

        def decline(self):
            send(self.page, "decline", reason="No")

        def seal(self):
            assert Worker(post.jobs, post.settings, organization.id).run() == []

        def cancel(self):
            organization.member.post(path_of(self.request, "/cancel"), status=200)

        def expire(self):
            overdue = "update app.signature_requests set expires_at = now() where id = %s"
            organization.owner.execute(overdue, [self.request["id"]])
            run_job(post.jobs, post.settings, "expire_signatures")

    return Signer()


SIGNED = {("signature-requests", "updated")}
DEEDS = {
    "view": ({}, SIGNED),
    "confirm": ({"verify_email": True}, SIGNED),
    "sign": ({}, SIGNED),
    "decline": ({}, SIGNED),
    "cancel": ({}, SIGNED),
    "expire": ({}, SIGNED),
    "sign seal": ({}, {*SIGNED, ("contracts", "updated")}),
}


@pytest.mark.parametrize("deeds", DEEDS)
def test_a_signer_s_action_reaches_every_reader(feed, readers, signer, deeds):
    given, told = DEEDS[deeds]
    signer.begin(**given)
    start = feed()["next"]
    for deed in deeds.split():
        getattr(signer, deed)()
    assert told <= read_by(readers, feed, start)


def test_a_prospect_s_action_reaches_every_reader(organization, feed, readers):
    invite, form = organization.invite(), organization.public_form(name="Form", slug="form")
    start = feed()["next"]
    answers = {"answers": {"product_line": "server"}}
    organization.anonymous.get(interview(invite), status=200)
    organization.anonymous.patch(interview(invite), answers, status=200)
    organization.anonymous.post(f"{interview(invite)}/submit", answers, status=200)
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    organization.anonymous.post(path, answers, status=201)
    assert {("interview-invites", action) for action in ("created", "updated")} <= read_by(readers, feed, start)


BROKEN = {
    "a type without an address": {"type": "gone-records"},
    "a parent of another kind": {"type": "notes", "parent_type": "deals", "parent_id": 1},
}


@pytest.mark.parametrize("broken", BROKEN)
def test_an_entry_that_names_no_record_has_none_is_logged_and_hides_no_other(organization, feed, broken):
    start = feed()["next"]
    entry = {"record_id": 1, "action": "updated", "actor_kind": "system", **BROKEN[broken]}
    organization.insert("changes", **entry)
    organization.insert("companies", name="Acme")
    assert included(organization, start) == ([(entry["type"], None), ("companies", "Acme")], [1])


UNREADABLE = """
create policy unreadable on app.companies as restrictive for select to pipeline_member
    using (name <> 'Unreadable' or 1 / (id - id) = 0)"""


def test_a_record_that_the_database_cannot_read_hides_no_other(organization, feed, superuser):
    start = feed()["next"]
    ids = [organization.insert("companies", name=name) for name in ("Before", "Unreadable", "After")]
    superuser.execute(UNREADABLE)
    try:
        found = included(organization, start)
    finally:
        superuser.execute("drop policy unreadable on app.companies")
    assert found == ([("companies", "Before"), ("companies", None), ("companies", "After")], [ids[1]])


def included(organization, start):
    """([(type, name of the record or None)], the ids of the records that the log names) after a cursor."""
    path = f"/api/changes?after={start}&include=record"
    wait_for_writers(organization.owner)
    with capture_logs() as lines:
        # Not by Api, because the description knows no such type.
        changes = organization.member.app.get(path, headers=organization.member.headers, status=200).json["data"]
    logged = [line["id"] for line in lines if line["event"] == "change without its record"]
    return [(change["type"], change["record"] and change["record"]["name"]) for change in changes], logged
