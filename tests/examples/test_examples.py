import orjson
import pytest

from pipeline.api.openapi.examples import load
from tests.described import validators
from tests.examples.run import FILE, run

# A file of a fixed content: there is nothing to send, and nothing that could be shown.
FILES = {"get_merge_tags_pdf", "get_merge_tags_word"}
# What somebody has uploaded: one of many types, text or not.
UPLOADED = {"get_interview_file"}


@pytest.fixture
def document(anonymous):
    return anonymous.get("/openapi.json", status=200).json


@pytest.fixture
def operations(document):
    return {one["operationId"]: one for methods in document["paths"].values() for one in methods.values()}


def contents(operation):
    """The contents of a request and its successes, by media type."""
    answers = [answer for status, answer in operation["responses"].items() if status < "300"]
    return [
        content for part in (operation.get("requestBody", {}), *answers) for content in part.get("content", {}).items()
    ]


def test_the_examples_are_what_the_service_answers_today(server_url, worker_id):
    assert FILE.read_text() == run(server_url, f"examples_{worker_id}"), "run: make examples"


def test_every_operation_has_an_example(operations):
    lacking = "change tests/examples/story.py, and run: make examples"
    assert load().keys() == operations.keys() - FILES, lacking


def test_every_request_and_answer_that_is_text_shows_its_example(operations):
    lacking = [
        (name, media_type)
        for name, operation in operations.items()
        if name not in UPLOADED
        for media_type, content in contents(operation)
        if media_type.endswith(("json", "csv")) and "example" not in content
    ]
    assert lacking == []


def test_every_example_is_as_described(document, operations):
    validator = validators(document["components"]["schemas"])
    for name, operation in operations.items():
        for _, content in contents(operation):
            if "example" in content:
                errors = validator(orjson.dumps(content["schema"])).iter_errors(content["example"])
                assert [error.message for error in errors] == [], name
