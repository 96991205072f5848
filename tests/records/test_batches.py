from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.http.fairness.slots import BATCH
from tests.http.counting import remaining
from tests.http.target import assert_problem
from tests.records.support import KINDS
from tests.support import codes
from tests.waiting import wait_for_writers

PAT = {"first_name": "Pat"}


@pytest.fixture
def make(member, path, body):
    def create(**fields):
        made = member.post(path, body | fields, status=201).json
        return {name: value for name, value in made.items() if name != "duplicates"}

    return create


@pytest.fixture
def name(body):
    return next(iter(body))


def listed(api, path):
    return {record["id"]: record for record in api.get(f"{path}?after_id=0", status=200).json["data"]}


def send(api, path, status=200, **lists):
    return api.post(f"{path}/batch", lists, status=status)


def test_a_batch_creates_changes_and_deletes_and_returns_the_records_in_its_order(member, path, body, name, make):
    first, second, third, gone = make(), make(external_id="3"), make(), make()
    answer = send(
        member,
        path,
        create=[body | {"external_id": "9"}, body | {"external_id": "5"}, body],
        update=[{"id": third["id"], name: "Three"}, {**first, name: "One"}],
        upsert=[{"external_id": "7", **body}, {"external_id": "3", name: "Two"}],
        delete=[gone["id"]],
    ).json
    now = listed(member, path)
    assert [record["external_id"] for record in answer["created"]] == ["9", "5", None]
    assert [record["id"] for record in answer["updated"]] == [third["id"], first["id"]]
    assert [record["external_id"] for record in answer["upserted"]] == ["7", "3"]
    assert answer["upserted"][1]["id"] == second["id"]
    assert [record.pop("result") for record in answer["upserted"]] == ["created", "updated"]
    assert now[first["id"]][name] == "One"
    assert answer["deleted"] == [gone["id"]]
    shown = [record for word in ("created", "updated", "upserted") for record in answer[word]]
    assert {record["id"]: record for record in shown} == now


def test_an_empty_batch_does_nothing(member, path):
    assert send(member, path).json == {"created": [], "updated": [], "upserted": [], "deleted": [], "skipped": []}


def test_an_update_changes_only_its_fields_and_null_resets_one(member, path, make):
    made = make(external_id="7")
    (same,) = send(member, path, update=[{"id": made["id"]}]).json["updated"]
    (cleared,) = send(member, path, update=[{"id": made["id"], "external_id": None}]).json["updated"]
    assert {**made, **same} == made
    assert {**cleared, "external_id": "7", "updated_at": made["updated_at"]} == same


def test_all_violations_of_a_batch_are_named_and_nothing_is_stored(member, path, body, name, make):
    made = make(external_id="7")
    before = listed(member, path)
    wrong = send(
        member,
        path,
        422,
        create=[body, {name: 7}, {**body, "colour": "red"}, {**body, "external_id": "7"}],
        update=[{"id": made["id"], "created_at": "2020-01-01T00:00:00.000000Z"}, {"id": 10**15}, body, {"id": "1"}],
        upsert=[{"external_id": "8"}, body, {"external_id": "x" * 256}, "8"],
        delete=[10**15, "1"],
        colour=[],
    )
    assert dict(codes(wrong)) == {
        f"create.1.{name}": "wrong_type",
        "create.2.colour": "unknown_field",
        "create.3.external_id": "external_id_taken",
        "update.1.id": "unknown_reference",
        "update.2.id": "required",
        "update.3.id": "wrong_type",
        f"upsert.0.{name}": "required",
        "upsert.1.external_id": "required",
        "upsert.2.external_id": "too_long",
        "upsert.3": "wrong_type",
        "delete.0": "unknown_reference",
        "delete.1": "wrong_type",
        "colour": "unknown_field",
    }
    assert listed(member, path) == before


def test_a_record_and_an_external_id_occur_once_in_a_batch(member, path, body, make):
    made = make(external_id="7")
    again = send(
        member,
        path,
        422,
        create=[{**body, "external_id": "8"}, {**body, "external_id": "8"}],
        update=[{"id": made["id"]}, {"id": made["id"]}],
        upsert=[{"external_id": "8", **body}, {"external_id": "7"}],
        delete=[made["id"]],
    )
    places = ("create.1.external_id", "update.1.id", "upsert.0.external_id", "upsert.1.external_id", "delete.0")
    assert dict(codes(again)) == dict.fromkeys(places, "repeated")


def test_taken_external_ids_alone_are_a_conflict(member, path, body, make):
    make(external_id="7")
    make(external_id="8")
    update = [{"id": make()["id"], "external_id": "8"}]
    refused = send(member, path, create=[{**body, "external_id": "7"}], update=update, status=409)
    assert_problem(refused, 409, "external_id_taken")
    places = ("create.0.external_id", "update.0.external_id")
    assert dict(codes(refused)) == dict.fromkeys(places, "external_id_taken")


def test_a_batch_has_at_most_five_hundred_entries(member, path, body):
    full = {"create": [body] * 300, "delete": [*range(1, 202)]}
    assert codes(send(member, path, 422, **full)) == [("delete", "too_long")]
    assert codes(send(member, path, 422, create=[body] * 501)) == [("create", "too_long")]
    assert listed(member, path) == {}


def test_records_of_another_organization_are_unknown(member, path, body, make, new_organization):
    foreign, stranger = make(external_id="7"), new_organization().member
    wrong = send(stranger, path, 422, update=[{"id": foreign["id"]}], delete=[foreign["id"]])
    assert codes(wrong) == [("update.0.id", "unknown_reference"), ("delete.0", "unknown_reference")]
    (own,) = send(stranger, path, upsert=[{"external_id": "7", **body}]).json["upserted"]
    assert own["id"] != foreign["id"]
    assert member.get(f"{path}/{foreign['id']}", status=200).json == foreign


