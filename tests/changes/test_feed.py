"""The change feed: every committed change once, in an order with stable cursors."""

import threading

import psycopg
import pytest

from pipeline.changes import service
from pipeline.changes.schemas import TYPES, Cursor
from pipeline.database import loads, queries
from tests.isolation.cases import CASES
from tests.isolation.prepared import invited_user, signable

# What 16 writers write in six turns each, one to three records a turn.
COUNT = 6 * sum(1 + number % 3 for number in range(16))


def told(found):
    return [(change["type"], change["id"], change["action"]) for change in found["data"]]


def test_the_feed_has_creations_changes_and_deletions_from_now_on(organization, feed):
    organization.insert("leads", first_name="Before")
    start = feed()
    assert (start["data"], start["more"]) == ([], False)
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    for _ in range(2):  # The second time nothing changes.
        organization.member.patch(f"/api/leads/{lead}", {"notes": "Called."}, status=200)
    organization.owner.execute("update app.leads set notes = notes where id = %s", [lead])
    organization.member.delete(f"/api/leads/{lead}", status=204)
    found = feed(start["next"])
    assert told(found) == [("leads", lead, "created"), ("leads", lead, "updated"), ("leads", lead, "deleted")]
    assert feed(found["next"])["data"] == []
    assert told(feed(found["data"][0]["cursor"])) == told(found)[1:]


def path_of(change):
    """The path of the record that a change names."""
    if change["type"] == "organization":
        return "/api/organization"
    parent = f"{change['parent_type']}/{change['parent_id']}/" if change["parent_type"] else ""
    return f"/api/{parent}{change['type']}/{change['id']}"


@pytest.mark.parametrize("type", TYPES)
def test_each_record_of_the_feed_is_included_as_its_get_shows_it(organization, feed, type):
    start = feed()["next"]
    if type == "organization":
        organization.admin.patch("/api/organization", {"name": "Acme"}, status=200)
    elif type == "users":
        invited_user(organization)
    elif type == "signature-requests":
        signable(organization)
    else:
        kind = "contracts" if type in ("notes", "tasks") else type
        CASES["GET", f"/api/{kind}/{{id}}"].arrange(organization)
    found = feed(start, types=type, include="record", client=organization.admin)["data"]
    assert {change["type"] for change in found} == {type}
    for change in found:
        assert organization.admin.get(path_of(change), status=200).json == change["record"]


@pytest.mark.parametrize("kind", ["leads", "contracts"])
def test_a_deleted_note_or_task_names_its_parent_which_may_be_deleted_with_it(organization, feed, kind):
    ids = CASES["GET", f"/api/{kind}/{{id}}"].arrange(organization)
    path, parent = f"/api/{kind}/{ids['id']}", (kind, ids["id"])
    start = feed()["next"]
    for type, body in (("notes", {"content": "Called"}), ("tasks", {"title": "Call"})):
        made = organization.member.post(f"{path}/{type}", body, status=201)
        organization.member.delete(made.headers["Location"], status=204)
    organization.member.delete(path, status=204)
    names = ("type", "action", "parent_type", "parent_id")
    found = [tuple(change[name] for name in names) for change in feed(start)["data"]]
    assert found[:4] == [(type, action, *parent) for type in ("notes", "tasks") for action in ("created", "deleted")]
    with_it = {("notes", "deleted", *parent), ("tasks", "deleted", *parent)}
    assert set(found[4:]) == {(kind, "deleted", None, None), *with_it}


def test_a_page_says_whether_there_is_more_and_types_narrow_it(organization, feed):
    start = feed()["next"]
    leads = [organization.insert("leads", first_name=f"Pat {number}") for number in range(3)]
    company = organization.insert("companies", name="Acme")
    first = feed(start, limit=2, types="leads")
    assert (told(first), first["more"]) == ([("leads", id, "created") for id in leads[:2]], True)
    second = feed(first["next"], limit=2, types="leads,deals")
    assert (told(second), second["more"]) == ([("leads", leads[2], "created")], False)
    assert told(feed(start, types="companies")) == [("companies", company, "created")]


def test_a_rare_type_is_looked_for_in_parts(organization, feed, owner):
    start = feed()["next"]
    owner.execute(
        "insert into app.leads (organization_id, first_name) select %s, 'Lee' from generate_series(1, 10000)",
        [organization.id],
    )
    company = organization.insert("companies", name="Acme")
    nothing = feed(start, types="companies")
    assert (nothing["data"], nothing["more"]) == ([], True)
    assert told(feed(nothing["next"], types="companies")) == [("companies", company, "created")]


def test_a_template_that_is_only_hidden_and_a_key_that_is_revoked_are_deleted(organization, feed):
    template = organization.template()["id"]
    key = organization.admin.post("/api/api-keys", {"name": "CRM", "scopes": ["all"]}, status=201).json["id"]
    start = feed()["next"]
    organization.admin.delete(f"/api/interview-templates/{template}", status=204)
    organization.admin.delete(f"/api/api-keys/{key}", status=204)
    assert told(feed(start)) == [("interview-templates", template, "deleted"), ("api-keys", key, "deleted")]


@pytest.mark.parametrize("after", ["1", "1-2", "zz-1-1", "1-1-1-1", "-1-1-1", "1" * 16 + "-1-1"])
def test_a_cursor_that_was_never_given_is_refused(organization, after):
    answer = organization.member.get(f"/api/changes?after={after}", status=422)
    assert answer.json["errors"][0]["name"] == "after"


