"""PUT and PATCH of every record: a read record can be sent back, and a PATCH changes only its fields."""

import pytest

from pipeline.api.endpoint import endpoints
from pipeline.api.merge_patch import MERGE_PATCH
from tests.http.target import assert_problem
from tests.isolation.cases import ACTIONS, CASES
from tests.support import codes, held_up, interview

# The caller's own: their name stands within the `user` of what they read.
ME = "/api/auth/me"
# Changed in part alone: a signer is read within the signature request.
SIGNER = "/api/contracts/{id}/signature-requests/{requestId}/signers/{signerId}"
PATHS = sorted(path for method, path in CASES if method == "PATCH" and path != SIGNER)
NAMED = [path for path in PATHS if path != ME]


@pytest.fixture(scope="module")
def bodies(wsgi):
    """{path: the Body of its PUT and PATCH} of all records that can be changed."""
    return {contract.path: contract.body for contract in endpoints(wsgi.registry) if contract.changed}


@pytest.fixture(params=PATHS)
def path(request):
    return request.param


@pytest.fixture
def record(path, organization):
    return path.format(**CASES["PATCH", path].arrange(organization))


def lasting(record):
    """A record without when it was changed last."""
    return {name: value for name, value in record.items() if name != "updated_at"}


def test_whatever_can_be_replaced_can_be_changed_in_part(wsgi):
    methods = {}
    for contract in endpoints(wsgi.registry):
        if contract.method == "PUT" or contract.changed:
            methods.setdefault(contract.path, set()).add(contract.method)
    alone = {path for path, known in methods.items() if known == {"PUT"}}
    assert all(path.rpartition("/")[2] in ACTIONS for path in alone)
    assert (
        {path for path, known in methods.items() if known == {"PUT", "PATCH"}}
        == set(PATHS)
        == set(methods) - alone - {SIGNER}
    )


@pytest.mark.parametrize("path", NAMED)
def test_a_record_that_is_sent_back_as_it_was_read_is_not_written(record, admin, organization):
    seen = admin.get(record, status=200)
    before = organization.rows()
    for method, body in (("PUT", seen.json), ("PATCH", seen.json), ("PATCH", {})):
        answer = admin.request(method, record, body, headers={"If-Match": seen.headers["ETag"]}, status=200)
        assert answer.json == seen.json
        assert answer.headers["ETag"] == seen.headers["ETag"]
    assert organization.rows() == before


@pytest.mark.parametrize("value", [None, "another", 7, [{"id": 1}]])
@pytest.mark.parametrize("path", NAMED)
def test_any_value_of_a_read_only_field_is_ignored(record, path, bodies, admin, organization, value):
    seen = admin.get(record, status=200).json
    stale = dict.fromkeys(seen.keys() - bodies[path].fields.keys(), value)
    before = organization.rows()
    for method in ("PUT", "PATCH"):
        assert admin.request(method, record, {**seen, **stale}, status=200).json == seen
    assert organization.rows() == before


@pytest.mark.parametrize("path", NAMED)
def test_null_in_a_patch_is_what_leaving_out_is_in_a_put(record, path, bodies, admin):
    for node in bodies[path].children:
        if not node.required and node.name not in ("name", "content"):
            patched = admin.patch(record, {node.name: None}, status=200).json
            if path != "/api/contract-templates/{id}":
                left = {name: value for name, value in patched.items() if name != node.name}
                assert lasting(admin.put(record, left, status=200).json) == lasting(patched)


def test_unknown_and_needed_fields_are_named_at_once(record, path, bodies, admin):
    needed = [node.name for node in bodies[path].children if node.required]
    refused = admin.patch(record, {"colour": "red", **dict.fromkeys(needed)}, status=422)
    assert codes(refused) == [("colour", "unknown_field"), *((name, "required") for name in needed)]
    replaced = admin.put(record, {**admin.get(record).json, "colour": "red"}, status=422)
    assert ("colour", "unknown_field") in codes(replaced)


