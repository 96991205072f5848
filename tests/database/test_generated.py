import json

import pytest

from development import query_stub, record_schemas
from pipeline.api.endpoint import endpoints


@pytest.mark.parametrize(
    ("file", "made"),
    [
        (query_stub.FILE, lambda _owner: query_stub.stub()),
        (record_schemas.FILE, record_schemas.records),
        (record_schemas.CHANGES, record_schemas.types),
    ],
    ids=["the stub of the statements", "the records", "the types of changes"],
)
def test_generated_files_match_the_schema_and_sql(owner, file, made):
    assert file.read_text() == made(owner), "run: make schema"


def test_a_statement_without_its_revision_names_it(owner):
    owner.execute("drop view app.team_records")
    with pytest.raises(SystemExit, match=r"teams\.sql:\d+, team_\w+: .* does not exist\. .* make revision"):
        record_schemas.write(owner)


def test_every_json_answer_has_a_shape(wsgi):
    json_answers = [one for one in endpoints(wsgi.registry) if one.gives == "application/json" and one.status != 204]
    assert [(one.method, one.path) for one in json_answers if one.answer is None] == []


def test_every_record_that_people_and_programs_create_tells_its_creator():
    silent = {"notification", "organization", "own_key", "seat", "user", "webhook_delivery"}
    columns = json.loads(record_schemas.FILE.read_text())
    made = {name for name, record in columns.items() if "created_at" in record} - silent
    creator = {"created_by", "created_by_kind", "created_by_name"}
    assert [name for name in sorted(made) if not columns[name].keys() >= creator] == []