@pytest.mark.parametrize(("kind", "field"), [("leads", "assigned_to"), ("deals", "owner_id")])
def test_a_new_assignee_needs_an_active_seat_and_a_present_one_may_stay(organization, member, kind, field):
    assigned = KINDS[kind] | {field: organization.users["colleague"]}
    made = member.post(f"/api/{kind}", assigned, status=201).json
    organization.deactivate("colleague")
    send(member, f"/api/{kind}", update=[{"id": made["id"], "external_id": "7"}])
    wrong = send(member, f"/api/{kind}", 422, create=[assigned])
    assert codes(wrong) == [(f"create.0.{field}", "unknown_reference")]


def test_records_in_use_are_not_deleted(member):
    used, free = (member.post("/api/companies", {"name": name}, status=201).json["id"] for name in ("A", "B"))
    member.post("/api/contacts", {**PAT, "company_id": used}, status=201)
    refused = send(member, "/api/companies", 409, create=[{"name": "C"}], delete=[free, used])
    assert_problem(refused, 409, "in_use")
    assert (codes(refused), refused.json["referred_by"]) == ([("delete.1", "in_use")], "contacts")
    assert listed(member, "/api/companies").keys() == {used, free}


def test_a_status_sets_its_times_and_a_lead_may_be_sent_as_it_was_read(member):
    made = member.post("/api/leads", PAT, status=201).json["id"]
    read = member.get(f"/api/leads/{made}", status=200).json
    (lead,) = send(member, "/api/leads", update=[{**read, "status": "disqualified"}]).json["updated"]
    (new,) = send(member, "/api/leads", create=[{**PAT, "status": "qualified"}]).json["created"]
    assert (lead["status"], lead["disqualified_at"] is None, lead["source"]) == ("disqualified", False, "manual")
    assert (new["qualified_at"] is None, new["created_by_kind"]) == (False, "user")


def test_amounts_are_exact_in_their_currency(member):
    create = [{"title": "A", "value": 15, "currency": "JPY"}, {"title": "B", "value": 0.1, "currency": "KWD"}]
    first, second = send(member, "/api/deals", create=create).json["created"]
    assert (first["value"], second["value"]) == (15, 0.1)
    wrong = send(member, "/api/deals", 422, update=[{"id": first["id"], "value": 15.5}])
    assert codes(wrong) == [("update.0.value", "too_precise")]


def test_the_feed_and_the_audit_tell_each_record_of_a_batch(admin, owner, path, make, body):
    made, kind = make(), path.removeprefix("/api/")
    wait_for_writers(owner)
    cursor = admin.get("/api/changes", status=200).json["next"]
    created = send(admin, path, create=[body, body], delete=[made["id"]]).json["created"]
    wait_for_writers(owner)
    told = admin.get(f"/api/changes?after={cursor}", status=200).json["data"]
    expected = [(kind, record["id"], "created") for record in created] + [(kind, made["id"], "deleted")]
    assert [(change["type"], change["id"], change["action"]) for change in told] == expected
    audit = admin.get(f"/api/audit?type={kind}&action=created&id={created[0]['id']}", status=200).json["data"]
    assert [entry["actor_kind"] for entry in audit] == ["user"]


@pytest.mark.parametrize(("size", "counted"), [(50, 1), (51, 2), (120, 3)])
def test_fifty_entries_count_as_one_request(organization, size, counted):
    key = organization.key("leads:write")
    before = remaining(send(key, "/api/leads", create=[PAT]))
    assert remaining(send(key, "/api/leads", create=[PAT] * size)) == before - counted


def test_beside_another_batch_of_the_organization_only_a_small_one_runs(wsgi, organization, member):
    with wsgi.registry.slots.slot(BATCH, organization.id):
        assert_problem(send(member, "/api/leads", 429, create=[PAT] * 51), 429, "busy")
        send(member, "/api/leads", create=[PAT] * 50)


def test_parallel_batches_on_the_same_records_neither_fail_nor_lose_any(member, path, name, make):
    ids = [make()["id"] for _ in range(6)]
    external_ids = [str(number) for number in range(6)]

    def run(number):
        order, change = (-1 if number % 2 else 1), {name: f"Number {number}"}
        update = [{"id": id} | change for id in ids[::order]]
        upsert = [{"external_id": id} | change for id in external_ids[::order]]
        return member.post(f"{path}/batch", {"update": update, "upsert": upsert}).status_int

    with ThreadPoolExecutor(10) as pool:
        assert set(pool.map(run, range(10))) == {200}
    records = listed(member, path).values()
    assert len(records) == 12
    assert len({record[name] for record in records}) == 1


def test_unknown_ids_are_skipped_and_named_on_request(member, path, name, make):
    made, gone = make(), make()
    member.delete(f"{path}/{gone['id']}", status=204)
    update = [{"id": gone["id"], name: "Gone"}, {"id": made["id"], name: "Here"}]
    body = {"update": update, "delete": [10**15, gone["id"]]}
    assert [code for _, code in codes(member.post(f"{path}/batch", body, status=422))] == ["unknown_reference"] * 3
    answer = member.post(f"{path}/batch?on_unknown=skip", body, status=200).json
    assert [record[name] for record in answer["updated"]] == ["Here"]
    assert (answer["deleted"], answer["created"]) == ([], [])
    assert [(one["list"], one["index"], one["id"]) for one in answer["skipped"]] == [
        ("update", 0, gone["id"]),
        ("delete", 0, 10**15),
        ("delete", 1, gone["id"]),
    ]
