import pytest

from tests.http.target import assert_problem
from tests.isolation.cases import CASES
from tests.support import codes

# Whatever is created by itself and can be deleted.
KINDS = sorted(
    path
    for method, path in CASES
    # A picture is made by an upload (tests/contracts/test_pictures.py).
    if method == "POST" and ("DELETE", path + "/{id}") in CASES and path != "/api/pictures"
)
NAMED_OUTSIDE = ("leads", "companies", "contacts", "deals", "quotes", "contracts")
SEVEN = {"external_id": "7"}


def body_of(path, organization):
    """A body without optional fields, and what it refers to."""
    case = CASES["POST", path]
    return case.body(case.arrange(organization))


@pytest.fixture(params=NAMED_OUTSIDE)
def path(request):
    return f"/api/{request.param}"


@pytest.fixture
def body(path, organization):
    return body_of(path, organization)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_created_shown_listed_and_deleted(kind, admin, organization):
    case = CASES["POST", kind]
    body = case.body(case.arrange(organization))
    made = admin.post(kind, body, headers={"If-Match": '"of no record yet"'}, status=201)
    path = f"{kind}/{made.json['id']}"
    assert made.headers["Location"] == f"https://pipeline.example{path}"
    assert made.json["organization_id"] == organization.id
    shown = admin.get(path, status=200)
    # What holds a secret besides is another representation, without a tag.
    same = made.json.keys() - {"duplicates"} == shown.json.keys()
    assert made.headers.get("ETag") == (shown.headers["ETag"] if same else None)
    assert made.json.items() >= shown.json.items()
    assert made.json["id"] in [record["id"] for record in admin.get(kind, status=200).json["data"]]
    admin.delete(path, headers={"If-Match": shown.headers["ETag"]}, status=204)
    assert_problem(admin.get(path), 404, "not_found")


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
    other = new_organization()
    other.member.post(path, body_of(path, other) | SEVEN, status=201)


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