@pytest.mark.parametrize(
    ("method", "media_type", "status", "phone"),
    [
        ("PATCH", MERGE_PATCH, 200, None),
        ("PATCH", "application/json", 200, None),
        ("PATCH", "application/json-patch+json", 415, "1"),
        ("PUT", MERGE_PATCH, 415, "1"),
    ],
)
def test_a_patch_is_a_merge_patch_or_plain_json(method, media_type, status, phone, lead, member):
    headers = {**member.headers, "Content-Type": media_type}
    member.app.request(lead, method=method, headers=headers, body=b'{"phone": null}', status=status)
    assert member.get(lead).json["phone"] == phone


@pytest.mark.parametrize("raw", [b"[]", b'"x"', b"1", b"true", b"null"])
def test_a_patch_that_is_no_object_is_refused(raw, lead, member):
    assert codes(member.request("PATCH", lead, raw=raw)) == [("", "wrong_type")]


def test_a_patch_is_checked_as_a_put(lead, member):
    sent = {"phone": 1, "assigned_to": 9_000_000_000, "status": "sold", "id": 9_000_000_000}
    refused = member.patch(lead, sent, status=422)
    assert codes(refused) == [
        ("phone", "wrong_type"),
        ("status", "invalid_choice"),
        ("assigned_to", "unknown_reference"),
    ]


def test_a_status_that_is_null_stays(lead, member):
    assert member.patch(lead, {"status": "contacted"}, status=200).json["status"] == "contacted"
    assert member.patch(lead, {"status": None}, status=200).json["status"] == "contacted"


def test_objects_are_merged_and_arrays_replaced(admin):
    path = "/api/organization"
    admin.patch(path, {"branding": {"primary_color": "#112233", "text_color": "#000000"}}, status=200)
    changed = admin.patch(path, {"branding": {"text_color": None, "logo_url": "https://a.example/l.png"}}, status=200)
    assert changed.json["branding"] == {"primary_color": "#112233", "logo_url": "https://a.example/l.png"}
    assert admin.patch(path, {"branding": None}, status=200).json["branding"] == {}
    definition = {"name": "Server", "slug": "server", "platform_keys": ["linux", "windows"]}
    made = admin.post("/api/configurator-definitions", definition, status=201).json["id"]
    changed = admin.patch(f"/api/configurator-definitions/{made}", {"platform_keys": ["macos"]}, status=200)
    assert (changed.json["platform_keys"], changed.json["name"]) == (["macos"], "Server")


def test_a_patch_keeps_what_another_way_has_changed_in_the_same_moment(lead, member, owner):
    other = "update app.leads set phone = '2', status = 'contacted' where id = %s"
    patched = held_up(owner, other, [lead.rpartition("/")[2]], lambda: member.patch(lead, {"first_name": "Kim"})).json
    assert (patched["first_name"], patched["phone"], patched["status"]) == ("Kim", "2", "contacted")


def test_a_patch_of_what_is_deleted_in_the_same_moment_finds_nothing(lead, member, owner):
    other = "delete from app.leads where id = %s"
    refused = held_up(owner, other, [lead.rpartition("/")[2]], lambda: member.patch(lead, {"first_name": "Kim"}))
    assert_problem(refused, 404, "not_found")


def test_an_assigned_user_stays_when_the_seat_is_inactive(lead, member, organization):
    user_id = organization.users["colleague"]
    task = f"{lead}/tasks/{member.post(f'{lead}/tasks', {'title': 'Call', 'assigned_to': user_id}).json['id']}"
    member.patch(lead, {"assigned_to": user_id}, status=200)
    organization.deactivate("colleague")
    for path in (lead, task):
        assert member.patch(path, {"assigned_to": user_id}, status=200).json["assigned_to"] == user_id
        member.put(path, member.get(path).json, status=200)
    member.patch(lead, {"assigned_to": None}, status=200)
    assert codes(member.patch(lead, {"assigned_to": user_id}, status=422)) == [("assigned_to", "unknown_reference")]


def test_the_caller_changes_their_name(member):
    assert member.patch(ME, {"name": "Kim"}, status=200).json["user"]["name"] == "Kim"
    assert member.patch(ME, member.get(ME).json, status=200).json == member.get(ME).json


def test_a_prospects_answers_are_saved_whether_a_token_comes_along_or_not(organization, anonymous, member):
    path = interview(organization.invite())
    for api, seats in ((anonymous, 5), (member, 6)):
        assert api.patch(path, {"answers": {"seats": seats}}, status=200).json["answers"] == {"seats": seats}
