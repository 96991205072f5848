import pytest
from structlog.testing import capture_logs

from pipeline.changes import records
from pipeline.changes.schemas import TYPES
from pipeline.changes.shapes import OF_PARENTS
from tests.isolation.cases import CASES


@pytest.fixture
def included(organization, feed):
    """included(start, client): [(type, action, id of the included record or None)]."""

    def read(start, client=organization.admin, **query):
        changes = feed(start, include="record", client=client, **query)["data"]
        return [(change["type"], change["action"], change["record"] and change["record"]["id"]) for change in changes]

    return read


def test_a_change_shows_the_present_record_null_for_a_deleted_one_and_none_without_include(organization, feed):
    start = feed()["next"]
    kept, gone = (organization.insert("leads", first_name="Pat") for _ in range(2))
    organization.member.patch(f"/api/leads/{kept}", {"first_name": "Kim"}, status=200)
    organization.member.delete(f"/api/leads/{gone}", status=204)
    changes = feed(start, include="record")["data"]
    assert [change["record"] and change["record"]["first_name"] for change in changes] == ["Kim", None, "Kim", None]
    assert not any("record" in change for change in feed(start)["data"])


def test_a_key_gets_only_records_of_its_scopes(organization, feed, included):
    start = feed()["next"]
    ids = CASES["GET", "/api/leads/{id}"].arrange(organization)
    company = organization.insert("companies", name="Acme")
    of_leads = {"leads": ids["id"], "notes": ids["noteId"], "tasks": ids["taskId"]}
    for scope, readable in (("records:read", {"companies": company}), ("leads:read", of_leads)):
        told = included(start, organization.key("changes:read", scope))
        assert {type for type, _, _ in told} == {*of_leads, "companies", "api-keys"}
        assert {type: id for type, _, id in told if id} == readable


def test_a_member_gets_no_record_that_only_administrators_may_read(organization, feed, included):
    start = feed()["next"]
    key = organization.admin.post("/api/api-keys", {"name": "CRM", "scopes": ["all"]}, status=201).json["id"]
    assert included(start, organization.member) == [("api-keys", "created", None)]
    assert included(start, organization.admin) == [("api-keys", "created", key)]
    assert {id for _, _, id in included(start, organization.key(role="admin"))} == {None}


def test_another_organization_gets_no_record(organization, new_organization, feed, included):
    start, other = feed()["next"], new_organization()
    organization.insert("leads", first_name="Pat")
    theirs = other.insert("leads", first_name="Kim")
    assert included(start, other.member, types="leads") == [("leads", "created", theirs)]


@pytest.mark.parametrize("type", TYPES)
def test_the_description_types_the_record_of_each_type(anonymous, type):
    described = anonymous.get("/openapi.json", status=200).json
    schemas, parent = described["components"]["schemas"], "contracts" if type in OF_PARENTS else None
    entry = schemas[schemas["Change"]["discriminator"]["mapping"][type].rpartition("/")[2]]["properties"]
    read = described["paths"][records.RecordType(type, parent).path]["get"]["responses"]["200"]["content"]
    assert entry["type"]["const"] == type
    assert entry["record"]["anyOf"] == [read["application/json"]["schema"], {"type": "null"}]


def test_large_records_end_a_page_early_and_none_is_lost(organization, feed, monkeypatch):
    monkeypatch.setattr(records, "MOST_BYTES", 6000)
    monkeypatch.setattr(records, "AT_ONCE", 4)
    start, found, pages, more = feed()["next"], [], 0, True
    notes = [organization.insert("leads", first_name="Pat", notes="x" * 900) for _ in range(7)]
    big = organization.insert("leads", first_name="Big", notes="x" * 5000)
    while more:
        page = feed(start, include="record")
        found += [change["record"]["id"] for change in page["data"]]
        start, more, pages = page["next"], page["more"], pages + 1
    assert found == [*notes, big]
    assert 1 < pages < len(found)


def test_one_statement_reads_the_records_of_a_kind(organization, feed):
    start = feed()["next"]
    for number in range(30):
        organization.insert("leads", first_name=f"Pat {number}")
    with capture_logs() as lines:
        for limit in (2, 30):
            assert len(feed(start, include="record", limit=limit)["data"]) == limit
    few, many = [line["queries"] for line in lines if line["event"] == "request"]
    assert few == many


def test_the_record_of_a_lead_has_the_hidden_fields_of_its_form(organization, anonymous, feed):
    start = feed()["next"]
    form = organization.public_form(hidden_fields=["utm_source"])
    path = f"/api/public/interview/capture/{form['public_slug']}/submit?utm_source=mail"
    anonymous.post(path, {"answers": {"product_line": "server"}}, status=201)
    (change,) = feed(start, include="record", types="leads")["data"]
    assert change["record"]["hidden_fields"] == {"utm_source": "mail"}
