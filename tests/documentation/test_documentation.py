"""The documentation that the service gives of itself."""

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from pipeline.problems import CODES
from pipeline.resource import endpoints
from tests.support import TEMPLATE


@pytest.fixture
def document(anonymous):
    return anonymous.get("/openapi.json", status=200).json


def test_the_openapi_document_is_valid(document):
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_every_endpoint_is_described(document, wsgi):
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(method, path) for method, path, _ in endpoints(wsgi.registry)}


def test_a_body_is_described_as_it_is_enforced(document):
    operation = document["paths"]["/api/interview-templates"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == [name for name in body["properties"] if name in TEMPLATE]
    assert body["additionalProperties"] is False
    assert operation["security"] == [{"bearer": []}]


def test_operation_ids_are_unique(document):
    ids = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
    assert len(ids) == len(set(ids))


def test_every_problem_type_leads_to_its_explanation(anonymous):
    problem = anonymous.get("/api/nothing", status=404).json
    page, _, anchor = problem["type"].partition("#")
    text = anonymous.get(page, status=200).text
    assert anchor == "not_found"
    assert [code for code in CODES if f'id="{code}"' not in text] == []


def test_the_overview_names_every_endpoint(anonymous, wsgi):
    text = anonymous.get("/docs", status=200).text
    assert [path for _, path, _ in endpoints(wsgi.registry) if path not in text] == []
