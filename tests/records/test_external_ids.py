"""The ids of records in another system: unique in the organization for their kind."""

from tests.http.target import assert_problem
from tests.support import codes

SEVEN = {"external_id": "7"}


def test_a_record_shows_its_external_id_and_is_found_by_it(member, path, body):
    made = member.post(path, body | {"external_id": " crm:7,b "}, status=201).json
    member.post(path, body | {"external_id": "crm:8"}, status=201)
    assert made["external_id"] == "crm:7,b"
    found = member.get(f"{path}?external_id=crm:7,b", status=200).json
    assert ([record["id"] for record in found["data"]], found["total"]) == ([made["id"]], 1)
    assert member.get(f"{path}?external_id=crm:9", status=200).json["total"] == 0


def test_an_external_id_belongs_to_one_record_of_its_kind_in_the_organization(member, path, body, new_organization):
    first, second = (member.post(path, body | given, status=201).json["id"] for given in (SEVEN, {}))
    for answer in (member.post(path, body | SEVEN), member.patch(f"{path}/{second}", SEVEN)):
        assert_problem(answer, 409, "external_id_taken")
        assert codes(answer) == [("external_id", "external_id_taken")]
    member.put(f"{path}/{first}", body | SEVEN, status=200)
    new_organization().member.post(path, body | SEVEN, status=201)


def test_an_external_id_is_free_after_its_record_gives_it_up(member, path, body):
    made = member.post(path, body | SEVEN, status=201).json
    assert member.put(f"{path}/{made['id']}", body, status=200).json["external_id"] is None
    taken = member.post(path, body | SEVEN, status=201).json
    member.delete(f"{path}/{taken['id']}", status=204)
    member.post(path, body | SEVEN, status=201)


def test_a_taken_external_id_is_named_beside_other_violations(member, path, body):
    member.post(path, body | SEVEN, status=201)
    wrong = member.post(path, dict.fromkeys(body, True) | SEVEN, status=422)
    assert codes(wrong) == [*((name, "wrong_type") for name in body), ("external_id", "external_id_taken")]