def test_an_old_cursor_and_one_of_another_database_are_gone(organization, feed):
    transaction, id, second = feed()["next"].split("-")
    month_ago = f"{int(second, 16) - 30 * 24 * 3600 - 1:x}"
    for cursor in (f"{transaction}-{id}-{month_ago}", f"{int(transaction, 16) + 10**9:x}-{id}-{second}"):
        answer = organization.member.get(f"/api/changes?after={cursor}", status=410)
        assert answer.json["code"] == "cursor_expired"


def test_a_change_that_commits_late_is_told_late_and_not_lost(organization, feed, owner_url):
    start = feed()["next"]
    with psycopg.connect(owner_url) as slow:
        slow.execute("insert into app.leads (organization_id, first_name) values (%s, 'Slow')", [organization.id])
        organization.insert("leads", first_name="Quick")
        found = feed(start, settled=False)
        assert found["data"] == [], "what began to write after a transaction that goes on has to wait for it"
    names = [
        organization.member.get(f"/api/leads/{id}", status=200).json["first_name"]
        for _, id, _ in told(feed(found["next"]))
    ]
    assert names == ["Slow", "Quick"]


def test_no_reader_skips_what_many_writers_write_at_once(organization, owner_url, login_url):
    """Writers keep transactions open for different times; readers remember nothing but their place, in one order."""
    written, seen = [], []
    place = organization.member.get("/api/changes", status=200).json["next"]
    seat = {"organization_id": organization.id, "user_id": organization.users["member"]}
    seat["session_id"] = organization.sessions[seat["user_id"]]

    def write(number):
        insert = "insert into app.companies (organization_id, name) values (%s, 'Acme') returning id"
        with psycopg.connect(owner_url) as connection:
            connection.execute(insert, [organization.id])
            connection.rollback()
            for turn in range(6):
                rows = [connection.execute(insert, [organization.id]).fetchone() for _ in range(1 + number % 3)]
                written.extend(id for (id,) in rows)
                connection.execute("select pg_sleep(%s)", [0.05 * ((number + turn) % 4 == 0)])
                connection.commit()

    def read(limit):
        found, after = [], place
        with psycopg.connect(login_url("pipeline_app")) as connection, queries.on(connection):
            while len(found) < COUNT:
                queries.authenticate(**seat)
                answer = loads(service.feed(Cursor().read(after), limit, ["companies"]))
                connection.commit()
                found += [change["id"] for change in answer["data"]]
                after = answer["next"]
        seen.append(found)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    threads += [threading.Thread(target=read, args=(limit,), daemon=True) for limit in (1, 2, 3, 7, 50, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    order = "type = 'companies' order by transaction_id, id"
    rows = organization.owner.execute(
        f"select record_id from app.changes where organization_id = %s and {order}", [organization.id]
    )
    assert len(written) == COUNT
    assert seen == [[id for (id,) in rows]] * 6


@pytest.mark.parametrize("place", ["", "%20", "%09"])
@pytest.mark.parametrize(
    "path",
    ["changes?after=", "leads?after_id=", "leads?ids=", "leads?updated_since=", "webhooks?ids=", "audit?after_id="],
)
def test_an_empty_place_is_refused_and_not_read_from_another_one(organization, path, place):
    refused = organization.admin.get(f"/api/{path}{place}", status=422).json["errors"]
    assert [(error["location"], error["code"]) for error in refused] == [("query", "required")]


CHANGES = {
    "leads": ({"first_name": "Pat"}, {"status": "contacted", "notes": "Called."}, ["notes", "status"]),
    "companies": ({"name": "Acme"}, {"city": "Graz"}, ["city"]),
    "contacts": ({"first_name": "Ada"}, {"last_name": "L", "phone": "+43 1 234567"}, ["last_name", "phone"]),
    "deals": ({"title": "D"}, {"value": 12}, ["value"]),
    "deal-stages": ({"name": "S"}, {"position": 7}, ["position"]),
    "clauses": ({"key": "term", "name": "T", "content": "<p>T</p>"}, {"name": "Term"}, ["name"]),
    "teams": ({"name": "T"}, {"name": "Team"}, ["name"]),
    "fields": ({"kind": "contract", "key": "cap", "label": "Cap", "type": "text"}, {"label": "Limit"}, ["label"]),
}


@pytest.mark.parametrize("type", CHANGES)
def test_an_update_names_the_changed_fields(organization, feed, type):
    body, change, names = CHANGES[type]
    start = feed()["next"]
    made = organization.admin.post(f"/api/{type}", body, status=201).json
    organization.admin.patch(f"/api/{type}/{made['id']}", change, status=200)
    organization.admin.delete(f"/api/{type}/{made['id']}", status=204)
    key = organization.key("changes:read")
    found = feed(start, types=type, client=key)["data"]
    told = [(entry["action"], entry["changed"]) for entry in found]
    updated = ("updated", names) if type != "clauses" else told[1]
    assert told == [("created", None), updated, ("deleted", None)]
    assert set(names) <= set(told[1][1])


def test_the_feed_has_the_own_fields_and_names_the_changed_ones(organization, feed):
    field = {"kind": "lead", "key": "seats", "label": "Seats", "type": "number"}
    organization.admin.post("/api/fields", field, status=201)
    id = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    place = feed()["next"]
    organization.member.patch(f"/api/leads/{id}", {"fields": {"seats": 6}}, status=200)
    (told,) = feed(place, include="record")["data"]
    assert (told["changed"], told["record"]["fields"]) == (["fields.seats"], {"seats": 6})


def test_changed_lines_and_files_have_the_names_of_the_record(organization, feed):
    start = feed()["next"]
    quote = CASES["GET", "/api/quotes/{id}"].arrange(organization)
    organization.admin.patch(f"/api/quotes/{quote['id']}", {"lines": [{"sku": "B", "unit_price": 2}]}, status=200)
    assert feed(start, types="quotes")["data"][-1]["changed"] == ["lines"]
