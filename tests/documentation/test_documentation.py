import re
from pathlib import Path

import pytest

from pipeline.api import documentation
from pipeline.api.endpoint import endpoints
from pipeline.changes.webhooks.events import EVENTS, TEST
from pipeline.http.scopes import SCOPES
from pipeline.validation.errors.codes import CODES
from tests.support import TEMPLATE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def document(anonymous):
    return anonymous.get("/openapi.json", status=200).json


@pytest.fixture
def operations(document):
    return [operation for methods in document["paths"].values() for operation in methods.values()]


def test_every_endpoint_is_described(document, wsgi):
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(contract.method, contract.path) for contract in endpoints(wsgi.registry)}


def test_every_event_is_described_and_in_the_guide(document):
    assert [*document["webhooks"]] == [*EVENTS, TEST]
    table = (ROOT / "docs" / "webhooks.md").read_text().partition("## Events")[2].partition("\n- ")[0]
    told = []
    for subject, verb in re.findall(r"`(\w*)\.(\w+)`", table):
        told.append(f"{subject or told[-1].partition('.')[0]}.{verb}")
    assert sorted(told) == sorted([*EVENTS, TEST])


def test_a_body_is_described_as_it_is_enforced(document):
    operation = document["paths"]["/api/interview-templates"]["post"]
    reference = operation["requestBody"]["content"]["application/json"]["schema"]
    assert reference == {"$ref": "#/components/schemas/CreateInterviewTemplateBody"}
    body = document["components"]["schemas"]["CreateInterviewTemplateBody"]
    assert body["required"] == [name for name in body["properties"] if name in TEMPLATE]
    assert body["additionalProperties"] is False
    assert operation["security"] == [{"bearer": []}, {"key": []}]
    assert operation["x-scopes"] == ["interviews:write"]


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/docs/reference", "/docs/errors", "/docs/concepts"])
def test_a_static_page_is_made_once_and_not_sent_twice(path, anonymous, monkeypatch):
    """Anybody may ask for it, and as often as they like."""
    first = anonymous.get(path, status=200)
    monkeypatch.setattr(documentation, "document", lambda registry: pytest.fail("made again"))
    assert anonymous.get(path, status=200).body == first.body
    anonymous.get(path, headers={"If-None-Match": first.headers["ETag"]}, status=304)


def test_the_root_says_where_things_are(anonymous):
    places = anonymous.get("/", status=200).json
    for name in ("documentation", "reference", "errors", "openapi", "health"):
        anonymous.get(places[name], status=200)
    anonymous.get(places["login"], status=405)


def test_fields_of_a_record_are_described_by_its_columns(document):
    lead = document["components"]["schemas"]["Lead"]["properties"]
    assert "readOnly" not in lead["id"], "generators leave such fields out of the messages of webhooks"
    assert document["components"]["schemas"]["PatchLeadBody"]["properties"]["id"]["readOnly"]
    assert lead["status"]["enum"] == ["contacted", "disqualified", "new", "qualified"]
    assert lead["email"] == {"type": ["string", "null"], "format": "idn-email", "description": "Email address."}
    assert lead["tasks"]["items"] == {"$ref": "#/components/schemas/Task"}


def test_every_failure_of_an_operation_names_its_codes(document, operations):
    failures = document["components"]["responses"]
    referred = {answer["$ref"] for one in operations for answer in one["responses"].values() if "$ref" in answer}
    assert referred == {f"#/components/responses/{name}" for name in failures}
    for name, failure in failures.items():
        words = failure["content"]["application/problem+json"]["schema"]["properties"]["code"]["enum"]
        assert {f"Problem{CODES[code].status}" for code in words} == {name.split("-")[0]}


def test_every_part_of_the_description_says_what_it_means(document, operations):
    components = document["components"]
    unsaid = [
        f"{name}.{member}"
        for name, schema in components["schemas"].items()
        for member, described in schema.get("properties", {}).items()
        if not described.get("description")
    ]
    assert unsaid == [], "a column's comment, or `description` beside the member, says it"
    for kind in ("headers", "parameters", "responses", "securitySchemes"):
        assert [name for name, part in components[kind].items() if not part.get("description")] == []
    for operation in operations:
        parts = [*operation["parameters"], *operation["responses"].values()]
        assert all("$ref" in part or part["description"] for part in parts), operation["operationId"]


def test_every_scope_that_is_asked_for_can_be_given(operations):
    for operation in operations:
        assert ({"key": []} in operation["security"]) == ("x-scopes" in operation)
        assert set(operation.get("x-scopes", ())) <= set(SCOPES)


def test_defaults_are_told_in_words(document, operations):
    """Generators make fields with `default` required, and send parameters with it."""
    parameters = [part for one in operations for part in one["parameters"] if "$ref" not in part]
    members = [
        one for schema in document["components"]["schemas"].values() for one in schema.get("properties", {}).values()
    ]
    assert [one for one in (*members, *(part["schema"] for part in parameters)) if "default" in one] == []
    per_page = next(part for part in parameters if part.get("name") == "per_page")
    assert "Default: `" in per_page["description"]
