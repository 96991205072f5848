import pytest

from tests.http.target import assert_problem
from tests.records.support import make
from tests.support import codes


@pytest.fixture
def choice(deal, definition):
    return {
        "deal_id": deal["id"],
        "definition_id": definition["id"],
        "platform_keys": ["linux"],
        "feature_keys": ["floating"],
        "license_type": "perpetual",
        "quantity": 25,
    }


@pytest.mark.parametrize("slug", ["license-cloud", "license_cloud", "v2"])
def test_a_slug_may_be_what_an_answer_holds(slug, admin):
    assert make(admin, "configurator-definitions", name="Cloud", slug=slug)["slug"] == slug


def test_a_slug_is_taken_once_in_an_organization(admin, definition, new_organization):
    body = {"name": "Other", "slug": "server"}
    assert_problem(admin.post("/api/configurator-definitions", body), 409, "slug_taken")
    make(new_organization().admin, "configurator-definitions", **body)


def test_a_value_that_the_definition_lacks_is_named_by_its_place(member, choice):
    lacking = {"platform_keys": ["linux", "beos"], "feature_keys": ["x"], "license_type": "rent"}
    refused = member.post("/api/configurations", choice | lacking, status=422)
    assert [name for name, _ in codes(refused)] == ["platform_keys.1", "feature_keys.0", "license_type"]


def test_the_status_left_out_of_an_update_stays(member, choice):
    made = make(member, "configurations", **choice | {"status": "final"})
    changed = member.put(f"/api/configurations/{made['id']}", choice | {"quantity": None}, status=200).json
    assert (changed["status"], changed["quantity"]) == ("final", None)


def test_an_invite_has_one_configuration_for_good(member, organization, choice):
    body = choice | {"invite_id": organization.invite()["id"]}
    path = f"/api/configurations/{make(member, 'configurations', **body)['id']}"
    assert_problem(member.post("/api/configurations", body), 409, "configuration_exists")
    for unsaid in (choice, body | {"invite_id": None}):
        assert member.put(path, unsaid, status=200).json["invite_id"] == body["invite_id"]
    for change in (member.put, member.patch):
        kept = change(path, body | {"invite_id": 9_000_000_000}, status=200)
        assert kept.json["invite_id"] == body["invite_id"]


def test_a_definition_has_labels_for_its_keys_only(admin, definition):
    labels = {"linux": "Linux", "perpetual": "Perpetual licence"}
    path = f"/api/configurator-definitions/{definition['id']}"
    assert admin.patch(path, {"labels": labels}, status=200).json["labels"] == labels
    assert codes(admin.patch(path, {"labels": {"linux": ""}}, status=422)) == [("labels.linux", "required")]
    assert codes(admin.patch(path, {"labels": {"beos": "BeOS"}}, status=422)) == [("labels.beos", "unknown_key")]
    assert admin.get(path).json["labels"] == labels


def test_a_configuration_refers_to_no_invite_of_another_organization(member, choice, new_organization):
    refused = member.post("/api/configurations", choice | {"invite_id": new_organization().invite()["id"]}, status=422)
    assert codes(refused) == [("invite_id", "unknown_reference")]
